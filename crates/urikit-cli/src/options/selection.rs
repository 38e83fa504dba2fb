//! Options that select inputs and repair them: `--where`, `--lenient`, `--guess`, `--suffix-list`.

use crate::exit::Stop;
use crate::filter::{Filter, Filters};
use crate::input::Tolerance;
use urikit_domains::{LIST_DATE, List};
use urikit_report::Reader;

/// `--lenient`, `--guess`, `--where` and `--suffix-list`.
#[derive(clap::Args, Clone, Default, Debug)]
pub(crate) struct Selection {
    #[command(flatten)]
    pub(super) lenient: Lenient,

    #[command(flatten)]
    pub(super) filters: Where,

    #[arg(
        long,
        value_name = "FILE",
        value_parser = crate::fields::read_list,
        help = list_help(),
        help_heading = crate::help::SHARED
    )]
    pub(super) suffix_list: Option<List>,
}

/// Returns the help for `--suffix-list`, with the date of the built-in list.
fn list_help() -> String {
    format!(
        "Read the Public Suffix List from FILE (at most 16 MiB) [default: the built-in list of \
         {LIST_DATE}]"
    )
}

impl Selection {
    /// Returns the Public Suffix List, which divides hosts into domains and suffixes.
    pub(crate) fn domains(&self) -> List {
        self.suffix_list.clone().unwrap_or_default()
    }

    /// Returns true if --where may drop inputs.
    pub(crate) fn has_filters(&self) -> bool {
        self.filters.is_given()
    }
}

impl From<Lenient> for Selection {
    fn from(lenient: Lenient) -> Self {
        Self {
            lenient,
            ..Self::default()
        }
    }
}

/// `--where`.
#[derive(clap::Args, Clone, Default, Debug)]
pub(crate) struct Where {
    /// Select references by [!]FIELD[OP TEXT], such as 'host=*.example.org|localhost'; OP is = or
    /// != (`*` matches any text, `|` separates patterns), ~ (regular expression), <, <=, > or >=;
    /// 'A or B' requires either condition, and a repeated --where requires all
    ///
    /// FIELD is a field of `uri get`, with its modifiers, such as host, host_kind, domain, suffix,
    /// port (or the default port), path, segment:N, file, ext, query, fragment or url; or
    /// query:NAME for the decoded values of the pairs with this name. Values are compared in
    /// normal form. Without OP, the component must be present. `!` negates a condition: `!host=a`
    /// means `host!=a`, which is also true for references without a host.
    ///
    /// Patterns after = and != ignore ASCII case; `\*` and `\|` are literal. Use domain= to select
    /// a domain with its subdomains. Expressions after ~ match any part of the value and are
    /// case-sensitive; their syntax is that of the Rust crate regex. The operators <, <=, > and >=
    /// compare decimal integers. No blanks are allowed around OP. TEXT in double quotes may
    /// contain ` or `, and `\"` is a quote. In query:NAME, `*` matches any text, and `=~<>!` are
    /// written as escapes (%3D).
    ///
    /// Non-matching references produce no output. Invalid references are still reported on stderr.
    #[arg(
        long = "where",
        value_name = "CONDITION",
        value_parser = Filter::new,
        help_heading = crate::help::SHARED
    )]
    conditions: Vec<Filter>,
}

impl Where {
    /// Returns the filters, or `None` if there are no conditions.
    pub(crate) fn filters(self, reader: Reader, domains: List) -> Option<Filters> {
        Filters::new(reader, self.conditions, domains)
    }

    /// Returns true if there are conditions.
    pub(crate) fn is_given(&self) -> bool {
        !self.conditions.is_empty()
    }
}

/// `--lenient` and `--guess`.
#[derive(clap::Args, Clone, Copy, Default, Debug)]
pub(crate) struct Lenient {
    /// Repair invalid references as browsers do
    ///
    /// Works with RFC 3986 and RFC 3987. Removes surrounding white space, `<…>`, `‹…›` and
    /// quotation marks, and tabs and line breaks anywhere; escapes characters that are not allowed;
    /// changes `\` to `/` if the scheme is http, https, ws, wss, ftp or file; converts hosts to
    /// their DNS form. References are still rejected if a repair would decide which host is meant,
    /// as for a second `@` or a space in the host. Valid references are never changed. A repaired
    /// reference is treated as valid. A warning, or the key `repaired` of --json, reports the
    /// changes.
    #[arg(long, help_heading = crate::help::SHARED)]
    lenient: bool,

    /// Read `example.com/x` as `https://example.com/x`, as browsers do
    ///
    /// A name with a dot, `localhost` or an IP address is a host, and may have a port. The guessed
    /// scheme is http for `localhost`, for addresses and for port 80, and otherwise https. A
    /// warning, or the key `repaired` of --json, reports the guess.
    #[arg(long, help_heading = crate::help::SHARED)]
    guess: bool,
}

impl Lenient {
    /// Returns the permitted repairs, or `None` if neither option is given.
    ///
    /// # Errors
    ///
    /// Returns a usage error for `subcommand` if --lenient does not support this standard.
    pub(crate) fn tolerance(
        self,
        subcommand: &'static str,
        reader: Reader,
    ) -> Result<Option<Tolerance>, Stop> {
        let tolerance = Tolerance::new(reader, self.lenient, self.guess);
        tolerance.map_err(|error| Stop::usage(subcommand, error.to_string()))
    }
}
