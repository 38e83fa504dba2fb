//! A plan as JSON: what a client does, step by step.

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::borrow::Cow;
use std::fmt::Write as _;
use urikit_access::{Action, Plan, Planned};

/// A plan as a list of steps. This is data, so secrets are not masked. The keys and their order
/// are a public interface.
pub(crate) struct Steps<'a>(pub(crate) &'a Plan);

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.steps().iter().map(Step))
    }
}

struct Step<'a>(&'a Planned);

impl Serialize for Step<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let (action, octets): (&str, Cow<'_, [u8]>) = match &self.0.action {
            Action::Connect(host, port) => {
                map.serialize_entry("action", "connect")?;
                map.serialize_entry("host", host)?;
                map.serialize_entry("port", port)?;
                map.serialize_entry("when", &self.when())?;
                return map.end();
            }
            Action::Send(command) => match command.words() {
                Some(words) => ("send", words.into_bytes().into()),
                None => ("send", command.octets().into()),
            },
            action => action.words(),
        };
        map.serialize_entry("action", action)?;
        map.serialize_entry("text", &String::from_utf8_lossy(&octets))?;
        if let Action::Send(command) = &self.0.action
            && command.words().is_some()
        {
            map.serialize_entry("hex", &hex(&command.octets()))?;
        }
        map.serialize_entry("when", &self.when())?;
        map.end()
    }
}

impl Step<'_> {
    fn when(&self) -> Option<String> {
        self.0.when.as_ref().map(|when| when.to_string())
    }
}

/// Octets in hexadecimal: a message of a binary protocol, whose text is words.
fn hex(octets: &[u8]) -> String {
    octets.iter().fold(String::new(), |mut text, octet| {
        let _ = write!(text, "{octet:02x}");
        text
    })
}
