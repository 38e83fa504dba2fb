//! `uri json-schema`: prints the JSON Schema of the lines that `--json` prints.

use crate::exit::{Exit, Stop};
use crate::stdout::stdout;
use clap::builder::PossibleValuesParser;
use std::io::Write as _;

/// Print the JSON Schema (2020-12) of the lines that a subcommand prints with --json
///
/// Required keys are stable. Later versions may add keys.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri json-schema parse
  uri json-schema extract | jq '.properties | keys'")]
pub(crate) struct Arguments {
    /// Print the schema of this subcommand
    #[arg(
        value_name = "SUBCOMMAND",
        value_parser = PossibleValuesParser::new(SCHEMAS.map(|(name, _)| name))
    )]
    subcommand: String,
}

macro_rules! schemas {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../schemas/", $name, ".json")))),*]
    };
}

/// The schema of each subcommand.
const SCHEMAS: [(&str, &str); 15] = schemas!(
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
    "encode",
    "decode",
    "schemes"
);

/// The definitions that the schemas share.
const COMMON: &str = include_str!("../../schemas/common.json");

/// Prints the schema.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Stop> {
    let wanted = |(name, _): &&(&str, &str)| *name == arguments.subcommand;
    let Some((_, schema)) = SCHEMAS.iter().find(wanted) else {
        let message = format!("`{}` prints no JSON lines", arguments.subcommand);
        return Err(Stop::usage("json-schema", message));
    };
    let mut out = stdout();
    out.write_all(bundle(schema).as_bytes())?;
    out.flush()?;
    Ok(Exit::Good)
}

/// Bundles a schema with the shared definitions (JSON Schema Core, 9.3), so that it is
/// self-contained.
fn bundle(schema: &str) -> String {
    let open = schema.trim_end().strip_suffix('}').unwrap_or(schema);
    let common = COMMON.trim_end().replace('\n', "\n    ");
    format!(
        "{},\n  \"$defs\": {{\n    \"common\": {common}\n  }}\n}}\n",
        open.trim_end()
    )
}
