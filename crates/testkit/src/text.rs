//! Changes to tables and to what other tools print.

use crate::{Choices, NUMBERS, TEXTS};

const MOST_CHANGES: usize = 5;
/// Texts are not made longer than this.
const MOST_BYTES: usize = 1 << 18;

/// One of these texts, changed line by line and word by word, or else what is left of the choices as it is.
pub fn changed_text(samples: &[&str], choices: &mut Choices) -> String {
    if choices.is_one_of(8) {
        return String::from_utf8_lossy(choices.rest()).into_owned();
    }
    let mut lines: Vec<String> = choices.of(samples).split('\n').map(str::to_owned).collect();
    for _ in 0..=choices.below(MOST_CHANGES) {
        change(&mut lines, samples, choices);
    }
    let mut text = lines.join("\n");
    if choices.is_one_of(16) {
        let end = (0..=choices.below(text.len() + 1)).rev().find(|end| text.is_char_boundary(*end));
        text.truncate(end.unwrap_or_default());
    }
    text
}

fn change(lines: &mut Vec<String>, samples: &[&str], choices: &mut Choices) {
    let (one, other) = (choices.below(lines.len()), choices.below(lines.len()));
    if one >= lines.len() {
        return;
    }
    match choices.byte() % 16 {
        0 => lines.swap(one, other),
        1 => lines.insert(other, lines[one].clone()),
        2 => drop(lines.remove(one)),
        3 => {
            let more = vec![lines[one].clone(); 1 + choices.below(64)];
            if lines.iter().map(String::len).sum::<usize>() < MOST_BYTES / 2 {
                lines.splice(one..one, more);
            }
        }
        4 => {
            let from: Vec<&str> = choices.of(samples).lines().collect();
            if !from.is_empty() {
                lines.insert(other, choices.of(&from).to_owned());
            }
        }
        5 => {
            let place = lines[one].char_indices().nth(choices.below(lines[one].len()));
            let place = place.map_or(0, |(place, _)| place);
            lines[one].insert_str(place, choices.of(&TEXTS));
        }
        _ => lines[one] = with_other_word(&lines[one], choices),
    }
}

/// A line with one of its words, numbers or marks replaced.
fn with_other_word(line: &str, choices: &mut Choices) -> String {
    let mut words: Vec<&str> = Vec::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut left = line;
    while let Some(first) = left.chars().next() {
        let end = match is_word(first) {
            true => left.find(|c| !is_word(c)).unwrap_or(left.len()),
            false => first.len_utf8(),
        };
        let (word, behind) = left.split_at(end);
        words.push(word);
        left = behind;
    }
    if words.is_empty() {
        return choices.of(&TEXTS).to_owned();
    }
    let place = choices.below(words.len());
    let other = match choices.byte() % 8 {
        0 => String::new(),
        1 => choices.of(&NUMBERS).to_string(),
        2 => choices
            .of(&["-1", "1e308", "-0", "1e-320", "0x10", "1_000", "1,5", "+5", ".5", "5."])
            .to_owned(),
        3 => choices.of(&TEXTS).to_owned(),
        4 => words[place].repeat(2 + choices.below(32)),
        5 => choices
            .of(&["NaN", "inf", "-inf", "infinity", "null", "true", "[]", "{}", "\"", "#"])
            .to_owned(),
        6 => choices.wide().to_string(),
        _ => words[choices.below(words.len())].to_owned(),
    };
    words[place] = &other;
    words.concat()
}
