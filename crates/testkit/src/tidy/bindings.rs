//! Nothing in Rust or TypeScript is called `of`: the word says nothing where it is used. Associated functions and fields may be,
//! for they are read behind their type (`Group::of`) or come from a protocol.

use super::words::places;
use regex::Regex;
use std::collections::BTreeMap;

/// Comments, texts and definitions of associated functions: nothing is bound in them.
const RUST_SKIPPED: &[&str] = &[
    r"//.*",
    r"(?s:/\*.*?\*/)",
    r##"r#"(?s:.*?)"#"##,
    r#"\br"[^"]*""#,
    r#""(?s:[^"\\]|\\.)*""#,
    r"'(?:[^'\\]|\\'|\\[^']+)'",
    r"\bfn\s+of\b",
];
const RUST_BOUND: &[&str] = &[
    r"\b(?:let|mut|ref|for)\s+of\b",
    // Parameters of functions and closures, and parts of patterns; behind a path stands another colon.
    r"[(\[,|&]\s*of\s*(?:[,)\]|@]|:[^:])",
    r"\{\s*of\s*[,}]",
    // A function that is called without its type or module.
    r"(?:^|[^.:\w])of\(",
];

/// Comments and texts; those with something in them that is computed are read, for functions stand there, too.
const TYPESCRIPT_SKIPPED: &[&str] =
    &[r"//.*", r"(?s:/\*.*?\*/)", r#""(?:[^"\\\n]|\\.)*""#, r#"'[^'\n]*"[^'\n]*'"#];
const TYPESCRIPT_BOUND: &[&str] = &[
    r"\b(?:const|let|var|function)\s+of\b",
    r"[(\[,]\s*(?:\.\.\.)?of\s*(?:[,)\]}=:]|\?:)",
    r"\{\s*of\s*[,}=]",
    r"\bof\s*=>",
];

/// Finds what is called `of` in a language.
struct Scan(Regex);

impl Scan {
    fn new(skipped: &[&str], bound: &[&str]) -> Self {
        let pattern = format!("(?m){}|({})", skipped.join("|"), bound.join("|"));
        Self(Regex::new(&pattern).expect("a pattern"))
    }

    /// By the ending of the language's files.
    fn all() -> BTreeMap<&'static str, Self> {
        let typescript = || Self::new(TYPESCRIPT_SKIPPED, TYPESCRIPT_BOUND);
        let rust = Self::new(RUST_SKIPPED, RUST_BOUND);
        [("rs", rust), ("ts", typescript()), ("tsx", typescript())].into()
    }

    /// The numbers of the lines in which something is.
    fn lines(&self, text: &str) -> Vec<usize> {
        let found = self.0.captures_iter(text).filter_map(|captures| captures.get(1));
        let mut lines: Vec<usize> =
            found.map(|found| text[..found.end()].matches('\n').count() + 1).collect();
        lines.dedup();
        lines
    }
}

#[test]
fn nothing_is_called_of() {
    let found = places(&Scan::all(), Scan::lines);
    assert!(found.is_empty(), "name it after what it holds or does:\n{}", found.join("\n"));
}

#[test]
fn each_way_to_call_something_of_is_found() {
    let bound = [
        ("rs", "let of = 1;"),
        ("rs", "let (a, mut of) = both;"),
        ("rs", "all.iter().map(|of| of + 1);"),
        ("rs", "all.iter().map(|(name, of): &(A, B)| name);"),
        ("rs", "for of in all {}"),
        ("rs", "fn ratio(of: &View, to: &View) {}"),
        ("rs", "fn ratio(to: &View, of: &View) {}"),
        ("rs", "let Some(of) = found else { return };"),
        ("rs", "let Choices { of } = range;"),
        ("rs", "assert!(of(&runs).is_empty(), \"//\");"),
        ("rs", "let path = \"\\\"//\"; let of = path;"),
        ("ts", "const of = (mark: string) => mark;"),
        ("ts", "function of(mark: string) {}"),
        ("ts", "for (const of of all) {}"),
        ("ts", "all.map((of) => of.name);"),
        ("ts", "all.map((name, of: number) => name);"),
        ("ts", "all.map(of => of);"),
        ("ts", "const write = `${all.map((of) => of)} …`;"),
        ("ts", "function f({ of, most }: Props) {}"),
        ("ts", "function f({\n  most,\n  of,\n}: Props) {}"),
        ("ts", "const [first, of = 1] = all;"),
        ("tsx", "const Bar = ({ of = [] }: Props) => <p>all of {of}</p>;"),
    ];
    for (extension, text) in bound {
        assert_eq!(Scan::all()[extension].lines(text).len(), 1, "{text}");
    }
}

#[test]
fn words_and_what_stands_behind_a_type_may_be_called_of() {
    let others = [
        ("rs", "// let of = 1;\n/* |of| */"),
        ("rs", "let text = \"(of, the)\"; let quote = '\"'; let raw = r#\"|of|\"#;"),
        ("rs", "impl Group { pub fn of(label: String) -> Self { Self(label) } }"),
        ("rs", "let group = Group::of(label); let run = choices.of(&RUNS);"),
        ("rs", "let runs = all.iter().map(Run::of);"),
        ("rs", "enum Range { Choices { of: Vec<Value> } }"),
        ("ts", "for (const [name, value] of Object.entries(all)) {}"),
        ("ts", "const text = 'a \"(of)\"'; // (of) =>"),
        ("tsx", "<p>The first {shown}, of {all} rows of one run (of two)</p>"),
    ];
    for (extension, text) in others {
        assert!(Scan::all()[extension].lines(text).is_empty(), "{text}");
    }
}
