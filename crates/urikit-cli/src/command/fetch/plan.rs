//! A plan as lines and as JSON.

use serde::Serialize;
use serde::ser::{SerializeMap, SerializeStruct, Serializer};
use std::borrow::Cow;
use std::io::{self, Write};
use urikit_access::{Action, Error, Plan, Planned};

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
}

impl<'a> Record<'a> {
    pub(super) const fn new(uri: &'a str, plan: Result<&'a Plan, &'a Error>) -> Self {
        Self { uri, plan }
    }
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Plan", 3)?;
        object.serialize_field("uri", self.uri)?;
        let steps = self
            .plan
            .ok()
            .map(|plan| plan.steps().iter().map(Step).collect::<Vec<_>>());
        object.serialize_field("plan", &steps)?;
        let error = self.plan.err().map(ToString::to_string);
        object.serialize_field("error", &error)?;
        object.end()
    }
}

struct Step<'a>(&'a Planned);

impl Serialize for Step<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let text = |octets: &[u8]| -> String { String::from_utf8_lossy(octets).into_owned() };
        let (action, with): (&str, Cow<'_, str>) = match &self.0.action {
            Action::Connect(host, port) => {
                map.serialize_entry("action", "connect")?;
                map.serialize_entry("host", host)?;
                map.serialize_entry("port", port)?;
                map.serialize_entry("when", &self.0.when)?;
                return map.end();
            }
            Action::Send(line) => ("send", text(line.octets()).into()),
            Action::SendForm(form) => ("send", text(&form.octets()).into()),
            Action::Act(what, with) => (what, text(with).into()),
            _ => ("other", "".into()),
        };
        map.serialize_entry("action", action)?;
        map.serialize_entry("text", &with)?;
        map.serialize_entry("when", &self.0.when)?;
        map.end()
    }
}
