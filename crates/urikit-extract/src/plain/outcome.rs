//! What a candidate turns out to be.

use super::bare;
use super::input::Input;
use crate::link::{Link, Marks};

/// What a byte that can be in a link turns out to be.
pub(crate) enum Outcome<'t> {
    /// It is in no link.
    NoLink,
    /// It is in a bare link, whose reference is exactly what is written in this range.
    Bare {
        start: usize,
        end: usize,
        marks: Marks,
    },
    /// It is in this link.
    Link(Link<'t>),
    /// It is in a link that is left out, since it is defanged. The search continues at this offset.
    Skip(usize),
}

impl<'t> Outcome<'t> {
    /// The same, with [`Outcome::Bare`] turned into a [`Link`].
    pub(crate) fn with_link(self, text: &Input<'t>) -> Self {
        match self {
            Self::Bare { start, end, marks } => bare::plain_link(text, start, end, marks).into(),
            outcome => outcome,
        }
    }
}

impl<'t> From<Option<Link<'t>>> for Outcome<'t> {
    fn from(link: Option<Link<'t>>) -> Self {
        link.map_or(Self::NoLink, Self::Link)
    }
}
