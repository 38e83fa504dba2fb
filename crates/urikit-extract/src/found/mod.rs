//! What is found in a document: references with their positions and base URIs.

mod base;
mod exceeded;
mod place;
mod position;
mod reference;
mod unresolved;

pub use base::BaseError;
pub use exceeded::Exceeded;
pub use place::{Place, Syntax};
pub use position::Position;
pub use reference::Reference;

pub(crate) use base::{Bases, check_base};
pub(crate) use position::{InPiece, Positions, PositionsIn};
pub(crate) use unresolved::{Held, SharedPlaces, Unresolved};
