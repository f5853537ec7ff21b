//! A formula on disk, with its map.

use super::Failure;
use super::args::EncodingArgs;
use super::session;
use crate::diag::Diagnostic;
use crate::encode::cnf::{self, Emission, EncodeError, GraphEncoding};
use crate::encode::dimacs::DimacsSink;
use crate::encode::symbols::{self, Block, Domain, Symbol, SymbolMap, Target, Text, comment_lines, runs};
use crate::encode::{CountingSink, Lit};
use crate::eval::{Domains, Eval, Value, VarArray, stop_diagnostic};
use crate::files::{Comments, Digesting, WriteFault};
use crate::model::presolve::Presolved;
use crate::model::{self, Instance, VarId};
use crate::render::{self, Style};
use crate::shared::Stop;
use rustc_hash::FxHashMap;
use std::io::{self, Write};
use std::mem;
use std::sync::Arc;

/// What stands in front of the clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShowLine {
    /// `c p show …`, as model counters read it.
    Show,
    /// `c ind …`, as older ones do.
    Ind,
}

/// A formula about to be written.
pub struct Formula<'e, 'p> {
    pub eval: &'e mut Eval<'p>,
    pub known: Presolved,
    pub counted: CountingSink,
    pub emission: Emission,
    encoding: EncodingArgs,
}

impl<'e, 'p> Formula<'e, 'p> {
    /// Presolves and counts.
    pub fn new(eval: &'e mut Eval<'p>, encoding: &EncodingArgs) -> Result<Formula<'e, 'p>, Diagnostic> {
        let known = session::presolved(eval, encoding).map_err(stop_diagnostic)?;
        let allows = |var, position| known.contradiction.is_some() || known.allows(var, position);
        let budget = eval.budget;
        let (counted, emission) =
            cnf::measure(&eval.model, &allows, encoding.options(), budget).map_err(session::encode_fault)?;
        let limit = budget.limits().clauses;
        if counted.clauses > limit {
            return Err(
                stop_diagnostic(Stop::Clauses { limit }).note(format!("there are {}", counted.clauses))
            );
        }
        Ok(Formula { eval, known, counted, emission, encoding: encoding.clone() })
    }

    /// Writes the formula; `extra` clauses follow (and are counted). Gives the digest back.
    pub fn write(
        &mut self,
        out: &mut dyn Write,
        name: &str,
        show: ShowLine,
        annotate: bool,
        extra: &[Vec<Lit>],
    ) -> Result<u128, Failure> {
        let fault = |error: io::Error| Failure::from(WriteFault::of(name, &error));
        let mut out = Digesting::new(out, Comments::Cnf);
        out.write_all(self.header(show)?.as_bytes()).map_err(fault)?;
        let clauses = self.counted.clauses + extra.len() as u64;
        writeln!(out, "p cnf {} {clauses}", self.emission.variables).map_err(fault)?;
        let mut sink = DimacsSink::new(&mut out, annotate);
        let labels = if annotate { self.labels() } else { FxHashMap::default() };
        let allows = |var, position| self.known.contradiction.is_some() || self.known.allows(var, position);
        let label = |instance: Instance| labels.get(&instance).cloned().unwrap_or_default();
        let encoded = cnf::encode(
            &self.eval.model,
            &allows,
            self.encoding.options(),
            self.eval.budget,
            &mut sink,
            &label,
        );
        for clause in extra {
            crate::encode::Sink::clause(&mut sink, clause);
        }
        sink.finish().map_err(fault)?;
        match encoded {
            Ok(_) => {}
            Err(EncodeError::Stop(Stop::Cancelled)) => return Err(Failure::ClosedPipe),
            Err(error) => return Err(session::encode_fault(error).into()),
        }
        let (_, digest) = out.finish().map_err(fault)?;
        Ok(digest)
    }

    /// Has the formula as many models as the puzzle has solutions? Where auxiliaries are determined it has, unless an `answer`
    /// leaves variables out, or an objective, which clauses do not tell, would leave models out.
    fn is_exact(&self) -> bool {
        self.emission.is_determined()
            && self.eval.model.answer.is_none()
            && self.eval.model.objective.is_none()
    }

    fn labels(&mut self) -> FxHashMap<Instance, String> {
        let instances: Vec<_> = self.eval.model.rules.iter().map(|rule| rule.instance).collect();
        instances.into_iter().map(|instance| (instance, self.eval.instance(instance).label)).collect()
    }

    /// The comment lines: version, numbering, the puzzle with what is known, what to project on.
    fn header(&mut self, show: ShowLine) -> Result<String, Failure> {
        let mut header = format!("c rebus {}\nc\n", env!("CARGO_PKG_VERSION"));
        header.push_str(
            "c Named variables come first, in the order declared, keys row by row, values ascending:\n",
        );
        for array in self.eval.vars.iter().filter(|array| array.len() > 0) {
            header.push_str(&comment_lines("c : ", &self.numbering(array)));
        }
        if self.eval.model.objective.is_some() {
            header
                .push_str("c the objective is not in this formula: its models are all that keep the rules\n");
        }
        header.push_str(match self.emission.graphs {
            None => "",
            Some(GraphEncoding::Tree) => {
                "c graphs are told by parents, which are not determined: several models may be one solution\n"
            }
            Some(_) => "c graphs are told by distances, which are determined\n",
        });
        header.push_str(if self.is_exact() {
            "c models = solutions\nc\n"
        } else {
            "c solutions = models projected to the literals shown\nc\n"
        });
        let known: Vec<Option<u32>> =
            (0..self.eval.model.vars.len()).map(|at| self.known.fixed(VarId(at as u32))).collect();
        if self.known.contradiction.is_none() {
            self.eval.bind_some(&known);
            let drawings = self.eval.drawings();
            self.eval.unbind();
            for drawing in drawings? {
                header.push_str(&comment_lines("c : ", &render::text(&drawing, Style { ascii: false })));
            }
            header.push_str("c\n");
        }
        let word = match show {
            ShowLine::Show => "c p show",
            ShowLine::Ind => "c ind",
        };
        if self.emission.answer.is_empty() && self.emission.variables > 0 {
            header.push_str(&format!("{word} 0\n"));
        }
        for chunk in self.emission.answer.chunks(100) {
            header.push_str(word);
            for lit in chunk {
                header.push(' ');
                header.push_str(&lit.to_string());
            }
            header.push_str(" 0\n");
        }
        Ok(header)
    }

    /// Which literals an array's variables have; it has at least one variable.
    fn numbering(&self, array: &VarArray) -> String {
        let all = &self.emission.encodings[array.first.0 as usize..][..array.len()];
        let name = |i: usize| self.eval.entry_name(array, i);
        let names = match array.len() {
            1 => name(0),
            n => format!("{} to {}", name(0), name(n - 1)),
        };
        // a variable of one value may have no literal
        let mut told = all.iter().filter(|encoding| encoding.literals().1 > 0);
        let Some(start) = told.next() else {
            return format!("{names}: no literal, there is one value");
        };
        let (first, _) = start.literals();
        let (last, count) = told.clone().next_back().unwrap_or(start).literals();
        let how = match start {
            _ if told.any(|other| mem::discriminant(other) != mem::discriminant(start)) => "see the map",
            symbols::Encoding::Bool(_) => "a literal",
            symbols::Encoding::Direct { .. } => "a literal a value",
            symbols::Encoding::Order { .. } => "a literal a threshold, `at most the i-th value`",
            symbols::Encoding::Binary { .. } => "the place of the value as a binary number, lowest bit first",
        };
        let is = if array.len() == 1 { "is" } else { "are" };
        match last + count as Lit - 1 {
            end if end == first => format!("{names} {is} {first}: {how}"),
            end => format!("{names} {is} {first} to {end}: {how}"),
        }
    }

    /// The symbol map of the formula with this digest.
    pub fn map(&self, digest: u128, texts: Vec<Text>) -> SymbolMap {
        let mut symbols = Vec::with_capacity(self.eval.model.vars.len());
        for array in &self.eval.vars {
            let domain =
                |at: usize| Arc::new(self.domain(VarId(array.first.0 + at as u32), array.domain(at)));
            let shared = match &array.domains {
                Domains::Same(_) if array.len() > 0 => Some(domain(0)),
                _ => None,
            };
            for at in 0..array.len() {
                symbols.push(Symbol {
                    name: self.eval.entry_name(array, at),
                    domain: shared.clone().unwrap_or_else(|| domain(at)),
                    encoding: self.emission.encodings[array.first.0 as usize + at],
                });
            }
        }
        let (named, last) = (self.emission.named as Lit, self.emission.variables as Lit);
        let auxiliaries =
            Block { first: named + 1, last, determined: self.emission.is_determined(), label: String::new() };
        SymbolMap {
            tool: format!("rebus {}", env!("CARGO_PKG_VERSION")),
            target: Target::Cnf,
            dialect: "dimacs".into(),
            digest,
            variables: u64::from(self.emission.variables),
            clauses: self.counted.clauses,
            exact: self.is_exact(),
            symbols,
            blocks: if last > named { vec![auxiliaries] } else { Vec::new() },
            answer: runs(&self.emission.answer),
            texts,
        }
    }

    fn domain(&self, var: VarId, values: &[Value]) -> Domain {
        match self.eval.model.domain(var) {
            model::Domain::Bool => Domain::bool(),
            model::Domain::Ints(ints) => Domain::ints(ints.iter().copied()),
            model::Domain::Symbols(_) => Domain::new(values.iter().map(|value| self.eval.name_text(value))),
        }
    }
}
