//! Functions for the components of references, and for the pieces of queries and paths.

use crate::cells::{Cells as _, Lists, Numbers, Structs, Text, fields};
use crate::error::Reason;
use crate::row::Row;
use crate::run::{Kernel, binary, unary};
use crate::{ColumnError, Decoding, OnError, Options, Reader};
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, StructArray};
use urikit::{HostKind, Standard};

/// Rejects `OnError::Keep`: among components, the text of a rejected row would look like a
/// component.
pub(super) fn no_keep(options: Options, function: &'static str) -> Result<(), ColumnError> {
    if options.on_error == OnError::Keep {
        return Err(ColumnError::Keep { function });
    }
    Ok(())
}

/// Creates a column of text. For each row, `push` appends one value to the column.
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
        pub fn $name(
            column: &dyn Array,
            options: impl Into<Options>,
        ) -> Result<ArrayRef, ColumnError> {
            texts(column, options.into(), stringify!($name), |row, cells| {
                cells.push_some(row.$name());
            })
        }
    };
}

part! {
    /// Returns the schemes without their colons. The result is null for relative references.
    scheme
}
part! {
    /// Returns the authorities without their slashes. The result is null if the reference has no
    /// authority.
    authority
}
part! {
    /// Returns the userinfo as written. The result is null if the authority has no `@`.
    userinfo
}
part! {
    /// Returns the paths. The result is null only for URIs that are opaque to `java-net-uri`.
    path
}
part! {
    /// Returns the queries as written, without the `?`. The result is null if the reference has no
    /// query.
    query
}
part! {
    /// Returns the fragments as written, without the `#`. The result is null if the reference has
    /// no fragment.
    fragment
}

/// Returns the hosts. An IPv6 address has brackets if the reader keeps them. The result is null if
/// the reference has no authority, or if `java-net-uri` returns a null host.
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
    // `host` is the most commonly used function, so it requests only the host from the parser and
    // does not use `texts`.
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

/// Returns the kinds of the hosts: `name`, `ipv4`, `ipv6`, `ipvfuture`, `reg-name` or `empty`. The
/// result is null if the reference has no host. If the reader converts addresses, the result is
/// the kind after the conversion.
///
/// # Errors
///
/// See [`ColumnError`].
pub fn host_kind(column: &dyn Array, options: impl Into<Options>) -> Result<ArrayRef, ColumnError> {
    texts(column, options.into(), "host_kind", |row, cells| {
        cells.push_some(row.host_kind().map(urikit::HostKind::as_str));
    })
}

/// Returns the ports as digits. The result is null if no colon follows the host, and empty if
/// nothing follows the colon.
///
/// The standards return the digits as written; all other readers remove leading zeros.
///
/// # Errors
///
/// See [`ColumnError`].
pub fn port(column: &dyn Array, options: impl Into<Options>) -> Result<ArrayRef, ColumnError> {
    texts(column, options.into(), "port", |row, cells| {
        row.push_port(cells);
    })
}

/// Returns the paths, each followed by a `?` and the query if the reference has a query. Java calls
/// this combination the file, and HTTP calls it the request target. The result is null if the path
/// is null.
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
        // INVARIANT: the closure never returns an error.
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

/// Returns the ports as numbers (Int32). The result is null if the port is absent, empty or above
/// 65535 (with `java-net-uri`, above 2147483647). Default ports are not filled in.
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

fields! {
    /// The fields in the result of [`parse`].
    Parsed {
        scheme: Text = "scheme",
        userinfo: Text = "userinfo",
        host: Text = "host",
        port: Text = "port",
        path: Text = "path",
        query: Text = "query",
        fragment: Text = "fragment",
        host_kind: Text = "host_kind",
    }
}

/// Parses each row once and returns a struct with the text fields `scheme`, `userinfo`, `host`,
/// `port`, `path`, `query`, `fragment` and `host_kind`.
///
/// An absent component is null, and an empty component is an empty string. Each field contains the
/// values that the function with the same name returns.
///
/// ```
/// use arrow_array::{Array, StringArray, cast::AsArray};
/// use urikit_columns::{Options, parse};
/// let urls = StringArray::from(vec!["http://u@[::1]:80/a?q", "http://a/|"]);
/// let parsed = parse(&urls, Options::new())?;
/// let part = |name| parsed.column_by_name(name).unwrap().as_string::<i32>().value(0);
/// assert_eq!(["host", "port", "path", "host_kind"].map(part), ["[::1]", "80", "/a", "ipv6"]);
/// assert!(parsed.column_by_name("fragment").unwrap().is_null(0)); // absent
/// assert!(parsed.is_null(1)); // RFC 3986 has no `|`
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn parse(column: &dyn Array, options: impl Into<Options>) -> Result<StructArray, ColumnError> {
    let options = options.into();
    no_keep(options, "parse")?;
    let kernel = Kernel {
        new: |rows| Structs::new(Parsed::new(rows), rows),
        row: |text: &str, cells: &mut Structs<Parsed>| {
            let row = Row::read(text, options.reader)?;
            cells.push(|to| {
                to.scheme.push_some(row.scheme());
                to.userinfo.push_some(row.userinfo());
                to.host.push_some(row.host());
                row.push_port(&mut to.port);
                to.path.push_some(row.path());
                to.query.push_some(row.query());
                to.fragment.push_some(row.fragment());
                to.host_kind
                    .push_some(row.host_kind().map(HostKind::as_str));
            });
            Ok(())
        },
        keep: |_: &str, cells: &mut Structs<Parsed>| cells.null(),
    };
    Ok(unary(column, options, &kernel)?.as_struct().clone())
}

/// Returns the segments of the paths as lists of text. A slash at the beginning is not part of the
/// first segment, so `/` has one empty segment. An empty path has no segments. The result is null
/// if the path is null.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use urikit_columns::{Decoding, Options, path_segments};
/// let urls = StringArray::from(vec!["ftp://host.dom/%2Fetc/motd"]); // RFC 1738, 3.2.2
/// let segments = path_segments(&urls, Decoding::Decoded, Options::new())?;
/// let first = segments.as_list::<i32>().value(0);
/// assert_eq!(first.as_string(), &StringArray::from(vec!["/etc", "motd"]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn path_segments(
    column: &dyn Array,
    decoding: Decoding,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    no_keep(options, "path_segments")?;
    let reader = options.reader;
    let kernel = Kernel {
        new: |rows| Lists::new(Text::new(0), rows),
        row: |text: &str, cells: &mut Lists<Text>| {
            let row = Row::read(text, reader)?;
            let Some(path) = row.path() else {
                cells.null();
                return Ok(());
            };
            cells.push_with(|items| {
                segments(path).try_for_each(|segment| decoding.push(segment, text, items))
            })
        },
        keep: |_: &str, cells: &mut Lists<Text>| cells.null(),
    };
    unary(column, options, &kernel)
}

/// Splits a path from another parser, as [`Path::segments`](urikit::component::Path::segments)
/// does.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    let relative = path.strip_prefix('/').unwrap_or(path);
    let segments = (!path.is_empty()).then(|| relative.split('/'));
    segments.into_iter().flatten()
}

/// Returns the value of the first pair of the query whose decoded name is `name`. The result is
/// null if no pair matches, or if that pair has no `=`. With [`Decoding::Form`], the value of a
/// pair without `=` is empty. With `java-net-uri`, pairs without `=` do not match, as in Spark's
/// `parse_url`, unless they are decoded as a form.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use urikit_columns::{Decoding, Options, query_value};
/// let urls = StringArray::from(vec!["?q=a+b%21&q=c", "?page", "?Q=x"]);
/// let values = query_value(&urls, "q", Decoding::Written, Options::new())?;
/// assert_eq!(values.as_string(), &StringArray::from(vec![Some("a+b%21"), None, None]));
/// let values = query_value(&urls, "q", Decoding::Form, Options::new())?;
/// assert_eq!(values.as_string(), &StringArray::from(vec![Some("a b!"), None, None]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn query_value(
    column: &dyn Array,
    name: &str,
    decoding: Decoding,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    no_keep(options, "query_value")?;
    let reader = options.reader;
    let kernel = Kernel {
        new: Text::new,
        row: |text: &str, cells: &mut Text| push_value(text, name, decoding, reader, cells),
        keep: |_: &str, cells: &mut Text| cells.null(),
    };
    unary(column, options, &kernel)
}

/// Works like [`query_value`], but takes the name from the same row of a second column.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use urikit_columns::{Decoding, Options, query_value_each};
/// let urls = StringArray::from(vec!["?a=1&b=2", "?a=1&b=2", "?a=1"]);
/// let names = StringArray::from(vec![Some("b"), Some("a"), None]);
/// let values = query_value_each(&urls, &names, Decoding::Written, Options::new())?;
/// assert_eq!(values.as_string(), &StringArray::from(vec![Some("2"), Some("1"), None]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn query_value_each(
    column: &dyn Array,
    names: &dyn Array,
    decoding: Decoding,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    no_keep(options, "query_value")?;
    let reader = options.reader;
    let kernel = Kernel {
        new: Text::new,
        row: |text: &str, name: &str, cells: &mut Text| {
            push_value(text, name, decoding, reader, cells)
        },
        keep: |_: &str, cells: &mut Text| cells.null(),
    };
    binary(column, names, options, &kernel)
}

fn push_value(
    text: &str,
    name: &str,
    decoding: Decoding,
    reader: Reader,
    cells: &mut Text,
) -> Result<(), Reason> {
    let row = Row::read(text, reader)?;
    // Spark looks for `(&|^)name=([^&]*)`, which does not match a pair without `=`.
    let needs_value = reader == Reader::JavaNetUri;
    let mut pairs = decoding.pairs(row.query().unwrap_or_default());
    let found = pairs.find(|(written, value)| {
        decoding.is_named(written, name) && (value.is_some() || !needs_value)
    });
    let Some(value) = found.and_then(|(_, value)| value) else {
        cells.null();
        return Ok(());
    };
    decoding.push(value, text, cells)
}

fields! {
    /// The fields of a query pair.
    Pair {
        name: Text = "name",
        value: Text = "value",
    }
}

/// Returns the pairs of the queries as lists of structs with the fields `name` and `value`. The
/// value is null if the pair has no `=`. The list is empty for an empty query, and null if the
/// reference has no query. [`Decoding::Form`] skips empty pairs, and the value of a pair without
/// `=` is empty.
///
/// ```
/// use arrow_array::{Array, StringArray, cast::AsArray};
/// use urikit_columns::{Decoding, Options, query_pairs};
/// let urls = StringArray::from(vec!["?a=1&b", "?", "/"]);
/// let pairs = query_pairs(&urls, Decoding::Written, Options::new())?;
/// let pairs = pairs.as_list::<i32>();
/// let lengths: Vec<_> = (0..3).map(|row| pairs.value_length(row)).collect();
/// assert_eq!(lengths, [2, 0, 0]);
/// assert!(pairs.is_null(2));
/// let first = pairs.value(0);
/// let values = first.as_struct().column_by_name("value").unwrap().as_string::<i32>();
/// assert_eq!(values, &StringArray::from(vec![Some("1"), None]));
/// # Ok::<(), urikit_columns::ColumnError>(())
/// ```
///
/// # Errors
///
/// See [`ColumnError`].
pub fn query_pairs(
    column: &dyn Array,
    decoding: Decoding,
    options: impl Into<Options>,
) -> Result<ArrayRef, ColumnError> {
    let options = options.into();
    no_keep(options, "query_pairs")?;
    let reader = options.reader;
    let kernel = Kernel {
        new: |rows| Lists::new(Structs::new(Pair::new(0), 0), rows),
        row: |text: &str, cells: &mut Lists<Structs<Pair>>| {
            let row = Row::read(text, reader)?;
            let Some(query) = row.query() else {
                cells.null();
                return Ok(());
            };
            cells.push_with(|items| {
                for (name, value) in decoding.pairs(query) {
                    items.push_with(|to| -> Result<(), Reason> {
                        decoding.push(name, text, &mut to.name)?;
                        match value {
                            Some(value) => decoding.push(value, text, &mut to.value)?,
                            None => to.value.null(),
                        }
                        Ok(())
                    })?;
                }
                Ok(())
            })
        },
        keep: |_: &str, cells: &mut Lists<Structs<Pair>>| cells.null(),
    };
    unary(column, options, &kernel)
}
