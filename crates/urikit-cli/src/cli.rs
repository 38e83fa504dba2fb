//! The command line: one definition for parsing, `--help`, completions and man pages.

use crate::command::{
    audit, compare, completions, decode, edit, encode, explain, extract, fetch, get, json_schema,
    man, normalize, parse, relativize, resolve, schemes,
};
use clap::error::ErrorKind;
use clap::{ColorChoice, CommandFactory as _, Parser, Subcommand};

#[derive(Parser, Debug)]
#[command(
    name = "uri",
    version,
    arg_required_else_help = true,
    subcommand_required = true,
    max_term_width = 100,
    after_long_help = AFTER,
)]
/// Parse, resolve, compare, edit, find and fetch URIs, exactly as each standard defines them.
///
/// A reference is a URI, URL or IRI, absolute or relative. Since 1994, the RFCs have defined it in
/// different ways. This command follows the standard that you name, RFC 3986 by default, and
/// reports the exact place at which an input breaks its rules.
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours; `auto` respects NO_COLOR and CLICOLOR_FORCE
    #[arg(
        long,
        global = true,
        display_order = 900,
        value_name = "WHEN",
        value_enum,
        default_value_t = ColorChoice::Auto
    )]
    pub(crate) color: ColorChoice,
}

/// The end of the long help.
const AFTER: &str = "\
Examples:
  uri explain 'ftp://foo:@host.dom:21/%2Fetc/motd;type=a'
  uri parse --standard rfc2396 'mailto:mduerst@ifi.unizh.ch?x=y'
  uri parse --json -f urls.txt
  uri resolve --base http://a/b/c/d '../g?y'

Exit status:
  0  success
  1  an input is invalid, or the answer is no
  2  usage error
  3  something cannot be read or written
  4  the policy refuses access
  5  access failed
If several apply, the highest is returned. One bad input never stops the others.";

/// The subcommands, in the order of the help.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Explain(explain::Arguments),
    Parse(parse::Arguments),
    Resolve(resolve::Arguments),
    Relativize(relativize::Arguments),
    Normalize(normalize::Arguments),
    Compare(compare::Arguments),
    Audit(audit::Arguments),
    Edit(edit::Arguments),
    Fetch(Box<fetch::Arguments>),
    Get(get::Arguments),
    Extract(extract::Arguments),
    Encode(encode::Arguments),
    Decode(decode::Arguments),
    Schemes(schemes::Arguments),
    Completions(completions::Arguments),
    JsonSchema(json_schema::Arguments),
    Man(man::Arguments),
}

/// A usage error of `subcommand`: options that exclude each other, or that the standard does not
/// allow.
pub(crate) fn conflict(subcommand: &str, message: String) -> clap::Error {
    let mut command = Cli::command();
    command.build();
    match command.find_subcommand_mut(subcommand) {
        Some(subcommand) => subcommand.error(ErrorKind::ArgumentConflict, message),
        None => command.error(ErrorKind::ArgumentConflict, message),
    }
}
