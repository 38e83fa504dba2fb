//! What a wais URL means as data, and what a client asks for (RFC 1738, 3.9; RFC 1625, 4).

use super::super::{AccessError, Detail, Details, Fields, Line, Step};
use super::{Wais, WaisDocument, WaisTarget};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

impl<'a> Wais<'a> {
    /// Its meaning as named values: `database`, and `search`, or `type` and `document_id` (RFC
    /// 1630: `fields`), decoded.
    pub fn details(&self) -> Details<'a> {
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

    /// What a client asks for, in words: the protocol is a binary one.
    ///
    /// # Errors
    ///
    /// If a name or the words contain a control character, or the port is above 65535. A
    /// document-id is any octets.
    pub fn steps(&self) -> Result<Vec<Step<'a>>, AccessError> {
        let mut steps = vec![Step::connect(self.host(), self.port())?];
        let mut say = |step| steps.push(step);
        let database = |what| Step::act_in_line(what, self.database(), "database");
        match self.target() {
            WaisTarget::Database => say(database("asks for the description of the database")?),
            WaisTarget::Search(_) => {
                let words: Vec<u8> = self.words().into_iter().flatten().collect();
                Line::command("").push(words.iter().copied(), "search")?;
                say(database("searches in the database")?);
                say(Step::Act {
                    what: "for the words",
                    with: Cow::Owned(words),
                });
            }
            WaisTarget::Document(document) => {
                say(database("asks the database")?);
                let what = "for the document of type";
                say(Step::act_in_line(what, document.wtype(), "type")?);
                let wpath = document.wpath();
                say(if document.is_rfc1630() {
                    Step::Act {
                        what: "by the fields of the document-id",
                        with: Cow::Borrowed(wpath.as_str().as_bytes()),
                    }
                } else {
                    Step::act("by the document-id", wpath)
                });
            }
        }
        Ok(steps)
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
