//! Reports without a browser: charts as files and Markdown, of labels that mean harm, too.

use crate::support::{Answer, Place};
use pulldown_cmark::{Event, Options, Parser, Tag};
use regex::Regex;
use resvg::tiny_skia::Pixmap;
use std::fmt::Write;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::Command;

/// All that Markdown, HTML, or a site that shows it gives a meaning.
const HOSTILE: &str = "<img src=x>|`c` *b* _i_ [l](http://e.com) @who #1 $x$ &lt; \\| ~~s~~";
const RUNS: [&str; 2] = ["other-imported.run.jsonl", "hostile.run.jsonl"];

/// Two machines, each figure three times; the name of one, and of a workload, mean harm.
fn place() -> Place {
    let place = Place::new();
    let mut table = "machine,workload,threads,value,unit\n".to_owned();
    for (machine, factor) in [("other", 1.0), (HOSTILE, 1.2)] {
        for (workload, value) in [("sum", 50.0), ("1. <b>|x", 100.0), ("mul", 70.0)] {
            for (threads, repetition) in
                [(1, 0.99), (1, 1.0), (1, 1.01), (4, 3.9), (4, 4.0), (4, 4.1)]
            {
                let value = value * factor * repetition;
                let _ = writeln!(table, "\"{machine}\",\"{workload}\",{threads},{value},MB/s");
            }
        }
    }
    place.write("table.csv", table);
    let answer = place.sizeup(&["import", "csv", "table.csv", "--folder", "."]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let files = fs::read_dir(place.path("")).expect("a folder").flatten();
    let hostile = files
        .map(|file| file.path())
        .find(|path| path.to_string_lossy().ends_with(".run.jsonl") && !path.ends_with(RUNS[0]));
    fs::rename(hostile.expect("a run"), place.path(RUNS[1])).expect("it can be moved");
    place
}

fn report(place: &Place, more: &[&str]) -> Answer {
    let mut arguments = vec!["report", RUNS[0], RUNS[1]];
    arguments.extend(more);
    place.sizeup(&arguments)
}

fn files(place: &Place, folder: &str, end: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(place.path(folder)).expect("a folder").flatten();
    files.map(|file| file.path()).filter(|path| path.to_string_lossy().ends_with(end)).collect()
}

fn pixels_with_ink(png: &[u8]) -> usize {
    let map = Pixmap::decode_png(png).expect("a PNG file");
    map.pixels().iter().filter(|pixel| pixel.red() < 160).count()
}

#[test]
fn every_chart_is_an_svg_and_a_png_with_words() {
    let place = place();
    let answer = report(&place, &["--charts", "charts"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    assert!(place.path("report.html").exists(), "{}", answer.stderr);
    let mut svgs = files(&place, "charts", ".svg");
    // It is its own words.
    svgs.retain(|path| !path.ends_with("share-card.svg"));
    assert!(svgs.len() >= 3, "{svgs:?}");
    let words = Regex::new("(?s)<text.*?</text>").expect("a pattern");
    for path in svgs {
        let svg = fs::read_to_string(&path).expect("a file");
        let drawing =
            roxmltree::Document::parse(&svg).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        for part in ["title", "caption"] {
            let is_it = |node: &roxmltree::Node| node.attribute("data-mark") == Some(part);
            let found = drawing.descendants().filter(is_it).filter_map(|node| node.text());
            let text: Vec<&str> = found.collect();
            assert!(text.join(" ").len() > 10, "{}: its {part} is {text:?}", path.display());
            let has_source = text.iter().any(|line| line.starts_with("Source: "));
            assert_eq!(has_source, part == "caption", "{}: {text:?}", path.display());
        }
        let png = fs::read(path.with_extension("png")).expect("its PNG file");
        let svg = words.replace_all(&svg, "").into_owned();
        let wordless = export::page::png(&export::page::Chart {
            name: "wordless".to_owned(),
            svg,
            scale: 2.0,
        });
        let wordless = wordless.expect("a picture");
        let (all, lines) = (pixels_with_ink(&png), pixels_with_ink(&wordless));
        assert!(lines > 500, "{}: {lines} pixels of lines", path.display());
        assert!(all > lines + 1000, "{}: {all} pixels, {lines} of lines", path.display());
    }
    let all = fs::read_to_string(place.path("charts/relative.svg")).expect("a file");
    assert!(all.contains("1. &lt;b&gt;|x"), "{all}");
}

#[test]
fn a_report_with_charts_names_its_share_card_of_1200_by_630_pixels() {
    let place = place();
    assert_eq!(report(&place, &["--charts", "charts"]).status, 0);
    let png = fs::read(place.path("charts/share-card.png")).expect("a file");
    let size = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    assert_eq!((size(16), size(20)), (1200, 630));
    let page = fs::read_to_string(place.path("report.html")).expect("a page");
    assert!(page.contains(r#"<meta property="og:image" content="charts/share-card.png">"#));
    let title = page.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    let (title, _) = title.expect("a title");
    assert!(page.contains(&format!(r#"<meta property="og:title" content="{title}">"#)), "{title}");
}

#[test]
fn charts_and_markdown_have_the_numbers_of_threads_that_were_asked_for() {
    let place = place();
    let drawn = |threads: &str, folder: &str| {
        let more = ["--threads", threads, "--charts", folder, "--format", "md", "-o", "-"];
        let answer = report(&place, &more);
        assert_eq!(answer.status, 0, "{}", answer.stderr);
        let family = place.path(folder).join("family-other.svg");
        (answer.stdout, fs::read_to_string(family).expect("a file"))
    };
    let (markdown, family) = drawn("1,4", "both");
    for text in ["On 1 thread", "On 4 threads", "both/relative-on-1.png", "both/relative-on-4.png"]
    {
        assert!(markdown.contains(text), "{text}: {markdown}");
    }
    assert!(family.contains(", on 1 thread and on 4 threads</text>"), "{family}");
    let (markdown, family) = drawn("4", "four");
    assert!(
        !markdown.contains("On 1 thread") && markdown.contains("four/relative.png"),
        "{markdown}"
    );
    assert!(family.contains(", on 4 threads</text>"), "{family}");
    report(&place, &["--threads", "2"]).refuses(2, "no row has --threads 2; there are 1, 4");
}

#[test]
fn a_label_shows_as_text_in_markdown() {
    let place = place();
    let answer = report(&place, &["--format", "md", "--charts", "charts", "-o", "report.md"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let markdown = fs::read_to_string(place.path("report.md")).expect("a file");
    for harm in ["<", "@who", " [l]", "`", "#1 "] {
        assert!(!markdown.contains(harm), "{harm}: {markdown}");
    }
    let (mut text, mut pictures) = (String::new(), Vec::new());
    for event in Parser::new_ext(&markdown, Options::all()) {
        match event {
            Event::Text(part) => text.push_str(&part),
            Event::Start(Tag::Image { dest_url, .. }) => pictures.push(dest_url.to_string()),
            Event::Start(tag) => assert!(is_ours(&tag), "{tag:?}: {markdown}"),
            Event::End(_) => {}
            event => panic!("{event:?}: {markdown}"),
        }
    }
    let text = text.replace('\u{200b}', "");
    assert!(text.contains(HOSTILE), "{text}");
    assert!(text.contains("1. <b>|x/table"), "{text}");
    assert!(pictures.contains(&"charts/relative.png".to_owned()), "{pictures:?}");
    assert!(pictures.iter().all(|path| place.path(path).exists()), "{pictures:?}");
}

/// Whether a report is made of it.
pub fn is_ours(tag: &Tag) -> bool {
    use Tag::{Heading, Item, List, Paragraph, Strong, Table, TableCell, TableHead, TableRow};
    matches!(
        tag,
        Heading { .. }
            | Item
            | List(None)
            | Paragraph
            | Strong
            | Table(_)
            | TableCell
            | TableHead
            | TableRow
    )
}

#[test]
fn lines_of_a_table_have_as_many_cells_as_its_head() {
    let place = place();
    let markdown = report(&place, &["--format", "md", "-o", "-"]).stdout;
    let cells = |line: &str| line.matches('|').count();
    let lines: Vec<&str> = markdown.lines().collect();
    let pairs = lines.windows(2).filter(|pair| pair.iter().all(|line| line.starts_with('|')));
    assert!(pairs.clone().count() > 10, "{markdown}");
    assert!(pairs.clone().all(|pair| cells(pair[0]) == cells(pair[1])), "{markdown}");
}

#[test]
fn a_report_goes_where_it_is_told() {
    let place = place();
    let answer = report(&place, &["--format", "md", "-o", "-"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    assert!(answer.stdout.starts_with("# ") && !answer.stdout.contains("!["));
    assert!(!place.path("report.md").exists(), "{}", answer.stderr);
    let page = report(&place, &["-o", "-"]).stdout;
    assert!(page.to_lowercase().starts_with("<!doctype html>"), "{}", &page[..200]);
    assert_eq!(report(&place, &["--format", "md"]).status, 0);
    assert!(place.path("report.md").exists());
}

#[test]
fn an_output_that_exists_is_refused_before_any_run_is_read() {
    let place = place();
    place.write("report.html", "mine");
    place.write("broken.jsonl", "no run");
    place.sizeup(&["report", "broken.jsonl"]).refuses(2, "report.html already exists");
}

#[test]
fn what_is_there_is_written_over_only_by_force() {
    let place = place();
    fs::create_dir(place.path("charts")).expect("a folder");
    place.write("charts/relative.png", "mine");
    report(&place, &["--charts", "charts"]).refuses(2, "relative.png already exists");
    assert_eq!(files(&place, "charts", "").len(), 1, "nothing else was written");
    assert!(!place.path("report.html").exists(), "nothing else was written");
    assert_eq!(report(&place, &["--charts", "charts", "--force"]).status, 0);
    let png = fs::read(place.path("charts/relative.png")).expect("a file");
    assert!(Pixmap::decode_png(&png).is_ok());
}

#[test]
fn no_file_that_is_read_is_written_over_whatever_leads_to_it() {
    let place = place();
    let before = RUNS.map(|run| fs::read(place.path(run)).expect("a file"));
    let prices = "[[price]]\nlabel = \"other\"\nper_hour = 1\n";
    place.write("prices.toml", prices);
    symlink(RUNS[0], place.path("link.html")).expect("a link");
    fs::hard_link(place.path(RUNS[1]), place.path("hard.html")).expect("a link");
    fs::create_dir(place.path("charts")).expect("a folder");
    symlink(place.path(RUNS[1]), place.path("charts/relative.png")).expect("a link");
    let told = format!("link.html is {}, an input", RUNS[0]);
    report(&place, &["-o", "link.html", "--force"]).refuses(2, &told);
    for more in [
        &["-o", RUNS[0]][..],
        &["-o", "hard.html"],
        &["--charts", "charts", "-o", "new.html"],
        &["--prices", "prices.toml", "-o", "prices.toml"],
    ] {
        report(&place, &[more, &["--force"]].concat()).refuses(2, ", an input.");
    }
    assert_eq!(RUNS.map(|run| fs::read(place.path(run)).expect("a file")), before);
    assert_eq!(fs::read_to_string(place.path("prices.toml")).expect("a file"), prices);
    assert!(!place.path("new.html").exists(), "nothing else was written");
    assert_eq!(files(&place, "charts", "").len(), 1, "nothing else was written");
}

#[test]
fn a_report_for_which_there_is_no_room_changes_nothing() {
    let place = place();
    let limited = |more: &[&str]| {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -f 50 && exec \"$0\" report \"$@\""]);
        command.arg(env!("CARGO_BIN_EXE_sizeup")).args(RUNS).args(more);
        Answer::of(command.current_dir(place.path("")).output().expect("a shell"))
    };
    let mut before = files(&place, "", "");
    limited(&[]).refuses(2, "report.html can't be written: File too large");
    let mut after = files(&place, "", "");
    before.sort();
    after.sort();
    assert_eq!(before, after);
    place.write("report.html", "mine");
    limited(&["--charts", "charts", "--force"]).refuses(2, "can't be written: File too");
    assert_eq!(fs::read_to_string(place.path("report.html")).expect("a file"), "mine");
    assert_eq!(files(&place, "charts", ""), Vec::<PathBuf>::new());
}

#[test]
fn force_keeps_links_and_permissions_and_replaces_nothing_but_files() {
    let place = place();
    place.write("page.html", "old");
    let own = fs::Permissions::from_mode(0o600);
    fs::set_permissions(place.path("page.html"), own).expect("it is ours");
    symlink("page.html", place.path("link.html")).expect("a link");
    assert_eq!(report(&place, &["-o", "link.html", "--force"]).status, 0);
    assert!(place.path("link.html").is_symlink());
    assert!(fs::read_to_string(place.path("page.html")).expect("a file").starts_with("<!doctype"));
    let mode = fs::metadata(place.path("page.html")).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    symlink("/dev/null", place.path("null.html")).expect("a link");
    report(&place, &["-o", "null.html", "--force"]).refuses(2, "null.html is not a regular file");
    report(&place, &["-o", "own", "--force"]).refuses(2, "own is not a regular file");
}

#[test]
fn a_report_says_the_time_that_it_is_told_to_say() {
    let place = place();
    let as_format = |format: &str, time: &str| {
        let arguments = ["report", RUNS[0], RUNS[1], "--format", format, "-o", "-"];
        let mut command = place.command(&arguments);
        let command = command.env("SOURCE_DATE_EPOCH", time);
        Answer::of(command.output().expect("sizeup can be started"))
    };
    let text = as_format("md", "86400").stdout;
    assert!(text.contains("1970-01-02"), "a day after the start of 1970: {text}");
    let at = |time: &str| as_format("html", time);
    let page = at("86400").stdout;
    assert_eq!(page, at("86400").stdout);
    assert_ne!(page, at("172800").stdout);
    for wrong in ["", "yesterday", "1.5", "999999999999999"] {
        at(wrong).refuses(2, "SOURCE_DATE_EPOCH is");
    }
}
