//! The command line: the definitions that `--help`, the completions and the man pages are made of.

use crate::command::{
    compare, completions, decode, edit, encode, explain, extract, fetch, get, man, normalize,
    parse, relativize, resolve, schemes,
};
use crate::standard::Reader;
use clap::{Args, ColorChoice, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Parser, Debug)]
#[command(
    name = "uri",
    version,
    arg_required_else_help = true,
    subcommand_required = true,
    max_term_width = 100,
    after_long_help = AFTER,
)]
/// Read, check, relate, find and follow URIs exactly as each standard has them.
///
/// A reference is a URI, URL or IRI, absolute or relative. Each RFC since 1994 says differently what
/// one is; this command asks the one you name, RFC 3986 when you name none, and reports the exact
/// place at which a text is none.
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to colour: NO_COLOR and CLICOLOR_FORCE are respected by `auto`
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto, value_enum)]
    pub(crate) color: ColorChoice,
}

/// What follows the options in the long help.
const AFTER: &str = "\
Examples:
  uri explain 'ftp://foo:@host.dom:21/%2Fetc/motd;type=a'
  uri parse --standard rfc2396 'mailto:mduerst@ifi.unizh.ch?x=y'
  uri parse --json -f urls.txt
  uri resolve --base http://a/b/c/d '../g?y'

Exit status:
  0  every input is good
  1  an input is invalid
  2  the command line makes no sense
  3  something cannot be read or written
  4  the policy refuses access
  5  access failed
Of several, the highest. One bad input never stops the others.";

/// What to do.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Explain(explain::Arguments),
    Parse(parse::Arguments),
    Resolve(resolve::Arguments),
    Relativize(relativize::Arguments),
    Normalize(normalize::Arguments),
    Compare(compare::Arguments),
    Edit(edit::Arguments),
    Fetch(Box<fetch::Arguments>),
    Get(get::Arguments),
    Extract(extract::Arguments),
    Encode(encode::Arguments),
    Decode(decode::Arguments),
    Schemes(schemes::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// Which references, and how to read and report them: the same for every command that reads any.
#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a flag of its own
pub(crate) struct Common {
    /// References; without any, the lines of -f or of standard input
    ///
    /// Quote them for your shell: `&`, `?`, `*`, `#` and `;` mean something to it. References that
    /// begin with `-` come after `--`.
    #[arg(value_name = "REF")]
    pub(crate) references: Vec<OsString>,

    /// Read the lines of FILE, `-` for standard input; may be repeated
    ///
    /// A line ends in LF or CRLF, and nothing else is trimmed. An empty line is the empty reference.
    #[arg(
        short = 'f',
        long = "url-file",
        value_name = "FILE",
        conflicts_with = "references"
    )]
    pub(crate) files: Vec<PathBuf>,

    /// Inputs end in NUL instead of a line end
    #[arg(short = '0', long)]
    pub(crate) null: bool,

    /// The standard that says what a reference is
    #[arg(
        long,
        value_name = "NAME",
        value_enum,
        ignore_case = true,
        default_value = "rfc3986"
    )]
    pub(crate) standard: Reader,

    /// Print one JSON object for each input, on a line of its own; errors are in it
    #[arg(long)]
    pub(crate) json: bool,

    /// Show passwords in what is meant for people
    ///
    /// Plain results and --json are data, and always exact.
    #[arg(long)]
    pub(crate) show_secrets: bool,

    /// Work with at most N threads, 0 for one on each core; results keep the order of the inputs
    ///
    /// Only much input is worth more than one. What comes slowly is answered at once, as it comes.
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    pub(crate) jobs: usize,

    /// Print no error messages; the exit status tells
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
