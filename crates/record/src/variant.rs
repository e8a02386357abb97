//! Variants: several settings of the same work, measured side by side on one machine.

use catalog::OWN_WORKER;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use terminal::is_hidden;

/// A regular expression of allowed names, for schemas.
pub(crate) const NAME_PATTERN: &str = "^[A-Za-z0-9_.+-]{1,40}$";
/// `worker:NAME=PROGRAM` replaces a worker's program.
const WORKER: &str = "worker:";
/// One CPU of each core.
const SMT_OFF: &str = "smt:off";

/// A named setting; without variables and workers it is the unmodified work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Variant {
    #[schemars(regex(pattern = NAME_PATTERN))]
    pub name: String,
    /// Environment variables of the worker.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// Worker, as [`Variant::called`] calls it → replacement program, as the user wrote it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub workers: BTreeMap<String, String>,
    /// The command that replaces plain commands: program and arguments. It is part of no setting's text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// Whether it uses only one CPU of each core, as with SMT switched off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub smt_off: bool,
}

impl Variant {
    /// The longest name, in characters.
    pub const LONGEST_NAME: usize = 40;

    /// Each is compared with each other, which is as much work as the square of their number.
    pub const MOST: usize = 64;

    /// A worker's name in settings: for a user's own worker the last word of its name, which is its file's name.
    pub fn called(worker: &str) -> &str {
        let own = worker.strip_prefix(OWN_WORKER);
        own.map_or(worker, |names| names.rsplit(' ').next().unwrap_or(names))
    }

    /// The program that replaces a worker's.
    pub fn replacement(&self, worker: &str) -> Option<&String> {
        self.workers.get(Self::called(worker))
    }

    /// The worker's name in this setting: it counts as another worker, with its own manifest.
    pub fn name_of(&self, worker: &str) -> String {
        if self.environment.is_empty() && self.replacement(worker).is_none() {
            worker.to_owned()
        } else {
            format!("{worker} in {}", self.name)
        }
    }
}

impl FromStr for Variant {
    type Err = String;

    /// `NAME` or `NAME=SETTING SETTING…`, where a setting is `VARIABLE=VALUE`, `worker:NAME=PROGRAM` or `smt:off`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, settings) = text.split_once('=').unwrap_or((text, ""));
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
        if name.is_empty() || name.len() > Self::LONGEST_NAME || !name.chars().all(is_plain) {
            return Err(format!(
                "{name:?} is not a variant name: use 1 … {} letters, digits and - _ . +",
                Self::LONGEST_NAME
            ));
        }
        let mut variant = Self { name: name.to_owned(), ..Self::default() };
        if settings.contains(is_hidden) {
            return Err(format!("{settings:?} has unprintable characters"));
        }
        for setting in settings.split_ascii_whitespace() {
            if setting == SMT_OFF {
                variant.smt_off = true;
                continue;
            }
            let no_setting = || {
                format!("{setting:?} is not a setting: use VARIABLE=VALUE or {WORKER}NAME=PROGRAM")
            };
            let (key, value) = setting.split_once('=').ok_or_else(no_setting)?;
            let before = match key.strip_prefix(WORKER) {
                Some(worker) => variant.workers.insert(worker.to_owned(), value.to_owned()),
                None if is_variable(key) => {
                    variant.environment.insert(key.to_owned(), value.to_owned())
                }
                None => return Err(no_setting()),
            };
            if before.is_some() {
                return Err(format!("{key:?} is set twice"));
            }
        }
        Ok(variant)
    }
}

impl fmt::Display for Variant {
    /// In the syntax that is parsed, which has no way to write a value with a blank.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.name)?;
        let variables = self.environment.iter().map(|(key, value)| format!("{key}={value}"));
        let workers = self.workers.iter().map(|(key, value)| format!("{WORKER}{key}={value}"));
        let smt = self.smt_off.then(|| SMT_OFF.to_owned());
        for (place, setting) in variables.chain(workers).chain(smt).enumerate() {
            write!(f, "{}{setting}", if place == 0 { '=' } else { ' ' })?;
        }
        Ok(())
    }
}

/// Whether text may name an environment variable.
fn is_variable(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.chars().all(is_part) && text.starts_with(|c: char| !c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_variant_has_variables_and_workers() {
        let variant: Variant =
            "no-avx=GODEBUG=cpu.avx2=off,cpu.avx=off A=b worker:native=/x/native".parse().unwrap();
        assert_eq!(variant.name, "no-avx");
        assert_eq!(variant.environment["GODEBUG"], "cpu.avx2=off,cpu.avx=off");
        assert_eq!(variant.environment["A"], "b");
        assert_eq!(variant.workers["native"], "/x/native");
        assert_eq!("base".parse::<Variant>().unwrap().environment.len(), 0);
        let cores: Variant = "cores=smt:off A=b".parse().unwrap();
        assert!(cores.smt_off && !variant.smt_off);
        assert_eq!(cores.to_string(), "cores=A=b smt:off");
    }

    #[test]
    fn an_own_worker_is_called_by_its_file() {
        let variant: Variant = "new=worker:mine=/x/mine worker:w.py=/x/w".parse().unwrap();
        for (worker, program) in [("own: mine", "/x/mine"), ("own: python3 w.py", "/x/w")] {
            assert_eq!(variant.replacement(worker).unwrap(), program);
            assert_eq!(variant.name_of(worker), format!("{worker} in new"));
        }
        for other in ["own: mine other", "python3 w.py", "go"] {
            assert_eq!(variant.replacement(other), None);
        }
    }

    #[test]
    fn an_invalid_variant_is_refused_with_the_expected_syntax() {
        for (text, why) in [
            ("", "is not a variant name"),
            ("a b", "is not a variant name"),
            ("x=GOGC", "VARIABLE=VALUE"),
            ("x=1A=2", "VARIABLE=VALUE"),
            ("x=A=1 A=2", "set twice"),
            ("x==1", "VARIABLE=VALUE"),
            ("x=A=\u{1b}[31m", "unprintable"),
        ] {
            let error = text.parse::<Variant>().unwrap_err();
            assert!(error.contains(why), "{text:?}: {error}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic_and_what_is_read_is_written_alike(
            text in "[ab]=(smt:off |([AB]|worker:[ab])=[a=']{0,3} ?){0,4}|.{0,60}",
        ) {
            let Ok(variant) = text.parse::<Variant>() else { return Ok(()) };
            prop_assert_eq!(variant.to_string().parse(), Ok(variant));
        }
    }
}
