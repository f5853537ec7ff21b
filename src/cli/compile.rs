//! `rebus compile`: writes a formula and its symbol map.

use super::args::{EncodingArgs, LimitArgs, ModelArgs};
use super::terminal::Terminal;
use super::{Failure, Outcome, say};
use crate::diag::{Code, Diagnostic};
use crate::files::{Output, WriteFault, apart, commit_in_order};
use crate::run::{
    Dialect, Form, FormulaFile, Loaded, ShowLine, Target, WcnfForm, check_levels, comment_lines, stages,
};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Write the formula and the symbol map
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus compile knightdoku knightdoku-1.clues -o k.cnf       k.cnf and k.cnf.map
  rebus compile sudoku.rebus board.clues -o board.cnf.gz --deps board.d
  rebus compile queens -D n=4 -o - --no-map --annotate       to be read")]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// The kind of formula; by default the suffix of the file says it
    #[arg(long, value_enum, value_name = "TARGET")]
    to: Option<Target>,
    /// The formula's file, packed with the suffix `.gz`; `-` is standard output
    #[arg(short, value_name = "FILE")]
    output: PathBuf,
    /// The map's file; FILE.map if left out
    #[arg(long, value_name = "FILE", conflicts_with_all = ["embed_map", "no_map"])]
    map: Option<PathBuf>,
    /// Put the map into the formula, as comment lines
    #[arg(long, conflicts_with = "no_map")]
    embed_map: bool,
    /// Write no map
    #[arg(long)]
    no_map: bool,
    /// Write a make rule that names every file that was read
    #[arg(long, value_name = "FILE")]
    deps: Option<PathBuf>,
    /// A reading copy: every block of clauses under its rule
    #[arg(long)]
    annotate: bool,
    /// How the literals to project on are told
    #[arg(long, value_enum, default_value = "show", value_name = "show|ind")]
    show_line: ShowLine,
    /// Negated literals, `~x1`, in OPB
    #[arg(long)]
    tilde: bool,
    /// The form of MaxSAT formulas: with `h` for hard clauses, or with a `p wcnf` line
    #[arg(long, value_enum, default_value = "new", value_name = "new|old")]
    wcnf: WcnfForm,
    /// The program that an exact cover is for
    #[arg(long, value_enum, default_value_t, value_name = "PROGRAM")]
    dialect: Dialect,
    #[command(flatten)]
    encoding: EncodingArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

pub fn run(args: &Args) -> Outcome {
    let target = target(args)?;
    let to_pipe = args.output == Path::new("-");
    if to_pipe && args.map.is_none() && !args.embed_map && !args.no_map {
        return Err(Diagnostic::error(
            Code::Usage,
            "where shall the map of a formula on standard output go?",
        )
        .help("add `--map FILE`, `--embed-map` or `--no-map`")
        .into());
    }
    let loaded = args.model.load()?;
    compile(args, target, &loaded).map_err(|failure| failure.within(&loaded.sources))
}

fn compile(args: &Args, target: Target, loaded: &Loaded) -> Outcome {
    let map = args.map.clone().unwrap_or_else(|| beside(&args.output, ".map"));
    let wanted = !args.no_map && !args.embed_map;
    let outputs = [Some(&args.output), wanted.then_some(&map), args.deps.as_ref()];
    apart(outputs.into_iter().flatten().map(PathBuf::as_path), &loaded.files)?;
    let budget = args.limits.budget();
    let mut eval = stages::start(loaded, &budget, &Terminal)?;
    let encoding = args.encoding.encoding();
    let xcc = encoding.cover(args.dialect);
    let form = Form { show: args.show_line, tilde: args.tilde, wcnf: args.wcnf, xcc, fits: true };
    let mut file = FormulaFile::new(&mut eval, target, &encoding, form, None, &Terminal)?;
    if target == Target::Xcc {
        check_levels(&mut file, &mut eval, args.dialect)?;
    }
    if eval.model.objective.is_some() && !target.has_objective() {
        say("the objective is not in the formula: its models are all that keep the rules");
    }
    let mut output = Output::create(&args.output)?;
    let name = output.name().to_string();
    let digest = if args.embed_map {
        // comment lines are not part of the digest, so it is known before the map is written
        let digest = file.write(&mut eval, &mut std::io::sink(), &name, "", args.annotate, &[])?;
        let map = comment_lines(target.comment(), &file.map_text(&eval, digest, loaded));
        file.write(&mut eval, &mut output, &name, &map, args.annotate, &[])?
    } else {
        file.write(&mut eval, &mut output, &name, "", args.annotate, &[])?
    };
    let mut outputs = Vec::new();
    if wanted {
        let mut map = Output::create(&map)?;
        let name = map.name().to_string();
        let text = file.map_text(&eval, digest, loaded);
        map.write_all(text.as_bytes()).map_err(|error| WriteFault::of(&name, &error))?;
        outputs.push(map);
    }
    if let Some(path) = &args.deps {
        let mut deps = Output::create(path)?;
        let name = deps.name().to_string();
        let rule = rule(&args.output, &loaded.files)?;
        deps.write_all(rule.as_bytes()).map_err(|error| WriteFault::of(&name, &error))?;
        outputs.push(deps);
    }
    outputs.push(output);
    commit_in_order(outputs)?;
    Ok(0)
}

/// The target by `--to` or by the suffix; CNF for a pipe or a device.
fn target(args: &Args) -> Result<Target, Failure> {
    if let Some(target) = args.to {
        return Ok(target);
    }
    let direct = args.output == Path::new("-") || args.output.starts_with("/dev");
    match Target::of_file(&args.output) {
        Some(target) => Ok(target),
        None if direct => Ok(Target::Cnf),
        None => Err(Diagnostic::error(
            Code::Usage,
            format!("`{}` does not tell what kind of formula it shall be", args.output.display()),
        )
        .help("name it `….cnf`, `….wcnf`, `….opb` or `….xcc`, or add `--to cnf|wcnf|opb|xcc`")
        .into()),
    }
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// `output: inputs`, and an empty rule for each input, so that a missing input does not stop the build.
fn rule(output: &Path, inputs: &[PathBuf]) -> Result<String, Diagnostic> {
    let inputs: Vec<String> = inputs
        .iter()
        .filter(|input| *input != Path::new("-"))
        .map(|input| in_make(input))
        .collect::<Result<_, _>>()?;
    let mut text = format!("{}: {}", in_make(output)?, inputs.join(" ")).trim_end().to_owned();
    text.push('\n');
    inputs.iter().for_each(|input| text.push_str(&format!("{input}:\n")));
    Ok(text)
}

/// A path in make's syntax. A path with characters that make interprets is rejected: after `;` make runs a command,
/// and the imports of an untrusted model choose their own names.
fn in_make(path: &Path) -> Result<String, Diagnostic> {
    let name = path.display().to_string();
    if let Some(c) = name.chars().find(|c| c.is_control() || ";:=|%\\".contains(*c)) {
        let message = format!("`{name}` cannot stand in a make rule, for the `{}` in it", c.escape_default());
        return Err(Diagnostic::error(Code::Usage, message).help("rename it, or leave `--deps` out"));
    }
    Ok(name.replace('$', "$$").replace(' ', "\\ ").replace('#', "\\#"))
}
