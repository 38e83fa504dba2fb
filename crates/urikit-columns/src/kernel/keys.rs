//! Functions for grouping: hashes, SURT keys, canonical forms and domains.

use super::components::no_keep;
use super::references::{is_able, write_normal};
use crate::cells::{Cells as _, Numbers, Text, With};
use crate::error::Reason;
use crate::row::Row;
use crate::run::{Kernel, unary};
use crate::{ColumnError, OnError, Options, Reader};
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef};
use urikit::op::Level;
use urikit_audit::Whatwg;
use urikit_domains::{Domain, List};
use urikit_keys::{Canonicalizer, Profile, Steps, SurtWriter};
use xxhash_rust::xxh3::xxh3_64;

/// The hashes, and a buffer for normal forms.
type Keys = With<Numbers<UInt64Type>, String>;

/// Returns a hash (UInt64) for each row. Equivalent references have the same hash.
///
/// The hash is the 64-bit XXH3, with seed 0, of the bytes that [`normalize`](crate::normalize)
/// returns at the given level. The hash is the same on every machine, and other programs can
/// compute it.
///
/// Among a billion different references, the probability that any two have the same hash is 2.7 %.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray, types::UInt64Type};
/// use urikit::op::Level;
/// use urikit_columns::{Options, key};
/// let urls = StringArray::from(vec!["http://a/", "HTTP://A:80", "http://b/"]);
/// let keys = key(&urls, Level::Scheme, Options::new())?;
/// let keys = keys.as_primitive::<UInt64Type>();
/// assert_eq!(keys.value(0), keys.value(1));
/// assert_ne!(keys.value(0), keys.value(2));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn key(
    column: &dyn Array,
    level: Level,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    let reader = options.reader;
    is_able(reader, Some(level), "key")?;
    no_keep(options, "key")?;
    let kernel = Kernel {
        new: |rows| Keys {
            cells: Numbers::new(rows),
            memory: String::new(),
        },
        row: |text: &str, cells: &mut Keys| {
            cells.memory.clear();
            write_normal(text, reader, level, &mut cells.memory)?;
            cells.cells.push(xxh3_64(cells.memory.as_bytes()));
            Ok(())
        },
        keep: |_: &str, cells: &mut Keys| cells.null(),
    };
    unary(column, options, &kernel)
}

/// Returns the SURT key of each URL. The [`Profile`] has its own parser, so this function has no
/// reader argument. `threads` works as in [`Options`].
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use urikit_columns::{OnError, surt, urikit_keys::Profile};
/// let urls = StringArray::from(vec!["http://www.Example.com/A?b&a", "http://a:b/"]);
/// let keys = surt(&urls, Profile::IaPython, OnError::Null, 0)?;
/// assert_eq!(keys.as_string(), &StringArray::from(vec![Some("com,example)/a?a&b"), None]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn surt(
    column: &dyn Array,
    profile: Profile,
    on_error: OnError,
    threads: usize,
) -> Result<ArrayRef, ColumnError> {
    type Keys = With<Text, SurtWriter>;
    let kernel = Kernel {
        new: |rows| Keys {
            cells: Text::new(rows),
            memory: SurtWriter::new(),
        },
        row: |text: &str, keys: &mut Keys| {
            let writer = &mut keys.memory;
            let outcome = keys.cells.push_with(|out| writer.write(text, profile, out));
            outcome.map_err(Reason::Surt)
        },
        keep: |text: &str, keys: &mut Keys| keys.cells.push(text),
    };
    let options = Options::new().on_error(on_error).threads(threads);
    unary(column, options, &kernel)
}

/// Applies the given [`Steps`] to each reference, and makes no other changes. With `whatwg`, the
/// steps are applied to the URL as a browser writes it.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use urikit_columns::{Options, canonicalize, urikit_keys::Steps};
/// let urls = StringArray::from(vec!["http://a/?z&utm_source=x&b#top"]);
/// let steps: Steps = "strip-tracking,sort-query".parse().unwrap();
/// let urls = canonicalize(&urls, steps, Options::new())?;
/// assert_eq!(urls.as_string(), &StringArray::from(vec!["http://a/?b&z#top"]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`]. The reader must be a standard or `whatwg`.
pub fn canonicalize(
    column: &dyn Array,
    steps: Steps,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    type Canonical = With<Text, Canonicalizer>;
    let options = options.into();
    is_able(options.reader, None, "canonicalize")?;
    let kernel = Kernel {
        new: |rows| Canonical {
            cells: Text::new(rows),
            memory: Canonicalizer::new(steps),
        },
        row: |text: &str, to: &mut Canonical| {
            let canonicalizer = &mut to.memory;
            if let Reader::Standard(standard) = options.reader {
                let reference = standard.parse(text)?;
                return to.cells.push_with(|out| {
                    canonicalizer.write(reference, out);
                    Ok(())
                });
            }
            let url = Whatwg.parse(text)?;
            to.cells.push_with(|out| {
                canonicalizer.write_split(url.as_str(), out);
                Ok(())
            })
        },
        keep: |text: &str, to: &mut Canonical| to.cells.push(text),
    };
    unary(column, options, &kernel)
}

/// Creates a column that contains one part of each host's domain.
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

/// Returns the registrable domain of each host: its public suffix and the label before it, as
/// written. The result is null for a reference without a host, for an address, and for a host that
/// is itself a public suffix.
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

/// Returns the public suffix of each host as written. The result is null for a reference without a
/// host and for an address.
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

/// Returns the labels before the registrable domain as written. The result is null if the host has
/// no such labels, if the host is an address, or if the reference has no host.
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
