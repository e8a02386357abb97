//! Sweeps: an entry of a table that stands for a row for each level, size or algorithm.
//!
//! `sweep.size = ["16KiB", "1MiB"]` makes two rows. `{size}` in a text holds the value as it is written, `{size.bytes}` the
//! bytes of a size; of a value with fields, `{ name = "16KiB", memory = 80 }`, they are `{size.name}` and `{size.memory}`, and
//! `{size.bytes}` are those of its name. A text that is nothing but `{…}` becomes the value itself, a number say.

use std::collections::BTreeMap;
use toml::Value;

/// Name → what it stands for, in a row each.
pub(super) type Sweep = BTreeMap<String, Vec<Value>>;
/// Name → what it stands for in one row.
pub(super) type SweepPoint<'a> = BTreeMap<&'a str, &'a Value>;

/// Every combination of a sweep's values.
pub(super) fn points(sweep: &Sweep) -> Vec<SweepPoint<'_>> {
    let mut points = vec![SweepPoint::new()];
    for (name, values) in sweep {
        points = points
            .iter()
            .flat_map(|point| {
                values.iter().map(move |value| {
                    let mut point = point.clone();
                    point.insert(name, value);
                    point
                })
            })
            .collect();
    }
    points
}

/// A value with its places filled, in whatever it holds.
pub(super) fn filled(value: &Value, point: &SweepPoint) -> Result<Value, String> {
    match value {
        Value::String(text) => match text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
            Some(place) if !place.contains(['{', '}']) => value_at(place, point),
            _ => text_filled(text, point).map(Value::String),
        },
        Value::Array(values) => {
            let filled = values.iter().map(|value| filled(value, point));
            filled.collect::<Result<_, _>>().map(Value::Array)
        }
        Value::Table(table) => {
            let filled = table.iter().map(|(key, value)| Ok((key.clone(), filled(value, point)?)));
            filled.collect::<Result<_, String>>().map(Value::Table)
        }
        other => Ok(other.clone()),
    }
}

/// A text with its places filled; bytes have their thousands apart, as prose has.
pub(super) fn text_filled(text: &str, point: &SweepPoint) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        let (place, after) =
            behind.split_once('}').ok_or_else(|| format!("{text:?} has a {{ without a }}"))?;
        filled.push_str(before);
        match value_at(place, point)? {
            Value::String(text) => filled.push_str(&text),
            Value::Integer(bytes) if place.ends_with(".bytes") => filled.push_str(&apart(bytes)),
            Value::Integer(number) => filled.push_str(&number.to_string()),
            other => {
                return Err(format!("{{{place}}} is {other}, which is neither text nor number"));
            }
        }
        rest = after;
    }
    Ok(filled + rest)
}

fn value_at(place: &str, point: &SweepPoint) -> Result<Value, String> {
    let (name, field) = match place.split_once('.') {
        Some((name, field)) => (name, Some(field)),
        None => (place, None),
    };
    let known = || point.keys().copied().collect::<Vec<_>>().join(", ");
    let value = point
        .get(name)
        .ok_or_else(|| format!("{{{place}}} is not in the sweep, which has {}", known()))?;
    let of_field = |field: &str| value.as_table().and_then(|table| table.get(field));
    match field {
        None => Ok((*value).clone()),
        Some("bytes") => {
            let text = of_field("name").unwrap_or(value).as_str().and_then(bytes);
            text.map(Value::Integer).ok_or_else(|| format!("{{{place}}}: {value} is not a size"))
        }
        Some(field) => {
            let found = of_field(field).cloned();
            found.ok_or_else(|| format!("{{{place}}}: {value} has no field {field:?}"))
        }
    }
}

/// The bytes of a size as rows are named by it: `16KiB`, `1M`. K is 1,024 to all whose names these are.
fn bytes(size: &str) -> Option<i64> {
    let digits = size.find(|c: char| !c.is_ascii_digit())?;
    let unit: i64 = match &size[digits..] {
        "K" | "KiB" => 1 << 10,
        "M" | "MiB" => 1 << 20,
        _ => return None,
    };
    size[..digits].parse::<i64>().ok()?.checked_mul(unit)
}

/// `1,048,576`.
fn apart(number: i64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(text: &str) -> Sweep {
        toml::from_str(text).unwrap()
    }

    fn texts(text: &str, sweep: &Sweep) -> Result<Vec<String>, String> {
        points(sweep).iter().map(|point| text_filled(text, point)).collect()
    }

    #[test]
    fn a_sweep_of_two_names_has_every_combination() {
        let sweep = sweep("level = [1, 9]\nsize = [\"16KiB\", \"1MiB\"]");
        assert_eq!(
            texts("gzip-{level}-{size}", &sweep).unwrap(),
            ["gzip-1-16KiB", "gzip-1-1MiB", "gzip-9-16KiB", "gzip-9-1MiB"]
        );
        assert_eq!(texts("plain", &Sweep::new()).unwrap(), ["plain"]);
    }

    #[test]
    fn bytes_of_a_size_are_a_number_alone_and_prose_in_a_text() {
        let sweep = sweep("size = [\"16KiB\", { name = \"2M\", memory = 80 }]");
        let points = points(&sweep);
        let value = |text: &str, row: usize| filled(&Value::from(text), &points[row]).unwrap();
        assert_eq!(value("{size.bytes}", 0), Value::Integer(16_384));
        assert_eq!(value("{size.bytes} bytes", 0), Value::from("16,384 bytes"));
        assert_eq!(value("{size.bytes}", 1), Value::Integer(2 << 20));
        assert_eq!(value("{size.memory}", 1), Value::Integer(80));
        assert_eq!(value("of {size.name}", 1), Value::from("of 2M"));
    }

    #[test]
    fn a_place_that_nothing_fills_is_an_error_that_says_what_is_swept() {
        let sweep = sweep("level = [1]\nname = [\"x\"]");
        let refusal = |text: &str| texts(text, &sweep).unwrap_err();
        assert_eq!(refusal("a {size} b"), "{size} is not in the sweep, which has level, name");
        assert_eq!(refusal("{name.bytes}"), "{name.bytes}: \"x\" is not a size");
        assert_eq!(refusal("{name.memory}"), "{name.memory}: \"x\" has no field \"memory\"");
        assert_eq!(refusal("{level"), "\"{level\" has a { without a }");
    }
}
