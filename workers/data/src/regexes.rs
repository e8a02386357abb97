//! Regular expressions: one op finds all matches of a pattern in a text, with the groups of each if the row asks for them.

use data_encoding::HEXLOWER;
use regex::bytes::Regex;
use sha2::{Digest, Sha256};
use sizeup_kit::{Kind, OpError, Operation, Parameter, Setting, Work, WorkerError};
use std::hint::black_box;

pub const RUST_REGEX: &str = "rust-regex";

const FINDS: [(&str, bool); 2] = [("matches", false), ("groups", true)];

pub fn operations() -> Vec<Operation> {
    let parameters = [Parameter::one_of("finds", &FINDS), Parameter::text("spans_sha256")];
    let operation = Operation::new("regex-find", RUST_REGEX, setup);
    vec![operation.takes(parameters).reads(["data", "pattern"])]
}

fn setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let (_, has_groups) = setting.chosen("finds", &FINDS);
    let of_pattern =
        |what: String| WorkerError::new(Kind::Input, format!("input \"pattern\": {what}"));
    let pattern =
        String::from_utf8(setting.input("pattern")?).map_err(|e| of_pattern(e.to_string()))?;
    let regex = Regex::new(pattern.trim_end()).map_err(|e| of_pattern(e.to_string()))?;
    let expected = setting.optional_text("spans_sha256").unwrap_or_default().to_owned();
    Ok(Box::new(Find { regex, text: setting.input("data")?, has_groups, expected }))
}

struct Find {
    regex: Regex,
    text: Vec<u8>,
    has_groups: bool,
    /// SHA-256 of the spans, in hex: two engines found them.
    expected: String,
}

/// A group that has no part in a match.
const NOWHERE: (u32, u32) = (u32::MAX, u32::MAX);

impl Work for Find {
    fn op(&mut self) -> Result<(), OpError> {
        let Self { regex, text, .. } = self;
        let found = if self.has_groups {
            // The length of each last group, so that groups are looked for.
            let last = |groups: regex::bytes::Captures| {
                groups.iter().last().flatten().map_or(0, |group| group.len())
            };
            regex.captures_iter(text).map(last).sum()
        } else {
            regex.find_iter(text).count()
        };
        black_box(found);
        Ok(())
    }

    /// Start and end of each match, or of each of its groups, as numbers of 32 bits.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let Self { regex, text, .. } = self;
        let span = |found: regex::bytes::Match| (found.start() as u32, found.end() as u32);
        let spans: Vec<(u32, u32)> = if self.has_groups {
            let groups_of = regex.captures_iter(text);
            let groups = groups_of.flat_map(|groups| {
                groups.iter().map(|group| group.map_or(NOWHERE, span)).collect::<Vec<_>>()
            });
            groups.collect()
        } else {
            regex.find_iter(text).map(span).collect()
        };
        if spans.is_empty() {
            return Err(OpError::new("the pattern has no match in the text"));
        }
        Ok(spans
            .iter()
            .flat_map(|(start, end)| [*start, *end])
            .flat_map(u32::to_le_bytes)
            .collect())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let found = HEXLOWER.encode(&Sha256::digest(output));
        if found == self.expected {
            Ok(())
        } else {
            Err(format!("the spans that were found have SHA-256 {found}, not {}", self.expected))
        }
    }

    fn verified(&self) -> &'static str {
        "matches are where another engine found them"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.text.len() as u64)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use sizeup_kit::proof::set_up;

    /// The last match has no third group.
    pub const INPUTS: [(&str, &[u8]); 2] = [
        ("data", b"GET /a 200\nPUT /b 404\nGET /cc -\n"),
        ("pattern", br"(?m)^([A-Z]+) /([a-z]+) (?:([0-9]+)|-)$"),
    ];
    /// As Python's re finds the groups.
    pub const PARAMETERS: &str = r#"{"finds":"groups","spans_sha256":"7ac764c61d2002241eeb4cd5ad5b6bce3f1da84d5f46c8276c276a72a57cfcf7"}"#;
    const OF_MATCHES: &str = r#"{"finds":"matches","spans_sha256":"1acf3eaf0ef4e147fe3926c9cbe9001ea03b3dec8cfe676ab6c4c76c31a0d2a8"}"#;

    #[test]
    fn matches_and_groups_are_those_of_another_engine() {
        for parameters in [PARAMETERS, OF_MATCHES] {
            let mut work = set_up(&operations()[0], parameters, &INPUTS).unwrap();
            let output = work.output().unwrap();
            assert_eq!(work.check(&output), Ok(()));
        }
    }

    #[test]
    fn a_text_without_a_match_and_a_pattern_that_is_none_are_refused() {
        let inputs = [("data", &b"nothing"[..]), INPUTS[1]];
        assert!(set_up(&operations()[0], PARAMETERS, &inputs).unwrap().output().is_err());
        let inputs = [INPUTS[0], ("pattern", b"(")];
        assert!(set_up(&operations()[0], PARAMETERS, &inputs).is_err());
    }
}
