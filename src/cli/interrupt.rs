//! Ctrl-C and its relatives: the run is cancelled, children are ended, files are removed, then the signal takes its course.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::{flag, low_level};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

struct Heard {
    cancelled: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

static HEARD: OnceLock<Heard> = OnceLock::new();

/// Listens from now on. A second signal ends the program at once.
pub fn listen() {
    let heard = HEARD.get_or_init(|| Heard { cancelled: Arc::default(), signal: Arc::default() });
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // without a handler the signal simply ends the program
        let _ = flag::register_conditional_default(signal, heard.cancelled.clone());
        let _ = flag::register_usize(signal, heard.signal.clone(), signal as usize);
        let _ = flag::register(signal, heard.cancelled.clone());
    }
    crate::files::cancelled_by(heard.cancelled.clone());
    // a limit on file sizes is a fault of writing, not the end
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// Set once a signal was heard.
pub fn cancelled() -> Arc<AtomicBool> {
    HEARD.get().map(|heard| heard.cancelled.clone()).unwrap_or_default()
}

/// If a signal was heard, lets it do what it does by default.
pub fn take_course() {
    if let Some(heard) = HEARD.get() {
        let signal = heard.signal.load(Ordering::SeqCst);
        if signal != 0 {
            let _ = low_level::emulate_default_handler(signal as i32);
        }
    }
}
