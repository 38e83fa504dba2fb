//! Operations on references, each by the rules of its standard: resolve, relativize, normalize,
//! compare, edit and build, escape, map IRIs to URIs.
//!
//! Most are methods of the reference types. What is here is their options, results and errors.
//!
//! | operation | RFC 3986 | method |
//! |---|---|---|
//! | establish a base | 5.1 | [`BaseUri`] |
//! | resolve | 5.2 | `resolve_against`, `join` |
//! | same document | 4.4 | `Resolved::same_document` |
//! | recompose | 5.3 | `UriBuilder`, `to_builder` |
//! | normalize | 6.2.2, 6.2.3 | `normalize`, `normalize_to`; [`Level`] |
//! | compare | 6.2 | [`compare`](crate::AnyRef::compare), [`Normal`] |
//! | hide a password | 3.2.1 | [`redact`](crate::AnyRef::redact) |
//!
//! No operation reads a reference of one standard by the rules of another: those that take two
//! references return an error, or find them different, if the standards differ.

// In this order rustdoc lists the methods of a type: resolve, normalize and compare, then edit.
mod methods;

mod compare;
pub mod iri;
mod normalize;
mod origin;
mod redact;
#[cfg(feature = "alloc")]
pub mod relativize;
pub mod resolve;

pub mod base;
#[cfg(feature = "alloc")]
mod cow;
mod dots;
#[cfg(feature = "alloc")]
pub mod edit;
#[cfg(feature = "alloc")]
pub mod repair;

pub use base::{BaseUri, Layer};
pub use compare::{Equivalence, Normal};
#[cfg(feature = "alloc")]
pub use cow::CowRef;
#[cfg(feature = "alloc")]
pub use edit::{Change, Component, EditError, UriBuilder, Value};
pub use normalize::Level;
pub use origin::{Origin, default_port};
pub use redact::Redacted;
#[cfg(feature = "alloc")]
pub use relativize::{RelativeOptions, RelativizeError};
#[cfg(feature = "alloc")]
pub use repair::{Repair, RepairError, Repaired};
#[cfg(feature = "alloc")]
pub use resolve::Resolved;
pub use resolve::{AboveRoot, Options, ResolveError, SameScheme, SlashRule};
