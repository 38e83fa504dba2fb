//! Domains of hosts, by a public suffix list.

use super::parts::no_keep;
use crate::cells::{Cells as _, Text};
use crate::row::Row;
use crate::run::{Kernel, unary};
use crate::{ColumnError, Options};
use arrow_array::{Array, ArrayRef};
use urikit_domains::{Domain, List};

/// A part of the host's domain.
fn part(
    column: &dyn Array,
    list: &List,
    options: Options,
    function: &'static str,
    part: impl for<'a> Fn(Domain<'a>) -> Option<&'a str> + Sync,
) -> Result<ArrayRef, ColumnError> {
    no_keep(options, function)?;
    let reader = options.reader;
    let kernel = Kernel {
        new: Text::new,
        row: |text: &str, cells: &mut Text| {
            let row = Row::read(text, reader)?;
            let domain = row.host().and_then(|host| list.domain(host));
            cells.push_some(domain.and_then(&part));
            Ok(())
        },
        keep: |_: &str, cells: &mut Text| cells.null(),
    };
    unary(column, options, &kernel)
}

/// The registrable domain of the host: its public suffix and one label more, as written. Null
/// without a host, for an address, and for a host that is a suffix itself.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use urikit_columns::{Options, registrable_domain, urikit_domains::List};
/// let urls = StringArray::from(vec!["http://www.Example.co.uk/", "http://127.0.0.1/"]);
/// let domains = registrable_domain(&urls, &List::builtin(), Options::new())?;
/// assert_eq!(domains.as_string(), &StringArray::from(vec![Some("Example.co.uk"), None]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn registrable_domain(
    column: &dyn Array,
    list: &List,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    part(
        column,
        list,
        options.into(),
        "registrable_domain",
        |domain| domain.registrable(),
    )
}

/// The public suffix of the host, as written. Null without a host and for an address.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use urikit_columns::{Options, public_suffix, urikit_domains::List};
/// let urls = StringArray::from(vec!["http://a.github.io/", "http://[::1]/"]);
/// let list = List::builtin();
/// let suffixes = public_suffix(&urls, &list, Options::new())?;
/// assert_eq!(suffixes.as_string(), &StringArray::from(vec![Some("io"), None]));
/// let suffixes = public_suffix(&urls, &list.with_private(true), Options::new())?;
/// assert_eq!(suffixes.as_string(), &StringArray::from(vec![Some("github.io"), None]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn public_suffix(
    column: &dyn Array,
    list: &List,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    part(column, list, options.into(), "public_suffix", |domain| {
        Some(domain.suffix())
    })
}

/// What precedes the registrable domain in the host, as written. Null where nothing does, without a
/// host, and for an address.
///
/// # Errors
///
/// See [`ColumnError`].
pub fn subdomain(
    column: &dyn Array,
    list: &List,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    part(column, list, options.into(), "subdomain", |domain| {
        domain.subdomain()
    })
}
