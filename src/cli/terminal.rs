//! Progress of a run on a terminal: warnings, remarks, and a line with the current activity.

use super::{report, say};
use crate::diag::{Diagnostic, Sources};
use crate::run::Listener;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::{Mutex, MutexGuard, Once};
use std::time::{Duration, Instant};

/// Shorter activities are not shown.
const QUIET: Duration = Duration::from_secs(1);
/// Interval between updates.
const TICK: Duration = Duration::from_millis(150);

/// The listener that prints to standard error.
pub struct Terminal;

/// The current activity, and when it started.
struct Work {
    now: Option<(String, Instant)>,
    bar: Option<ProgressBar>,
}

static WORK: Mutex<Work> = Mutex::new(Work { now: None, bar: None });
static TICKER: Once = Once::new();

fn work() -> MutexGuard<'static, Work> {
    WORK.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Listener for Terminal {
    fn warn(&self, warnings: &[Diagnostic], sources: &Sources) {
        if !warnings.is_empty() {
            clear();
            report(warnings, sources);
        }
    }

    fn note(&self, text: &str) {
        clear();
        say(text);
    }

    fn progress(&self, what: Option<&str>) {
        TICKER.call_once(|| {
            // without a thread, no progress is shown
            let _ = std::thread::Builder::new().spawn(|| {
                loop {
                    std::thread::sleep(TICK);
                    work().show();
                }
            });
        });
        let mut work = work();
        let Some(what) = what else {
            work.clear();
            return;
        };
        match &mut work.now {
            Some((text, _)) => {
                text.clear();
                text.push_str(what);
            }
            none => *none = Some((what.to_owned(), Instant::now())),
        }
    }
}

/// Removes the progress line, so that other lines can be printed.
pub fn clear() {
    work().clear();
}

impl Work {
    fn clear(&mut self) {
        self.now = None;
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn show(&mut self) {
        let Some((text, since)) = &self.now else { return };
        if since.elapsed() < QUIET {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
                bar.set_style(style);
            }
            bar.with_elapsed(since.elapsed())
        });
        bar.set_message(text.clone());
        bar.tick();
    }
}
