//! Labels that tell runs apart.

use std::collections::BTreeMap;

/// The labels of runs in their order, each with its number among those that have the same: `EPYC (1)`, `EPYC (2)`,
/// but `Altra`.
pub fn distinct<'a>(labels: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for label in labels.clone() {
        *count.entry(label).or_default() += 1;
    }
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let named = labels.map(|label| {
        let number = seen.entry(label).or_default();
        *number += 1;
        if count[label] > 1 { format!("{label} ({number})") } else { label.to_owned() }
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_come_twice_are_numbered() {
        let labels = ["EPYC", "Altra", "EPYC"];
        assert_eq!(distinct(labels.into_iter()), ["EPYC (1)", "Altra", "EPYC (2)"]);
    }
}
