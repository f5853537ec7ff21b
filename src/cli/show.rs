//! Prints solutions to standard output, in the chosen format.

use super::args::{Format, OutputArgs};
use crate::decode::Solution;
use crate::eval::Eval;
use crate::files;
use crate::render::{self, Block, Data, Drawing, Known, Shown, Spots, Status, Style};
use crate::run::instances::Only;
use crate::run::{Failure, Marked};
use crate::shared::harmless;
use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

/// A printer of solutions and of the other results.
pub struct Printer {
    out: BufWriter<files::Stdout>,
    flushed: Instant,
    args: OutputArgs,
    /// Number of solutions of this instance.
    printed: u64,
    /// Number of solutions of all instances.
    total: u64,
    gallery: Gallery,
    /// Further fields of the status.
    further: Vec<(&'static str, Data)>,
}

/// The content of a picture, collected until the search ends.
#[derive(Default)]
struct Gallery {
    title: String,
    known: Known,
    solutions: Vec<Solution>,
    /// Texts and drawings besides the solutions, in order.
    blocks: Vec<Block>,
    /// The picture is written; later text is printed separately.
    written: bool,
}

/// The name of a uniqueness result, as in a result line.
pub fn only_name(only: &Only) -> &'static str {
    match only {
        Only::Yes => "unique",
        Only::No(_) => "not unique",
    }
}

/// The same as text, with some of the entries.
pub fn only_text(only: &Only) -> String {
    let Only::No(differ) = only else { return only_name(only).to_owned() };
    let shown: Vec<&str> = differ.iter().take(12).map(String::as_str).collect();
    let more = differ.len().saturating_sub(shown.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}: a second solution differs in {}{more}", only_name(only), shown.join(", "))
}

impl Gallery {
    /// Appends text to the previous text.
    fn say(&mut self, text: &str) {
        match self.blocks.last_mut() {
            Some(Block::Text(before)) => {
                before.push('\n');
                before.push_str(text);
            }
            _ => self.blocks.push(Block::Text(text.to_owned())),
        }
    }

    fn draw(&mut self, shown: Shown) {
        self.blocks.push(Block::Figures(vec![(String::new(), shown)]));
    }
}

/// Bytes of output that are written at once.
const WHOLE: usize = 1 << 15;
/// Upper bound on the time that a solution stays in the buffer.
const WAIT: Duration = Duration::from_millis(50);

/// A picture shows at most this many solutions.
const MOST_DRAWN: usize = 100;

impl Printer {
    pub fn new(args: &OutputArgs) -> Printer {
        Printer {
            out: BufWriter::with_capacity(2 * WHOLE, files::Stdout),
            flushed: Instant::now(),
            args: args.clone(),
            printed: 0,
            total: 0,
            gallery: Gallery::default(),
            further: Vec::new(),
        }
    }

    pub fn solution(&mut self, solution: &Solution) -> Result<(), Failure> {
        self.printed += 1;
        self.total += 1;
        match self.args.format {
            Format::Text => {
                if self.total > 1 {
                    writeln!(self.out)?;
                }
                self.draw(solution.drawings())?;
            }
            Format::Json => {
                writeln!(
                    self.out,
                    "{}",
                    render::solution_line(self.printed, solution.values(), solution.objective())
                )?;
            }
            Format::Csv => {
                if self.total == 1 {
                    self.out.write_all(render::csv_header(solution.values()).as_bytes())?;
                }
                self.out.write_all(render::csv_row(solution.values()).as_bytes())?;
            }
            Format::Svg | Format::Html => {
                if self.gallery.solutions.len() < MOST_DRAWN {
                    self.gallery.solutions.push(solution.clone());
                }
            }
        }
        // only between solutions, so that an interrupted output has complete ones
        if self.out.buffer().len() >= WHOLE || self.flushed.elapsed() >= WAIT {
            self.out.flush()?;
            self.flushed = Instant::now();
        }
        Ok(())
    }

    /// Sets the title of the picture.
    pub fn entitle(&mut self, title: &str) {
        self.gallery.title = title.to_owned();
    }

    /// Adds a picture of one of many instances.
    pub fn figure(&mut self, caption: String, shown: Shown) {
        self.total += 1;
        if self.total > MOST_DRAWN as u64 {
            return;
        }
        match self.gallery.blocks.last_mut() {
            Some(Block::Figures(figures)) => figures.push((caption, shown)),
            _ => self.gallery.blocks.push(Block::Figures(vec![(caption, shown)])),
        }
    }

    /// Prints the status of one of many instances, numbered from 1, that has no solution to show.
    pub fn instance(&mut self, number: usize, status: Status) -> Result<(), Failure> {
        if self.args.format.is_picture() {
            return self.remark(&format!("{number}: {}", status.name()));
        }
        self.status(status, status == Status::Unsatisfiable, None)
    }

    /// Prints whether the solution of one of many instances is unique.
    pub fn instance_only(&mut self, number: usize, status: Status, only: &Only) -> Result<(), Failure> {
        match self.args.format {
            Format::Json => {
                self.also("unique", Data::Bool(matches!(only, Only::Yes)));
                if let Only::No(differ) = only {
                    self.also("differ", Data::List(differ.iter().cloned().map(Data::Text).collect()));
                }
                self.status(status, matches!(only, Only::Yes), None)
            }
            format if format.is_picture() => self.remark(&format!("{number}: {}", only_text(only))),
            _ => self.remark(&only_text(only)),
        }
    }

    /// Prepares the parts of pictures besides the solutions; no effect for other formats. The rules must be ground.
    pub fn know(&mut self, title: &str, eval: &mut Eval<'_>) -> Result<(), Failure> {
        if self.args.format.is_picture() {
            self.entitle(title);
            self.gallery.known = eval.drawn_before()?;
        }
        Ok(())
    }

    /// Prints drawings, in formats that have them.
    pub fn draw(&mut self, drawings: &[Drawing]) -> Result<(), Failure> {
        match self.args.format {
            Format::Text => {
                for drawing in drawings {
                    let text = render::text(drawing, Style { ascii: self.args.ascii });
                    let text = if self.args.ascii { render::plain(&text) } else { text };
                    self.out.write_all(text.as_bytes())?;
                }
            }
            Format::Svg | Format::Html => {
                let plain = drawings.iter().map(|drawing| (drawing.clone(), Spots::default())).collect();
                self.gallery.draw(self.gallery.known.marked(plain));
            }
            Format::Json | Format::Csv => {}
        }
        Ok(())
    }

    /// Prints drawings with marks: brackets in text, a background colour in pictures.
    pub fn marked(&mut self, marked: &Marked) -> Result<(), Failure> {
        let Marked { drawings, marks } = marked;
        if self.args.format.is_picture() {
            let spotted = drawings.iter().filter_map(|drawing| render::spotted(drawing, marks)).collect();
            self.gallery.draw(self.gallery.known.marked(spotted));
            return Ok(());
        }
        let drawings = drawings.iter().filter_map(|drawing| render::marked(drawing, marks));
        self.draw(&drawings.collect::<Vec<_>>())
    }

    /// Prints a line.
    pub fn line(&mut self, text: &str) -> Result<(), Failure> {
        writeln!(self.out, "{}", harmless(text, &['\n', '\t']))?;
        Ok(())
    }

    /// Prints an empty line, in text.
    pub fn gap(&mut self) -> Result<(), Failure> {
        if self.args.format == Format::Text { self.line("") } else { Ok(()) }
    }

    /// Prints text for people, in formats that have such.
    pub fn remark(&mut self, text: &str) -> Result<(), Failure> {
        match self.args.format {
            Format::Text => self.line(text)?,
            Format::Svg | Format::Html if self.gallery.written => super::say(text),
            Format::Svg | Format::Html => self.gallery.say(text),
            Format::Json | Format::Csv => {}
        }
        Ok(())
    }

    /// Adds a field to the status.
    pub fn also(&mut self, name: &'static str, data: Data) {
        self.further.push((name, data));
    }

    /// Prints the status of the whole run.
    pub fn status(&mut self, status: Status, complete: bool, objective: Option<i64>) -> Result<(), Failure> {
        match (self.args.format, status) {
            (Format::Json, _) => {
                let line = render::status_line(status, self.printed, complete, objective, &self.further);
                self.line(&line)?;
            }
            (Format::Text, Status::Unsatisfiable | Status::Unknown) => self.line(status.name())?,
            (Format::Svg | Format::Html, _) => self.picture(status, complete)?,
            _ => {}
        }
        self.out.flush()?;
        match (self.args.format, status, objective) {
            (Format::Json, ..) | (_, _, None) => {}
            (_, Status::Optimal, Some(value)) => super::say(&format!("the optimum is {value}")),
            (_, _, Some(value)) => super::say(&format!("{value} was reached, which may not be the optimum")),
        }
        Ok(())
    }

    /// Collects all results in one picture.
    fn picture(&mut self, status: Status, complete: bool) -> Result<(), Failure> {
        let solutions = std::mem::take(&mut self.gallery.solutions);
        let undrawn = self.printed - solutions.len() as u64;
        let mut sentence = match (self.printed, complete) {
            (0, _) => status.name().to_owned(),
            (1, _) => String::new(),
            (n, true) => format!("{n} solutions"),
            (n, false) => format!("{n} solutions, perhaps more"),
        };
        if undrawn > 0 {
            sentence.push_str(&format!("; {undrawn} of them are not drawn"));
        }
        if self.gallery.blocks.is_empty() && !sentence.is_empty() {
            self.gallery.say(&sentence);
        }
        if !solutions.is_empty() {
            let drawings: Vec<&[Drawing]> = solutions.iter().map(Solution::drawings).collect();
            let shown = self.gallery.known.shown(&drawings);
            let caption =
                |k: usize| if shown.len() == 1 { "Solution".into() } else { format!("Solution {k}") };
            let captions: Vec<String> = (1..=shown.len()).map(caption).collect();
            self.gallery.blocks.push(Block::Figures(captions.into_iter().zip(shown).collect()));
        }
        let differ = differing(&solutions);
        if !differ.is_empty() {
            self.gallery.blocks.push(Block::Differences(differ));
        }
        self.write_picture()
    }

    /// Writes the collected texts and drawings, in picture formats.
    pub fn write_picture(&mut self) -> Result<(), Failure> {
        if !self.args.format.is_picture() || self.gallery.written {
            return Ok(());
        }
        if let Some(undrawn @ 1..) = self.total.checked_sub(MOST_DRAWN as u64)
            && self.printed == 0
        {
            self.gallery.say(&format!("{undrawn} more are not drawn"));
        }
        let written = Gallery { written: true, ..Gallery::default() };
        let Gallery { title, blocks, .. } = std::mem::replace(&mut self.gallery, written);
        let picture = match self.args.format {
            Format::Html => render::page(&title, &blocks),
            _ => {
                let mut parts = Vec::new();
                for block in blocks {
                    match block {
                        // several solutions need no text
                        Block::Text(_) if self.printed > 1 => {}
                        Block::Text(text) => parts.push(Shown::text(&text)),
                        Block::Figures(figures) => parts.extend(figures.into_iter().map(|(_, shown)| shown)),
                        Block::Differences(_) => {}
                    }
                }
                render::svg(&Shown::below(parts), "drawing", &title, true)
            }
        };
        self.out.write_all(picture.as_bytes())?;
        Ok(())
    }

    /// Resets the printer for the next of many instances.
    pub fn restart(&mut self) {
        self.printed = 0;
        self.further.clear();
    }

    pub fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush()?;
        Ok(())
    }
}

/// The names of the entries in which solutions differ from the first.
fn differing(solutions: &[Solution]) -> Vec<String> {
    let values: Vec<&[(String, Data)]> = solutions.iter().map(Solution::values).collect();
    let mut differ: Vec<String> = Vec::new();
    for other in values.iter().skip(1) {
        differ.extend(render::differences(values[0], other));
    }
    let mut seen = std::collections::HashSet::new();
    differ.retain(|name| seen.insert(name.clone()));
    differ
}
