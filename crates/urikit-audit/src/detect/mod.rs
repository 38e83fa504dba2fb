//! From an input to its findings, one file for each part of it.

mod address;
mod authority;
mod characters;
mod disagreement;
mod escapes;
mod name;
mod path;
mod port;
mod scheme;
mod shape;

use crate::agree::Agreement;
use crate::finding::Findings;
use shape::Shape;

/// The findings of an input, of which readers say this.
pub(crate) fn findings(input: &str, agreement: &Agreement<'_>) -> Findings {
    let shape = Shape::of(input);
    let mut found = Findings::default();
    disagreement::find(&shape, agreement, &mut found);
    characters::find(&shape, &mut found);
    escapes::find(&shape, &mut found);
    scheme::find(&shape, &mut found);
    authority::find(&shape, &mut found);
    address::find(&shape, agreement, &mut found);
    name::find(&shape, &mut found);
    port::find(&shape, &mut found);
    path::find(&shape, &mut found);
    found.sort();
    found
}
