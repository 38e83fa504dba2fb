//! `--where`: which references are wanted.

use crate::filter::{Filter, Filters};
use crate::standard::Reader;
use urikit_domains::List;

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
