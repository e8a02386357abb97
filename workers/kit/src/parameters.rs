//! An operation's parameters: one declaration, which the manifest lists and requests are checked against.

use crate::error::WorkerError;
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt;
use std::ops::RangeInclusive;

/// A request's parameters by name.
pub(crate) type Values = Map<String, Value>;

/// A parameter of an operation: its name and its valid values.
#[derive(Debug, Clone, Serialize)]
pub struct Parameter {
    #[serde(skip)]
    pub(crate) name: &'static str,
    #[serde(flatten)]
    range: Range,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    optional: bool,
}

/// A range as the protocol has it.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
enum Range {
    Integers { from: u64, to: u64 },
    Choices { of: Vec<Value> },
    Text { text: bool },
    Texts { texts: bool },
}

impl Parameter {
    /// An integer, both ends included.
    #[must_use]
    pub const fn integer(name: &'static str, range: RangeInclusive<u64>) -> Self {
        let range = Range::Integers { from: *range.start(), to: *range.end() };
        Self { name, range, optional: false }
    }

    /// One of the texts or integers of a list. [`Setting::chosen`](crate::Setting::chosen) takes the same list to
    /// return the value paired with the choice.
    pub fn one_of<C: Copy + Into<Value>, T>(name: &'static str, choices: &[(C, T)]) -> Self {
        let values = choices.iter().map(|(choice, _)| (*choice).into()).collect();
        Self { name, range: Range::Choices { of: values }, optional: false }
    }

    /// Any text.
    #[must_use]
    pub const fn text(name: &'static str) -> Self {
        Self { name, range: Range::Text { text: true }, optional: false }
    }

    /// Any list of texts that is not empty.
    #[must_use]
    pub const fn texts(name: &'static str) -> Self {
        Self { name, range: Range::Texts { texts: true }, optional: false }
    }

    /// May be left out or `null`.
    #[must_use]
    pub fn optional(self) -> Self {
        Self { optional: true, ..self }
    }

    fn takes(&self, value: Option<&Value>) -> bool {
        match value {
            None | Some(Value::Null) => self.optional,
            Some(value) => self.range.takes(value),
        }
    }
}

impl Range {
    fn takes(&self, value: &Value) -> bool {
        match self {
            Self::Integers { from, to } => {
                value.as_u64().is_some_and(|n| (*from..=*to).contains(&n))
            }
            Self::Choices { of: choices } => choices.contains(value),
            Self::Text { .. } => value.is_string(),
            Self::Texts { .. } => {
                let list = value.as_array();
                list.is_some_and(|texts| !texts.is_empty() && texts.iter().all(Value::is_string))
            }
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Integers { from, to } => write!(f, "an integer from {from} to {to}"),
            Self::Choices { of: choices } => {
                write!(f, "one of {}", Value::from(choices.as_slice()))
            }
            Self::Text { .. } => write!(f, "a text"),
            Self::Texts { .. } => write!(f, "a non-empty list of texts"),
        }
    }
}

/// Refuses parameters that are missing, unknown, ill-typed or out of range.
pub(crate) fn check(taken: &[Parameter], values: &Values) -> Result<(), WorkerError> {
    for parameter in taken {
        let Parameter { name, range, .. } = parameter;
        let value = values.get(*name);
        if !parameter.takes(value) {
            let is = value.map_or("missing".to_owned(), Value::to_string);
            return Err(WorkerError::parameters(format!("{name} is {is}; it must be {range}")));
        }
    }
    let is_taken = |name: &str| taken.iter().any(|parameter| parameter.name == name);
    match values.keys().find(|name| !is_taken(name)) {
        Some(name) => {
            let names: Vec<_> = taken.iter().map(|parameter| parameter.name).collect();
            Err(WorkerError::parameters(format!(
                "{name} is not taken; what is: [{}]",
                names.join(", ")
            )))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;
    use serde_json::json;

    fn taken() -> Vec<Parameter> {
        vec![
            Parameter::integer("level", 1..=9),
            Parameter::one_of("bits", &[(2048, ()), (3072, ())]).optional(),
            Parameter::one_of("cipher", &[("aes", ()), ("chacha", ())]).optional(),
            Parameter::text("pattern").optional(),
            Parameter::texts("run").optional(),
        ]
    }

    fn answer(values: &Value) -> Result<(), WorkerError> {
        check(&taken(), values.as_object().expect("an object"))
    }

    #[test]
    fn ranges_are_listed_as_the_protocol_has_them() {
        let listed: Vec<_> = taken().iter().map(|p| serde_json::to_value(p).unwrap()).collect();
        let expected = json!([
            {"from": 1, "to": 9},
            {"of": [2048, 3072], "optional": true},
            {"of": ["aes", "chacha"], "optional": true},
            {"text": true, "optional": true},
            {"texts": true, "optional": true},
        ]);
        assert_eq!(Value::from(listed), expected);
    }

    #[test]
    fn values_in_range_are_accepted_and_optional_ones_may_be_left_out_or_null() {
        for values in [
            json!({"level": 1}),
            json!({"level": 9, "bits": 3072, "cipher": "aes", "pattern": "", "run": ["true"]}),
            json!({"level": 5, "bits": null, "cipher": null, "pattern": null, "run": null}),
        ] {
            assert_eq!(answer(&values), Ok(()), "{values}");
        }
    }

    #[test]
    fn values_out_of_range_are_refused_with_name_and_range() {
        for (values, name, range) in [
            (json!({}), "level", "1 to 9"),
            (json!({"level": null}), "level", "1 to 9"),
            (json!({"level": 0}), "level", "1 to 9"),
            (json!({"level": 10}), "level", "1 to 9"),
            (json!({"level": -1}), "level", "1 to 9"),
            (json!({"level": 1.0}), "level", "1 to 9"),
            (json!({"level": "1"}), "level", "1 to 9"),
            (json!({"level": 1, "bits": "2048"}), "bits", "[2048,3072]"),
            (json!({"level": 1, "cipher": "des"}), "cipher", r#"["aes","chacha"]"#),
            (json!({"level": 1, "pattern": 1}), "pattern", "a text"),
            (json!({"level": 1, "run": []}), "run", "list of texts"),
            (json!({"level": 1, "run": ["true", 1]}), "run", "list of texts"),
            (json!({"level": 1, "colour": 1}), "colour", "level, bits, cipher"),
        ] {
            let error = answer(&values).expect_err("it is out of range");
            assert_eq!(error.kind, Kind::BadRequest);
            assert!(error.message.starts_with("parameters: "), "{values}: {error}");
            assert!(error.message.contains(name) && error.message.contains(range), "{error}");
        }
    }
}
