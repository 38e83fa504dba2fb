//! The components of a reference, as written, with a type for each.

mod address;
mod authority;
mod decoded;
mod encoded;
pub(crate) mod escapes;
mod host;
mod mask;
pub(crate) mod octets;
mod path;
mod query;

pub use crate::layout::HostKind;
pub use address::AddressKind;
pub use authority::Authority;
#[cfg(feature = "alloc")]
pub use decoded::NotUtf8;
pub use decoded::{Decoded, Octets};
pub use encoded::{DecodedTooLong, Encoded, Split};
pub use host::Host;
pub use mask::{MASK, password_in};
pub(crate) use mask::{Masked, Parts, masked, secret};
pub use path::{Parameters, Path, Segment, Segments};
#[cfg(feature = "alloc")]
pub use query::FormPair;
pub use query::{AMPERSAND, Pair, Pairs};
