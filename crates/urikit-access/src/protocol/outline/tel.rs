//! `tel`: a call, never without asking (RFC 3966, 11).

use super::Step;
use crate::error::Result;
use crate::plan::Plan;
use crate::request::Request;
use urikit_schemes::{ReadError, Tel};

/// A number with an unknown mandatory parameter must not be used (RFC 3966, 5.4).
pub(super) fn outline(request: &Request<'_>) -> Result<Plan> {
    let url = Tel::read_as(request.reference, request.edition)?;
    if let Some(mismatch) = url.unknown_mandatory() {
        return Err(ReadError::Mismatch(mismatch).into());
    }
    let mut plan = Plan::new();
    plan.step(Step::AskBeforeCall);
    let mut push = |step| plan.step(step);
    if let Some(context) = url.phone_context() {
        push(Step::DialWithin(context.as_bytes().to_vec()));
    }
    let digits = url.digits().collect::<String>();
    push(Step::CallNumber(digits.into_bytes()));
    if let Some(digits) = url.ext_digits() {
        let digits = digits.collect::<String>();
        push(Step::AskForExtension(digits.into_bytes()));
    }
    if let Some(subaddress) = url.isub() {
        push(Step::AskForSubaddress(subaddress.to_bytes().into_owned()));
    }
    Ok(plan)
}
