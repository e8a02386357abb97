//! Texts that many rows share, told once.

use serde::Serialize;
use std::collections::BTreeMap;

/// Each text once; a place in it stands for the text.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(transparent)]
pub(super) struct Texts {
    texts: Vec<String>,
    #[serde(skip)]
    places: BTreeMap<String, usize>,
}

impl Texts {
    /// The place of a text.
    pub fn place(&mut self, text: String) -> usize {
        if let Some(place) = self.places.get(&text) {
            return *place;
        }
        self.texts.push(text.clone());
        self.places.insert(text, self.texts.len() - 1);
        self.texts.len() - 1
    }
}
