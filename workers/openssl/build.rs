//! Provides what the worker can't find out at run time: the version of OpenSSL's headers, to compare with the linked
//! library, and the versions of libraries that do not report their own.

#[path = "../locked_version.rs"]
mod locked_version;

fn main() {
    // openssl-sys sets this for crates that depend on it directly.
    let version = std::env::var("DEP_OPENSSL_VERSION_NUMBER").unwrap_or_default();
    println!("cargo:rustc-env=SIZEUP_OPENSSL_HEADERS={version}");
    locked_version::export(&["ring", "blake3"]);
    println!("cargo:rerun-if-changed=build.rs");
}
