//! Terms: booleans and integers over decision variables, hash-consed.
//!
//! Constructors simplify: they fold constants, remove repeated parts of conjunctions, and merge equal atoms of linear
//! sums. The nodes are a small closed set of constraints.

mod equal;
mod graphs;
mod ints;
mod linear;
mod operands;
mod table;

pub use graphs::Looked;
pub use operands::Use;

use super::graph::{Graph, GraphId, Property};
use super::{Regular, Runs, VarId};
use hashbrown::HashTable;
use rustc_hash::FxHashMap;
use std::ops::Not;
use std::rc::Rc;

/// A boolean term; the lowest bit is the negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bool(u32);

impl Bool {
    pub const TRUE: Bool = Bool(0);
    pub const FALSE: Bool = Bool(1);

    pub fn constant(value: bool) -> Bool {
        if value { Bool::TRUE } else { Bool::FALSE }
    }

    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The term without its negation.
    pub fn positive(self) -> Bool {
        Bool(self.0 & !1)
    }

    /// The positive term of the node at `index`.
    pub(super) fn at(index: usize) -> Bool {
        Bool((index as u32) << 1)
    }

    /// The index of its node; a term and its negation have the same.
    pub fn index(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn as_constant(self) -> Option<bool> {
        match self {
            Bool::TRUE => Some(true),
            Bool::FALSE => Some(false),
            _ => None,
        }
    }
}

impl Not for Bool {
    type Output = Bool;
    fn not(self) -> Bool {
        Bool(self.0 ^ 1)
    }
}

/// An integer term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Int(u32);

impl Int {
    /// The term of the node at `index`.
    pub(super) fn at(index: usize) -> Int {
        Int(index as u32)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An atom of a linear sum; a true boolean counts 1, a false one 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Atom {
    Bool(Bool),
    Int(Int),
}

/// `coef · atom`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term {
    pub coef: i64,
    pub atom: Atom,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cmp {
    Le,
    Eq,
}

/// A view of a boolean node. A disjunction is the negation of an `And`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BoolNode<'a> {
    True,
    /// A boolean variable.
    Var(VarId),
    /// A variable (not boolean) has the value at this position of its domain.
    Is(VarId, u32),
    /// At least two parts, sorted, distinct, no part together with its negation.
    And(&'a [Bool]),
    /// Equivalence; both parts positive, the first smaller.
    Iff(Bool, Bool),
    /// `Σ terms ⋈ bound`, with at least one term. Terms are sorted by atom; atoms are distinct; coefficients are not
    /// 0 and have greatest common divisor 1; boolean atoms are positive; no `Int` atom is a `Linear` or `Const` node.
    /// A single integer atom has coefficient 1. For `Eq` the first coefficient is positive.
    Linear {
        terms: &'a [Term],
        cmp: Cmp,
        bound: i64,
    },
    /// All different; at least two parts.
    Distinct(&'a [Int]),
    Runs(&'a Runs),
    Regular(&'a Regular),
    /// A property of a graph.
    Graph(GraphId, Property<'a>),
}

/// A view of an integer node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IntNode<'a> {
    Const(i64),
    Var(VarId),
    /// `Σ terms + constant`; terms as in [`BoolNode::Linear`], but with any common divisor and any sign.
    Linear {
        terms: &'a [Term],
        constant: i64,
    },
    Mul(Int, Int),
    /// Floor division; 0 if the divisor is 0 (the evaluator excludes this case by a separate condition).
    Div(Int, Int),
    /// `a - b · floor(a / b)`; 0 if b is 0.
    Mod(Int, Int),
    Min(&'a [Int]),
    Max(&'a [Int]),
    Abs(Int),
    /// The value of the arm whose condition holds; exactly one does.
    Select(&'a [(Bool, Int)]),
    /// The size of the component of a vertex; 0 if the vertex is absent.
    Area(GraphId, u32),
}

/// The bounds of a term do not fit into 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
enum Op {
    True,
    BVar,
    Is,
    And,
    Iff,
    Le,
    Eq,
    Distinct,
    Runs,
    Regular,
    Connected,
    Tree,
    Acyclic,
    Partition,
    Reaches,
    Const,
    IVar,
    Sum,
    Mul,
    Div,
    Mod,
    Min,
    Max,
    Abs,
    Select,
    Area,
}

/// `a`, `b`: operands, or start and length in a pool; `k`: bound, constant, graph.
#[derive(Clone, Copy, Debug)]
struct Node {
    op: Op,
    a: u32,
    b: u32,
    k: i64,
}

/// All terms of a model.
#[derive(Clone, Debug)]
pub struct Arena {
    bools: Vec<Node>,
    ints: Vec<Node>,
    bounds: Vec<(i64, i64)>,
    /// Pool: parts of And.
    bool_parts: Vec<Bool>,
    /// Pool: parts of Distinct, Min, Max.
    int_parts: Vec<Int>,
    /// Pool: arms of Select.
    arms: Vec<(Bool, Int)>,
    terms: Vec<Term>,
    runs: Vec<Runs>,
    regulars: Vec<Regular>,
    graphs: Vec<Rc<Graph>>,
    graph_ids: FxHashMap<Rc<Graph>, GraphId>,
    graph_bytes: u64,
    /// Pool: roots of Reaches.
    roots: Vec<u32>,
    bool_table: HashTable<u32>,
    int_table: HashTable<u32>,
}

impl Default for Arena {
    fn default() -> Arena {
        let mut arena = Arena {
            bools: Vec::new(),
            ints: Vec::new(),
            bounds: Vec::new(),
            bool_parts: Vec::new(),
            int_parts: Vec::new(),
            arms: Vec::new(),
            terms: Vec::new(),
            runs: Vec::new(),
            regulars: Vec::new(),
            graphs: Vec::new(),
            graph_ids: FxHashMap::default(),
            graph_bytes: 0,
            roots: Vec::new(),
            bool_table: HashTable::new(),
            int_table: HashTable::new(),
        };
        arena.bools.push(Node { op: Op::True, a: 0, b: 0, k: 0 });
        arena
    }
}

/// The pool entry of a node under construction.
enum Pool<'a> {
    Nothing,
    Bools(&'a [Bool]),
    Ints(&'a [Int]),
    Arms(&'a [(Bool, Int)]),
    Terms(&'a [Term]),
    Runs(&'a Runs),
    Regular(&'a Regular),
    Roots(&'a [u32]),
}

impl Arena {
    /// The number of boolean nodes, greater than every [`Bool::index`].
    pub fn bool_count(&self) -> usize {
        self.bools.len()
    }

    /// The number of integer nodes, greater than every [`Int::index`].
    pub fn int_count(&self) -> usize {
        self.ints.len()
    }

    /// The approximate memory in bytes.
    pub fn bytes(&self) -> u64 {
        (self.bools.capacity() * size_of::<Node>()
            + self.ints.capacity() * (size_of::<Node>() + 16)
            + self.bool_parts.capacity() * 4
            + self.int_parts.capacity() * 4
            + self.arms.capacity() * 8
            + self.terms.capacity() * size_of::<Term>()
            + (self.bool_table.capacity() + self.int_table.capacity()) * 5) as u64
            + self.graph_bytes
    }

    /// The positive node of `term`; [`Bool::is_negated`] is its sign.
    pub fn bool_node(&self, term: Bool) -> BoolNode<'_> {
        let node = self.bools[term.index()];
        let (a, b) = (node.a as usize, node.b as usize);
        match node.op {
            Op::True => BoolNode::True,
            Op::BVar => BoolNode::Var(VarId(node.a)),
            Op::Is => BoolNode::Is(VarId(node.a), node.b),
            Op::And => BoolNode::And(&self.bool_parts[a..a + b]),
            Op::Iff => BoolNode::Iff(Bool(node.a), Bool(node.b)),
            Op::Le => BoolNode::Linear { terms: &self.terms[a..a + b], cmp: Cmp::Le, bound: node.k },
            Op::Eq => BoolNode::Linear { terms: &self.terms[a..a + b], cmp: Cmp::Eq, bound: node.k },
            Op::Distinct => BoolNode::Distinct(&self.int_parts[a..a + b]),
            Op::Runs => BoolNode::Runs(&self.runs[a]),
            Op::Regular => BoolNode::Regular(&self.regulars[a]),
            Op::Connected => BoolNode::Graph(GraphId(node.k as u32), Property::Connected),
            Op::Tree => BoolNode::Graph(GraphId(node.k as u32), Property::Tree),
            Op::Acyclic => BoolNode::Graph(GraphId(node.k as u32), Property::Acyclic),
            Op::Partition => BoolNode::Graph(GraphId(node.k as u32), Property::Partition),
            Op::Reaches => BoolNode::Graph(GraphId(node.k as u32), Property::Reaches(&self.roots[a..a + b])),
            _ => unreachable!("an integer node among the booleans"),
        }
    }

    pub fn int_node(&self, term: Int) -> IntNode<'_> {
        let node = self.ints[term.index()];
        let (a, b) = (node.a as usize, node.b as usize);
        match node.op {
            Op::Const => IntNode::Const(node.k),
            Op::IVar => IntNode::Var(VarId(node.a)),
            Op::Sum => IntNode::Linear { terms: &self.terms[a..a + b], constant: node.k },
            Op::Mul => IntNode::Mul(Int(node.a), Int(node.b)),
            Op::Div => IntNode::Div(Int(node.a), Int(node.b)),
            Op::Mod => IntNode::Mod(Int(node.a), Int(node.b)),
            Op::Min => IntNode::Min(&self.int_parts[a..a + b]),
            Op::Max => IntNode::Max(&self.int_parts[a..a + b]),
            Op::Abs => IntNode::Abs(Int(node.a)),
            Op::Select => IntNode::Select(&self.arms[a..a + b]),
            Op::Area => IntNode::Area(GraphId(node.a), node.b),
            _ => unreachable!("a boolean node among the integers"),
        }
    }

    /// Bounds of the term's value, from the bounds of its parts.
    pub fn bounds(&self, term: Int) -> (i64, i64) {
        self.bounds[term.index()]
    }

    pub fn atom_bounds(&self, atom: Atom) -> (i64, i64) {
        match atom {
            Atom::Bool(Bool::TRUE) => (1, 1),
            Atom::Bool(Bool::FALSE) => (0, 0),
            Atom::Bool(_) => (0, 1),
            Atom::Int(int) => self.bounds(int),
        }
    }

    // ---- booleans ----

    pub fn var_bool(&mut self, var: VarId) -> Bool {
        self.bool(Op::BVar, var.0, 0, 0, Pool::Nothing)
    }

    /// `var` (not boolean, with at least two values) has the value at `position`.
    pub fn is(&mut self, var: VarId, position: u32) -> Bool {
        self.bool(Op::Is, var.0, position, 0, Pool::Nothing)
    }

    pub fn and2(&mut self, a: Bool, b: Bool) -> Bool {
        match (a, b) {
            (Bool::FALSE, _) | (_, Bool::FALSE) => Bool::FALSE,
            (Bool::TRUE, x) | (x, Bool::TRUE) => x,
            (a, b) if a == b => a,
            (a, b) if a == !b => Bool::FALSE,
            (a, b) => self.bool(Op::And, 0, 2, 0, Pool::Bools(&if a < b { [a, b] } else { [b, a] })),
        }
    }

    pub fn or2(&mut self, a: Bool, b: Bool) -> Bool {
        !self.and2(!a, !b)
    }

    /// The conjunction; true without parts.
    pub fn and(&mut self, parts: impl IntoIterator<Item = Bool>) -> Bool {
        let mut list: Vec<Bool> = Vec::new();
        for part in parts {
            match part {
                Bool::TRUE => {}
                Bool::FALSE => return Bool::FALSE,
                part => list.push(part),
            }
        }
        list.sort_unstable();
        list.dedup();
        if list.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Bool::FALSE;
        }
        match list.as_slice() {
            [] => Bool::TRUE,
            [one] => *one,
            many => self.bool(Op::And, 0, many.len() as u32, 0, Pool::Bools(many)),
        }
    }

    /// The disjunction; false without parts.
    pub fn or(&mut self, parts: impl IntoIterator<Item = Bool>) -> Bool {
        let negated: Vec<Bool> = parts.into_iter().map(|part| !part).collect();
        !self.and(negated)
    }

    pub fn implies(&mut self, a: Bool, b: Bool) -> Bool {
        !self.and2(a, !b)
    }

    pub fn iff(&mut self, a: Bool, b: Bool) -> Bool {
        match (a.as_constant(), b.as_constant()) {
            (Some(true), _) => return b,
            (Some(false), _) => return !b,
            (_, Some(true)) => return a,
            (_, Some(false)) => return !a,
            _ => {}
        }
        if a == b {
            return Bool::TRUE;
        }
        if a == !b {
            return Bool::FALSE;
        }
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = (a.positive().min(b.positive()), a.positive().max(b.positive()));
        let node = self.bool(Op::Iff, a.0, b.0, 0, Pool::Nothing);
        if negated { !node } else { node }
    }

    pub fn xor(&mut self, a: Bool, b: Bool) -> Bool {
        !self.iff(a, b)
    }

    /// All different. Two equal parts make it false.
    pub fn distinct(&mut self, parts: &[Int]) -> Bool {
        let mut list: Vec<Int> = parts.to_vec();
        list.sort_unstable();
        if list.windows(2).any(|pair| pair[0] == pair[1]) {
            return Bool::FALSE;
        }
        match list.len() {
            0 | 1 => Bool::TRUE,
            n => self.bool(Op::Distinct, 0, n as u32, 0, Pool::Ints(&list)),
        }
    }

    pub fn runs(&mut self, runs: Runs) -> Bool {
        self.bool(Op::Runs, 0, 0, 0, Pool::Runs(&runs))
    }

    pub fn regular(&mut self, regular: Regular) -> Bool {
        self.bool(Op::Regular, 0, 0, 0, Pool::Regular(&regular))
    }
}

/// `⌊a / b⌋`; `None` for a divisor 0 or a result outside 64 bits.
pub fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    if a % b != 0 && (a < 0) != (b < 0) { quotient.checked_sub(1) } else { Some(quotient) }
}

/// `a - b · ⌊a / b⌋`, with the sign of `b`; `None` for a divisor 0.
pub fn floor_mod(a: i64, b: i64) -> Option<i64> {
    if b == 0 {
        return None;
    }
    let rest = a.checked_rem(b).unwrap_or(0);
    Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
}
