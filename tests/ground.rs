//! Every catalogue model that this version can run grounds without a fault, its data accepted.

use rebus::diag::{Diagnostic, Sources, render};
use rebus::eval::{Eval, Input, Loader, Program, Without};
use rebus::shared::Budget;

struct Dir(std::path::PathBuf);

impl Loader for Dir {
    fn import(&mut self, _from: &str, path: &str) -> Result<(String, String), Diagnostic> {
        let path = self.0.join(path);
        Ok((path.display().to_string(), std::fs::read_to_string(&path).unwrap()))
    }
}

#[test]
fn catalogue() {
    let mut bad = Vec::new();
    for dir in std::fs::read_dir("examples").unwrap() {
        let dir = dir.unwrap().path();
        let Ok(entries) = std::fs::read_dir(&dir) else { continue };
        let files: Vec<_> = entries.map(|e| e.unwrap().path()).collect();
        for model in files.iter().filter(|f| f.extension().is_some_and(|e| e == "rebus")) {
            let stem = model.file_stem().unwrap().to_str().unwrap();
            let data = files.iter().filter(|f| {
                f.extension().is_some_and(|e| e == "clues")
                    && f.file_stem()
                        .unwrap()
                        .to_str()
                        .unwrap()
                        .rsplit_once('-')
                        .is_some_and(|(s, _)| s == stem)
            });
            for clues in data.map(Some).chain([None]) {
                let mut sources = Sources::default();
                let file = sources.add(model.display().to_string(), std::fs::read_to_string(model).unwrap());
                let mut inputs = Vec::new();
                if let Some(clues) = clues {
                    let f = sources.add(clues.display().to_string(), std::fs::read_to_string(clues).unwrap());
                    inputs.push(Input::Data(f));
                }
                let program = Program::load(&mut sources, &mut Dir(dir.clone()), file, &inputs);
                let mut show = |faults: Vec<Diagnostic>| {
                    for f in faults {
                        let t = render(&f, &sources, false);
                        if !t.contains("not-yet") && !(clues.is_none() && t.contains("missing-parameter")) {
                            bad.push(format!("{} {:?}\n{t}", model.display(), clues));
                        }
                    }
                };
                match program {
                    Err(faults) => show(faults),
                    Ok(program) => {
                        let budget = Budget::unlimited();
                        let mut eval = Eval::new(&program, &budget);
                        if let Err(faults) = eval.declare_all() {
                            show(faults);
                            continue;
                        }
                        if let Err(faults) = eval.ground_rules(0..program.rules.len(), &Without::default()) {
                            show(faults);
                        }
                    }
                }
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
