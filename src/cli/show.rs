//! Solutions on standard output, in the form asked for.

use super::Failure;
use super::args::{Format, OutputArgs};
use crate::decode::Solution;
use crate::eval::Eval;
use crate::render::{self, Data, Drawing, Known, Shown, Status, Style};
use crate::shared::harmless;
use std::io::{self, BufWriter, Write};

/// Prints solutions one after the other.
pub struct Printer {
    out: BufWriter<io::Stdout>,
    args: OutputArgs,
    /// Solutions of this instance.
    printed: u64,
    /// Solutions of all.
    total: u64,
    gallery: Gallery,
    /// What became of a proof, for the status line.
    proof: Option<Data>,
}

/// What a picture is made of when all is found.
#[derive(Default)]
struct Gallery {
    title: String,
    known: Known,
    solutions: Vec<Solution>,
    remarks: Vec<String>,
    /// The picture is written; what is said later stands beside it.
    written: bool,
}

/// More solutions are no picture to look at.
const MOST_DRAWN: usize = 100;

impl Printer {
    pub fn new(args: &OutputArgs) -> Printer {
        Printer {
            out: BufWriter::new(io::stdout()),
            args: args.clone(),
            printed: 0,
            total: 0,
            gallery: Gallery::default(),
            proof: None,
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
        Ok(())
    }

    /// What pictures tell besides the solutions; for other forms nothing happens. The rules must be ground.
    pub fn know(&mut self, title: &str, eval: &mut Eval<'_>) -> Result<(), Failure> {
        if self.args.format.is_picture() {
            self.gallery.title = title.to_owned();
            self.gallery.known = eval.drawn_before()?;
        }
        Ok(())
    }

    pub fn draw(&mut self, drawings: &[Drawing]) -> Result<(), Failure> {
        for drawing in drawings {
            self.out.write_all(render::text(drawing, Style { ascii: self.args.ascii }).as_bytes())?;
        }
        Ok(())
    }

    pub fn line(&mut self, text: &str) -> Result<(), Failure> {
        writeln!(self.out, "{}", harmless(text, &['\n', '\t']))?;
        Ok(())
    }

    /// Text for people, where results are text.
    pub fn remark(&mut self, text: &str) -> Result<(), Failure> {
        match self.args.format {
            Format::Text => self.line(text)?,
            Format::Svg | Format::Html if self.gallery.written => super::say(text),
            Format::Svg | Format::Html => self.gallery.remarks.push(text.to_owned()),
            Format::Json | Format::Csv => {}
        }
        Ok(())
    }

    /// What the status will tell of a proof.
    pub fn proven(&mut self, proof: Data) {
        self.proof = Some(proof);
    }

    /// The status of the whole run.
    pub fn status(&mut self, status: Status, complete: bool, objective: Option<i64>) -> Result<(), Failure> {
        match (self.args.format, status) {
            (Format::Json, _) => {
                let line =
                    render::status_line(status, self.printed, complete, objective, self.proof.as_ref());
                self.line(&line)?;
            }
            (Format::Text, Status::Unsatisfiable | Status::Unknown) => self.line(status.name())?,
            (Format::Svg | Format::Html, _) => self.picture(status, complete)?,
            _ => {}
        }
        self.out.flush()?;
        Ok(())
    }

    /// All that was found, as one picture.
    fn picture(&mut self, status: Status, complete: bool) -> Result<(), Failure> {
        let written = Gallery { written: true, ..Gallery::default() };
        let Gallery { title, known, solutions, remarks, .. } = std::mem::replace(&mut self.gallery, written);
        let drawings: Vec<&[Drawing]> = solutions.iter().map(Solution::drawings).collect();
        let shown = known.shown(&drawings);
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
        let sentence = if remarks.is_empty() { sentence } else { remarks.join("; ") };
        let picture = match self.args.format {
            Format::Html => {
                let values: Vec<&[(String, Data)]> = solutions.iter().map(Solution::values).collect();
                let mut differ: Vec<String> = Vec::new();
                for other in values.iter().skip(1) {
                    differ.extend(render::differences(values[0], other));
                }
                let mut seen = std::collections::HashSet::new();
                differ.retain(|name| seen.insert(name.clone()));
                render::page(&title, &sentence, &shown, &differ)
            }
            _ => {
                let nothing = [Drawing::Text(sentence)];
                let whole = match shown.is_empty() {
                    true => known.shown(&[&nothing]),
                    false => shown,
                };
                render::svg(&Shown::below(whole), "drawing", &title, true)
            }
        };
        self.out.write_all(picture.as_bytes())?;
        Ok(())
    }

    /// Starts anew, for the next of many instances.
    pub fn restart(&mut self) {
        self.printed = 0;
    }

    pub fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush()?;
        Ok(())
    }
}
