//! The core for the page: requests in JSON in, answers in JSON out.
//!
//! The page writes a request where [`reserve`] says, calls [`answer`], and reads as many bytes from [`output`]. It
//! gives the clock and takes remarks on progress. Invariants: no request ends the module; what a question would not
//! survive (too little stack or memory) ends the worker, and the page starts another one.

mod answers;
mod requests;
mod say;

use std::cell::RefCell;
use std::sync::Once;
use std::time::Duration;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Milliseconds since any fixed moment.
    safe fn now() -> f64;
    /// A remark on what is done at the moment: UTF-8 at this place.
    safe fn tell(text: *const u8, bytes: usize);
    /// What a panic says.
    safe fn panicked(text: *const u8, bytes: usize);
}

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A remark on progress for the page.
fn told(text: &str) {
    tell(text.as_ptr(), text.len());
}

/// Room for a request of this many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(bytes, 0);
        input.as_mut_ptr()
    })
}

/// Answers the request; returns the number of bytes of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    static START: Once = Once::new();
    START.call_once(|| {
        rebus::set_clock(|| Duration::from_micros((now() * 1000.0) as u64));
        std::panic::set_hook(Box::new(|info| {
            let text = info.to_string();
            panicked(text.as_ptr(), text.len());
        }));
    });
    let request = INPUT.take();
    let text = requests::answered(&request);
    OUTPUT.replace(text);
    OUTPUT.with_borrow(String::len)
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}
