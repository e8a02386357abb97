//! Tells the worker which OpenSSL's headers it was built with, to hold against the one that answers.

fn main() {
    // Set by openssl-sys for those that depend on it directly.
    let version = std::env::var("DEP_OPENSSL_VERSION_NUMBER").unwrap_or_default();
    println!("cargo:rustc-env=SIZEUP_OPENSSL_HEADERS={version}");
    println!("cargo:rerun-if-changed=build.rs");
}
