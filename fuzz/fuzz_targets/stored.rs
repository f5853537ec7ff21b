#![no_main]

#[path = "../deep.rs"]
mod deep;
#[allow(dead_code)]
#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| deep::stored(bytes));
