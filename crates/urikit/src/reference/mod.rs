//! References: borrowed and owned, with the standard as a type or as a value.

mod any;
#[cfg(feature = "alloc")]
mod builder;
#[cfg(feature = "alloc")]
mod edit;
mod form;
#[cfg(feature = "alloc")]
mod owned;
#[cfg(feature = "serde")]
mod serde;
mod typed;

pub use any::AnyRef;
#[cfg(feature = "alloc")]
pub use builder::{BuildError, UriBuilder};
#[cfg(feature = "alloc")]
pub use edit::{Change, Component, Edit, EditError, Value};
pub use form::Form;
#[cfg(feature = "alloc")]
pub use owned::{IriRefBuf, RejectedText, UriRefBuf};
pub use typed::{IriRef, UriRef};
