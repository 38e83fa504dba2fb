//! Operations: what is done with references, each by its standard's own text.

pub mod base;
mod compare;
mod dots;
pub mod iri;
mod normalize;
pub mod percent;
mod redact;
#[cfg(feature = "alloc")]
pub mod relativize;
pub mod resolve;

pub use base::{BaseUri, Layer};
pub use compare::{Normal, Rung};
pub use normalize::{Level, UnknownLevel, default_port};
pub use redact::Redacted;
#[cfg(feature = "alloc")]
pub use relativize::RelativizeError;
#[cfg(feature = "alloc")]
pub use resolve::Resolved;
pub use resolve::{AboveRoot, Options, ResolveError, SameScheme, SlashRule};
