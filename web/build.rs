//! The stack of the module: texts are read, ground and decoded in recursions.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-zstack-size=67108864");
}
