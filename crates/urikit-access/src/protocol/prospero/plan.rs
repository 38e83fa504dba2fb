//! What will be sent, in order.

use super::object::Object;
use crate::error::Result;
use crate::plan::{Action, Condition, Plan};
use crate::request::{Request, Wanted};

pub(super) fn plan(object: &Object, request: &Request<'_>) -> Result<Plan> {
    let mut plan = Plan::new();
    plan.push(Action::Connect(object.host.clone(), object.port));
    for command in object.information()? {
        plan.send(command);
    }
    let (contents, listing) = (object.contents()?, object.listing()?);
    if request.wanted == Wanted::Body {
        plan.push_if(Condition::AccessMethod, Action::FollowAccessMethod);
        for command in contents {
            plan.send_if(Condition::OnlyContents, command);
        }
        for command in listing {
            plan.send_if(Condition::NoAccessMethod, command);
        }
        plan.push_if(Condition::UnionLinks, Action::ListUnionLinks);
    }
    Ok(plan)
}
