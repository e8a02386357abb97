//! A fact about the machine, or the reason why it is unknown.

use std::fmt;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The result of reading a value; the error is the reason, ready to be shown.
pub(super) type Read<T> = Result<T, String>;

/// A value, or why it is unknown.
///
/// In JSON a known value is the value itself, an unknown one is `{"not_available": "reason"}`.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact<T> {
    Known(T),
    /// The reason names the file or the circumstance, and nothing private.
    NotAvailable(String),
}

impl<T> Fact<T> {
    pub fn not_available(reason: impl Into<String>) -> Self {
        Fact::NotAvailable(reason.into())
    }

    pub fn known(&self) -> Option<&T> {
        match self {
            Fact::Known(value) => Some(value),
            Fact::NotAvailable(_) => None,
        }
    }

    pub fn reason(&self) -> Option<&str> {
        match self {
            Fact::Known(_) => None,
            Fact::NotAvailable(reason) => Some(reason),
        }
    }

    /// Converts a known value; keeps the reason of an unknown one.
    pub fn map<U>(&self, f: impl FnOnce(&T) -> U) -> Fact<U> {
        match self {
            Fact::Known(value) => Fact::Known(f(value)),
            Fact::NotAvailable(reason) => Fact::NotAvailable(reason.clone()),
        }
    }
}

/// A field that a record does not have, because an older version wrote it.
impl<T> Default for Fact<T> {
    fn default() -> Self {
        Fact::not_available("not recorded")
    }
}

impl<T> From<Read<T>> for Fact<T> {
    fn from(read: Read<T>) -> Self {
        match read {
            Ok(value) => Fact::Known(value),
            Err(reason) => Fact::NotAvailable(reason),
        }
    }
}

impl<T: fmt::Display> fmt::Display for Fact<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fact::Known(value) => value.fmt(f),
            Fact::NotAvailable(reason) => write!(f, "not available: {reason}"),
        }
    }
}

/// The JSON form of an unknown value.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "NotAvailable")]
struct Missing<'a> {
    #[schemars(length(min = 1))]
    not_available: &'a str,
}

impl<T: Serialize> Serialize for Fact<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Fact::Known(value) => value.serialize(serializer),
            Fact::NotAvailable(reason) => Missing { not_available: reason }.serialize(serializer),
        }
    }
}

impl<T: schemars::JsonSchema> schemars::JsonSchema for Fact<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Fact_of_{}", T::schema_name()).into()
    }

    fn json_schema(shapes: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let known = shapes.subschema_for::<T>();
        schemars::json_schema!({ "anyOf": [known, shapes.subschema_for::<Missing>()] })
    }
}

/// The order matters: a struct whose fields all have defaults would take `{"not_available": …}`
/// too.
#[derive(Deserialize)]
#[serde(untagged)]
enum Recorded<T> {
    NotAvailable { not_available: String },
    Known(T),
    NotUnderstood(IgnoredAny),
}

/// A value of an unknown form (from a newer version) becomes unknown instead of making the whole record unreadable.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Fact<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Recorded::deserialize(deserializer)? {
            Recorded::NotAvailable { not_available } => Fact::NotAvailable(not_available),
            Recorded::Known(value) => Fact::Known(value),
            Recorded::NotUnderstood(_) => {
                Fact::not_available("recorded in a form unknown to this version")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    struct AllDefaults {
        size: u64,
    }

    #[test]
    fn a_known_fact_is_its_plain_value_in_json_and_in_print() {
        let fact = Fact::Known(5_u64);
        assert_eq!(serde_json::to_string(&fact).unwrap(), "5");
        assert_eq!(fact.to_string(), "5");
        assert_eq!(serde_json::from_str::<Fact<u64>>("5").unwrap(), fact);
    }

    #[test]
    fn an_unknown_fact_keeps_its_reason_in_json_and_in_print() {
        let fact = Fact::<u64>::not_available("/proc/x does not exist");
        let json = r#"{"not_available":"/proc/x does not exist"}"#;
        assert_eq!(serde_json::to_string(&fact).unwrap(), json);
        assert_eq!(fact.to_string(), "not available: /proc/x does not exist");
        assert_eq!(serde_json::from_str::<Fact<u64>>(json).unwrap(), fact);
    }

    #[test]
    fn an_unknown_struct_is_not_mistaken_for_one_with_all_defaults() {
        let json = r#"{"not_available":"gone","added_later":1}"#;
        let fact: Fact<AllDefaults> = serde_json::from_str(json).unwrap();
        assert_eq!(fact.reason(), Some("gone"));
    }

    #[test]
    fn a_value_of_an_unknown_form_is_unknown_and_not_an_error() {
        let fact: Fact<u64> = serde_json::from_str(r#"{"mean":1,"spread":2}"#).unwrap();
        assert_eq!(fact.reason(), Some("recorded in a form unknown to this version"));
    }

    #[test]
    fn mapping_changes_the_value_and_keeps_the_reason() {
        assert_eq!(Fact::Known(2).map(|n| n * 2), Fact::Known(4));
        let unknown = Fact::<u64>::not_available("why").map(|n| n * 2);
        assert_eq!(unknown.reason(), Some("why"));
    }
}
