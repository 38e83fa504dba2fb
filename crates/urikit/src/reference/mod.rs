//! References: borrowed and owned, with the standard as a type or as a value.

mod any;
mod form;
#[cfg(feature = "alloc")]
mod owned;
#[cfg(feature = "serde")]
mod serde;
mod typed;

pub use any::AnyRef;
pub use form::Form;
#[cfg(feature = "alloc")]
pub use owned::{IriRefBuf, RejectedText, UriRefBuf};
pub use typed::{IriRef, UriRef};
