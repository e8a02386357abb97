//! An operation in a worker's manifest: its parameters and inputs.

use catalog::Workload;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// An operation that a worker's manifest lists.
#[derive(Debug, Clone, Deserialize)]
pub struct ListedOperation {
    /// `OPERATION/IMPLEMENTATION`.
    #[serde(rename = "operation")]
    pub name: String,
    parameters: BTreeMap<String, Parameter>,
    inputs: Vec<String>,
}

/// The allowed values of a parameter.
#[derive(Debug, Clone, Deserialize)]
struct Parameter {
    #[serde(flatten)]
    range: ParameterRange,
    #[serde(default)]
    optional: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum ParameterRange {
    /// Both ends included.
    Integers {
        from: u64,
        to: u64,
    },
    Choices {
        of: Vec<Value>,
    },
    Text {
        text: bool,
    },
    Texts {
        texts: bool,
    },
}

impl ParameterRange {
    fn has(&self, value: &Value) -> bool {
        match self {
            Self::Integers { from, to } => {
                value.as_u64().is_some_and(|n| (*from..=*to).contains(&n))
            }
            Self::Choices { of: choices } => choices.contains(value),
            Self::Text { text } => *text && value.is_string(),
            Self::Texts { texts } => {
                let are_texts =
                    |all: &Vec<Value>| !all.is_empty() && all.iter().all(Value::is_string);
                *texts && value.as_array().is_some_and(are_texts)
            }
        }
    }
}

impl fmt::Display for ParameterRange {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Integers { from, to } => write!(f, "from {from} to {to}"),
            Self::Choices { of: choices } => {
                let choices: Vec<String> = choices.iter().map(Value::to_string).collect();
                write!(f, "of {}", choices.join(", "))
            }
            Self::Text { .. } => f.write_str("as a string"),
            Self::Texts { .. } => f.write_str("as a list of strings"),
        }
    }
}

impl ListedOperation {
    /// Why the operation can't run a workload; `None` if it can.
    pub fn why_not(&self, workload: &Workload) -> Option<String> {
        let name = &self.name;
        for (parameter, Parameter { range, optional }) in &self.parameters {
            match workload.parameters.get(parameter).filter(|value| !value.is_null()) {
                None if *optional => {}
                None => return Some(format!("{name} needs the parameter {parameter}, {range}")),
                Some(value) if range.has(value) => {}
                Some(value) => {
                    return Some(format!("{name} takes {parameter} {range}, not {value}"));
                }
            }
        }
        let given = workload.parameters.as_object().into_iter().flat_map(|given| given.keys());
        let mut unknown = given.filter(|given| !self.parameters.contains_key(*given));
        if let Some(unknown) = unknown.next() {
            return Some(format!("{name} takes no parameter {unknown}"));
        }
        let mut inputs = workload.inputs.keys();
        let unknown = inputs.find(|role| !self.inputs.contains(role))?;
        let known = self.inputs.join(", ");
        Some(match known.is_empty() {
            true => format!("{name} takes no inputs (got {unknown})"),
            false => format!("{name} has no input {unknown}; its inputs: {known}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execute::task::sample_workload;
    use serde_json::json;

    fn workload(parameters: Value) -> Workload {
        Workload { parameters, ..sample_workload("w") }
    }

    fn why_not(ranges: Value, parameters: Value) -> String {
        let operation = json!({ "operation": "zip/zip", "parameters": ranges, "inputs": ["data"] });
        let operation: ListedOperation = serde_json::from_value(operation).unwrap();
        operation.why_not(&workload(parameters)).unwrap_or_default()
    }

    #[test]
    fn a_value_out_of_range_is_reported_with_the_range() {
        let level = json!({ "level": { "from": 1, "to": 9 } });
        let refusal = |value: Value| why_not(level.clone(), json!({ "level": value }));
        assert_eq!([refusal(json!(1)), refusal(json!(9))], ["", ""]);
        assert_eq!(refusal(json!(10)), "zip/zip takes level from 1 to 9, not 10");
        assert_eq!(refusal(json!("1")), "zip/zip takes level from 1 to 9, not \"1\"");
        assert_eq!(refusal(json!(-1)), "zip/zip takes level from 1 to 9, not -1");
        let choices = json!({ "hash": { "of": ["a", "b"] } });
        assert_eq!(why_not(choices.clone(), json!({ "hash": "b" })), "");
        assert_eq!(
            why_not(choices, json!({ "hash": "c" })),
            "zip/zip takes hash of \"a\", \"b\", not \"c\""
        );
        let texts = json!({ "run": { "texts": true }, "pattern": { "text": true } });
        assert_eq!(why_not(texts.clone(), json!({ "run": ["ls"], "pattern": "" })), "");
        let refusal = why_not(texts, json!({ "run": [], "pattern": "" }));
        assert_eq!(refusal, "zip/zip takes run as a list of strings, not []");
    }

    #[test]
    fn a_missing_or_unknown_parameter_is_reported() {
        let ranges = json!({ "level": { "from": 1, "to": 9 }, "rate": { "from": 1, "to": 2, "optional": true } });
        let refusal = |parameters: Value| why_not(ranges.clone(), parameters);
        assert_eq!(refusal(json!({})), "zip/zip needs the parameter level, from 1 to 9");
        assert_eq!(refusal(json!({ "level": 1, "rate": null })), "");
        assert_eq!(
            refusal(json!({ "level": 1, "rate": 3 })),
            "zip/zip takes rate from 1 to 2, not 3"
        );
        assert_eq!(
            refusal(json!({ "level": 1, "colour": 3 })),
            "zip/zip takes no parameter colour"
        );
    }

    #[test]
    fn an_input_that_an_operation_does_not_take_is_reported() {
        let operation = |inputs: Value| -> ListedOperation {
            let operation = json!({ "operation": "zip/zip", "parameters": {}, "inputs": inputs });
            serde_json::from_value(operation).unwrap()
        };
        let mut with_page = workload(json!({}));
        with_page.inputs.insert("page".to_owned(), "page".to_owned());
        let refusal = |inputs: Value| operation(inputs).why_not(&with_page);
        assert_eq!(refusal(json!(["data", "page"])), None);
        assert_eq!(
            refusal(json!(["data"])).unwrap(),
            "zip/zip has no input page; its inputs: data"
        );
        assert_eq!(refusal(json!([])).unwrap(), "zip/zip takes no inputs (got page)");
    }
}
