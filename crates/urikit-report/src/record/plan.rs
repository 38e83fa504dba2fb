//! Serializes a client's plan as a list of steps.

use serde::ser::{Serialize, Serializer};
use std::fmt::Write as _;
use urikit_access::{Action, Plan, Planned};

/// A plan as a list of steps. Secrets are not masked, because JSON output is exact.
pub struct Steps<'a>(pub &'a Plan);

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.steps().iter().map(Step::new))
    }
}

/// A step. Only connections have `host` and `port`, and only messages of binary protocols have
/// `hex`.
#[derive(Default, serde::Serialize)]
struct Step<'a> {
    action: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hex: Option<String>,
    when: Option<String>,
}

impl<'a> Step<'a> {
    fn new(planned: &'a Planned) -> Self {
        let step = Self {
            when: planned.when.as_ref().map(ToString::to_string),
            ..Self::default()
        };
        let text = |octets: &[u8]| Some(String::from_utf8_lossy(octets).into_owned());
        match &planned.action {
            Action::Connect(host, port) => Self {
                action: "connect",
                host: Some(host),
                port: Some(*port),
                ..step
            },
            Action::Send(command) => {
                let octets = command.octets();
                let words = command.words();
                Self {
                    action: "send",
                    hex: words.is_some().then(|| hex(&octets)),
                    text: words.or_else(|| text(&octets)),
                    ..step
                }
            }
            action => {
                let (action, octets) = action.words();
                Self {
                    action,
                    text: text(&octets),
                    ..step
                }
            }
        }
    }
}

/// Formats the octets of binary messages in hexadecimal.
fn hex(octets: &[u8]) -> String {
    octets.iter().fold(String::new(), |mut text, octet| {
        let _ = write!(text, "{octet:02x}");
        text
    })
}
