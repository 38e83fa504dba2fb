//! A reference as one reader reads it: one interface to all standards and to browsers.

mod components;
mod failure;
mod meaning;
mod outcome;
mod parsed;
pub(crate) mod whatwg;

pub(crate) use components::Components;
pub(crate) use failure::Failure;
pub(crate) use meaning::Meaning;
pub(crate) use outcome::Reading;
pub(crate) use parsed::{parse, serialize};
