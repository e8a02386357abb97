//! Generates JSON Schemas and TypeScript from the types that are serialized as JSON.

#![allow(clippy::disallowed_methods, reason = "reads files of the repository")]

mod typescript;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::Value;
use std::path::Path;
use std::{env, fs};

pub use typescript::typescript;

/// If this variable is set, tests write the files that they otherwise compare with the code.
pub const UPDATE: &str = "SIZEUP_UPDATE";

/// A type has this extension if a field of it is flattened and optional.
const HAS_NULLS: &str = "x-has-nulls";

/// The JSON Schema of a type as it is written.
pub fn schema<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with_transform(RecursiveTransform(plain));
    settings.into_generator().into_root_schema_for::<T>()
}

/// Serialized values have every field, so defaults are meaningless; and descriptions are read outside of the code.
fn plain(schema: &mut Schema) {
    schema.remove("default");
    if let Some(Value::String(text)) = schema.get_mut("description") {
        let paragraphs: Vec<String> =
            text.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect();
        *text = paragraphs.join("\n\n").replace("[`", "`").replace("`]", "`");
    }
    if schema.remove(HAS_NULLS).is_some() {
        return;
    }
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required = |name: &String| {
        required.as_array().is_some_and(|all| all.contains(&Value::from(name.as_str())))
    };
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    let left_out = properties.into_iter().flatten().filter(|(name, _)| !is_required(name));
    left_out.for_each(|(_, property)| never_null(property));
}

/// Optional properties are omitted rather than `null`, except within an object that is omitted as a whole.
fn never_null(property: &mut Value) {
    if let Some(Value::Array(kinds)) = property.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_slice() {
            property["type"] = kind.clone();
        }
    }
    if let Some(Value::Array(any)) = property.get_mut("anyOf") {
        any.retain(|alternative| alternative["type"] != "null");
    }
}

/// Fails if a file of the repository differs from what the code generates, or writes it if [`UPDATE`] is set.
///
/// # Panics
/// Where the file differs, can't be read or can't be written.
pub fn hold(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if env::var_os(UPDATE).is_some() {
        fs::write(&file, text).unwrap_or_else(|e| panic!("{path}: {e}"));
    }
    let there = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        there == text,
        "{path} is out of date: run this test again with {UPDATE}=1 and commit the result"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_of_the_run_file_is_what_its_types_give() {
        let schema = serde_json::to_string_pretty(&schema::<record::Record>()).expect("JSON");
        hold("docs/run-file.schema.json", &(schema + "\n"));
    }
}
