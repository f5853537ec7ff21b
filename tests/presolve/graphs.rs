//! Graphs and bounds on the number of their vertices.

use super::dice::Dice;
use super::{assert_rules, bool_vars, check, numbers, run};
use rebus::model::*;

#[test]
fn graphs_keep_their_solutions() {
    for seed in 0..1_200 {
        let mut dice = Dice::new(seed);
        let mut model = Model::default();
        let bools = bool_vars(&mut model, 7);
        let literal = |dice: &mut Dice| match dice.below(9) {
            7 => Bool::TRUE,
            8 => !bools[0],
            at => bools[at],
        };
        let mut graph = Graph::default();
        for _ in 0..dice.below(4) + 4 {
            graph.vertices.push(literal(&mut dice));
        }
        let n = graph.vertices.len();
        for _ in 0..n + dice.below(4) {
            let (a, b) = (dice.below(n), dice.below(n));
            let joined = model.arena.and2(graph.vertices[a], graph.vertices[b]);
            graph.edges.push((a as u32, b as u32, joined));
        }
        let roots = [dice.below(n) as u32, dice.below(n) as u32];
        let property = [Property::Connected, Property::Tree, Property::Reaches(&roots)][dice.below(3)];
        // of those that are there, or of those that are not
        let counted = dice.pick(&[1, 1, -1]);
        let count = |vertex: &Bool| {
            let part = if counted > 0 { *vertex } else { !*vertex };
            Term { coef: 1, atom: Atom::Bool(part) }
        };
        let there: Vec<Term> = graph.vertices.iter().map(count).collect();
        let size = if counted > 0 { dice.range(1, 4) } else { n as i64 - dice.range(1, 4) };
        let count = if dice.coin() { model.arena.le(there, size) } else { model.arena.eq(there, size) };
        let whole = model.arena.graph_is(graph.clone(), property);
        let sure = graph.vertices[dice.below(n)];
        let also = literal(&mut dice);
        assert_rules(&mut model, &[count.unwrap(), whole, sure, also]);
        let result = run(&model);
        check(&model, &result, &format!("graph {seed}"));
    }
}

#[test]
fn what_lies_too_far_from_a_root_is_not_there() {
    let mut model = Model::default();
    let vertices = bool_vars(&mut model, 6);
    let mut graph = Graph { vertices: vertices.clone(), ..Graph::default() };
    for (a, b) in [(0, 1), (1, 2), (2, 3), (4, 5)] {
        let joined = model.arena.and2(vertices[a], vertices[b]);
        graph.edges.push((a as u32, b as u32, joined));
    }
    let there = vertices.iter().map(|vertex| Term { coef: 1, atom: Atom::Bool(*vertex) }).collect();
    let few = model.arena.le(there, 3).unwrap();
    let whole = model.arena.graph_is(graph, Property::Connected);
    assert_rules(&mut model, &[vertices[0], whole]);
    let fixed = |model: &Model| (0..6).map(|var| run(model).fixed(VarId(var))).collect::<Vec<_>>();
    assert_eq!(fixed(&model), [Some(1), None, None, None, Some(0), Some(0)]);
    assert_rules(&mut model, &[vertices[0], whole, few]);
    assert_eq!(fixed(&model), [Some(1), None, None, Some(0), Some(0), Some(0)]);
    assert_rules(&mut model, &[vertices[0], whole, few, vertices[3]]);
    assert_eq!(numbers(&run(&model)), Some(vec![0, 1, 2, 3]));
}
