//! References: ten types, in pairs of one that borrows its text and one that owns it.
//!
//! | borrowed | owned | a text that is valid as |
//! |---|---|---|
//! | [`Uri`] | `UriBuf` | `URI` (RFC 3986, 3): it has a scheme |
//! | [`UriRef`] | `UriRefBuf` | `URI-reference` (RFC 3986, 4.1): it may be relative |
//! | [`Iri`] | `IriBuf` | `IRI` (RFC 3987, 2.2) |
//! | [`IriRef`] | `IriRefBuf` | `IRI-reference` (RFC 3987, 2.2) |
//! | [`AnyRef`] | `AnyRefBuf` | a reference of the [`Standard`](crate::Standard) that it carries |
//!
//! A borrowed one is a text and the offsets of its components, 56 bytes, `Copy`. The concrete
//! types wrap [`AnyRef`], so converting between them never parses again.

// The types come first, so that rustdoc lists their parsing and getters first.
mod any;
#[cfg(feature = "alloc")]
mod any_buf;
mod iri;
mod iri_ref;
mod uri;
mod uri_ref;

mod convert;
mod form;
pub(crate) mod getters;
#[cfg(any(feature = "http", feature = "url"))]
mod interop;
mod invalid;
#[cfg(feature = "alloc")]
mod rejected;
mod sealed;
#[cfg(feature = "serde")]
mod serde;
mod traits;

pub use any::AnyRef;
#[cfg(feature = "alloc")]
pub use any_buf::AnyRefBuf;
pub use form::Form;
pub use iri::Iri;
#[cfg(feature = "alloc")]
pub use iri::IriBuf;
pub use iri_ref::IriRef;
#[cfg(feature = "alloc")]
pub use iri_ref::IriRefBuf;
#[cfg(feature = "alloc")]
pub use rejected::Rejected;
pub use sealed::Reference;
#[cfg(feature = "alloc")]
pub(crate) use sealed::Sealed;
pub use uri::Uri;
#[cfg(feature = "alloc")]
pub use uri::UriBuf;
pub use uri_ref::UriRef;
#[cfg(feature = "alloc")]
pub use uri_ref::UriRefBuf;
