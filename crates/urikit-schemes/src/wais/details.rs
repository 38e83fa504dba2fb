//! What a wais URL means as data (RFC 1738, 3.9; RFC 1625, 4).

use super::super::{Detail, Details, Fields};
use super::{Wais, WaisDocument, WaisTarget};
use alloc::string::String;
use alloc::vec;

impl<'a> Wais<'a> {
    /// The named values of [`details`](Self::details).
    pub(super) fn named_values(&self) -> Details<'a> {
        let details = Details::new("wais", self.specification());
        match self.target() {
            WaisTarget::Database => details
                .with("kind", "database")
                .with("database", self.database()),
            WaisTarget::Search(search) => {
                let words = self.words().into_iter().flatten().collect();
                let words = String::from_utf8(words);
                let as_written = |_| Detail::from(search.as_str());
                details
                    .with("kind", "search")
                    .with("database", self.database())
                    .with("search", words.map_or_else(as_written, Detail::from))
            }
            WaisTarget::Document(document) => {
                let details = details
                    .with("kind", "document")
                    .with("database", self.database())
                    .with("type", document.wtype());
                if document.is_rfc1630() {
                    details.with("fields", fields(document))
                } else {
                    details.with("document_id", document.wpath())
                }
            }
        }
    }
}

/// The fields of a document-id, each with its number, name and contents.
fn fields(document: WaisDocument<'_>) -> Detail<'_> {
    let fields = document.fields().into_iter().flatten().map(|field| {
        let fields: Fields<'_> = vec![
            ("number", field.number().map(u64::from).into()),
            ("name", field.name().into()),
            ("value", field.value().into()),
        ];
        Detail::Fields(fields)
    });
    Detail::list(fields)
}
