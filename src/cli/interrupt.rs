//! Signals such as Ctrl-C: the run is cancelled, child processes are killed, files are removed, then the signal takes
//! its default effect.

use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::{flag, low_level};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

#[derive(Default)]
struct Heard {
    cancelled: Arc<AtomicBool>,
    full: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

static HEARD: OnceLock<Heard> = OnceLock::new();

/// The exit code of a run that a limit ends.
pub const LIMIT_EXCEEDED: i32 = 4;

/// Listens from now on. A second signal ends the program at once. `limited`: the system limits our memory.
pub fn listen(limited: bool) {
    let heard = HEARD.get_or_init(Heard::default);
    let once = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // if no handler can be installed, the signal simply ends the program
        let _ = flag::register_conditional_default(signal, once.clone());
        let _ = flag::register_usize(signal, heard.signal.clone(), signal as usize);
        let _ = flag::register(signal, heard.cancelled.clone());
        let _ = flag::register(signal, once.clone());
    }
    // a limit on file sizes is a fault of writing, not the end
    let _ = flag::register(SIGXFSZ, Arc::default());
    // Whoever gets no memory says so and aborts. Where the system limits it, that is a limit as others are.
    let limited = Arc::new(AtomicBool::new(limited));
    let _ = flag::register_conditional_shutdown(SIGABRT, LIMIT_EXCEEDED, limited);
}

/// Set when the run must end: after a signal, or above the memory limit.
pub fn cancelled() -> Arc<AtomicBool> {
    HEARD.get().map(|heard| heard.cancelled.clone()).unwrap_or_default()
}

/// Set when the run must end because of the memory limit.
pub fn full() -> Arc<AtomicBool> {
    HEARD.get().map(|heard| heard.full.clone()).unwrap_or_default()
}

/// The last signal received.
pub fn signal() -> Option<i32> {
    let signal = HEARD.get()?.signal.load(Ordering::SeqCst);
    (signal != 0).then_some(signal as i32)
}

/// If a signal was received, triggers its default effect.
pub fn take_course() {
    if let Some(signal) = signal() {
        let _ = low_level::emulate_default_handler(signal);
    }
}
