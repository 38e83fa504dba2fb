//! `prospero`: a directory server answers with access methods (RFC 1738, 3.11).

use crate::command::Argument;
use crate::error::Result;
use crate::plan::{Action, Lookup, Plan};
use crate::request::Request;
use crate::url_error::UrlError;
use urikit_schemes::Prospero;

/// No line of the protocol may contain a control character.
pub(super) fn outline(request: &Request<'_>) -> Result<Plan> {
    let url = Prospero::read_as(request.reference, request.edition)?;
    let port = url.port().ok_or(UrlError::NoPort)?;
    let mut plan = Plan::new();
    plan.push(Action::Connect(url.host().as_str().to_owned(), port));
    let mut push = |lookup| plan.push(Action::Lookup(lookup));
    let name = Argument::new(url.hsoname().decode(), "object name")?;
    push(Lookup::ProsperoObject(name.octets().to_vec()));
    if let Some(version) = url.version() {
        let version = Argument::new(version.decode(), "version")?;
        push(Lookup::ProsperoVersion(version.octets().to_vec()));
    }
    if let Some(attributes) = url.attributes() {
        let attributes = attributes.to_bytes().into_owned();
        push(Lookup::ProsperoAttributes(attributes));
    }
    for field in url.fields().filter(|field| !field.is_version()) {
        let name = Argument::new(field.name.decode(), "field")?;
        let value = Argument::new(field.value.decode(), "field")?;
        let field = [name.octets(), b"=", value.octets()].concat();
        push(Lookup::ProsperoField(field));
    }
    push(Lookup::ProsperoFollow);
    Ok(plan)
}
