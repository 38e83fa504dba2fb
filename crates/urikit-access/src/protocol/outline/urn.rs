//! `urn`: a resolver is asked for the name, with the r-component and without the rest (RFC 2141,
//! Appendix A; RFC 8141, 2.3).

use super::Step;
use crate::error::Result;
use crate::plan::Plan;
use crate::request::Request;
use urikit_schemes::Urn;

pub(super) fn outline(request: &Request<'_>) -> Result<Plan> {
    let url = Urn::read_as(request.reference, request.edition)?;
    let name = url.request().as_bytes().to_vec();
    let mut plan = Plan::new();
    plan.step(Step::AskUrnResolver(name));
    Ok(plan)
}
