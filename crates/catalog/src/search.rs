//! Finds workloads by a text, wherever users look for them: lists of what can be measured, and runs that are judged.

use super::near;
use std::collections::BTreeSet;

/// Whether a text is in anything that is said of a workload (its ID, its family, …), in upper or lower case.
pub fn is_said<'a>(text: &str, said: impl IntoIterator<Item = &'a str>) -> bool {
    let text = text.to_lowercase();
    said.into_iter().any(|said| said.to_lowercase().contains(&text))
}

/// A hint with what a text that is said of no workload may have meant: IDs, their words, families and categories.
pub fn near_said<'a>(text: &str, said: impl IntoIterator<Item = &'a str>) -> String {
    let mut known: BTreeSet<String> = BTreeSet::new();
    for said in said {
        let words = said.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2);
        known.extend(words.chain([said]).map(str::to_owned));
    }
    near(text, &known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_looked_for_in_all_that_is_said_in_upper_and_lower_case() {
        let said = ["gzip-6/zlib", "compress", "web/gzip"];
        assert!(["gzip-6", "ZLIB", "compress", "web"].iter().all(|text| is_said(text, said)));
        assert!(!is_said("brotli", said));
    }

    #[test]
    fn what_nobody_says_is_near_to_words_families_and_whole_ids() {
        let said = ["gzip-6/zlib", "gunzip-own-5/zlib-ng", "compress", "hash-BLAKE3-256/zeebo"];
        assert_eq!(near_said("gzp", said), "; did you mean gzip?");
        assert_eq!(near_said("compres", said), "; did you mean compress?");
        assert!(near_said("gizp-6/zlib", said).contains("gzip-6/zlib"));
        assert_eq!(near_said("postgres", said), "");
    }
}
