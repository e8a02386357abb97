//! The list of all generators: to add an input, add a line here and an entry to `inputs.toml`.

use std::path::Path;

use crate::{Error, access_log, compressed, digits, escape, orders, page, photo, regex_text, text};

/// How an input comes about.
type Make = fn(opticks: Option<&Path>) -> Result<Vec<u8>, Error>;

/// Makes one input.
pub struct Generator {
    /// The input's name, as in `inputs.toml`.
    pub name: &'static str,
    /// Raised whenever the input's bytes change.
    pub version: u32,
    /// Makes the bytes. The path is where Newton's Opticks is, if the user said so.
    pub make: Make,
    /// The remedy when the result differs from the manifest.
    pub remedy: &'static str,
}

const CHANGED: &str = "If the generator was changed, raise its version and put the new size and digest \
                       into inputs.toml; if not, please report it: it must not depend on the machine";
const OTHER_EDITION: &str = "The file is another edition of the book: \
                             take the one of a Go distribution";
const OTHER_TEXT_OR_STREAM: &str = "If `text` differs, too, the file is another edition of the book: take the \
                                    one of a Go distribution. If not, another release of the compressor was \
                                    linked: check its stream by another implementation, raise the \
                                    generator's version and put the new size and digest into inputs.toml";

/// Version of all keys and certificates, which are kept as they were made: `tls/make`.
const TLS_VERSION: u32 = 1;

/// A source, which is kept as it was made: `compile/make`.
const SOURCES_VERSION: u32 = 1;

/// All generators, in the order of the manifest.
pub const GENERATORS: &[Generator] = &[
    computed("page", page::VERSION, |_| Ok(page::page())),
    computed("digits", digits::VERSION, |_| Ok(digits::digits())),
    computed("escape", escape::VERSION, |_| Ok(escape::escape())),
    computed("regex-text-32KiB", regex_text::VERSION, |_| Ok(regex_text::regex_text(32 << 10))),
    computed("regex-text-256KiB", regex_text::VERSION, |_| Ok(regex_text::regex_text(256 << 10))),
    Generator { name: "text", version: text::VERSION, make: text::text, remedy: OTHER_EDITION },
    computed("page-gz", compressed::GZIP_VERSION, |_| compressed::gzip(&page::page())),
    of_text("text-gz", compressed::GZIP_VERSION, |opticks| compressed::gzip(&text::text(opticks)?)),
    of_text("text-zst", compressed::ZSTD_VERSION, |opticks| {
        compressed::zstd(&text::text(opticks)?)
    }),
    computed("tls-p256", TLS_VERSION, |_| Ok(include_bytes!("../tls/p256.pem").to_vec())),
    computed("tls-rsa2048", TLS_VERSION, |_| Ok(include_bytes!("../tls/rsa2048.pem").to_vec())),
    computed("tls-mldsa65", TLS_VERSION, |_| Ok(include_bytes!("../tls/mldsa65.pem").to_vec())),
    computed("orders", orders::VERSION, |_| Ok(orders::orders())),
    computed("access-log", access_log::VERSION, |_| Ok(access_log::access_log())),
    computed("pattern-fields", access_log::PATTERNS_VERSION, |_| Ok(access_log::FIELDS.into())),
    computed("pattern-attacks", access_log::PATTERNS_VERSION, |_| Ok(access_log::ATTACKS.into())),
    computed("pattern-agents", access_log::PATTERNS_VERSION, |_| Ok(access_log::agents())),
    computed("photo", photo::VERSION, |_| photo::photo()),
    computed("photo-blocks", photo::VERSION, |_| Ok(photo::blocks())),
    computed("c-zstd-opt", SOURCES_VERSION, |_| {
        Ok(include_bytes!("../compile/zstd_opt.i").to_vec())
    }),
    computed("c-entropy-common", SOURCES_VERSION, |_| {
        Ok(include_bytes!("../compile/entropy_common.i").to_vec())
    }),
    computed("go-regexp-syntax", SOURCES_VERSION, |_| {
        Ok(include_bytes!("../compile/syntax.go").to_vec())
    }),
];

const fn computed(name: &'static str, version: u32, make: Make) -> Generator {
    Generator { name, version, make, remedy: CHANGED }
}

const fn of_text(name: &'static str, version: u32, make: Make) -> Generator {
    Generator { name, version, make, remedy: OTHER_TEXT_OR_STREAM }
}

/// The generator of the input `name`.
pub fn find(name: &str) -> Option<&'static Generator> {
    GENERATORS.iter().find(|generator| generator.name == name)
}
