//! Run files that tell what can't be, and whose digest is right all the same: bytes alone would end at the digest.

use crate::{Choices, TEXTS, edit};
use data_encoding::HEXLOWER;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Short runs of workers of this project, some five samples a row: on one and two threads, beside co-runners, of
/// variants, of a mix, of servers.
pub const RUNS: [&str; 5] = [
    include_str!("../runs/plain.jsonl"),
    include_str!("../runs/beside.jsonl"),
    include_str!("../runs/variants.jsonl"),
    include_str!("../runs/mix.jsonl"),
    include_str!("../runs/http.jsonl"),
];

/// Most changes to a file.
const MOST_CHANGES: usize = 5;

/// One of these runs, changed as these choices say, and sealed.
pub fn changed_run(runs: &[&str], choices: &mut Choices) -> String {
    let run = choices.of(runs);
    let records = run.lines().map(serde_json::from_str);
    let mut records: Vec<Value> =
        records.collect::<Result<_, _>>().unwrap_or_else(|e| panic!("a run of the project: {e}"));
    for _ in 0..=choices.below(MOST_CHANGES) {
        change(&mut records, choices);
    }
    sealed(records)
}

fn change(records: &mut Vec<Value>, choices: &mut Choices) {
    let (one, other) = (choices.below(records.len()), choices.below(records.len()));
    // Nothing is left of a file without records.
    if one >= records.len() {
        return;
    }
    match choices.byte() % 16 {
        0 => records.swap(one, other),
        1 => records.insert(other, records[one].clone()),
        2 => drop(records.remove(one)),
        3 => records.truncate(one),
        4 | 5 => exchange(records, one, choices),
        6 | 7 => everywhere(records, one, choices),
        8 | 9 => rename(records, other, choices),
        10 | 11 => edit(&mut records[0], choices),
        _ => edit(&mut records[one], choices),
    }
}

/// Gives a record a field of another one of its kind.
fn exchange(records: &mut [Value], one: usize, choices: &mut Choices) {
    let like = alike(records, one);
    let from = records[choices.of(&like)].clone();
    let Value::Object(fields) = from else { return };
    let names: Vec<&String> = fields.keys().collect();
    if names.is_empty() {
        return;
    }
    let name = choices.of(&names);
    records[one][name] = fields[name].clone();
}

/// Changes all records of a kind in the same way.
fn everywhere(records: &mut [Value], one: usize, choices: &mut Choices) {
    for place in alike(records, one) {
        let mut same = *choices;
        edit(&mut records[place], &mut same);
    }
    choices.wide();
}

/// Gives what a text of the header or of a record names another name, wherever it is named.
fn rename(records: &mut [Value], one: usize, choices: &mut Choices) {
    let mut texts = Vec::new();
    let from = if choices.is_one_of(4) { one } else { 0 };
    collect_texts(&records[from], &mut texts);
    if texts.is_empty() {
        return;
    }
    let old = texts.swap_remove(choices.below(texts.len()));
    let new = choices.of(&TEXTS);
    // A name of two parts keeps its slash: without it is none.
    let new = if old.contains('/') { format!("{new}/{new}") } else { new.to_owned() };
    records.iter_mut().for_each(|record| replace(record, &old, &new));
}

fn collect_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect_texts(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| collect_texts(field, texts)),
        _ => {}
    }
}

fn replace(value: &mut Value, old: &str, new: &str) {
    match value {
        Value::String(text) if text == old => new.clone_into(text),
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, old, new)),
        Value::Object(fields) => {
            if let Some(field) = fields.remove(old) {
                fields.insert(new.to_owned(), field);
            }
            fields.values_mut().for_each(|field| replace(field, old, new));
        }
        _ => {}
    }
}

/// The records of the same kind, itself among them.
fn alike(records: &[Value], one: usize) -> Vec<usize> {
    let kind = |record: &Value| record.get("record").cloned();
    let wanted = kind(&records[one]);
    let places = records.iter().enumerate().filter(|(_, record)| kind(record) == wanted);
    places.map(|(place, _)| place).chain([one]).collect()
}

/// As a file with the digest that it has.
fn sealed(records: Vec<Value>) -> String {
    let mut text = String::new();
    for mut record in records {
        if record.get("record").is_some_and(|kind| kind == "close") {
            record["sha256"] = HEXLOWER.encode(&Sha256::digest(text.as_bytes())).into();
        }
        let _ = writeln!(text, "{record}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_sealed_so_that_nobody_sees_that_it_was_changed() {
        let folder = crate::folder();
        let path = folder.path().join("run.jsonl");
        for run in RUNS {
            let records = run.lines().map(|line| serde_json::from_str(line).expect("JSON"));
            let mut records: Vec<Value> = records.collect();
            records[0]["label"] = "another".into();
            std::fs::write(&path, sealed(records)).expect("a file");
            let read = record::read(&path).expect("a run");
            assert_eq!(read.header.label, "another");
            assert!(!read.notes.contains(&record::Note::Changed), "{:?}", read.notes);
            assert!(read.close.is_some());
        }
    }
}
