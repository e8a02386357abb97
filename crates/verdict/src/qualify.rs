//! A sentence with what its figures are: of suspect or invalid data, or of samples that other processes cut.

use serde::Deserialize;

/// More machines than this are counted instead of named.
const MOST_NAMED: usize = 2;

/// Whose data a sentence is about, and how far these are to be believed.
#[derive(Debug, Clone, Deserialize)]
pub struct Data {
    /// Machines whose data don't describe them.
    pub invalid: Vec<String>,
    /// Machines whose data may be wrong.
    pub suspect: Vec<String>,
    /// How many machines it is about.
    pub machines: usize,
    /// Whether the sentence is about one machine, and names it.
    pub is_named: bool,
    /// Whether other processes ran, and the figures are delivered ones.
    pub is_delivered: bool,
}

impl Data {
    /// A sentence as it may be copied: it says itself of which machines the data are suspect or invalid, and that delivered figures are
    /// not those of the CPUs.
    pub fn qualify(&self, sentence: &str) -> String {
        // In front, where nobody who shortens a sentence cuts it off.
        let invalid = self.graded("Invalid", &self.invalid);
        let suspect = self.graded("Suspect", &self.suspect);
        let whole = sentence.strip_suffix('.').unwrap_or(sentence);
        let [delivered, behind] = if self.is_delivered {
            [
                "As delivered, while other processes ran: ",
                ". The figures describe these runs, not the CPUs",
            ]
        } else {
            [""; 2]
        };
        format!("{invalid}{suspect}{delivered}{whole}{behind}.")
    }

    fn graded(&self, grade: &str, labels: &[String]) -> String {
        match labels.len() {
            0 => String::new(),
            _ if self.is_named => format!("{grade} data: "),
            all if all > MOST_NAMED => {
                format!("{grade} data of {all} of {} machines: ", self.machines)
            }
            _ => format!("{grade} data of {}: ", labels.join(" and ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_says_of_which_data_it_is() {
        let qualified = |machines, is_delivered, invalid: &[&str], suspect: &[&str]| {
            let [invalid, suspect] =
                [invalid, suspect].map(|labels| labels.iter().map(ToString::to_string).collect());
            let data = Data { invalid, suspect, machines, is_named: machines == 1, is_delivered };
            data.qualify("a is 2.00× faster than b (95 % CI 1.9–2.1).")
        };
        assert_eq!(qualified(2, false, &[], &[]), "a is 2.00× faster than b (95 % CI 1.9–2.1).");
        assert_eq!(
            qualified(2, false, &[], &["b"]),
            "Suspect data of b: a is 2.00× faster than b (95 % CI 1.9–2.1)."
        );
        assert_eq!(
            qualified(2, true, &["a"], &["b"]),
            "Invalid data of a: Suspect data of b: As delivered, while other processes ran: a is 2.00× faster than b \
             (95 % CI 1.9–2.1). The figures describe these runs, not the CPUs."
        );
        let many = qualified(4, false, &[], &["a", "b", "c"]);
        assert!(many.starts_with("Suspect data of 3 of 4 machines: a is "), "{many}");
        let alone = qualified(1, false, &[], &["a"]);
        assert!(alone.starts_with("Suspect data: a is "), "{alone}");
    }
}
