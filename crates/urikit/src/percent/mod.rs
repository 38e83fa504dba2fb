//! Percent-encoding: converts data to text for a component, and back.
//!
//! ```
//! use urikit::Standard;
//! use urikit::percent::{Place, decode, encode};
//! let value = encode("a b&c", Place::QueryValue, Standard::Rfc3986)?;
//! assert_eq!(value.to_string(), "a%20b%26c");
//! let data = decode("a%20b%26c", Place::QueryValue, Standard::Rfc3986)?;
//! assert!(data.octets().eq(*b"a b&c"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **By component and standard.** [`Place::class`] returns the characters that stay literal in a
//! component: those of the standard's production, except the delimiters in that component (RFC
//! 3986, 2.2; RFC 2396, 2.2; RFC 1738, 2.2; RFC 1630, Encoding reserved characters). All other
//! characters become `%` and two hexadecimal digits in upper case (RFC 3986, 2.1).
//!
//! **Never twice.** [`Reading`] selects the meaning of a `%` in the data: either it is data like
//! any other character, or it begins an escape that is kept (RFC 2396, 2.4.2; RFC 3986, 2.4).
//!
//! **Octets and characters.** An escape encodes an octet. The generic syntax does not define the
//! charset (RFC 2396, 2.1): RFC 1630 uses ISO Latin-1, and later standards recommend UTF-8 (RFC
//! 3986, 2.5). The caller chooses: `Decoded::decode_utf8`, `Decoded::to_latin1`,
//! `latin1`.
//!
//! **Spaces.** In the search part of RFC 1630, a `+` is a space and a plus sign is `%2B`. HTML
//! forms use `+` for a space in every query, but no later RFC does. For other standards, use
//! [`Escaped::form`] and [`Decoded::form`].
//!
//! **Complete references.** `escape_unreserved` and `unescape_unreserved` escape more or fewer
//! characters of a reference without changing its meaning (RFC 1630, Reduced or increased safe
//! character sets).

mod decode;
mod encode;
mod place;
#[cfg(feature = "alloc")]
mod rewrite;

#[cfg(feature = "alloc")]
pub use crate::component::NotUtf8;
pub use crate::component::{Decoded, Octets};
pub(crate) use crate::octet::{escape, escaped_char, escaped_octet};
#[cfg(feature = "alloc")]
pub use decode::latin1;
pub use decode::{decode, utf8};
#[cfg(feature = "alloc")]
pub use encode::encode_into;
pub(crate) use encode::is_fit_for_iris;
pub use encode::{EncodeError, Escaped, EscapedWith, Reading, encode, encode_with};
pub use place::Place;
#[cfg(feature = "alloc")]
pub use rewrite::{
    RewriteError, escape_unreserved, escape_unreserved_into, unescape_unreserved,
    unescape_unreserved_into,
};
