//! Symbol maps that lie, and maps that grow.

use super::{Desk, ends, told};
use xxhash_rust::xxh3::xxh3_64;

/// A map with other lines, its check sum made good.
fn forged(map: &str, change: impl Fn(&str) -> String) -> String {
    let lines: Vec<String> = map.lines().filter(|line| !line.starts_with("end ")).map(change).collect();
    let body: String = lines.iter().flat_map(|line| line.lines()).map(|line| format!("{line}\n")).collect();
    format!("{body}end {} {:016x}\n", body.lines().count() + 1, xxh3_64(body.as_bytes()))
}

#[test]
fn forged_maps_are_told() {
    let desk = Desk::new()
        .put("m.rebus", "var x[2] : 1..3\nvar s : { a, b }\nenum E { a, b }\nrule: x[1] < x[2]\nshow x\n");
    let desk =
        desk.put("m.rebus", "enum E { a, b }\nvar x[2] : 1..3\nvar s : E\nrule: x[1] < x[2]\nshow x\n");
    ends(&desk.run(&["compile", "m.rebus", "-o", "k.cnf"]), 0, "");
    let map = desk.read("k.cnf.map");
    let desk = desk.put("out", "s SATISFIABLE\nv 1 5 7 0\n").put("last", "s SATISFIABLE\nv 4 8 14 0\n");
    ends(&desk.run(&["decode", "k.cnf.map", "out"]), 0, "1 2");
    // domains larger, smaller, of another name, overlapping; variables too many, too few, of another encoding
    let wrong: [(&str, &str); 7] = [
        ("var x[1] direct 1..3 1 2 3", "var x[1] direct 1..4 1 2 3 4"),
        ("var x[2] direct 4..6 1 2 3", "var x[2] direct 4..5 1 2"),
        ("var x[2] direct 4..6 1 2 3", "var x[2] direct 3..5 1 2 3"),
        ("var x[1] direct 1..3 1 2 3", "var y direct 1..3 1 2 3"),
        ("var s direct 7..8 a b", ""),
        ("var s direct 7..8 a b", "var s direct 7..8 a b\nvar z bool 8"),
        ("var s direct 7..8 a b", "var s direct - "),
    ];
    for (old, new) in wrong {
        assert!(map.contains(old), "{old} is not in {map}");
        let forged = forged(&map, |line| if line == old { new.to_owned() } else { line.to_owned() });
        let desk =
            Desk::new().put("k.map", forged).put("out", desk.read("out")).put("last", desk.read("last"));
        for answer in ["out", "last"] {
            let output = desk.run(&["decode", "k.map", answer]);
            assert!(matches!(output.status.code(), Some(1 | 3)), "{new}: {}", told(&output));
        }
    }
    // another encoding of as many values is read as it says: the rules decide
    let order = forged(&map, |line| line.replace("var s direct 7..8 a b", "var s order 7 a b"));
    let desk = desk.put("k.map", order);
    ends(&desk.run(&["decode", "k.map", "out"]), 0, "1 2");
}

/// Maps whose reading would take all time or memory.
#[test]
fn maps_that_grow_are_stopped() {
    let head = |target: &str| {
        format!(
            "rebus map 1\ntool x\ntarget {target}\ndialect {}\ndigest {:032x}\nvariables 4000000\nclauses 1\nmodels = solutions\n",
            if target == "xcc" { "dlx2" } else { "dimacs" },
            0
        )
    };
    let model = "text model m.rebus\n| var x : bool\n";
    // the same literals for each of many variables
    let same = (0..20_000).map(|_| "var x order 1..1000000 1..1000001\n").collect::<String>();
    let text = forged(&(head("cnf") + &same + model), str::to_owned);
    let all: String = (1..=1_000_000).map(|lit| format!("{lit} ")).collect();
    let desk = Desk::new().put("k.map", text).put("out", format!("s SATISFIABLE\nv {all}0\n"));
    ends(&desk.within(1000, "decode k.map out"), 1, "do not follow those of the variable before");
    // many words tell literals, and each option has all of them many times
    let on = (0..200_000).map(|i| format!("on {} a b{i}\n", i + 2)).collect::<String>();
    let options = format!(" a{}\n", " a b7".repeat(50)).repeat(20_000);
    let text = forged(&(head("xcc") + "var x bool 1\n" + &on + model), str::to_owned);
    let desk = Desk::new().put("k.map", text).put("out", format!("1:\n{options}"));
    ends(&desk.within(1000, "decode k.map out --timeout 1"), 4, "time limit");
    // a line that becomes very many words
    let text =
        forged(&(head("xcc") + "var x bool 1\non 1" + &" a".repeat(1 << 20) + "\n" + model), str::to_owned);
    let desk = Desk::new().put("k.map", text).put("out", "1:\n a\n");
    ends(&desk.within(1000, "decode k.map out --max-memory 32"), 4, "1048576 bytes, the limit");
    // a model in it that loops, or that asks for all memory
    for (model, limit) in [
        ("| var x : bool\n| rule: for i in 1..20000, j in 1..20000: x or i + j > 0\n", "--timeout 1"),
        (
            "| var x : bool\n| let a = [i + j for i in 1..10000, j in 1..10000]\n| rule: x or a[1] = 1\n| show a\n",
            "--timeout 2 --max-memory 100",
        ),
    ] {
        let text = forged(&(head("cnf") + "var x bool 1\ntext model m.rebus\n" + model), str::to_owned);
        let desk = Desk::new().put("k.map", text).put("out", "s SATISFIABLE\nv 1 0\n");
        ends(&desk.within(3000, &format!("decode k.map out {limit}")), 4, "limit-exceeded");
    }
}

#[test]
fn an_import_is_the_file_beside_its_importer() {
    let desk = Desk::new().put(
        "m.rebus",
        "import \"c.rebus\"\nimport \"sub/a.rebus\"\nvar x : 0..9\nrule: x = one + two\nshow x\n",
    );
    let desk = desk
        .put("c.rebus", "let one = 1\n")
        .put("sub/a.rebus", "import \"c.rebus\"\n")
        .put("sub/c.rebus", "let two = 2\n");
    ends(&desk.run(&["compile", "m.rebus", "-o", "k.cnf"]), 0, "");
    let desk = desk.put("out", "s SATISFIABLE\nv -1 -2 -3 4 0\n");
    ends(&desk.run(&["decode", "k.cnf.map", "out"]), 0, "3");
}
