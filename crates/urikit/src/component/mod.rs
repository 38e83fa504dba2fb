//! The components of a reference, as written.

mod authority;
mod host;
mod host_kind;
mod mask;
mod path;
mod pct;
mod query;

pub use authority::Authority;
pub use host::Host;
pub use host_kind::HostKind;
pub use mask::{MASK, password_in};
pub(crate) use mask::{Masked, masked, secret};
pub use path::{Parameters, Path, Segment, Segments};
pub use pct::{Decoded, DecodedTooLong, Encoded, Split};
pub use query::{AMPERSAND, FormDecoded, Pair, Pairs};
