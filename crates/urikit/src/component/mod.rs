//! The components of a reference, as written, with a type for each.
//!
//! Every type here borrows from the reference and is `Copy`. None of them decodes on its own:
//! `as_str` is the text as written, `len` and all offsets count bytes of that text, and only the
//! `decode` and `to_…` methods return data. `==` with a string compares the text as written.
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
//! In an IRI (RFC 3987) the components may contain characters beyond US-ASCII. They are not
//! escapes: they decode to their octets in UTF-8 (RFC 3987, 3.1).

mod address;
pub(crate) mod encoded;
pub(crate) mod escapes;
mod host;
mod mask;
mod path;
mod query;

pub use crate::layout::HostKind;
pub use address::AddressKind;
#[cfg(feature = "alloc")]
pub use encoded::NotUtf8;
pub use encoded::{Decoded, DecodedTooLong, Encoded, Octets, Split};
#[cfg(feature = "alloc")]
pub(crate) use host::port_number;
pub use host::{Authority, Host, inet_aton};
pub use mask::{MASK, password_in};
pub(crate) use mask::{Masked, Parts, masked, secret};
pub use path::{Parameters, Path, Segment, Segments};
#[cfg(feature = "alloc")]
pub use query::FormPair;
pub use query::{AMPERSAND, Pair, Pairs};
