//! JSON schemas (2020-12) of the lines that the command prints with `--json`.

macro_rules! schemas {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../schemas/", $name, ".json")))),*]
    };
}

/// The schema of each subcommand.
pub const SCHEMAS: [(&str, &str); 16] = schemas!(
    "explain",
    "parse",
    "resolve",
    "relativize",
    "normalize",
    "compare",
    "audit",
    "edit",
    "fetch",
    "send",
    "get",
    "extract",
    "check",
    "encode",
    "decode",
    "schemes"
);

/// The definitions that the schemas share.
pub const COMMON: &str = include_str!("../schemas/common.json");

/// Returns the schema of a subcommand, which refers to [`COMMON`].
///
/// ```
/// assert!(urikit_report::schema::schema("parse").unwrap().contains("/parse.json"));
/// ```
pub fn schema(subcommand: &str) -> Option<&'static str> {
    let found = SCHEMAS.iter().find(|(name, _)| *name == subcommand);
    found.map(|(_, schema)| *schema)
}

/// Bundles a schema with the shared definitions (JSON Schema Core, 9.3), so that it is
/// self-contained.
pub fn bundle(schema: &str) -> String {
    let open = schema.trim_end().strip_suffix('}').unwrap_or(schema);
    let common = COMMON.trim_end().replace('\n', "\n    ");
    format!(
        "{},\n  \"$defs\": {{\n    \"common\": {common}\n  }}\n}}\n",
        open.trim_end()
    )
}
