//! JSON Schemas as types in TypeScript.

use schemars::Schema;
use serde_json::{Map, Value};

/// All types of a schema, its own last.
pub fn typescript(schema: &Schema) -> String {
    let mut root = schema.as_value().clone();
    let types = root.as_object_mut().and_then(|root| root.remove("$defs")).unwrap_or_default();
    let name = text(&root, "title").unwrap_or("Root").to_owned();
    let named = types.as_object().into_iter().flatten();
    named.chain([(&name, &root)]).map(|(name, schema)| definition(name, schema)).collect()
}

fn definition(name: &str, schema: &Value) -> String {
    let said = comment(schema, "");
    match schema.get("properties").and_then(Value::as_object) {
        Some(properties) => {
            let fields = fields(schema, properties);
            format!("\n{said}export interface {name} {{\n{fields}}}\n")
        }
        None => format!("\n{said}export type {name} = {};\n", type_of(schema)),
    }
}

/// Each on a line, with what is said of it.
fn fields(schema: &Value, properties: &Map<String, Value>) -> String {
    let required = list(schema, "required");
    let field = |(name, field): (&String, &Value)| {
        let mark = if required.contains(&Value::from(name.as_str())) { "" } else { "?" };
        format!("{}  {name}{mark}: {};\n", comment(field, "  "), type_of(field))
    };
    properties.iter().map(field).collect()
}

fn comment(schema: &Value, indent: &str) -> String {
    let said = text(schema, "description").map(|said| said.replace("\n\n", " "));
    said.map(|said| format!("{indent}/** {said} */\n")).unwrap_or_default()
}

/// The type of a schema.
fn type_of(schema: &Value) -> String {
    if let Some(name) = text(schema, "$ref").and_then(|path| path.rsplit('/').next()) {
        return name.to_owned();
    }
    if let Some(one) = schema.get("const") {
        return one.to_string();
    }
    for any in ["enum", "anyOf", "oneOf"] {
        let print = |one: &Value| if any == "enum" { one.to_string() } else { type_of(one) };
        let all: Vec<String> = list(schema, any).iter().map(print).collect();
        if !all.is_empty() {
            return all.join(" | ");
        }
    }
    let kinds = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.as_slice(),
        Some(kind) => std::slice::from_ref(kind),
        None => &[],
    };
    let kinds: Vec<String> = kinds.iter().map(|kind| plain(schema, kind)).collect();
    if kinds.is_empty() { "unknown".to_owned() } else { kinds.join(" | ") }
}

fn plain(schema: &Value, kind: &Value) -> String {
    match kind.as_str() {
        Some("integer") => "number".to_owned(),
        Some("array") if schema.get("prefixItems").is_some() => {
            let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or_default();
            let item = |(place, item): (u64, &Value)| {
                let mark = if place < least { "" } else { "?" };
                match (text(item, "title"), mark) {
                    (Some(label), mark) => format!("{label}{mark}: {}", type_of(item)),
                    (None, "") => type_of(item),
                    (None, mark) => format!("({}){mark}", type_of(item)),
                }
            };
            let items: Vec<String> = (0..).zip(list(schema, "prefixItems")).map(item).collect();
            format!("[{}]", items.join(", "))
        }
        Some("array") => match type_of(schema.get("items").unwrap_or(&Value::Null)) {
            union if union.contains(" | ") && !union.ends_with(']') => format!("({union})[]"),
            item => format!("{item}[]"),
        },
        Some("object") => match schema.get("properties").and_then(Value::as_object) {
            Some(properties) => format!("{{\n{}}}", fields(schema, properties)),
            None => {
                let any = type_of(schema.get("additionalProperties").unwrap_or(&Value::Null));
                format!("Record<string, {any}>")
            }
        },
        kind => kind.unwrap_or("unknown").to_owned(),
    }
}

fn text<'a>(schema: &'a Value, key: &str) -> Option<&'a str> {
    schema.get(key)?.as_str()
}

fn list<'a>(schema: &'a Value, key: &str) -> &'a [Value] {
    schema.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::JsonSchema;
    use serde::Serialize;
    use std::collections::BTreeMap;

    /// All that can be written.
    #[derive(Serialize, JsonSchema)]
    #[allow(dead_code)]
    struct Everything {
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<Kind>,
        pair: (u32, Option<f64>),
        named: Named,
        choices: Vec<Option<Kind>>,
        by_name: BTreeMap<String, Vec<bool>>,
    }

    #[derive(Serialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    #[allow(dead_code)]
    enum Kind {
        One,
        Two,
    }

    #[derive(Serialize, JsonSchema)]
    #[schemars(extend("minItems" = 1))]
    struct Named(#[schemars(title = "at")] f64, #[schemars(title = "said")] String, Option<u8>);

    #[test]
    fn each_shape_has_its_type() {
        let expected = r#"
export type Kind = "one" | "two";

export type Named = [at: number, said?: string, (number | null)?];

/** All that can be written. */
export interface Everything {
  by_name: Record<string, boolean[]>;
  choices: (Kind | null)[];
  kind?: Kind;
  named: Named;
  pair: [number, number | null];
}
"#;
        assert_eq!(typescript(&crate::shapes::schema::<Everything>()), expected);
    }
}
