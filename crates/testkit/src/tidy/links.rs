//! Links between pages: each leads to a file that is there, and to a heading in it.

use regex::Regex;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir()
            && !name.starts_with('.')
            && !["target", "dist", "node_modules", "runs"].contains(&name)
        {
            pages(&path, found);
        } else if path.extension().is_some_and(|end| end == "md") {
            found.push(path);
        }
    }
}

/// Text outside of fenced code.
fn prose(text: &str) -> String {
    text.split("```").step_by(2).collect()
}

/// Link targets of headings, as Git forges derive them.
fn anchors(text: &str) -> BTreeSet<String> {
    let prose = prose(text); // comments of commands begin like headings
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    let named = Regex::new(r#"<a (?:id|name)="([^"]+)""#).expect("a pattern");
    let of_heading = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().replace(' ', "-")
    };
    let named = named.captures_iter(text).map(|found| found[1].to_owned());
    headings.map(of_heading).chain(named).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let link = Regex::new(r"\]\(([^)\s]+)\)").expect("a pattern");
    let mut found = Vec::new();
    pages(&root, &mut found);
    let mut broken = Vec::new();
    for page in found {
        let text = fs::read_to_string(&page).expect("a page");
        let prose = prose(&text);
        for link in link.captures_iter(&prose).map(|found| found[1].to_owned()) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => page.clone(),
                _ => page.parent().unwrap_or(&root).join(file),
            };
            let is_page = target.extension().is_some_and(|end| end == "md");
            let is_there = target.exists()
                && (anchor.is_empty()
                    || !is_page
                    || anchors(&fs::read_to_string(&target).unwrap_or_default()).contains(anchor));
            if !is_there {
                broken.push(format!(
                    "{}: {link}",
                    page.strip_prefix(&root).unwrap_or(&page).display()
                ));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
