//! `uri json-schema`: prints the JSON Schema of the lines that `--json` prints.

use crate::exit::{Exit, Stop};
use crate::stdout::stdout;
use clap::builder::PossibleValuesParser;
use std::io::Write as _;
use urikit_report::schema::{SCHEMAS, bundle, schema};

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

/// Prints the schema.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Stop> {
    let Some(schema) = schema(&arguments.subcommand) else {
        let message = format!("`{}` prints no JSON lines", arguments.subcommand);
        return Err(Stop::usage("json-schema", message));
    };
    let mut out = stdout();
    out.write_all(bundle(schema).as_bytes())?;
    out.flush()?;
    Ok(Exit::Good)
}
