//! Each part alone.

use crate::cells::{Cells as _, Numbers, Text};
use crate::error::Reason;
use crate::row::Row;
use crate::run::{Kernel, unary};
use crate::{ColumnError, OnError, Options, Reader};
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef};
use urikit::Standard;

/// `OnError::Keep` is not for parts: a text that is kept would look like one.
pub(super) fn no_keep(options: Options, function: &'static str) -> Result<(), ColumnError> {
    if options.on_error == OnError::Keep {
        return Err(ColumnError::Keep { function });
    }
    Ok(())
}

/// A column of texts, from what `push` appends for each row.
fn texts(
    column: &dyn Array,
    options: Options,
    function: &'static str,
    push: impl Fn(&Row<'_>, &mut Text) + Sync,
) -> Result<ArrayRef, ColumnError> {
    no_keep(options, function)?;
    let reader = options.reader;
    let row = |text: &str, cells: &mut Text| -> Result<(), Reason> {
        push(&Row::read(text, reader)?, cells);
        Ok(())
    };
    let kernel = Kernel {
        new: Text::new,
        row,
        keep: |_: &str, cells: &mut Text| cells.null(),
    };
    unary(column, options, &kernel)
}

macro_rules! part {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        ///
        /// # Errors
        ///
        /// See [`ColumnError`].
        pub fn $name(column: &dyn Array, options: impl Into<Options>) -> Result<ArrayRef, ColumnError> {
            texts(column, options.into(), stringify!($name), |row, cells| {
                cells.push_some(row.$name());
            })
        }
    };
}

part! {
    /// The scheme, without its colon; null for a relative reference.
    scheme
}
part! {
    /// The authority, without its slashes; null where there is none.
    authority
}
part! {
    /// The userinfo, as written; null without an `@`.
    userinfo
}
part! {
    /// The path; null only for what is opaque to `java-net-uri`.
    path
}
part! {
    /// The query, as written, without its `?`; null without one.
    query
}
part! {
    /// The fragment, as written, without its `#`; null without one.
    fragment
}

/// The host, with the brackets of an IPv6 address where the reader keeps them; null without an
/// authority, and where `java-net-uri` has a null host.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use urikit_columns::{Options, Reader, host};
/// let urls = StringArray::from(vec![Some("http://Example.com/"), Some("http://a b/"), None]);
/// let hosts = host(&urls, Options::new())?;
/// assert_eq!(hosts.as_string(), &StringArray::from(vec![Some("Example.com"), None, None]));
/// let hosts = host(&urls, Reader::Whatwg)?;
/// assert_eq!(hosts.as_string(), &StringArray::from(vec![Some("example.com"), None, None]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn host(column: &dyn Array, options: impl Into<Options>) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    let Reader::Standard(standard @ (Standard::Rfc3986 | Standard::Rfc3987)) = options.reader
    else {
        return texts(column, options, "host", |row, cells| {
            cells.push_some(row.host());
        });
    };
    no_keep(options, "host")?;
    // The most used one: nothing but the host leaves the parser.
    let kernel = Kernel {
        new: Text::new,
        row: |text: &str, cells: &mut Text| {
            let reference = standard.parse(text)?;
            cells.push_some(reference.host().map(|host| host.as_str()));
            Ok(())
        },
        keep: |_: &str, cells: &mut Text| cells.null(),
    };
    unary(column, options, &kernel)
}

/// The kind of the host: `name`, `ipv4`, `ipv6`, `ipvfuture`, `reg-name` or `empty`; null without
/// a host. For a reader that converts addresses, what the host is after that.
///
/// # Errors
///
/// See [`ColumnError`].
pub fn host_kind(column: &dyn Array, options: impl Into<Options>) -> Result<ArrayRef, ColumnError> {
    texts(column, options.into(), "host_kind", |row, cells| {
        cells.push_some(row.host_kind().map(urikit::HostKind::as_str));
    })
}

/// The port in digits, as written; null without a colon, and empty where nothing follows it. The
/// readers that are no standards give the number that they read, without leading zeros.
///
/// # Errors
///
/// See [`ColumnError`].
pub fn port(column: &dyn Array, options: impl Into<Options>) -> Result<ArrayRef, ColumnError> {
    texts(column, options.into(), "port", |row, cells| {
        row.push_port(cells);
    })
}

/// The path, and where there is a query a `?` and the query: what Java calls a file, and an HTTP
/// request its target. Null where the path is.
///
/// # Errors
///
/// See [`ColumnError`].
pub fn path_query(
    column: &dyn Array,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    texts(column, options.into(), "path_query", |row, cells| {
        let Some(path) = row.path() else {
            return cells.null();
        };
        // INVARIANT: nothing fails here.
        let _ = cells.push_with(|out| -> Result<(), Reason> {
            out.push_str(path);
            if let Some(query) = row.query() {
                out.push('?');
                out.push_str(query);
            }
            Ok(())
        });
    })
}

/// The port as a number (Int32): null where it is absent, empty or above 65535, except that
/// `java-net-uri` has ports up to 2147483647. A default is not filled in.
///
/// # Errors
///
/// See [`ColumnError`].
pub fn port_number(
    column: &dyn Array,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    no_keep(options, "port_number")?;
    let kernel = Kernel {
        new: Numbers::<Int32Type>::new,
        row: |text: &str, cells: &mut Numbers<Int32Type>| {
            cells.push_some(Row::read(text, options.reader)?.port_number());
            Ok(())
        },
        keep: |_: &str, cells: &mut Numbers<Int32Type>| cells.null(),
    };
    unary(column, options, &kernel)
}
