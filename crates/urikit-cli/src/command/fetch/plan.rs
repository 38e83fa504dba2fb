//! A plan as lines and as JSON.

use crate::columns::columns;
use crate::input::Given;
use crate::output::Output;
use crate::record::{Object, Steps};
use crate::screen::wrapped;
use serde::Serialize;
use serde::ser::Serializer;
use urikit_access::{Class, Error, Plan};

/// The columns of a line before what is sent or done.
const INDENT: usize = "connect  ".len();

/// Prints one line per step, wrapped on a terminal; secrets are masked unless they are to be shown.
pub(super) fn print(plan: &Plan, output: Output, out: &mut Vec<u8>) {
    let columns = columns(std::io::stdout()).filter(|_| output.terminal);
    for step in plan.steps() {
        let line = if output.reporter.show_secrets {
            step.unmasked().to_string()
        } else {
            step.to_string()
        };
        match columns {
            Some(columns) => out.extend(wrapped(&line, INDENT, columns).as_bytes()),
            None => out.extend(line.as_bytes()),
        }
        out.push(b'\n');
    }
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
