//! A clock that never runs back, also where the system has none: WebAssembly without an interface to a system.
//!
//! There the host tells the time, see [`set_clock`]; without it time stands still, and limits of time never end.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use told::{Instant, set_clock};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod told {
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the clock of the library, where the system has none: a function that returns the time since any fixed
    /// moment. The first call counts.
    pub fn set_clock(clock: fn() -> Duration) {
        // the clock that is there stays
        let _ = CLOCK.set(clock);
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        pub fn now() -> Instant {
            Instant(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        pub fn elapsed(&self) -> Duration {
            Instant::now().0.saturating_sub(self.0)
        }

        pub fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }
    }
}
