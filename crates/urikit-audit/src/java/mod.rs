//! References as `java.net.URI` reads them, exactly: the same acceptance, the same raw and decoded
//! components, and a null host where Java has one.
//!
//! The class follows RFC 2396 and RFC 2732 with deviations that its documentation names, and some
//! that it does not. Engines that imitate Spark's `parse_url` need all of them. This module was
//! written from the documentation of the class and from what JDK 17 answers to inputs
//! (`tests/programs/Components.java`); the source of the JDK was not used. Differences from RFC
//! 2396 and 2732:
//!
//! - Characters beyond US-ASCII are allowed wherever escapes are, and in registry-based
//!   authorities, except control characters and spaces (U+0080 to U+009F, and the categories Zs,
//!   Zl and Zp).
//! - An empty authority is allowed if anything follows it: `file:///x`, `http://?q`, but not
//!   `http://`. An empty path is allowed: the empty reference, `?q`.
//! - `a:?q` is opaque.
//! - `[` and `]` are allowed in queries, fragments and opaque parts.
//! - An IPv6 address may have a zone after `%`: letters, digits, `_` and `.`. `::` replaces at
//!   least one group.
//! - A number of an IPv4 address is at most 255, after any number of zeros.
//! - A host name with one label may begin with a digit (`999`), with several only the last may
//!   not.
//! - A port is at most 2147483647, without leading zeros.
//! - An authority that is not a server is registry-based, and then host and userinfo are null and
//!   the port is -1, here `None`.
//! - Where JDK 17 throws a `NumberFormatException` for a large number in an IPv6 address, the
//!   reference is refused, as JDK 25 does.
//!
//! JDK 17, 21 and 25 give the same for the million inputs of the long test. A warm JVM takes more
//! than ten times as long as this (`bench/`).

mod parse;
mod uri;

pub use uri::{JavaError, JavaExpected, JavaUri};
