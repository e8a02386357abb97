//! Every text of a run file, and the same file with another text in the place of one.

use serde_json::Value;
use std::collections::BTreeSet;

/// Objects whose keys are names, and not fields of the format.
const BY_NAME: [&str; 8] =
    ["environment", "facts", "inputs", "libraries", "parameters", "paths", "workers", "workloads"];

/// Each text of these records once: values, and keys that are names.
pub fn texts(records: &[Value]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for record in records {
        renamed_in(record, "", &mut |text| {
            found.insert(text.to_owned());
            text.to_owned()
        });
    }
    found
}

/// The records with another text wherever this one stands, so that what refers to it still does.
pub fn renamed(records: &[Value], text: &str, other: &str) -> Vec<Value> {
    let mut rename = |known: &str| if known == text { other } else { known }.to_owned();
    records.iter().map(|record| renamed_in(record, "", &mut rename)).collect()
}

fn renamed_in(value: &Value, field: &str, rename: &mut impl FnMut(&str) -> String) -> Value {
    match value {
        Value::String(text) => rename(text).into(),
        Value::Array(all) => all.iter().map(|value| renamed_in(value, "", rename)).collect(),
        Value::Object(fields) => {
            let is_by_name = BY_NAME.contains(&field);
            let fields = fields.iter().map(|(key, value)| {
                // Records of other kinds are left out by whoever reads them.
                let is_kind = key == "record" && value.is_string();
                let value = if is_kind { value.clone() } else { renamed_in(value, key, rename) };
                (if is_by_name { rename(key) } else { key.clone() }, value)
            });
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}
