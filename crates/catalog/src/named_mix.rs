//! Mixes with names: those of others that sizeup has, and files of users.

use super::mix::{Demand, Mix, default_utilisation, is_weight};
use super::source::{CatalogError, TableText};
use super::{Home, near, tables};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// A mix and where it is from.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct NamedMix {
    /// The name of one that sizeup has; of any other, its file as the user wrote it.
    pub name: String,
    /// `None` if its file does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<MixSource>,
    /// Work with a weight in the original, but no row.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<Lacking>,
    /// Its demands.
    pub mix: Mix,
}

/// Where the weights of a mix are from, and how far its rows are from what they were given to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MixSource {
    /// Work that it stands for.
    pub about: String,
    /// Who published the weights, and where.
    pub by: String,
    /// When: a year, month or day.
    pub date: String,
    /// In what the rows are only similar to the original's.
    #[serde(default)]
    pub similar: Vec<String>,
}

/// Work that has a weight in the original, and no row that is like it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lacking {
    /// The work, as its source calls it.
    pub what: String,
    /// Relative to the demands' weights.
    pub weight: f64,
}

/// A file with a mix.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MixTable {
    #[serde(default = "default_utilisation")]
    utilisation: f64,
    #[serde(default)]
    spares: u32,
    demand: Vec<Demand>,
    source: Option<MixSource>,
    #[serde(default)]
    lacks: Vec<Lacking>,
}

/// Longer texts would fill the screen that shows a score.
const LONGEST_TEXT: usize = 400;
/// More notes would, too.
const MOST_NOTES: usize = 50;

impl NamedMix {
    /// A mix that sizeup has, by its name, or that of a file.
    ///
    /// # Errors
    /// When there is none, with what may have been meant, or when it can't be read or is invalid, with the line.
    pub fn find(name_or_file: &Path) -> Result<Self, CatalogError> {
        let Some(name) = as_name(name_or_file) else { return Self::read(name_or_file) };
        let shipped = Home::find().and_then(|home| tables(&home.mixes())).unwrap_or_default();
        match shipped.iter().find(|path| as_stem(path) == Some(name)) {
            Some(path) => Ok(Self { name: name.to_owned(), ..Self::read(path)? }),
            None if name_or_file.exists() => Self::read(name_or_file),
            None => {
                let stems = shipped.iter().filter_map(|path| as_stem(path));
                let names: Vec<String> = stems.map(str::to_owned).collect();
                let (near, names) = (near(name, &names), names.join(", "));
                let what = format!("no mix and no file is named so{near}; mixes: {names}");
                Err(CatalogError::unknown(name_or_file, what))
            }
        }
    }

    /// All that sizeup has, by name.
    ///
    /// # Errors
    /// When one can't be read or is invalid, with the line.
    pub fn all(home: &Home) -> Result<BTreeMap<String, Self>, CatalogError> {
        let named = |path: &std::path::PathBuf| {
            let name = as_stem(path)?.to_owned();
            Some(Self::read(path).map(|mix| (name.clone(), Self { name, ..mix })))
        };
        tables(&home.mixes())?.iter().filter_map(named).collect()
    }

    /// Reads a mix in TOML.
    ///
    /// # Errors
    /// When it can't be read or is invalid, with the line.
    pub fn read(path: &Path) -> Result<Self, CatalogError> {
        let table = TableText::read(path)?;
        let MixTable { utilisation, spares, demand, source, lacks } = table.parse()?;
        let mix = Mix { utilisation, spares, demands: demand };
        let named = Self { name: path.display().to_string(), source, lacks, mix };
        named.check().map_err(|what| table.error_of_all(what))?;
        Ok(named)
    }

    /// Checks that it is valid; the error says why not.
    fn check(&self) -> Result<(), String> {
        self.mix.check()?;
        if !self.lacks.is_empty() && !self.mix.has_weights() {
            return Err("[[lacks]] needs weights, but its demands have rates".to_owned());
        }
        if let Some(Lacking { what, .. }) = self.lacks.iter().find(|lack| !is_weight(lack.weight)) {
            return Err(format!("the weight of {what:?} is none: use a number above 0"));
        }
        let similar = self.source.iter().flat_map(|source| &source.similar);
        let notes: Vec<&String> = similar.chain(self.lacks.iter().map(|lack| &lack.what)).collect();
        if notes.len() > MOST_NOTES {
            let count = notes.len();
            return Err(format!(
                "{count} notes in `similar` and [[lacks]], but at most {MOST_NOTES} are shown"
            ));
        }
        let heads = self.source.iter().flat_map(|source| [&source.about, &source.by, &source.date]);
        let is_text =
            |text: &String| !text.trim().is_empty() && text.chars().count() <= LONGEST_TEXT;
        match heads.chain(notes).all(is_text) {
            true => Ok(()),
            false => Err(format!(
                "each text of [source] and [[lacks]] needs 1 to {LONGEST_TEXT} characters"
            )),
        }
    }
}

/// The name that this may be of a mix of sizeup's. What has a folder or ends as a table is a file.
fn as_name(name_or_file: &Path) -> Option<&str> {
    let name = name_or_file.to_str()?;
    (!name.contains('/') && !name.ends_with(".toml")).then_some(name)
}

/// The name of the mix that a table has.
fn as_stem(table: &Path) -> Option<&str> {
    table.file_stem()?.to_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEIGHED: &str = "[source]\nabout = \"a web service\"\nby = \"a vendor\"\ndate = \"2023\"\n\
                           similar = [\"a is not b\"]\n[[demand]]\nworkload = \"a/x\"\nweight = 3\n\
                           [[lacks]]\nwhat = \"the database\"\nweight = 1\n";

    fn read(text: &str) -> Result<NamedMix, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mix.toml");
        std::fs::write(&path, text).unwrap();
        NamedMix::read(&path).map_err(|e| e.to_string())
    }

    #[test]
    fn a_mix_says_where_its_weights_are_from_and_what_it_lacks() {
        let mix = read(WEIGHED).unwrap();
        assert_eq!((mix.lacks[0].what.as_str(), mix.lacks[0].weight), ("the database", 1.0));
        assert_eq!(mix.source.unwrap().similar, ["a is not b"]);
        let plain = read("[[demand]]\nworkload = \"a/x\"\nweight = 3\n").unwrap();
        assert_eq!((plain.source, plain.lacks), (None, Vec::new()));
    }

    #[test]
    fn a_mix_with_a_faulty_source_is_refused_with_its_file() {
        let long = "x".repeat(LONGEST_TEXT + 1);
        let many = format!("similar = [{}]", "\"x\", ".repeat(MOST_NOTES + 1));
        for (from, to, says) in [
            ("weight = 1", "weight = 0", "the weight of \"the database\""),
            ("weight = 1", "weight = nan", "the weight of \"the database\""),
            ("weight = 1", "weight = -2", "the weight of \"the database\""),
            ("weight = 1", "weight = 1e300", "the weight of \"the database\""),
            ("weight = 3", "weight = 1e300", "the weight of a/x"),
            ("weight = 3", "rate = \"1 ops/s\"", "[[lacks]] needs weights"),
            ("what = \"the database\"", "", "missing field `what`"),
            ("date = \"2023\"", "", "missing field `date`"),
            ("date = \"2023\"", "date = \" \"", "1 to 400 characters"),
            ("the database", &long, "1 to 400 characters"),
            ("a vendor", &long, "1 to 400 characters"),
            ("similar = [\"a is not b\"]", &many, "52 notes"),
            ("date =", "colour = \"red\"\ndate =", "unknown field `colour`"),
            ("[source]", "colour = \"red\"\n[source]", "unknown field `colour`"),
        ] {
            let said = read(&WEIGHED.replacen(from, to, 1)).unwrap_err();
            assert!(said.contains(says) && said.contains("mix.toml"), "{to}: {said}");
        }
    }

    #[test]
    fn a_folder_or_the_ending_of_a_table_makes_a_file_of_a_name() {
        let name = |text: &'static str| as_name(Path::new(text));
        assert_eq!(name("sparecores-web-2.0"), Some("sparecores-web-2.0"));
        assert_eq!(name("./sparecores-web-2.0"), None);
        assert_eq!(name("mix.toml"), None);
    }
}
