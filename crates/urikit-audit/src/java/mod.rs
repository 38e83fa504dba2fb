//! An exact model of `java.net.URI`: it accepts the same references, and returns the same raw and
//! decoded components, including null hosts.
//!
//! The class follows RFC 2396 and RFC 2732 with some deviations, not all of which are documented.
//! Engines that imitate Spark's `parse_url` need all components that the class returns. This module
//! was written from the documentation of the class and the results of JDK 17
//! (`tests/programs/Components.java`), not from the JDK's source. The deviations:
//!
//! - Non-ASCII characters are allowed wherever escapes are, and in registry-based authorities. The
//!   exceptions are control characters (U+0080 to U+009F) and spaces (the categories Zs, Zl and
//!   Zp).
//! - An empty authority is allowed if anything follows it: `file:///x`, `http://?q`, but not
//!   `http://`. An empty path is allowed, as in the empty reference and `?q`.
//! - `a:?q` is opaque.
//! - `[` and `]` are allowed in queries, fragments and opaque parts.
//! - An IPv6 address may have a zone after `%`: letters, digits, `_` and `.`. In an IPv6 address,
//!   `::` replaces at least one group.
//! - A number in an IPv4 address is at most 255, and may have any number of leading zeros.
//! - A host name with one label may begin with a digit (`999`). In a name with several labels, the
//!   last must begin with a letter.
//! - A port is at most 2147483647 and has no leading zeros.
//! - An authority that is not a server is registry-based. For such an authority, Java returns null
//!   for host and userinfo, and -1 for the port; this model returns `None` for each.
//! - JDK 17 throws a `NumberFormatException` for a large number in an IPv6 address. This module
//!   rejects the reference, as JDK 25 does.
//!
//! JDK 17, 21 and 25 return the same components for the million inputs of the long test. A
//! warmed-up JVM takes more than ten times as long as this module (`bench/`).

mod parse;
mod resolve;
mod uri;

pub(crate) use resolve::resolve;

pub use uri::{JavaError, JavaExpected, JavaUri};
