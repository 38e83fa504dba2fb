//! What a prospero URL means as data (RFC 1738, 3.11).

use super::super::{Detail, Details, Fields};
use super::{Prospero, Suffix};
use alloc::vec;

impl<'a> Prospero<'a> {
    /// The named values of [`details`](Self::details).
    pub(super) fn named_values(&self) -> Details<'a> {
        let details = Details::new("prospero", self.specification())
            .with("hsoname", self.hsoname())
            .with("version", self.version());
        if matches!(self.suffix, Suffix::Version(_)) {
            return details.with("attributes", self.attributes());
        }
        let fields = self.fields().map(|field| {
            let fields: Fields<'a> =
                vec![("name", field.name.into()), ("value", field.value.into())];
            Detail::Fields(fields)
        });
        details.with("fields", Detail::list(fields))
    }
}
