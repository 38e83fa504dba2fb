//! Schemes: what is known of them independently of any URL.
//!
//! The RFCs define or list these schemes, with a default port or without one, and say whether their
//! paths are hierarchical and what their URLs are for; schemes in common use that no RFC defines are
//! here too, by their own documents. [`known`] returns that as [`Facts`].
//! [Normalizing](crate::op) and [origins](crate::op::Origin) use it.
//!
//! What the parts of a URL mean by the specification of its scheme is in the crate
//! [`urikit-schemes`](https://docs.rs/urikit-schemes): a typed reading and a builder for each
//! scheme.

mod equivalence;
mod facts;
mod table;

pub(crate) use equivalence::{Equivalence, equivalence};
pub use facts::{Denotes, Facts, Status, Userinfo};
pub use table::{all_known, known};
