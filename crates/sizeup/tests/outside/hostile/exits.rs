//! Properties that every output must have, whatever the input: a check per format.

use crate::report::is_ours;
use crate::support::Answer;
use data_encoding::BASE64;
use pulldown_cmark::{Event, Options, Parser, Tag};
use regex::Regex;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use unicode_general_category::{GeneralCategory::*, get_general_category};

/// A spreadsheet takes a cell that begins so for a formula.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// Nothing in a text but the ends of lines commands a terminal, or is not to be seen.
#[track_caller]
pub fn assert_visible(text: &str) {
    let is_bad = |c: char| {
        let category = get_general_category(c);
        c != '\n'
            && matches!(
                category,
                Control | Format | LineSeparator | ParagraphSeparator | PrivateUse
            )
    };
    if let Some(at) = text.find(is_bad) {
        let start = text[..at].char_indices().rev().nth(100).map_or(0, |(start, _)| start);
        let near: String = text[start..].chars().take(200).collect();
        panic!("a hidden character in {near:?}");
    }
}

/// Both streams are printable, the exit status is documented, and nothing panicked.
#[track_caller]
pub fn assert_harmless(answer: &Answer) {
    assert_visible(&answer.stdout);
    assert_visible(&answer.stderr);
    assert!(!answer.stderr.contains("panicked"), "{}", answer.stderr);
    assert!([0, 1, 2, 3].contains(&answer.status), "{}: {}", answer.status, answer.stderr);
}

/// A line a row, each of as many cells, in none of which a formula begins, whatever ends cells.
#[track_caller]
pub fn assert_csv(text: &str) {
    assert_visible(text);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    // The reader refuses rows of other lengths than the first.
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect("CSV");
    assert_eq!(rows.len(), text.lines().count());
    for cell in rows.iter().flatten().filter(|cell| cell.parse::<f64>().is_err()) {
        for part in cell.split([';', '|']) {
            assert!(!part.trim_start().starts_with(FORMULA), "{cell:?}");
        }
    }
}

/// Valid input for benchstat, of so many lines.
#[track_caller]
pub fn assert_go(text: &str, lines: usize) {
    assert_visible(text);
    assert_eq!(text.lines().count(), lines, "{text}");
    let sample = Regex::new(r"^Benchmark\S+ \d+( [0-9.e+-]+ \S+)+$").expect("a pattern");
    let mut all = text.lines();
    assert!(all.next().is_some_and(|line| line.starts_with("# ")), "{text}");
    assert_eq!([all.next(), all.next()], [Some("goos: linux"), Some("pkg: sizeup")]);
    all.for_each(|line| assert!(sample.is_match(line), "{line:?}"));
}

/// Valid input for Google Benchmark's compare.py, with so many repetitions. JSON may hold any text: here it must be printable.
#[track_caller]
pub fn assert_google(text: &str, repetitions: usize) {
    assert_visible(text);
    let json: Value = serde_json::from_str(text).expect("JSON");
    let all = json["benchmarks"].as_array().expect("a list");
    assert_eq!(all.len(), repetitions);
    let names = all.iter().map(|benchmark| benchmark["name"].as_str().expect("a name"));
    names.chain(json["context"]["host_name"].as_str()).for_each(assert_visible);
}

/// Text, tables of as many cells in each line, and pictures of ours.
#[track_caller]
pub fn assert_markdown(text: &str) {
    assert_visible(&text.replace('\u{200b}', ""));
    for event in Parser::new_ext(text, Options::all()) {
        match event {
            Event::Text(_) | Event::End(_) => {}
            Event::Start(Tag::Image { dest_url, .. }) => {
                assert!(dest_url.starts_with("charts/"), "{dest_url}");
            }
            Event::Start(tag) => assert!(is_ours(&tag), "{tag:?}"),
            event => panic!("{event:?}"),
        }
    }
    let cells = |line: &str| line.matches('|').count();
    let lines: Vec<&str> = text.lines().collect();
    for pair in lines.windows(2).filter(|pair| pair.iter().all(|line| line.starts_with('|'))) {
        assert_eq!(cells(pair[0]), cells(pair[1]), "{pair:?}");
    }
}

/// A page without the script by which a site finds workloads: the one that the page's policy allows, by its hash.
fn without_our_script(html: &str) -> String {
    let Some((before, rest)) = html.split_once("<script>") else { return html.to_owned() };
    let (script, after) = rest.split_once("</script>").expect("an end of the script");
    let hash = BASE64.encode(&Sha256::digest(script));
    assert!(before.contains(&format!("script-src 'sha256-{hash}';")), "{script}");
    format!("{before}{after}")
}

/// Markup that holds nothing that runs, loads or leads elsewhere: a picture, or a page of a site.
#[track_caller]
pub fn assert_markup(text: &str) {
    assert_visible(text);
    // HTML is XML but for these.
    let differences = [("]]>", "]]&gt;"), (" hidden>", " hidden=\"\">"), (" open>", " open=\"\">")];
    let text = match text.strip_prefix("<!doctype html>") {
        Some(html) => &differences
            .iter()
            .fold(without_our_script(html), |html, (from, to)| html.replace(from, to)),
        None => text,
    };
    let document = roxmltree::Document::parse(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        let name = node.tag_name().name();
        let is_active = matches!(name, "script" | "foreignObject" | "iframe" | "img" | "image");
        assert!(!is_active, "<{name}>");
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            assert!(!name.starts_with("on"), "{name}={value}");
            let is_address = matches!(name, "href" | "src" | "action");
            let is_ours = ["#", "./", "../", "report.html", "data:,"]
                .iter()
                .any(|start| value.starts_with(start));
            assert!(!is_address || is_ours, "{name}={value}");
        }
    }
}

/// A report is what one of harmless names is but for its title, its description and its data.
#[track_caller]
pub fn assert_page(page: &str, harmless: &str) {
    assert_visible(page);
    let frame = |page: &str| {
        let page = Regex::new(r#"content="[^"<>]*""#).expect("a pattern").replace_all(page, "");
        let page =
            Regex::new("<title>[^<>]*</title>").expect("a pattern").replace(&page, "").into_owned();
        let data = Regex::new(r#"id="data">[A-Za-z0-9+/=]*<"#).expect("a pattern");
        assert!(data.is_match(&page), "no data");
        data.replace(&page, "").into_owned()
    };
    assert!(frame(page) == frame(harmless), "{}", &page[..2000.min(page.len())]);
}
