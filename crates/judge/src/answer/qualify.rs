//! A sentence with what its figures are: of suspect or invalid data, or of samples that other processes cut.

use crate::compare::Group;
use estimate::ViewKind;
use record::Grade;

/// More groups than this are counted instead of named.
const MOST_NAMED: usize = 2;

/// A sentence on groups as it may be copied: it says itself of which groups the data are suspect or invalid, and that delivered
/// figures are not those of the CPUs.
pub fn qualified(sentence: &str, groups: &[&Group]) -> String {
    let is_delivered = groups.iter().any(|group| group.view == ViewKind::Delivered);
    let graded: Vec<(&str, Grade)> =
        groups.iter().map(|group| (group.label.as_str(), group.grade())).collect();
    qualified_by(sentence, is_delivered, &graded)
}

/// Takes labels and grades instead of groups.
pub fn qualified_by(sentence: &str, is_delivered: bool, graded: &[(&str, Grade)]) -> String {
    let with = |grade: Grade| {
        let labels: Vec<&str> =
            graded.iter().filter(|(_, each)| *each == grade).map(|(label, _)| *label).collect();
        match labels.len() {
            0 => None,
            all if all > MOST_NAMED => Some(format!("{all} of {} machines", graded.len())),
            _ => Some(labels.join(" and ")),
        }
    };
    let whole = sentence.strip_suffix('.').unwrap_or(sentence);
    let invalid = with(Grade::Invalid).map(|labels| format!("Invalid data of {labels}: "));
    let delivered = is_delivered.then(|| "As delivered, while other processes ran: ".to_owned());
    let suspect = with(Grade::Suspect).map(|labels| format!("Suspect data of {labels}: "));
    // In front, where nobody who shortens a sentence cuts it off.
    let before = [invalid, suspect, delivered].into_iter().flatten().collect::<String>();
    let behind = if is_delivered { ". The figures describe these runs, not the CPUs" } else { "" };
    format!("{before}{whole}{behind}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_says_of_which_data_it_is() {
        let qualified = |is_delivered, graded: &[(&str, Grade)]| {
            qualified_by("a is 2.00× faster than b (95 % CI 1.9–2.1).", is_delivered, graded)
        };
        let (valid, suspect, invalid) = (Grade::Valid, Grade::Suspect, Grade::Invalid);
        assert_eq!(
            qualified(false, &[("a", valid), ("b", valid)]),
            "a is 2.00× faster than b (95 % CI 1.9–2.1)."
        );
        assert_eq!(
            qualified(false, &[("a", valid), ("b", suspect)]),
            "Suspect data of b: a is 2.00× faster than b (95 % CI 1.9–2.1)."
        );
        assert_eq!(
            qualified(true, &[("a", invalid), ("b", suspect)]),
            "Invalid data of a: Suspect data of b: As delivered, while other processes ran: a is 2.00× faster than b \
             (95 % CI 1.9–2.1). The figures describe these runs, not the CPUs."
        );
        let many = [("a", suspect), ("b", suspect), ("c", suspect), ("d", valid)];
        assert!(qualified(false, &many).starts_with("Suspect data of 3 of 4 machines: a is "));
    }
}
