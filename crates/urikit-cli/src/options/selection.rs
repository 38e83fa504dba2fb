//! Which inputs are worked on, and what may be changed in them first.

use crate::exit::Stop;
use crate::filter::{Filter, Filters};
use crate::input::{Repairs, Tolerance};
use crate::standard::Reader;
use urikit::Standard;
use urikit_domains::{LIST_DATE, List};

/// The options.
#[derive(clap::Args, Clone, Default, Debug)]
pub(crate) struct Selection {
    #[command(flatten)]
    pub(super) lenient: Lenient,

    #[command(flatten)]
    pub(super) filters: Where,

    #[arg(long, value_name = "FILE", value_parser = crate::fields::read_list, help = list_help(), help_heading = crate::help::SHARED)]
    pub(super) suffix_list: Option<List>,
}

/// The help of `--suffix-list`, with the date of the program's own.
fn list_help() -> String {
    format!("Fill {{domain}} and others by this public suffix list, not by that of {LIST_DATE}")
}

impl Selection {
    /// Returns the list that divides hosts into domains.
    pub(crate) fn domains(&self) -> List {
        self.suffix_list.clone().unwrap_or_default()
    }

    /// Whether inputs may be left out.
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

/// The option.
#[derive(clap::Args, Clone, Default, Debug)]
pub(crate) struct Where {
    /// Only references of which this is true: [!]FIELD[=PATTERN]
    ///
    /// If repeated, all must be true.
    ///
    /// FIELD is a component, in its normal form: scheme, user, host, domain, suffix, subdomain, port (or the default port),
    /// origin, path, segment:N, file, ext, query, fragment, url, or query:NAME for the pairs of
    /// this name. In PATTERN, and in NAME, `*` matches any text, also across dots and slashes;
    /// ASCII case does not matter. Without =PATTERN, the component must be there; `!` negates.
    /// References that are not wanted have no line. One that is not valid is reported as always,
    /// also without a line.
    #[arg(long = "where", value_name = "CONDITION", value_parser = Filter::new, help_heading = crate::help::SHARED)]
    conditions: Vec<Filter>,
}

impl Where {
    /// The filters for references that `reader` reads; `None` if all are wanted.
    pub(crate) fn filters(self, reader: Reader, domains: List) -> Option<Filters> {
        Filters::new(reader, self.conditions, domains)
    }

    /// Whether there are any.
    pub(crate) fn is_given(&self) -> bool {
        !self.conditions.is_empty()
    }
}

/// The options.
#[derive(clap::Args, Clone, Copy, Default, Debug)]
pub(crate) struct Lenient {
    /// Repair references that are not valid, as browsers do
    ///
    /// It applies to RFC 3986 and RFC 3987. White space around the reference, tabs and line ends are removed; characters that are not
    /// allowed are escaped; `\` becomes `/` where the scheme is http, https, ws, wss, ftp or file;
    /// a host beyond US-ASCII becomes its name in the DNS. It stays an error if a change would
    /// decide which host is meant: a second `@`, or a space in the host. A valid reference is never
    /// changed. A repaired one counts as valid; a warning says what was changed, and with --json
    /// the key `repaired` does.
    #[arg(long, help_heading = crate::help::SHARED)]
    lenient: bool,

    /// Read `example.com/x` as `https://example.com/x`, as browsers do, and report it
    ///
    /// A name with a dot, `localhost` or an address is a host, also before a colon and digits,
    /// which are then its port. The guessed scheme is https, but http for `localhost`, for
    /// addresses and for port 80. A warning says what was added, and with --json the key
    /// `repaired` does.
    #[arg(long, help_heading = crate::help::SHARED)]
    guess: bool,
}

impl Lenient {
    /// What may be changed in inputs, if anything.
    ///
    /// # Errors
    ///
    /// A usage error of `subcommand` if nothing is repaired under `reader`.
    pub(crate) fn tolerance(
        self,
        subcommand: &'static str,
        reader: Reader,
    ) -> Result<Option<Tolerance>, Stop> {
        let tolerance = Tolerance {
            reader,
            lenient: self.standard(subcommand, reader)?,
            guess: self.guess,
        };
        Ok((self.lenient || self.guess).then_some(tolerance))
    }

    /// The standard under which inputs are repaired, if they are to be.
    fn standard(self, subcommand: &'static str, reader: Reader) -> Result<Option<Standard>, Stop> {
        if !self.lenient {
            return Ok(None);
        }
        match reader {
            Reader::Rfc(standard) if Repairs::STANDARDS.contains(&standard) => Ok(Some(standard)),
            Reader::Rfc(standard) => {
                let names = Repairs::STANDARDS.map(Standard::name).join(", ");
                let message = format!(
                    "--lenient does not apply to --standard {}, only to {names}",
                    standard.name()
                );
                Err(Stop::usage(subcommand, message))
            }
            Reader::Whatwg => {
                let message = "--lenient does not apply to --standard whatwg, by which references \
                               are always repaired";
                Err(Stop::usage(subcommand, message))
            }
        }
    }
}
