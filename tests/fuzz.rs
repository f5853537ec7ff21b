//! The fuzz targets on mutated seeds, bounded and seeded.

#[path = "../fuzz/targets.rs"]
mod targets;

fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 20) as usize
}

fn mutated(seed: &[u8], state: &mut u64) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..1 + next(state) % 6 {
        let at = next(state) % (bytes.len() + 1);
        let end = bytes.len().min(at + 1 + next(state) % 8);
        match next(state) % 5 {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => bytes.insert(at, (next(state) % 256) as u8),
            3 => {
                let part = bytes[at..end].to_vec();
                let to = next(state) % (bytes.len() + 1);
                bytes.splice(to..to, part);
            }
            _ => {
                let sign = b"()[]{}\"\\:=,.*-#0v\n"[next(state) % 18];
                if at < bytes.len() {
                    bytes[at] = sign;
                }
            }
        }
    }
    bytes
}

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let read = |path: &str| std::fs::read(path).expect("a seed");
    match target {
        "model" => ["sudoku", "battleship", "futoshiki", "cryptarithm"]
            .map(|name| read(&format!("examples/{name}/{name}.rebus")))
            .to_vec(),
        "data" => {
            vec![b"c = \"\"\"\n+-+\n|12A|\n...\n0*3\n\"\"\"\nd = \"xv\"\nt = [\"ab\", \"cd\"]\n".to_vec()]
        }
        "map" => ["example", "words"].map(|name| read(&format!("tests/symbols/{name}.map"))).to_vec(),
        "formula" => vec![
            b"c x\np cnf 3 2\n1 -2 0\n3\n-1 0\n".to_vec(),
            b"p wcnf 3 3 9\n9 1 2 0\n1 -1 0\n".to_vec(),
            b"h 1 2 0\n3 -1 0\n".to_vec(),
            b"* #variable= 3 #constraint= 1\nmin: +1 x1 -2 x2 ;\n+1 x1 +2 ~x2 >= 1 ;\n".to_vec(),
            b"| x\na 2|b 1:2|c | d e\na d:A e\nb c\nb d:B\nc\n".to_vec(),
        ],
        "puzzle" => vec![
            b"https://puzz.link/p?slither/5/4/.c.2d3a.b1".to_vec(),
            b"pzprv3/slither/2/2/0 . /. 3 /".to_vec(),
            b"4x3:a1b2c3".to_vec(),
            b"{\"size\": 4, \"grid\": [[{\"value\": 1}, {}, {}, {}]], \"cage\": [{\"cells\": [\"R1C1\"], \"value\": 3}]}".to_vec(),
            b"width 3\nheight 2\nrows\n1\n2\ncolumns\n1\n1\n1\n".to_vec(),
            b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".to_vec(),
        ],
        _ => vec![
            b"c comment\ns SATISFIABLE\nv 1 -2 3 0\n".to_vec(),
            b"SAT\n1 -2 3 0\n".to_vec(),
            b"s OPTIMUM FOUND\nv 0110\no 3\nv -x1 x2\ns SOLUTIONS 2\n".to_vec(),
            b"1:\n a b:X (1 of 2)\n c (2 of 2)\n2: (total cost $7)\n null a\nAltogether 2 solutions, 3 mems\n".to_vec(),
            b"a b;\nc;\n\nFound 1 solutions!\n".to_vec(),
            b"{\"Solver\": \"clasp\", \"Result\": \"UNSATISFIABLE\"}".to_vec(),
        ],
    }
}

#[test]
fn mutated_seeds_come_back() {
    for (name, target) in targets::TARGETS {
        let mut state = 0x9e37_79b9_7f4a_7c15;
        for seed in seeds(name) {
            target(&seed);
            for _ in 0..1000 {
                let bytes = mutated(&seed, &mut state);
                if std::panic::catch_unwind(|| target(&bytes)).is_err() {
                    panic!("{name}: {:?}", String::from_utf8_lossy(&bytes));
                }
            }
        }
    }
}

/// Inputs that went wrong once, in folders by target.
#[test]
fn found_inputs_come_back() {
    let mut cases = 0;
    for (name, target) in targets::TARGETS {
        let Ok(folder) = std::fs::read_dir(format!("tests/fuzz-cases/{name}")) else { continue };
        for case in folder {
            target(&std::fs::read(case.expect("a case").path()).expect("readable"));
            cases += 1;
        }
    }
    assert!(cases > 0, "the cases are gone");
}
