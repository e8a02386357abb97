//! Facts about the machine that the user states: prices, power, a process node, anything that no file of the machine holds.

use std::collections::BTreeMap;
use std::str::FromStr;

/// Facts about a machine by the names that users give them.
pub type UserFacts = BTreeMap<String, String>;

/// A header holds no more of them.
const MOST: usize = 64;
/// In characters.
const LONGEST_KEY: usize = 40;
const LONGEST_VALUE: usize = 200;

/// One of them, as on a command line: `KEY=VALUE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserFact {
    pub key: String,
    pub value: String,
}

impl UserFact {
    /// # Errors
    /// When the key or the value is empty, too long, or has control characters.
    pub fn new(key: &str, value: &str) -> Result<Self, String> {
        check(key, value)?;
        Ok(Self { key: key.to_owned(), value: value.to_owned() })
    }
}

impl FromStr for UserFact {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((key, value)) => Self::new(key.trim(), value.trim()),
            None => Err(format!("{text:?} is not KEY=VALUE, e.g. tdp_w=250")),
        }
    }
}

/// Facts with different keys.
///
/// # Errors
/// When a key is there twice, or there are too many.
pub fn user_facts(all: impl IntoIterator<Item = UserFact>) -> Result<UserFacts, String> {
    let mut facts = UserFacts::new();
    for UserFact { key, value } in all {
        if let Some(other) = facts.insert(key.clone(), value.clone()) {
            return Err(format!("the fact {key:?} is given twice: {other:?} and {value:?}"));
        }
    }
    check_count(&facts)?;
    Ok(facts)
}

/// Checks the limits of a header: number of facts, keys and values.
pub(super) fn check_facts(facts: &UserFacts) -> Result<(), String> {
    check_count(facts)?;
    facts.iter().try_for_each(|(key, value)| check(key, value))
}

fn check_count(facts: &UserFacts) -> Result<(), String> {
    match facts.len() {
        count if count > MOST => Err(format!("{count} facts are given; a run has at most {MOST}")),
        _ => Ok(()),
    }
}

fn check(key: &str, value: &str) -> Result<(), String> {
    for (what, text, longest) in [("key", key, LONGEST_KEY), ("value", value, LONGEST_VALUE)] {
        let is_plain = !text.trim().is_empty() && !text.chars().any(char::is_control);
        if !is_plain || text.chars().count() > longest {
            return Err(format!(
                "the fact {key:?}: its {what} must have 1 … {longest} characters and no control characters"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<UserFact, String> {
        text.parse()
    }

    #[test]
    fn a_fact_is_a_key_and_the_rest_behind_the_first_equals_sign() {
        let fact = parsed(" memory = 8 × DDR5-4800, CL=40 ").unwrap();
        assert_eq!(fact.key, "memory");
        assert_eq!(fact.value, "8 × DDR5-4800, CL=40");
    }

    #[test]
    fn empty_long_and_hidden_texts_are_refused_by_name() {
        for (text, why) in [
            ("tdp".to_owned(), "is not KEY=VALUE"),
            ("=250".to_owned(), "its key must have"),
            ("tdp=".to_owned(), "its value must have"),
            ("tdp=\u{1b}[2J".to_owned(), "its value must have"),
            ("a\nb=1".to_owned(), "its key must have"),
            (format!("{}=1", "k".repeat(41)), "its key must have"),
            (format!("k={}", "1".repeat(201)), "its value must have"),
        ] {
            let refused = parsed(&text).unwrap_err();
            assert!(refused.contains(why), "{text:?}: {refused}");
        }
        assert!(parsed(&format!("{}={}", "é".repeat(40), "é".repeat(200))).is_ok());
    }

    #[test]
    fn a_key_stands_once_and_so_many_keys_at_most() {
        let fact = |key: &str, value: &str| UserFact::new(key, value).unwrap();
        let twice = user_facts([fact("tdp_w", "1"), fact("tdp_w", "2")]).unwrap_err();
        assert!(twice.contains("\"tdp_w\" is given twice: \"1\" and \"2\""), "{twice}");
        let so_many = |count: usize| user_facts((0..count).map(|i| fact(&i.to_string(), "x")));
        assert_eq!(so_many(64).unwrap().len(), 64);
        assert_eq!(so_many(65).unwrap_err(), "65 facts are given; a run has at most 64");
    }
}
