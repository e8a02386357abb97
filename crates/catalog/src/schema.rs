//! Shapes of texts that several types hold.

use schemars::JsonSchema;

/// `OPERATION/IMPLEMENTATION`.
#[derive(JsonSchema)]
pub struct WorkloadId(
    #[schemars(regex(
        pattern = r"^[A-Za-z0-9+_%-][A-Za-z0-9.+_%-]*/[A-Za-z0-9+_%-][A-Za-z0-9.+_%-]*$"
    ))]
    pub String,
);

/// A SHA-256 in lower-case hex.
#[derive(JsonSchema)]
pub struct Sha256(#[schemars(regex(pattern = r"^[0-9a-f]{64}$"))] pub String);
