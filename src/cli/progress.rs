//! Progress of long work, on a terminal only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// Shorter work shows nothing.
const QUIET: Duration = Duration::from_secs(1);
/// Between two pictures.
const TICK: Duration = Duration::from_millis(150);

/// A line on standard error that says what is going on; gone when dropped.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    pub fn start(what: &str) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message(what.to_string());
        let shown = bar.downgrade();
        let show = move || {
            std::thread::sleep(QUIET);
            let mut first = true;
            while let Some(bar) = shown.upgrade().filter(|bar| !bar.is_finished()) {
                if std::mem::take(&mut first) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                bar.tick();
                drop(bar);
                std::thread::sleep(TICK);
            }
        };
        // without a thread there is no line
        let _ = std::thread::Builder::new().spawn(show);
        Progress { bar }
    }

    /// Makes room for other lines on standard error.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    pub fn say(&self, what: String) {
        self.bar.set_message(what);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
