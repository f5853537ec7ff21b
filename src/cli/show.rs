//! Solutions on standard output, in the form asked for.

use super::Failure;
use super::args::{Format, OutputArgs};
use crate::decode::Solution;
use crate::render::{self, Drawing, Status, Style};
use std::io::{self, BufWriter, Write};

/// Prints solutions one after the other.
pub struct Printer {
    out: BufWriter<io::Stdout>,
    args: OutputArgs,
    /// Solutions of this instance.
    printed: u64,
    /// Solutions of all.
    total: u64,
}

impl Printer {
    pub fn new(args: &OutputArgs) -> Printer {
        Printer { out: BufWriter::new(io::stdout()), args: args.clone(), printed: 0, total: 0 }
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
        writeln!(self.out, "{text}")?;
        Ok(())
    }

    /// Text for people, where results are text.
    pub fn remark(&mut self, text: &str) -> Result<(), Failure> {
        if self.args.format == Format::Text { self.line(text) } else { Ok(()) }
    }

    /// The status of the whole run.
    pub fn status(&mut self, status: Status, complete: bool, objective: Option<i64>) -> Result<(), Failure> {
        match (self.args.format, status) {
            (Format::Json, _) => {
                let line = render::status_line(status, self.printed, complete, objective);
                self.line(&line)?;
            }
            (Format::Text, Status::Unsatisfiable | Status::Unknown) => self.line(status.name())?,
            _ => {}
        }
        self.out.flush()?;
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
