//! Sentences that say whether the data of their groups are to be believed.

use crate::compare::Group;
use estimate::ViewKind;
use record::Grade;
use verdict::Data;

/// A sentence on groups as it may be copied.
pub fn qualified(sentence: &str, groups: &[&Group]) -> String {
    let is_delivered = groups.iter().any(|group| group.view == ViewKind::Delivered);
    let graded: Vec<(&str, Grade)> =
        groups.iter().map(|group| (group.label.as_str(), group.grade())).collect();
    qualified_by(sentence, is_delivered, &graded)
}

/// Takes labels and grades instead of groups.
pub fn qualified_by(sentence: &str, is_delivered: bool, graded: &[(&str, Grade)]) -> String {
    let with = |grade: Grade| {
        let labels = graded.iter().filter(|(_, each)| *each == grade);
        labels.map(|(label, _)| (*label).to_owned()).collect()
    };
    let (invalid, suspect) = (with(Grade::Invalid), with(Grade::Suspect));
    let machines = graded.len();
    Data { invalid, suspect, machines, is_named: false, is_delivered }.qualify(sentence)
}
