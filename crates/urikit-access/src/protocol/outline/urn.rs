//! `urn`: a resolver is asked for the name, with the r-component and without the rest (RFC 2141,
//! Appendix A; RFC 8141, 2.3).

use crate::error::Result;
use crate::plan::{Action, Lookup, Plan};
use crate::request::Request;
use urikit_schemes::Urn;

pub(super) fn outline(request: &Request<'_>) -> Result<Plan> {
    let url = Urn::read_as(request.reference, request.edition)?;
    let name = url.request().as_bytes().to_vec();
    let mut plan = Plan::new();
    plan.push(Action::Lookup(Lookup::UrnResolver(name)));
    Ok(plan)
}
