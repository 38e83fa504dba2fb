//! `wais` (RFC 1738, 3.9; RFC 1625, 4). The protocol is a binary one, so that only words describe
//! it.

use crate::command::Argument;
use crate::error::Result;
use crate::plan::{Action, Lookup, Plan};
use crate::request::Request;
use crate::url_error::UrlError;
use urikit_schemes::{Wais, WaisTarget};

/// A name and the words must not contain a control character; a document-id is any octets.
pub(super) fn outline(request: &Request<'_>) -> Result<Plan> {
    let url = Wais::read_as(request.reference, request.edition)?;
    let port = url.port().ok_or(UrlError::NoPort)?;
    let mut plan = Plan::new();
    plan.push(Action::Connect(url.host().as_str().to_owned(), port));
    let mut push = |lookup| plan.push(Action::Lookup(lookup));
    let database = Argument::new(url.database().decode(), "database")?;
    let database = database.octets().to_vec();
    match url.target() {
        WaisTarget::Database => push(Lookup::WaisDescription(database)),
        WaisTarget::Search(_) => {
            let words = Argument::new(url.words().into_iter().flatten(), "search")?;
            push(Lookup::WaisSearch(database));
            push(Lookup::WaisWords(words.octets().to_vec()));
        }
        WaisTarget::Document(document) => {
            let kind = Argument::new(document.wtype().decode(), "type")?;
            push(Lookup::WaisDatabase(database));
            push(Lookup::WaisType(kind.octets().to_vec()));
            let path = document.wpath();
            push(if document.is_rfc1630() {
                Lookup::WaisFields(path.as_str().as_bytes().to_vec())
            } else {
                Lookup::WaisDocument(path.to_bytes().into_owned())
            });
        }
    }
    Ok(plan)
}
