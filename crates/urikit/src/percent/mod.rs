//! Percent-encoding: from data to text for a component, and back.
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
//! **Per component and standard.** [`Place::class`] has the characters that are not escaped in a
//! component: those of the standard's production, without the delimiters there (RFC 3986, 2.2; RFC
//! 2396, 2.2; RFC 1738, 2.2; RFC 1630, Encoding reserved characters). Everything else becomes `%`
//! and two hexadecimal digits, in upper case (RFC 3986, 2.1).
//!
//! **Never twice.** [`Reading`] says how a `%` in the data is read: as data like all other
//! characters, or as the beginning of an escape that is kept (RFC 2396, 2.4.2; RFC 3986, 2.4).
//!
//! **Octets and characters.** An escape encodes an octet. Which characters the octets mean is not
//! defined by the generic syntax (RFC 2396, 2.1): RFC 1630 says ISO Latin-1, later standards
//! recommend UTF-8 (RFC 3986, 2.5). So the caller chooses: [`Decoded::to_utf8`],
//! [`Decoded::to_latin1`], [`latin1`](fn@latin1).
//!
//! **Spaces.** In the search part of RFC 1630 a `+` is a space and a plus sign is `%2B`. HTML
//! forms use this in every query, but no later RFC has it, so there it must be requested
//! ([`Escaped::form`], [`Decoded::form`]).
//!
//! **Complete references.** [`safer`](fn@safer) and [`plainer`] escape more or fewer characters of a
//! reference without changing what it means (RFC 1630, Reduced or increased safe character sets).

mod decode;
mod encode;
mod place;
#[cfg(feature = "alloc")]
mod safer;

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
pub use safer::{RewriteError, plainer, plainer_into, safer, safer_into};
