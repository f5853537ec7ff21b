//! Graphs and cuts as text: writing and reading. `grammar/formats.md` describes the lines.
//!
//! In a symbol map only the lines `graph`, `edge` and `want` are read, so a file with these lines alone suffices.

use super::{ALWAYS, Cut, Graph, Lit, Want};
use std::fmt::{self, Write};

/// The first line of a file of cuts.
pub const HEAD: &str = "rebus cuts 1";

/// The start of the comment line of a formula that states which clauses are the cuts, by the numbers of the first and
/// the last, `c cuts: 17..20`, counted from 1.
pub const CLAUSES: &str = "c cuts: ";

impl fmt::Display for Graph {
    /// The lines of a symbol map that describe the graph.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "graph{}", literals(&self.vertices))?;
        for (a, b, lit) in &self.edges {
            writeln!(f, "edge {} {}{}", a + 1, b + 1, literals(&[*lit]))?;
        }
        self.wants.iter().try_for_each(|want| match want {
            Want::Connected => writeln!(f, "want connected"),
            Want::Acyclic => writeln!(f, "want acyclic"),
            Want::Alike => writeln!(f, "want alike"),
            Want::Count { least, most } => writeln!(f, "want count {least} {most}"),
            Want::Reaches(roots) => {
                let roots: String = roots.iter().map(|root| format!(" {}", root + 1)).collect();
                writeln!(f, "want reaches{roots}")
            }
            Want::Size { vertex, is, at_least } => {
                let (is, at_least) = (literals(trimmed(is)), literals(trimmed(at_least)));
                writeln!(f, "want size {} is{is} least{at_least}", vertex + 1)
            }
        })
    }
}

impl fmt::Display for Cut {
    /// A line of a file of cuts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{} 0", self.graph + 1, self.rule, literals(&self.lits))
    }
}

/// Without the trailing literals that are never true: beyond its end a list has no others.
fn trimmed(lits: &[Lit]) -> &[Lit] {
    &lits[..lits.iter().rposition(|lit| *lit != -ALWAYS).map_or(0, |last| last + 1)]
}

fn literals(lits: &[Lit]) -> String {
    let mut text = String::new();
    for lit in lits {
        // writing to a string does not fail
        let _ = match *lit {
            ALWAYS => write!(text, " T"),
            lit if lit == -ALWAYS => write!(text, " F"),
            lit => write!(text, " {lit}"),
        };
    }
    text
}

/// The graphs of a map.
pub fn graphs(map: &str) -> Result<Vec<Graph>, String> {
    let mut graphs: Vec<Graph> = Vec::new();
    for (at, line) in map.lines().enumerate() {
        read_line(line, &mut graphs).map_err(|fault| format!("line {}: {fault}", at + 1))?;
    }
    Ok(graphs)
}

/// Reads a line of a map that describes a graph; false if it is another line.
pub fn read_line(line: &str, graphs: &mut Vec<Graph>) -> Result<bool, String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let Some((kind @ ("graph" | "edge" | "want"), words)) =
        words.split_first().map(|(kind, rest)| (*kind, rest))
    else {
        return Ok(false);
    };
    match (kind, graphs.last_mut()) {
        ("graph", _) => graphs.push(Graph { vertices: read_literals(words)?, ..Graph::default() }),
        (_, None) => return Err("there is no graph before this line".to_owned()),
        ("edge", Some(graph)) => graph.edges.push(read_edge(words, graph)?),
        (_, Some(graph)) => graph.wants.push(read_want(words, graph)?),
    }
    Ok(true)
}

/// The cuts of a file.
pub fn cuts(text: &str) -> Result<Vec<Cut>, String> {
    let mut lines = text.lines().enumerate();
    if lines.next().map(|(_, line)| line) != Some(HEAD) {
        return Err(format!("line 1: `{HEAD}` expected"));
    }
    lines.map(|(at, line)| read_cut(line).map_err(|fault| format!("line {}: {fault}", at + 1))).collect()
}

fn read_cut(line: &str) -> Result<Cut, String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let [graph, rule, lits @ .., "0"] = &words[..] else {
        return Err("a graph, a rule, literals and 0 are expected".to_owned());
    };
    let graph: usize = number(graph)?;
    let graph = graph.checked_sub(1).ok_or("graphs are numbered from 1")?;
    Ok(Cut { graph, rule: (*rule).to_owned(), lits: read_literals(lits)? })
}

fn read_edge(words: &[&str], graph: &Graph) -> Result<(usize, usize, Lit), String> {
    let [a, b, lit] = words else { return Err("two vertices and a literal are expected".to_owned()) };
    let (a, b) = (read_vertex(a, graph)?, read_vertex(b, graph)?);
    if a == b {
        return Err("an edge joins two different vertices".to_owned());
    }
    Ok((a, b, read_literal(lit)?))
}

fn read_want(words: &[&str], graph: &Graph) -> Result<Want, String> {
    match words {
        ["connected"] => Ok(Want::Connected),
        ["acyclic"] => Ok(Want::Acyclic),
        ["alike"] => Ok(Want::Alike),
        ["count", least, most] => Ok(Want::Count { least: number(least)?, most: number(most)? }),
        ["reaches", roots @ ..] => {
            let roots: Result<Vec<usize>, String> =
                roots.iter().map(|root| read_vertex(root, graph)).collect();
            Ok(Want::Reaches(roots?))
        }
        ["size", vertex, "is", rest @ ..] => {
            let vertex = read_vertex(vertex, graph)?;
            let mut halves = rest.split(|word| *word == "least");
            let (Some(is), Some(at_least), None) = (halves.next(), halves.next(), halves.next()) else {
                return Err("`is` and `least` are expected, each with literals".to_owned());
            };
            Ok(Want::Size { vertex, is: read_literals(is)?, at_least: read_literals(at_least)? })
        }
        _ => Err("`connected`, `acyclic`, `reaches`, `alike`, `count` or `size` is expected".to_owned()),
    }
}

fn read_literals(words: &[&str]) -> Result<Vec<Lit>, String> {
    words.iter().map(|word| read_literal(word)).collect()
}

fn read_literal(word: &str) -> Result<Lit, String> {
    match word {
        "T" => Ok(ALWAYS),
        "F" => Ok(-ALWAYS),
        _ => match number::<Lit>(word)? {
            0 | ALWAYS | Lit::MIN => Err(format!("`{word}` is no literal")),
            lit if lit == -ALWAYS => Err(format!("`{word}` is no literal")),
            lit => Ok(lit),
        },
    }
}

fn read_vertex(word: &str, graph: &Graph) -> Result<usize, String> {
    match number::<usize>(word)? {
        vertex if (1..=graph.vertices.len()).contains(&vertex) => Ok(vertex - 1),
        _ => Err(format!("`{word}` is no vertex of the graph")),
    }
}

fn number<N: std::str::FromStr>(word: &str) -> Result<N, String> {
    word.parse().map_err(|_| format!("`{word}` is no number that is expected here"))
}
