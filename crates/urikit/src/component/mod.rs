//! The components of a reference, with a type for each.
//!
//! All component types borrow from the reference and are `Copy`. A component contains the text as
//! written: `as_str` returns the text, and `len` and all offsets count its bytes. Only the
//! `decode` and `to_…` methods return decoded data. `==` with a string compares the text as
//! written.
//!
//! | component | type | absent | empty |
//! |---|---|---|---|
//! | authority | [`Authority`] | `None`: `mailto:a@b` | `file:///etc/motd` |
//! | userinfo, user, password | [`Encoded`] | `None`: no `@`, or no `:` before it | `foo:@host` |
//! | host | [`Host`] | `None`: no authority | [`HostKind::Empty`] |
//! | port | `&str` of digits | `None`: no `:` after the host | `http://a:/` |
//! | path | [`Path`] | never | `http://a` |
//! | query, fragment | [`Encoded`] | `None`: no `?` or `#` | `http://a?#` |
//!
//! ```
//! use urikit::Uri;
//! let url = Uri::parse("http://a:?#")?;
//! assert_eq!(url.authority().unwrap().port(), Some("")); // RFC 3986, 3.2.3: `port = *DIGIT`
//! assert_eq!(url.query().unwrap(), "");
//! assert_eq!(Uri::parse("http://a")?.query(), None);
//! # Ok::<(), urikit::ParseError>(())
//! ```
//!
//! The components of an IRI (RFC 3987) may contain non-ASCII characters, which decode to their
//! UTF-8 octets (RFC 3987, 3.1).

mod address;
pub(crate) mod encoded;
pub(crate) mod escapes;
mod host;
mod mask;
mod path;
mod query;

pub use crate::layout::HostKind;
pub use address::{AddressKind, embedded_ipv4};
#[cfg(feature = "alloc")]
pub use encoded::NotUtf8;
pub use encoded::{Decoded, DecodedTooLong, Encoded, Octets, Split};
#[cfg(feature = "alloc")]
pub(crate) use host::port_number;
pub use host::{Authority, Host, inet_aton};
pub use mask::{MASK, password_in};
pub(crate) use mask::{Masked, Parts, masked, secret, secret_after_slashes};
pub use path::{Parameters, Path, Segment, Segments};
#[cfg(feature = "alloc")]
pub use query::FormPair;
pub use query::{AMPERSAND, Pair, Pairs};
