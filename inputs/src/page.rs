//! `page`: a blog's front page, as a web server compresses it all day.
//!
//! The studies that sizeup follows compressed the front page of a company's blog, 29,329 bytes. That
//! page is not ours to ship; this one is written from scratch, has the same size, and compresses to the
//! same sizes within a few percent (`tests/page.rs` holds it to that). Its templates and words are
//! in the folder `page/`.

mod blog;
mod prose;
mod template;

use blog::{Article, BASE, Side};
pub use prose::Prose;
use template::fill;

/// The page's version: raised whenever its bytes change.
pub const VERSION: u32 = 1;

/// The size of the page in bytes.
pub const BYTES: usize = 29_329;

const SEED: u64 = 2017;
const ARTICLES: usize = 10;
const SITE: &str = "Tidegate Engineering";
const TAGLINE: &str = "Notes from the engine room";
const ABOUT: &str = "How we build and run a network that answers millions of requests a second: \
                     what worked, what broke, and what we measured.";

const PAGE: &str = include_str!("../page/page.html");
const STYLE: &str = include_str!("../page/style.css");
const SCRIPT: &str = include_str!("../page/script.js");

/// Bytes of the build stamp: at least, at most.
const STAMP: (usize, usize) = (12, 60);

/// Makes the page: always the same bytes.
///
/// The last card shows as many words of its article as the page has room for; a build stamp at the end
/// takes up the few bytes that are left.
///
/// # Panics
/// If templates and words were changed so that the last article has too many or too few words.
pub fn page() -> Vec<u8> {
    let mut prose = Prose::new(SEED);
    let mut articles = blog::write_articles(&mut prose, ARTICLES);
    let side = Side::write(&mut prose);
    let last = articles.len() - 1;
    let mut words = articles[last].words();
    loop {
        articles[last].show(words);
        let unstamped = assemble(&articles, &side, "").len();
        if unstamped + STAMP.0 <= BYTES {
            let stamp = stamp(&mut prose, BYTES - unstamped);
            return assemble(&articles, &side, &stamp).into_bytes();
        }
        words -= 1;
    }
}

/// A build stamp of `bytes` bytes, as a build server leaves it at the end of a page.
fn stamp(prose: &mut Prose, bytes: usize) -> String {
    assert!(bytes <= STAMP.1, "the page is {bytes} bytes short: give its last article more words");
    let digit = |_| char::from_digit(prose.rng.below(16), 16).expect("a draw below 16 is a digit");
    (0..bytes).map(digit).collect()
}

/// The whole page.
fn assemble(articles: &[Article], side: &Side, stamp: &str) -> String {
    let cards: String = articles.iter().map(Article::card).collect();
    let json: Vec<String> = articles.iter().map(Article::json).collect();
    fill(
        PAGE,
        &[
            ("site", SITE),
            ("tagline", TAGLINE),
            ("about", ABOUT),
            ("base", BASE),
            ("style", &indented(STYLE)),
            ("script", &indented(SCRIPT)),
            ("json", &json.join(",\n")),
            ("cards", &cards),
            ("popular", &side.popular),
            ("topics", &side.topics),
            ("archive", &side.archive),
            ("stamp", stamp),
        ],
    )
}

/// Each line that is not empty two spaces further in.
fn indented(text: &str) -> String {
    let indent = |line: &str| {
        if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") }
    };
    text.lines().map(indent).collect()
}
