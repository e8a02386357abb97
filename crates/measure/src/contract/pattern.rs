//! JSON patterns: what an answer must hold. See `workers/contract/README.md`.

use serde_json::Value;

/// Where and why `got` is not what the pattern says; `None` when it is.
pub fn mismatch(pattern: &Value, got: &Value) -> Option<String> {
    find("", pattern, got)
}

fn find(place: &str, pattern: &Value, got: &Value) -> Option<String> {
    let here = if place.is_empty() { "it" } else { place };
    match (pattern, got) {
        (Value::Object(fields), Value::Object(given)) => fields.iter().find_map(|(name, field)| {
            let place = format!("{place}.{name}");
            let Some(value) = given.get(name) else {
                return Some(format!("{place} is missing"));
            };
            find(&place, field, value)
        }),
        (Value::Array(items), Value::Array(given)) => {
            if items.len() != given.len() {
                return Some(format!("{here} has {} items, not {}", given.len(), items.len()));
            }
            let pairs = items.iter().zip(given).enumerate();
            pairs
                .into_iter()
                .find_map(|(i, (item, value))| find(&format!("{place}[{i}]"), item, value))
        }
        (Value::String(text), _) => {
            match text.strip_prefix('<').and_then(|t| t.strip_suffix('>')) {
                Some(placeholder) => match fits(placeholder, got) {
                    Some(true) => None,
                    Some(false) => Some(format!("{here} is {got}, not <{placeholder}>")),
                    None => Some(format!("the pattern's placeholder <{placeholder}> is unknown")),
                },
                None => differs(here, pattern, got),
            }
        }
        _ => differs(here, pattern, got),
    }
}

fn differs(here: &str, pattern: &Value, got: &Value) -> Option<String> {
    (pattern != got).then(|| format!("{here} is {got}, not {pattern}"))
}

/// Whether a value is what a placeholder stands for; `None` if there is no such placeholder.
fn fits(placeholder: &str, value: &Value) -> Option<bool> {
    if let Some(parts) = placeholder.strip_prefix("has ") {
        let has = |text: &str| parts.split(", ").all(|part| text.contains(part));
        return Some(value.as_str().is_some_and(has));
    }
    let positive = value.as_u64().is_some_and(|number| number > 0);
    Some(match placeholder {
        "int" => value.is_u64(),
        "int or null" => value.is_u64() || value.is_null(),
        "positive" => positive,
        "positive or null" => positive || value.is_null(),
        "string" => value.is_string(),
        "text" => is_text(value),
        "version" => is_version(value),
        "texts" => value.as_object().is_some_and(|o| o.values().all(is_text)),
        "versions" => {
            value.as_object().is_some_and(|o| !o.is_empty() && o.values().all(is_version))
        }
        "digest or null" => value.is_null() || value.as_str().is_some_and(is_digest),
        "operations" => {
            value.as_array().is_some_and(|a| !a.is_empty() && a.iter().all(is_operation))
        }
        _ => return None,
    })
}

fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}

fn is_version(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.contains(|c: char| c.is_ascii_digit()))
}

fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn is_operation(value: &Value) -> bool {
    let is_range = |range: &Value| {
        range["from"].is_u64() && range["to"].is_u64()
            || range["of"].as_array().is_some_and(|choices| !choices.is_empty())
            || range["text"] == true
            || range["texts"] == true
    };
    is_id(&value["operation"])
        && value["parameters"].as_object().is_some_and(|ranges| ranges.values().all(is_range))
        && value["inputs"].as_array().is_some_and(|inputs| inputs.iter().all(is_text))
}

fn is_id(value: &Value) -> bool {
    let parts = value.as_str().and_then(|text| text.split_once('/'));
    parts.is_some_and(|(operation, implementation)| {
        !operation.is_empty() && !implementation.is_empty() && !implementation.contains('/')
    })
}

#[cfg(test)]
mod tests {
    use super::mismatch;
    use serde_json::{Value, json};

    fn operation(parameters: Value) -> Value {
        json!({ "operation": "a/b", "parameters": parameters, "inputs": ["data"] })
    }

    fn assert_fits(pattern: Value, got: Value) {
        assert_eq!(mismatch(&pattern, &got), None);
    }

    fn assert_misses(pattern: Value, got: Value, why: &str) {
        assert_eq!(mismatch(&pattern, &got).as_deref(), Some(why));
    }

    #[test]
    fn fields_that_the_pattern_does_not_name_are_allowed() {
        assert_fits(json!({"a": 1}), json!({"a": 1, "b": [2]}));
        assert_fits(json!({}), json!({"b": 2}));
    }

    #[test]
    fn what_is_missing_or_different_is_told_with_its_place() {
        assert_misses(json!({"a": {"b": 1}}), json!({"a": {}}), ".a.b is missing");
        assert_misses(json!({"a": [1, 2]}), json!({"a": [1, 3]}), ".a[1] is 3, not 2");
        assert_misses(json!([1]), json!([1, 1]), "it has 2 items, not 1");
        assert_misses(json!({"a": 1}), json!(1), r#"it is 1, not {"a":1}"#);
    }

    #[test]
    fn every_placeholder_takes_its_kind() {
        for (placeholder, value) in [
            ("<int>", json!(0)),
            ("<positive>", json!(1)),
            ("<positive or null>", json!(null)),
            ("<string>", json!("")),
            ("<text>", json!("t")),
            ("<version>", json!("v1")),
            ("<texts>", json!({})),
            ("<versions>", json!({"a": "1.2"})),
            ("<operations>", json!([{ "operation": "a/b", "parameters": {}, "inputs": [] }])),
            ("<operations>", json!([operation(json!({ "x": { "from": 1, "to": 2 } }))])),
            ("<operations>", json!([operation(json!({ "x": { "of": ["a"], "optional": true } }))])),
            ("<digest or null>", json!("0f".repeat(32))),
            ("<digest or null>", json!(null)),
            ("<has b, d>", json!("abcd")),
        ] {
            assert_fits(json!(placeholder), value);
        }
    }

    #[test]
    fn no_placeholder_takes_anything_else() {
        for (placeholder, value) in [
            ("<int>", json!(-1)),
            ("<int>", json!(1.5)),
            ("<int>", json!("1")),
            ("<positive>", json!(0)),
            ("<positive or null>", json!(0)),
            ("<string>", json!(null)),
            ("<text>", json!(" ")),
            ("<version>", json!("unknown")),
            ("<texts>", json!({"a": ""})),
            ("<versions>", json!({})),
            ("<versions>", json!({"a": "unknown"})),
            ("<operations>", json!([])),
            ("<operations>", json!(["a/b"])),
            ("<operations>", json!([operation(json!({ "x": { "from": 1 } }))])),
            ("<operations>", json!([operation(json!({ "x": {} }))])),
            ("<digest or null>", json!("0F".repeat(32))),
            ("<digest or null>", json!("0f")),
            ("<operations>", json!([{ "operation": "a", "parameters": {}, "inputs": [] }])),
            ("<operations>", json!([{ "operation": "a/b/c", "parameters": {}, "inputs": [] }])),
            ("<has b, x>", json!("abcd")),
            ("<has b>", json!(["b"])),
        ] {
            let why = format!("it is {value}, not {placeholder}");
            assert_misses(json!(placeholder), value, &why);
        }
    }

    #[test]
    fn a_placeholder_that_nobody_knows_fits_nothing() {
        let why = "the pattern's placeholder <number> is unknown";
        assert_misses(json!("<number>"), json!(1), why);
    }
}
