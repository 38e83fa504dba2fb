//! An audit as `--json` prints it.

use crate::input::Unparsed;
use crate::reading::Failure;
use crate::record::Object;
use serde::ser::{Serialize, Serializer};
use urikit_audit::{Audit, Finding, Rejection, VOTERS, Voice};

/// One input, and what is known of it.
pub(super) struct Audited<'a> {
    pub(super) input: Unparsed<'a>,
    /// Why it is not valid under RFC 3986.
    pub(super) failure: Option<Failure>,
    /// `None` if the input is not UTF-8.
    pub(super) audit: Option<&'a Audit<'a>>,
}

impl Serialize for Audited<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.input(self.input)?;
        object.field("valid", &self.failure.is_none())?;
        object.error(self.failure.as_ref())?;
        object.audit(self.audit)?;
        object.end()
    }
}

impl<S: Serializer> Object<S> {
    /// Writes what the readers say, and the findings; `None` for an input that is not UTF-8.
    pub(crate) fn audit(&mut self, audit: Option<&Audit<'_>>) -> Result<(), S::Error> {
        let agreement = audit.map(Audit::agreement);
        let disputed: Vec<_> = agreement
            .map(|agreement| agreement.disputed().iter().map(|part| part.as_str()))
            .into_iter()
            .flatten()
            .collect();
        let voices = audit.map(|audit| audit.readings().map(Reading));
        let readings: Vec<_> = voices.into_iter().flatten().collect();
        let found = audit.map(|audit| {
            let findings = audit.findings().iter();
            findings.map(move |finding| Found { audit, finding })
        });
        let findings: Vec<_> = found.into_iter().flatten().collect();
        let worst = audit.and_then(|audit| audit.findings().worst());
        self.field("agreed", &agreement.map(|all| all.is_unanimous()))?;
        self.field("disputed", &disputed)?;
        self.field("severity", &worst.map(|worst| worst.as_str()))?;
        self.field("readings", &readings)?;
        self.field("findings", &findings)
    }
}

/// What one reader says.
struct Reading<'a>(Voice<'a>);

impl Serialize for Reading<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Voice {
            reader, outcome, ..
        } = &self.0;
        let votes = VOTERS.iter().any(|voter| voter.name() == *reader);
        let mut object = Object::new(serializer)?;
        object.field("reader", reader)?;
        object.field("votes", &votes)?;
        object.field("valid", &outcome.is_ok())?;
        match outcome {
            Ok(reading) => {
                let address = reading.address.map(|address| address.to_string());
                object.field("scheme", &reading.scheme)?;
                object.field("userinfo", &reading.userinfo)?;
                object.field("host", &reading.host)?;
                object.field("address", &address)?;
                object.field("port", &reading.port)?;
                object.field("path", &reading.path)?;
            }
            Err(_) => object.nulls(&["scheme", "userinfo", "host", "address", "port", "path"])?,
        }
        object.error(outcome.as_ref().err().map(failure).as_ref())?;
        object.end()
    }
}

/// Why a reader rejects the input. Only the RFCs have productions and sections.
fn failure(rejection: &Rejection) -> Failure {
    match rejection {
        Rejection::Rfc(error) => Failure::Rfc(*error),
        other => Failure::Other(other.to_string()),
    }
}

struct Found<'a> {
    audit: &'a Audit<'a>,
    finding: Finding,
}

impl Serialize for Found<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Finding { code, offset } = self.finding;
        let mut object = Object::new(serializer)?;
        object.field("code", code.as_str())?;
        object.field("severity", code.severity().as_str())?;
        object.field("offset", &offset)?;
        object.field("message", &self.audit.message(self.finding))?;
        object.field("sources", code.source())?;
        object.end()
    }
}
