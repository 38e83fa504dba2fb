//! All parts at once.

use super::parts::no_keep;
use crate::cells::{Cells as _, Records, Text, columns};
use crate::row::Row;
use crate::run::{Kernel, unary};
use crate::{ColumnError, Options};
use arrow_array::cast::AsArray as _;
use arrow_array::{Array, StructArray};
use urikit::HostKind;

columns! {
    /// The fields of a row.
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

/// The components of each row, from one parse: a struct of texts with the fields `scheme`,
/// `userinfo`, `host`, `port`, `path`, `query`, `fragment` and `host_kind`. An absent component is
/// null, an empty one is empty, and each is what the function of its name gives.
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
        new: |rows| Records::new(Parsed::new(rows), rows),
        row: |text: &str, cells: &mut Records<Parsed>| {
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
        keep: |_: &str, cells: &mut Records<Parsed>| cells.null(),
    };
    Ok(unary(column, options, &kernel)?.as_struct().clone())
}
