//! The ten reference types: five that borrow their text, and an owned form of each.
//!
//! | borrowed | owned | valid as |
//! |---|---|---|
//! | [`Uri`] | `UriBuf` | `URI` (RFC 3986, 3): it has a scheme |
//! | [`UriRef`] | `UriRefBuf` | `URI-reference` (RFC 3986, 4.1): it may be relative |
//! | [`Iri`] | `IriBuf` | `IRI` (RFC 3987, 2.2) |
//! | [`IriRef`] | `IriRefBuf` | `IRI-reference` (RFC 3987, 2.2) |
//! | [`AnyRef`] | `AnyRefBuf` | a reference of the [`Standard`](crate::Standard) that it records |
//!
//! A borrowed reference consists of its text and the offsets of its components. A borrowed
//! reference occupies 56 bytes and is `Copy`. The concrete types wrap [`AnyRef`], so conversions
//! between them do not parse again.

// The types come first, so that rustdoc lists their parsers and getters first.
mod any;
#[cfg(feature = "alloc")]
mod any_buf;
mod iri;
mod known;
mod uri;

mod convert;
mod errors;
pub(crate) mod getters;
#[cfg(any(feature = "http", feature = "serde", feature = "url"))]
mod interop;
mod traits;

pub use any::{AnyRef, Form};
#[cfg(feature = "alloc")]
pub use any_buf::AnyRefBuf;
#[cfg(feature = "alloc")]
pub use errors::Rejected;
pub use iri::{Iri, IriRef};
#[cfg(feature = "alloc")]
pub use iri::{IriBuf, IriRefBuf};
pub(crate) use known::{Every, Known, Recent, Standards};
pub use traits::Reference;
#[cfg(feature = "alloc")]
pub(crate) use traits::Sealed;
pub use uri::{Uri, UriRef};
#[cfg(feature = "alloc")]
pub use uri::{UriBuf, UriRefBuf};
