//! Progress of long work, on a terminal only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// Shorter work shows nothing.
const QUIET: Duration = Duration::from_secs(1);

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
        std::thread::spawn(move || {
            std::thread::sleep(QUIET);
            if let Some(bar) = shown.upgrade()
                && !bar.is_finished()
            {
                bar.set_draw_target(ProgressDrawTarget::stderr());
                bar.enable_steady_tick(Duration::from_millis(150));
            }
        });
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
