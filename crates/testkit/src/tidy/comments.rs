//! No comment and no paragraph of one begins with a word that leans on the name beside it, or on the comment above.

use super::words::places;
use regex::Regex;
use std::collections::BTreeMap;

const LEANING: &str = r"^(?:(?:What|Of|The same)\b|`None` of\b)";
/// Precedes the text of a line.
const MARKER: &str = r#"^\s*(?://[/!]?|/?\*+!?|#|""")?\s*"#;

/// Lines of comments that follow each other are one comment.
const C_LIKE: &[&str] = &[r"//[^\n]*(?:\n[ \t]*//[^\n]*)*", r"/\*(?s:.*?)\*/"];
const HASHES: &str = r"#[^\n]*(?:\n[ \t]*#[^\n]*)*";
const DOCSTRING: &str = r#""""(?s:.*?)""""#;

/// Texts with something in them that looks like a comment; they end in their line, but for Rust's.
const STRINGS: &[&str] = &[r#""(?:[^"\\\n]|\\.)*""#, r"'(?:[^'\\\n]|\\[^\n])'"];
const RUST_STRINGS: &[&str] =
    &[r##"r#"(?s:.*?)"#"##, r#"\br"[^"]*""#, r#""(?s:[^"\\]|\\.)*""#, STRINGS[1]];
const TOML_STRINGS: &[&str] = &[DOCSTRING, r"'''(?s:.*?)'''", STRINGS[0], r"'[^'\n]*'"];
const PYTHON_STRINGS: &[&str] = &[STRINGS[0], r"'(?:[^'\\\n]|\\.)*'"];

/// Finds comments that lean in a language.
struct Scan {
    comments: Regex,
    marker: Regex,
    leaning: Regex,
}

impl Scan {
    fn new(comments: &[&str], strings: &[&str]) -> Self {
        let pattern = format!("({})|{}", comments.join("|"), strings.join("|"));
        let [comments, marker, leaning] =
            [&pattern, MARKER, LEANING].map(|pattern| Regex::new(pattern).expect("a pattern"));
        Self { comments, marker, leaning }
    }

    /// By the ending of the language's files.
    fn all() -> BTreeMap<&'static str, Self> {
        let c_like = ["c", "css", "go", "h", "java", "js", "ts", "tsx"];
        let mut all: BTreeMap<&str, Self> =
            c_like.into_iter().map(|extension| (extension, Self::new(C_LIKE, STRINGS))).collect();
        all.insert("rs", Self::new(C_LIKE, RUST_STRINGS));
        all.insert("toml", Self::new(&[HASHES], TOML_STRINGS));
        all.insert("py", Self::new(&[HASHES, DOCSTRING], PYTHON_STRINGS));
        all
    }

    /// Numbers of the lines that begin a comment or a paragraph so.
    fn lines(&self, text: &str) -> Vec<usize> {
        let comments = self.comments.captures_iter(text).filter_map(|captures| captures.get(1));
        comments
            .flat_map(|comment| {
                let first = text[..comment.start()].matches('\n').count() + 1;
                self.lines_of_comment(comment.as_str()).into_iter().map(move |line| first + line)
            })
            .collect()
    }

    fn lines_of_comment(&self, comment: &str) -> Vec<usize> {
        let mut found = Vec::new();
        let mut is_start = true;
        for (number, line) in comment.lines().enumerate() {
            let line = self.marker.replace(line, "");
            if is_start && self.leaning.is_match(&line) {
                found.push(number);
            }
            let is_heading = line.starts_with("# ");
            is_start = line.is_empty() || is_heading;
        }
        found
    }
}

#[test]
fn no_comment_leans_on_the_name_beside_it() {
    let found = places(&Scan::all(), Scan::lines);
    assert!(
        found.is_empty(),
        "say what the name does not (unit, condition, reason), or delete it:\n{}",
        found.join("\n")
    );
}

#[test]
fn each_form_of_a_comment_that_leans_is_found() {
    let leaning = [
        ("rs", "/// What it is.\nname: String,"),
        ("rs", "//! Of runs."),
        ("rs", "fn f() {\n    // The same again.\n}"),
        ("rs", "/// `None` of two.\nfn f() {}"),
        ("rs", "let quote = '\"'; // What a quote is."),
        ("rs", "let path = \"https://example\"; // Of an example."),
        ("rs", "/// Reads.\n///\n/// # Errors\n/// What failed.\nfn f() {}"),
        ("rs", "/// Reads.\n///\n/// What it reads is long.\nfn f() {}"),
        ("rs", "/// The name.\nname: String,\n/// What it is.\nabout: String,"),
        ("go", "func f() {\n\t// What else.\n}"),
        ("ts", "/** What it is. */\nname: string;"),
        ("tsx", "<p>{/* Of a row. */}</p>"),
        ("js", "/**\n * The same without React.\n */"),
        ("java", "  /** What `check` throws. */"),
        ("c", "/* The same in C. */"),
        ("h", "/* What is set up. */"),
        ("css", "/* Of tables. */"),
        ("py", "def f():\n    \"\"\"What it returns.\"\"\""),
        ("py", "name = \"#\" # Of a host."),
        ("toml", "# What servers do.\nname = \"x\""),
    ];
    let scans = Scan::all();
    for (extension, text) in leaning {
        assert_eq!(scans[extension].lines(text).len(), 1, "{text}");
    }
}

#[test]
fn other_comments_and_all_texts_may_have_these_words() {
    let others = [
        ("rs", "/// Often read. What is not there is no error.\nfn f() {}"),
        ("rs", "// A sentence that goes on in the next line:\n// What follows is part of it."),
        ("rs", "let text = \"// What\\\n    // Of\"; let raw = r#\"/// \"The same\"#;"),
        ("rs", "/// Whatever the number is, and `None` for one.\nfn f() {}"),
        ("ts", "const text = \"/* What */\";"),
        ("tsx", "<p>What it costs</p>"),
        ("py", "text = \"# Of\"; other = '# What'"),
        ("toml", "about = \"# What\"\nother = '''\n# Of\n'''"),
    ];
    let scans = Scan::all();
    for (extension, text) in others {
        assert!(scans[extension].lines(text).is_empty(), "{text}");
    }
}
