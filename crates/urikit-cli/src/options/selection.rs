//! Which inputs are worked on, and what may be changed in them first.

use super::filters::Where;
use super::lenient::Lenient;

/// The options.
#[derive(clap::Args, Clone, Default, Debug)]
pub(crate) struct Selection {
    #[command(flatten)]
    pub(super) lenient: Lenient,

    #[command(flatten)]
    pub(super) filters: Where,
}

impl Selection {
    /// Whether inputs may be left out.
    pub(crate) fn has_filters(&self) -> bool {
        self.filters.is_given()
    }
}

impl From<Lenient> for Selection {
    fn from(lenient: Lenient) -> Self {
        Self {
            lenient,
            ..Self::default()
        }
    }
}
