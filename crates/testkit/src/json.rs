//! Changes to a JSON value that keep it JSON.

use crate::{Choices, NUMBERS, TEXTS};
use serde_json::{Map, Number, Value};

/// Arrays are not made longer than this.
const MOST_ITEMS: usize = 4_096;
/// Nor texts.
const MOST_TEXT_BYTES: usize = 16_384;

/// Changes one node of a value: mostly into another of its type.
pub fn edit(value: &mut Value, choices: &mut Choices) {
    let place = choices.below(count(value));
    let node = nth(value, &mut { place }).unwrap_or_else(|| unreachable!("a node of the count"));
    if choices.is_one_of(16) {
        *node = other_type(choices);
        return;
    }
    match node {
        Value::Null => *node = Value::from(choices.wide()),
        Value::Bool(is) => *is = !*is,
        Value::Number(number) => *number = other_number(number, choices),
        Value::String(text) => *text = other_text(text, choices),
        Value::Array(items) => edit_items(items, choices),
        Value::Object(fields) => edit_fields(fields, choices),
    }
}

fn count(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(count).sum::<usize>(),
        Value::Object(fields) => 1 + fields.values().map(count).sum::<usize>(),
        _ => 1,
    }
}

/// The node with this number, itself first.
fn nth<'a>(value: &'a mut Value, left: &mut usize) -> Option<&'a mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| nth(item, left)),
        Value::Object(fields) => fields.values_mut().find_map(|field| nth(field, left)),
        _ => None,
    }
}

fn other_type(choices: &mut Choices) -> Value {
    match choices.byte() % 7 {
        0 => Value::Null,
        1 => Value::Bool(true),
        2 => Value::from(-1),
        3 => Value::from(choices.of(&[0.5, -0.0, 1e300, 5e-324])),
        4 => Value::from(choices.of(&TEXTS)),
        5 => Value::Array(Vec::new()),
        _ => Value::Object(Map::new()),
    }
}

fn other_number(number: &Number, choices: &mut Choices) -> Number {
    let Some(old) = number.as_u64() else {
        let old = number.as_f64().unwrap_or_default();
        let near = [old * 2.0, old / 2.0, -old, old * 1e3, old.trunc(), 0.0, 1e308, 5e-324, 1e15];
        return Number::from_f64(choices.of(&near)).unwrap_or(Number::from(0));
    };
    let near = [
        old.wrapping_add(1),
        old.wrapping_sub(1),
        old.saturating_mul(2),
        old / 2,
        old.saturating_mul(1_000),
        old / 1_000,
        old.saturating_add(old / 16),
    ];
    match choices.byte() % 4 {
        0 => Number::from(choices.of(&NUMBERS)),
        1 => Number::from(choices.wide()),
        _ => Number::from(choices.of(&near)),
    }
}

fn other_text(text: &str, choices: &mut Choices) -> String {
    let other = match choices.byte() % 6 {
        0 => format!("{text}{}", choices.of(&TEXTS)),
        1 => text.chars().take(choices.below(text.len() + 1)).collect(),
        2 => text.repeat(2 + choices.below(64)),
        _ => choices.of(&TEXTS).to_owned(),
    };
    if other.len() > MOST_TEXT_BYTES { String::new() } else { other }
}

fn edit_items(items: &mut Vec<Value>, choices: &mut Choices) {
    let (one, other) = (choices.below(items.len()), choices.below(items.len()));
    match choices.byte() % 5 {
        0 => items.truncate(one),
        1 => items.extend(items.get(one).cloned()),
        2 if one < items.len() => items.swap(one, other),
        3 if one < items.len() => drop(items.remove(one)),
        _ if items.len() <= MOST_ITEMS / 2 => items.extend(items.clone()),
        _ => items.clear(),
    }
}

fn edit_fields(fields: &mut Map<String, Value>, choices: &mut Choices) {
    let names: Vec<String> = fields.keys().cloned().collect();
    let (one, other) =
        (names.get(choices.below(names.len())), names.get(choices.below(names.len())));
    let (Some(one), Some(other)) = (one, other) else {
        fields.insert(choices.of(&TEXTS).to_owned(), Value::Null);
        return;
    };
    match choices.byte() % 4 {
        0 => drop(fields.remove(one)),
        1 => {
            let value = fields.remove(one).unwrap_or_default();
            fields.insert(other_text(one, choices), value);
        }
        2 => {
            let value = fields[one].clone();
            fields.insert(other.clone(), value);
        }
        _ => {
            let value = fields[one].clone();
            fields.insert(choices.of(&TEXTS).to_owned(), value);
        }
    }
}
