//! An optional upper bound.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::fact::Fact;

/// An upper bound, or none.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "Cap_of_{T}")]
#[serde(rename_all = "lowercase")]
pub enum Cap<T> {
    Unlimited,
    #[serde(untagged)]
    At(T),
}

impl<T: fmt::Display> fmt::Display for Cap<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cap::Unlimited => f.pad("unlimited"),
            Cap::At(bound) => bound.fmt(f),
        }
    }
}

impl<T> Fact<Cap<T>> {
    /// The bound, if there is one and it is known.
    pub fn bound(&self) -> Option<&T> {
        match self {
            Fact::Known(Cap::At(bound)) => Some(bound),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cap_is_its_bound_or_a_word_in_json_and_in_print() {
        let caps = [(Cap::At(1.5), "1.5", "1.5"), (Cap::Unlimited, "\"unlimited\"", "unlimited")];
        for (cap, json, text) in caps {
            assert_eq!(serde_json::to_string(&cap).unwrap(), json);
            assert_eq!(serde_json::from_str::<Cap<f64>>(json).unwrap(), cap);
            assert_eq!(cap.to_string(), text);
        }
    }

    #[test]
    fn a_word_that_is_no_cap_is_refused() {
        assert!(serde_json::from_str::<Cap<f64>>("\"endless\"").is_err());
    }

    #[test]
    fn only_a_known_cap_has_a_bound() {
        assert_eq!(Fact::Known(Cap::At(3)).bound(), Some(&3));
        assert_eq!(Fact::Known(Cap::<u64>::Unlimited).bound(), None);
        assert_eq!(Fact::<Cap<u64>>::not_available("why").bound(), None);
    }
}
