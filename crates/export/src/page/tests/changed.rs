//! Fuzz targets: pages of changed runs, and changed pages. What is drawn and written of them is whole, says nothing that a
//! reader could take for the page's own, and has no figure that is none.

use super::*;
use crate::page::headless::{ALLOWANCE, call};
use resvg::usvg::{Options, Tree};
use std::fs;
use testkit::{Choices, RUNS, TEXTS, assert_figures, assert_harmless, changed_run, edit};

/// No text of a file appears as an element of a page.
fn assert_no_element_of_a_text(html: &str) {
    for hostile in TEXTS.iter().filter(|text| text.contains('<') && text.contains('>')) {
        assert!(!html.contains(hostile), "{hostile}");
    }
}

fn assert_drawn(svg: &str) {
    assert_harmless(svg);
    assert_figures(svg);
    assert_no_element_of_a_text(svg);
    Tree::from_str(svg, &Options::default()).unwrap_or_else(|e| panic!("{e}: {svg}"));
}

fn assert_written(html: &str) {
    assert_harmless(html);
    assert_no_element_of_a_text(html);
}

fn changed_page(choices: &mut Choices) -> Option<Page> {
    let folder = testkit::folder();
    let run = choices.of(&RUNS);
    let read = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        record::read(&path).ok()
    };
    let runs = [read("changed", &changed_run(&[run], choices))?, read("run", run)?];
    let input = |run: &Run| {
        let label = run.header.label.clone();
        Some(PageInput {
            group: Group::of(
                label,
                ViewKind::Delivered,
                vec![Sheet::of(run, ViewKind::Delivered)],
            )?,
            runs: vec![PageRun::of(run, &RunEstimate::of(run))],
            prices: Vec::new(),
            watts: None,
        })
    };
    let inputs: Option<Vec<_>> = runs.iter().map(input).collect();
    Some(Page::of(inputs?, &[], "2026-11-23T06:00:00Z".parse().unwrap()))
}

#[test]
fn a_page_of_a_changed_run_is_drawn_and_written_whole() {
    testkit::check("page", 12, |input| {
        let Some(page) = changed_page(&mut Choices::new(input)) else { return };
        for chart in charts(&page).unwrap() {
            assert_drawn(&chart.svg);
        }
        assert_written(&markdown(&page, &[]).unwrap());
        let site = site(&page, "card.png").unwrap();
        assert_drawn(&site.card.svg);
        site.pages.iter().for_each(|page| assert_written(&page.html));
        html(&page, None).unwrap();
    });
}

#[test]
fn changed_data_of_a_page_are_refused_or_drawn_harmlessly() {
    let page = changed_page(&mut Choices::new(&[])).expect("a page of runs that were not changed");
    let page = serde_json::to_value(page).unwrap();
    testkit::check("page-data", 12, |input| {
        let choices = &mut Choices::new(input);
        let mut page = page.clone();
        for _ in 0..=choices.below(4) {
            edit(&mut page, choices);
        }
        let page = page.to_string();
        let drawn = match choices.byte() % 3 {
            0 => call("drawCharts", &[&page], ALLOWANCE),
            1 => call("writeMarkdown", &[&page, "[]"], ALLOWANCE),
            _ => call("writeSite", &[&page, ""], ALLOWANCE),
        };
        match drawn {
            Ok(text) => assert_no_element_of_a_text(&text),
            Err(error) => assert!(error.to_string().len() < 10_000),
        }
    });
}
