//! A folder of pages about a folder of runs.

use crate::support::{Answer, Place};
use std::fs;
use std::os::unix::fs::symlink;

const HOSTILE: &str = "<script>alert(1)</script>";

/// Two machines, one of which has a name that means harm.
fn place() -> Place {
    let place = Place::new();
    let table = format!(
        "machine,workload,threads,value,unit\nfirst,sum,1,10,ops/s\nfirst,sum,1,11,ops/s\n\
         first,{HOSTILE},1,10,ops/s\n\
         \"{HOSTILE}\",sum,1,20,ops/s\n\"{HOSTILE}\",sum,1,21,ops/s\n"
    );
    place.write("table.csv", table);
    let answer = place.sizeup(&["import", "csv", "table.csv", "--folder", "runs"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    place
}

fn site(place: &Place, more: &[&str]) -> Answer {
    let mut arguments = vec!["site", "runs", "-o", "site"];
    arguments.extend(more);
    place.sizeup(&arguments)
}

#[test]
fn a_site_leads_from_all_machines_to_any_two_and_to_each_workload() {
    let place = place();
    let answer = site(&place, &[]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let index = fs::read_to_string(place.path("site/index.html")).expect("a page");
    for link in ["report.html#baseline=0&amp;shown=1", "report.html#baseline=1&amp;shown=0"] {
        assert!(index.contains(link), "{link}");
    }
    let (_, link) = index.split_once("href=\"./workload/").expect("a link to a workload");
    let (name, _) = link.split_once('"').expect("its end");
    let page = fs::read_to_string(place.path("site/workload").join(name)).expect("its page");
    assert!(page.contains("class=\"bar-of\""), "{page}");
    let report = fs::read_to_string(place.path("site/report.html")).expect("a page");
    for page in [index, report] {
        assert!(page.contains(r#"<meta property="og:image" content="share-card.png""#));
    }
    assert!(place.path("site/share-card.png").exists());
}

#[test]
fn no_name_on_a_site_is_taken_for_html() {
    let place = place();
    site(&place, &[]);
    let workloads = fs::read_dir(place.path("site/workload")).expect("a folder");
    let workloads = workloads.map(|entry| entry.expect("a page").path());
    let pages = ["index.html", "report.html"].map(|file| place.path("site").join(file));
    for file in pages.into_iter().chain(workloads) {
        let page = fs::read_to_string(&file).expect("a page");
        assert!(!page.contains(HOSTILE), "{}", file.display());
        assert!(page.contains("Content-Security-Policy"), "{}", file.display());
    }
}

#[test]
fn a_folder_with_files_is_not_written_into_unless_it_is_asked_for() {
    let place = place();
    fs::create_dir(place.path("site")).expect("a folder");
    place.write("site/mine.txt", "mine");
    let refused = site(&place, &[]);
    assert_eq!(refused.status, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("site is not empty"), "{}", refused.stderr);
    assert_eq!(site(&place, &["--force"]).status, 0);
    assert!(place.path("site/mine.txt").exists());
}

#[test]
fn a_folder_without_runs_is_named() {
    let place = place();
    fs::create_dir(place.path("empty")).expect("a folder");
    let answer = place.sizeup(&["site", "empty"]);
    assert_eq!(answer.status, 2);
    assert!(answer.stderr.contains("no file in empty ends in .run.jsonl"));
}

#[test]
fn a_run_that_can_not_be_read_stops_the_site_with_what_to_do() {
    let place = place();
    let bad = place.path("runs/bad.run.jsonl");
    let refuses = || {
        let answer = site(&place, &[]);
        answer.refuses(2, "runs/bad.run.jsonl: ");
        answer.refuses(2, "Fix it or move it out of runs: a site shows all runs there");
        assert!(!place.path("site").exists(), "nothing was written");
    };
    place.write("runs/bad.run.jsonl", "{\"record\":\"hea");
    refuses();
    fs::remove_file(&bad).expect("it was there");
    symlink("nowhere", &bad).expect("a link");
    refuses();
    fs::remove_file(&bad).expect("it was there");
    fs::create_dir(&bad).expect("a folder");
    refuses();
}

#[test]
fn runs_in_folders_of_the_folder_are_left_out_and_counted() {
    let place = place();
    for folder in ["runs/more", "runs/else"] {
        fs::create_dir(place.path(folder)).expect("a folder");
        place.write(&format!("{folder}/x.run.jsonl"), "");
    }
    let told = "skipped 2 files ending in .run.jsonl in subfolders of runs";
    let answer = site(&place, &[]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    assert!(answer.stderr.contains(told), "{}", answer.stderr);
    let above = place.sizeup(&["site", "."]);
    above.refuses(2, "skipped 2 files ending in .run.jsonl in subfolders of .");
    above.refuses(2, "no file in . ends in .run.jsonl");
}

#[test]
fn a_site_takes_the_place_of_an_older_one_and_deletes_nothing_else() {
    let place = place();
    assert_eq!(site(&place, &[]).status, 0);
    let workload = |name: &str| format!("site/workload/{name}.html");
    let now = place.path(&workload("sum-table"));
    fs::copy(now, place.path(&workload("older"))).expect("a page");
    fs::copy(place.path("site/report.html"), place.path(&workload("a-report"))).expect("a page");
    fs::copy(place.path("site/index.html"), place.path("site/elsewhere.html")).expect("a page");
    symlink("sum-table.html", place.path(&workload("link"))).expect("a link");
    place.write(&workload("mine"), "<!doctype html><p>mine");
    let answer = site(&place, &["--force"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let told = "removed site/workload/older.html, left from an older site";
    assert!(answer.stderr.contains(told), "{}", answer.stderr);
    assert!(!place.path(&workload("older")).exists());
    assert_eq!(answer.stderr.matches("removed ").count(), 1, "{}", answer.stderr);
    for kept in ["sum-table", "a-report", "link", "mine"].map(workload) {
        assert!(place.path(&kept).exists(), "{kept}");
    }
    assert!(place.path("site/elsewhere.html").exists());
}

#[test]
fn a_site_never_takes_the_place_of_a_run() {
    let place = place();
    let run = fs::read(place.path("runs/first-imported.run.jsonl")).expect("a run");
    fs::create_dir(place.path("site")).expect("a folder");
    symlink("../runs/first-imported.run.jsonl", place.path("site/index.html")).expect("a link");
    site(&place, &["--force"]).refuses(2, "site/index.html is runs/first-imported.run.jsonl");
    assert_eq!(fs::read(place.path("runs/first-imported.run.jsonl")).expect("a run"), run);
    assert!(!place.path("site/report.html").exists(), "nothing else was written");
}
