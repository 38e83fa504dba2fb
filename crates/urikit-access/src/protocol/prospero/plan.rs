//! What will be sent, in order.

use super::object::Object;
use crate::error::Result;
use crate::plan::{self, Action, Plan};
use crate::request::{Request, Wanted};
use std::borrow::Cow;

/// A condition of Prospero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// The directory server names an access method that can be followed.
    AccessMethod,
    /// The directory server itself is the only access method of the object.
    OnlyContents,
    /// The object has no access method, or is not found as an object.
    NoAccessMethod,
    /// The directory has union links.
    UnionLinks,
}

impl plan::Condition for Condition {
    fn words(&self) -> &'static str {
        match self {
            Self::AccessMethod => "ftp, gopher or wais is one of them",
            Self::OnlyContents => "only Prospero has the contents",
            Self::NoAccessMethod => "the object is a directory",
            Self::UnionLinks => "the directory has union links",
        }
    }
}

/// A step of Prospero, other than its commands.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Follows the URL of an access method that the directory server names.
    FollowAccessMethod,
    /// Lists the targets of the union links of a directory, each on its server.
    ListUnionLinks,
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        let words = match self {
            Self::FollowAccessMethod => "follows the URL of one of the access methods",
            Self::ListUnionLinks => "lists the directories that union links name",
        };
        (words, Cow::Borrowed(&[]))
    }
}

pub(super) fn plan(object: &Object, request: &Request<'_>) -> Result<Plan> {
    let mut plan = Plan::new();
    plan.push(Action::Connect(object.host.clone(), object.port));
    for command in object.information()? {
        plan.send(command);
    }
    let (contents, listing) = (object.contents()?, object.listing()?);
    if request.wanted == Wanted::Body {
        plan.step_if(Condition::AccessMethod, Step::FollowAccessMethod);
        for command in contents {
            plan.send_if(Condition::OnlyContents, command);
        }
        for command in listing {
            plan.send_if(Condition::NoAccessMethod, command);
        }
        plan.step_if(Condition::UnionLinks, Step::ListUnionLinks);
    }
    Ok(plan)
}
