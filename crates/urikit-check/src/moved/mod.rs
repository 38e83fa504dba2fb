//! Files that have moved: their new paths, and the references to write.

mod places;
mod reference;

pub(crate) use places::Places;
pub(crate) use reference::reference;
