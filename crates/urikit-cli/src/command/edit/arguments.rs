//! The command line of `uri edit`.

use crate::options::{Common, Print0, Selection, Separator, Suggest};

/// Change components of references, and keep every other byte
///
/// Nothing else is normalized or completed: an empty `?` or `#`, the case, the port and every
/// escape remain as written unless they are edited. It is an error if the result would be invalid,
/// or would be parsed into other components than intended; its line is then empty.
///
/// With --standard whatwg, the reference is first parsed and written as browsers do, and so is the
/// result: any byte may change. A message says so if the reference was not written that way.
///
/// Edits are applied in this order, regardless of the order of the options: --set and --iterate
/// together, --append path, --trim, --replace, --append query, --sort-query.
///
/// With --json, each line is the object that `uri parse` prints for the result, and `edited`, the
/// result.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Components:
  scheme, userinfo, user, password, host, port, path, params (RFC 1808),
  query, fragment

Assignments:
  NAME=TEXT    escapes what must be escaped, but never escapes twice;
               an empty TEXT removes the component
  NAME:=TEXT   sets exactly TEXT, which may be empty; an error if that is invalid
  NAME?=TEXT   only if the component is absent

Examples:
  uri edit -s host=example.org -s port=8080 'http://user@host/path?#'
  uri edit -s scheme=http -s host=example.org -s path=/a ''
  uri edit -a path='my file' -a query=lang=en 'http://host/folder/'
  uri edit --trim 'query=ref_*' -f urls.txt
  uri edit --strip-tracking -f urls.txt
  uri edit --iterate 'scheme=http https' --iterate 'host=a b' 'ftp://h/x'")]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(crate) struct Arguments {
    /// Set or remove a component
    #[arg(short, long, value_name = "COMPONENT=TEXT", value_parser = Suggest(|| ASSIGNED.to_vec()), hide_possible_values = true)]
    pub(super) set: Vec<String>,

    /// Append a segment to the path, or a pair to the query
    ///
    /// A slash in the segment is escaped, and so is the separator in the pair.
    #[arg(short, long, value_name = "path=NAME|query=PAIR", value_parser = Suggest(|| vec!["path=", "query="]), hide_possible_values = true)]
    pub(super) append: Vec<String>,

    /// Remove the query's pairs of this name; a `*` at the end matches anything
    ///
    /// Names are compared decoded and case-sensitively. A `\*` at the end is an asterisk. If no
    /// pair remains, the query is removed.
    #[arg(long, value_name = "query=NAME", value_parser = Suggest(|| vec!["query="]), hide_possible_values = true)]
    pub(super) trim: Vec<String>,

    /// Remove the query's pairs that only track people, such as `utm_source` and `fbclid`
    ///
    /// The names are those of a table, with their sources: src/steps/tracking.tsv of urikit-keys.
    #[arg(long)]
    pub(super) strip_tracking: bool,

    /// Same as --trim query=NAME
    #[arg(long, value_name = "NAME")]
    pub(super) qtrim: Vec<String>,

    /// Replace the value of the query's pair of this name, if there is one; remove duplicates
    #[arg(long, value_name = "NAME[=VALUE]")]
    pub(super) replace: Vec<String>,

    /// The same, but append the pair if there is none
    #[arg(long, visible_alias = "force-replace", value_name = "NAME[=VALUE]")]
    pub(super) replace_append: Vec<String>,

    /// Print one result per word (separated by spaces); if repeated, one per combination
    #[arg(long, value_name = "COMPONENT=WORDS", value_parser = Suggest(|| ASSIGNED.to_vec()), hide_possible_values = true)]
    pub(super) iterate: Vec<String>,

    /// Sort the query's pairs by name, ignoring case
    #[arg(long)]
    pub(super) sort_query: bool,

    #[command(flatten)]
    pub(super) separator: Separator,

    /// Keep a port that --set or --iterate sets to the scheme's default
    ///
    /// Otherwise such a port is omitted, even with leading zeros. A port that is not edited always
    /// stays, and so does one that is set exactly (`port:=`).
    #[arg(long)]
    pub(super) keep_port: bool,

    /// Write the scheme's default port if there is a host and no port
    #[arg(long)]
    pub(super) default_port: bool,

    /// Treat each TEXT as data without escapes: a `%` in it becomes `%25`
    #[arg(long)]
    pub(super) raw: bool,

    #[command(flatten)]
    pub(super) selection: Selection,

    #[command(flatten)]
    pub(super) print0: Print0,

    #[command(flatten)]
    pub(super) common: Common,
}

/// What completions offer for `COMPONENT=`.
const ASSIGNED: [&str; 10] = [
    "scheme=",
    "userinfo=",
    "user=",
    "password=",
    "host=",
    "port=",
    "path=",
    "params=",
    "query=",
    "fragment=",
];
