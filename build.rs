//! Lists the catalogue, so that every model and board of `examples/` is found by name from any folder.

use std::fmt::Write as _;
use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=examples");
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
    let mut files = Vec::new();
    for genre in std::fs::read_dir(Path::new(&root).join("examples")).expect("the catalogue").flatten() {
        println!("cargo:rerun-if-changed={}", genre.path().display());
        let Ok(entries) = std::fs::read_dir(genre.path()) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|suffix| suffix == "rebus" || suffix == "clues") {
                let genre = genre.file_name().to_string_lossy().into_owned();
                files.push((format!("{genre}/{}", entry.file_name().to_string_lossy()), path));
            }
        }
    }
    files.sort();
    let mut table =
        String::from("/// Path in the catalogue and text, sorted.\npub const FILES: &[(&str, &str)] = &[\n");
    for (name, path) in files {
        writeln!(table, "    ({name:?}, include_str!({:?})),", path.display().to_string())
            .expect("a string grows");
    }
    table.push_str("];\n");
    let out = std::env::var("OUT_DIR").expect("set by cargo");
    std::fs::write(Path::new(&out).join("catalogue.rs"), table).expect("the build folder can be written");
}
