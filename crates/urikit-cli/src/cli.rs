//! The command line: one definition for parsing, `--help`, completions and man pages.

#[cfg(feature = "serve")]
use crate::command::serve;
use crate::command::{
    audit, check, compare, completions, decode, edit, encode, explain, extract, fetch, get,
    json_schema, man, normalize, parse, relativize, resolve, schemes, send,
};
use crate::help;
use crate::options::bytes;
use clap::error::ErrorKind;
use clap::{ArgAction, ColorChoice, CommandFactory as _, Parser, Subcommand};

#[derive(Parser, Debug)]
#[command(
    name = "uri",
    version,
    subcommand_required = true,
    args_override_self = true,
    disable_help_flag = true,
    max_term_width = help::MAX_WIDTH,
    after_long_help = AFTER,
)]
/// Parse, resolve, compare, edit, find and fetch URIs exactly as each standard defines them.
///
/// A reference is a URI, URL or IRI, absolute or relative. The definition has changed several times
/// since 1994. This command follows the standard of your choice, RFC 3986 by default, and reports
/// the exact position of a syntax error.
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Use colours: auto (respects NO_COLOR and CLICOLOR_FORCE), always or never
    #[arg(
        long,
        global = true,
        display_order = 900,
        help_heading = help::SHARED,
        value_name = "WHEN",
        value_enum,
        hide_possible_values = true,
        default_value_t = ColorChoice::Auto
    )]
    pub(crate) color: ColorChoice,

    /// Stop with status 3 after BYTES of standard output; the suffixes k, M and G multiply by
    /// powers of 1024
    ///
    /// By default, no limit applies, and the output for a compressed file or a table may be far
    /// larger than the file. With a limit, the last line may be incomplete.
    #[arg(
        long,
        global = true,
        display_order = 899,
        help_heading = help::SHARED,
        value_name = "BYTES",
        value_parser = bytes
    )]
    pub(crate) max_output: Option<u64>,

    /// Print help: -h for a summary, --help for details
    #[arg(
        short,
        long,
        global = true,
        display_order = 901,
        help_heading = help::SHARED,
        action = ArgAction::Help
    )]
    help: Option<bool>,
}

/// The last part of the long help.
const AFTER: &str = "\
Examples:
  uri explain 'ftp://foo:@host.dom:21/%2Fetc/motd;type=a'
  uri parse --standard rfc2396 'mailto:mduerst@ifi.unizh.ch?x=y'
  uri parse --json -f urls.txt
  uri resolve --base http://a/b/c/d '../g?y'

Exit status:
  0  success
  1  an input is invalid, or a test such as a comparison failed
  2  usage error
  3  a file cannot be read or written
  4  the policy forbids access
  5  access failed
If several apply, the highest is returned. An invalid input never stops the others.

Environment:
  NO_COLOR        if set, disables colours unless --color is given
  CLICOLOR_FORCE  if set, uses colours even if the output is not a terminal
  COLUMNS         the width of pages, instead of the terminal's
  URI_GATEWAYS    gateways for `uri fetch`, in the format of its option --gateway
  NNTPSERVER      the news server for `uri fetch`

Files:
  uri.toml  its section [check] has options of `uri check`; there are no other configuration files";

/// The subcommands, in the order of `uri --help`.
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
    Send(Box<send::Arguments>),
    Get(get::Arguments),
    Extract(extract::Arguments),
    Check(Box<check::Arguments>),
    Encode(encode::Arguments),
    Decode(decode::Arguments),
    Schemes(schemes::Arguments),
    #[cfg(feature = "serve")]
    Serve(serve::Arguments),
    Completions(completions::Arguments),
    JsonSchema(json_schema::Arguments),
    Man(man::Arguments),
}

/// Returns the definition of the command line, with its help laid out for printing.
pub(crate) fn with_help() -> clap::Command {
    help::arranged(Cli::command())
}

/// Builds a usage error for `subcommand`, for example if the standard does not support an option.
pub(crate) fn conflict(subcommand: &str, message: String) -> clap::Error {
    let mut command = Cli::command();
    command.build();
    match command.find_subcommand_mut(subcommand) {
        Some(subcommand) => subcommand.error(ErrorKind::ArgumentConflict, message),
        None => command.error(ErrorKind::ArgumentConflict, message),
    }
}
