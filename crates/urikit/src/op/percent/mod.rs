//! Percent-encoding: data to text that may stand in a component, and back.
//!
//! ```
//! use urikit::Standard;
//! use urikit::op::percent::{Component, decode, encode};
//! let value = encode("a b&c", Component::QueryValue, Standard::Rfc3986)?;
//! assert_eq!(value.to_string(), "a%20b%26c");
//! let data = decode("a%20b%26c", Component::QueryValue, Standard::Rfc3986)?;
//! assert!(data.octets().eq(*b"a b&c"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Per component and standard.** [`Component::class`] gives the characters that stand for
//! themselves in a component: those of the standard's own production, without the ones that delimit
//! something there (RFC 3986, 2.2; RFC 2396, 2.2; RFC 1738, 2.2; RFC 1630, Encoding reserved
//! characters). Everything else becomes `%` and two hexadecimal digits, in upper case (RFC 3986, 2.1).
//!
//! **Never twice.** [`Reading`] says what a `%` in the data is: data like all other characters, or
//! the beginning of an escape that stays as it is (RFC 2396, 2.4.2; RFC 3986, 2.4).
//!
//! **Octets and characters.** An escape stands for an octet. Which character the octets mean is a
//! second question that no generic syntax answers (RFC 2396, 2.1): RFC 1630 says ISO Latin-1, later
//! texts recommend UTF-8 (RFC 3986, 2.5), so that the caller names one: [`Decoded::to_utf8`],
//! [`Decoded::to_latin1`], [`latin1`].
//!
//! **Spaces.** In the search part of RFC 1630 a `+` is a space and a real plus is `%2B`; forms took
//! that over for every query, which no later text has: there one asks for it ([`Escaped::form`],
//! [`Decoded::form`]).
//!
//! **Whole references.** [`safer`] and [`plainer`] escape more or fewer characters of a reference
//! without changing what it means (RFC 1630, Reduced or increased safe character sets).

mod chars;
mod classes;
mod component;
mod decode;
mod encode;
#[cfg(feature = "alloc")]
mod latin1;
#[cfg(feature = "alloc")]
mod safer;
mod unescape;

pub(crate) use chars::{escape, escaped_char, escaped_octet, is_fit_for_iris};
pub use component::{Component, UnknownComponent};
#[cfg(feature = "alloc")]
pub use decode::NotUtf8;
pub use decode::{Decoded, Octets, decode, utf8};
#[cfg(feature = "alloc")]
pub use encode::encode_into;
pub use encode::{EncodeError, Escaped, Reading, encode};
#[cfg(feature = "alloc")]
pub use latin1::latin1;
#[cfg(feature = "alloc")]
pub use safer::{RewriteError, plainer, plainer_into, safer, safer_into};
