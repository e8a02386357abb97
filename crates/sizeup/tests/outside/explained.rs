//! Why figures are what they are: what slows rows, and what libraries do without.

use crate::support::{Answer, FINE, Place};
use serde_json::Value;

fn run(place: &Place, more: &[&str]) -> Answer {
    let more = [&["--threads", "1", "--precision", FINE], more].concat();
    place.sizeup(&Place::run_arguments(&["none/fake"], &more))
}

/// The records of a kind in the run file.
fn records(place: &Place, kind: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(place.path("out.jsonl")).expect("a run file");
    let records = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    records.filter(|record| record["record"] == kind).collect()
}

#[test]
fn a_row_in_the_kernel_is_what_explain_speaks_of() {
    let place = Place::new().with_faults(&["none"], &[]);
    let faulting = ["--variant", "base", "--variant", "faulting=FAKE_KERNEL_PERCENT=60"];
    assert_eq!(run(&place, &faulting).status, 0);
    let explained = place.sizeup(&["explain", "out.jsonl"]);
    assert_eq!(explained.status, 0, "{}", explained.stderr);
    let says = "5.000 page faults/op, 60 % of its CPU time in the kernel";
    assert!(
        explained.prose().contains("none/fake [faulting] on 1 thread loses about 60 %")
            && explained.prose().contains(says),
        "{}",
        explained.stdout
    );
    let data = place.sizeup(&["explain", "out.jsonl", "--json"]).data();
    let standouts = data["standouts"].as_array().expect("a list");
    assert_eq!(
        (standouts.len(), &standouts[0]["cause"]),
        (1, &Value::from("page-faults")),
        "{data}"
    );
    // The fake worker's memory is not the C library's as far as anybody knows.
    assert!(standouts[0]["remedy"].is_null() && data["pair"].is_null(), "{data}");
    let details = place.sizeup(&["show", "out.jsonl", "--details"]).stdout;
    assert!(details.contains("in kernel") && details.contains("60 %"), "{details}");
}

#[test]
fn a_recipe_is_a_variant_whose_variables_are_in_the_file() {
    let place = Place::new().with_faults(&["none"], &[]);
    assert_eq!(run(&place, &["--variant", "base", "--variant", "keep-memory"]).status, 0);
    let header = &records(&place, "header")[0];
    assert!(header["variants"][0]["environment"].is_null(), "{header}");
    let tunables = header["variants"][1]["environment"]["GLIBC_TUNABLES"].as_str();
    assert!(tunables.is_some_and(|text| text.contains("mmap_threshold")), "{header}");
}

#[test]
fn what_libraries_do_without_is_in_the_plan_and_they_are_told() {
    let place = Place::new().with_faults(&["none"], &[]);
    place.sizeup(&["run", "--isa", "no-sse"]).refuses(2, "no-avx512");
    let without = run(&place, &["--isa", "no-aes"]);
    if !cfg!(target_arch = "x86_64") {
        without.refuses(2, "nothing that it could switch off");
        return;
    }
    assert_eq!(without.status, 0, "{}", without.stderr);
    let header = &records(&place, "header")[0];
    assert_eq!(header["plan"]["isa"], serde_json::json!(["no-aes"]));
    assert!(header["label"].as_str().is_some_and(|label| label.ends_with(" no-aes")), "{header}");
    for launch in records(&place, "launch") {
        let path =
            launch["ready"]["build"]["paths"]["fake"].as_str().unwrap_or_default().to_owned();
        assert!(path.starts_with("~0x200000000000000"), "{path}");
    }
    std::fs::rename(place.path("out.jsonl"), place.path("without.jsonl")).expect("a file");
    assert_eq!(run(&place, &["--label", "whole"]).status, 0);
    let compared = place.sizeup(&["compare", "without.jsonl", "out.jsonl"]).prose();
    assert!(compared.contains("measured with --isa no-aes"), "{compared}");
    let data = place.sizeup(&["explain", "without.jsonl", "out.jsonl", "--json"]).data();
    let only = [&data["pair"]["only_baseline"], &data["pair"]["only_other"]];
    let names_aes = |list: &&Value| list.to_string().contains("\"aes\"");
    assert!(only.iter().any(names_aes), "{data}");
}

#[test]
fn a_variable_can_not_be_set_by_a_variant_and_by_isa() {
    let place = Place::new().with_faults(&["none"], &[]);
    let both = ["--isa", "no-avx2", "--variant", "base", "--variant", "thp"];
    let answer = run(&place, &both);
    // A CPU without AVX2 refuses the first.
    let says = if cfg!(target_arch = "x86_64") { "both set GLIBC_TUNABLES" } else { "switch off" };
    answer.refuses(2, says);
}
