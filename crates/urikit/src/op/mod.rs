//! Operations on references, according to the rules of their standard: resolve, relativize,
//! normalize, compare, edit, build, escape, and map IRIs to URIs.
//!
//! Most operations are methods of the reference types. This module contains the options, results
//! and errors of these methods.
//!
//! | operation | RFC 3986 | method or type |
//! |---|---|---|
//! | establish a base | 5.1 | [`BaseUri`] |
//! | resolve | 5.2 | `resolve_against`, `join` |
//! | detect a same-document reference | 4.4 | `Resolved::same_document` |
//! | recompose | 5.3 | `UriBuilder`, `to_builder` |
//! | normalize | 6.2.2, 6.2.3 | `normalize`, `normalize_to`; [`Level`] |
//! | compare | 6.2 | [`compare`](crate::AnyRef::compare), [`NormalKey`] |
//! | mask a password | 3.2.1 | [`display_redacted`](crate::AnyRef::display_redacted) |
//!
//! Both references in an operation must follow the same standard. Otherwise the operation fails or
//! reports that they differ.

// Rustdoc lists methods in this order: resolve, normalize and compare, then edit.
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
#[cfg(feature = "alloc")]
pub mod edit;
#[cfg(feature = "alloc")]
pub mod repair;

pub use base::{BaseUri, Layer};
pub use compare::{Equivalence, NormalKey};
#[cfg(feature = "alloc")]
pub use cow::CowRef;
#[cfg(feature = "alloc")]
pub use edit::{Change, Component, EditError, UriBuilder, Value};
pub use normalize::Level;
pub use origin::{OpaqueOrigin, Origin, default_port};
pub use redact::Redacted;
#[cfg(feature = "alloc")]
pub use relativize::{RelativeOptions, RelativizeError};
#[cfg(feature = "alloc")]
pub use repair::{Repair, RepairError, Repaired};
pub use resolve::{AboveRoot, Options, ResolveError, SameScheme, SlashRule};
#[cfg(feature = "alloc")]
pub use resolve::{Resolved, remove_dot_segments};
