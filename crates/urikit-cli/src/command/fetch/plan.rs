//! A plan as lines and as JSON.

use crate::input::Given;
use crate::record::{Object, Steps};
use serde::Serialize;
use serde::ser::Serializer;
use std::io::{self, Write};
use urikit_access::{Class, Error, Plan};

/// Prints one line per step; secrets are masked unless `show_secrets` is set.
pub(super) fn print(plan: &Plan, show_secrets: bool, out: &mut Vec<u8>) -> io::Result<()> {
    for step in plan.steps() {
        if show_secrets {
            writeln!(out, "{}", step.unmasked())?;
        } else {
            writeln!(out, "{step}")?;
        }
    }
    Ok(())
}

/// A plan as JSON. This is data, so secrets are not masked. The keys and their order are a public
/// interface.
pub(super) struct Record<'a> {
    uri: &'a str,
    plan: Result<&'a Plan, &'a Error>,
    given: Given<'a>,
}

impl<'a> Record<'a> {
    pub(super) const fn new(
        uri: &'a str,
        plan: Result<&'a Plan, &'a Error>,
        given: Given<'a>,
    ) -> Self {
        Self { uri, plan, given }
    }
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.field("uri", self.uri)?;
        object.input(self.given)?;
        let error = self.plan.err();
        let valid = error.is_none_or(|error| error.class() != Class::Invalid);
        object.field("valid", &valid)?;
        object.field("plan", &self.plan.ok().map(Steps))?;
        object.access_error("error", error)?;
        object.end()
    }
}
