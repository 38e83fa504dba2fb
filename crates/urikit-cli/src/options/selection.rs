//! Which inputs are worked on, and what may be changed in them first.

use super::filters::Where;
use super::lenient::Lenient;
use urikit_domains::{LIST_DATE, List};

/// The options.
#[derive(clap::Args, Clone, Default, Debug)]
pub(crate) struct Selection {
    #[command(flatten)]
    pub(super) lenient: Lenient,

    #[command(flatten)]
    pub(super) filters: Where,

    #[arg(long, value_name = "FILE", value_parser = crate::fields::read_list, help = list_help(), help_heading = crate::help::SHARED)]
    pub(super) suffix_list: Option<List>,
}

/// The help of `--suffix-list`, with the date of the program's own.
fn list_help() -> String {
    format!("Fill {{domain}} and others by this public suffix list, not by that of {LIST_DATE}")
}

impl Selection {
    /// Returns the list that divides hosts into domains.
    pub(crate) fn domains(&self) -> List {
        self.suffix_list.clone().unwrap_or_default()
    }

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
