//! The audit: the results of parsers, their agreement, findings, and the gate.

use crate::text::Text;
use crate::{errors, names};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::net::IpAddr;
use urikit_audit::java::JavaUri;
use urikit_audit::{
    Agreement, BaseError, Finding, Gate, JavaNetUri, Part, Reader as _, Reading, Rejection,
};

/// The scheme, userinfo, host, address, port and path (`None` if it is null), and whether the host
/// is null although the URL has an authority.
type Parts = (
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    bool,
);

/// The reader's name, its result if it accepts the string, and the reason and byte offset if it
/// rejects the string.
type Voice = (&'static str, Option<Parts>, Option<(String, Option<usize>)>);

/// A finding: its code, its severity, its offset in bytes, its message, and the reader in whose
/// target it was found.
type Found = (
    &'static str,
    &'static str,
    usize,
    String,
    Option<&'static str>,
);

/// A component, and each of its values with the readers that returned it.
type Disputed = (&'static str, Vec<(String, Vec<&'static str>)>);

fn parts(reader: &'static str, text: &str, reading: &Reading<'_>) -> Parts {
    // In Java, the path of an opaque URI is null, but a `Reading` contains the scheme-specific part
    // instead.
    let is_null = reader == JavaNetUri.name()
        && !reading.path.starts_with('/')
        && JavaUri::parse(text).is_ok_and(|uri| uri.raw_path().is_none());
    let own = |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().map(str::to_owned);
    (
        own(&reading.scheme),
        own(&reading.userinfo),
        own(&reading.host),
        reading.address.map(|address| address.to_string()),
        own(&reading.port),
        (!is_null).then(|| reading.path.to_string()),
        reading.has_null_host,
    )
}

fn voice(reader: &'static str, text: &str, outcome: &Result<Reading<'_>, Rejection>) -> Voice {
    match outcome {
        Ok(reading) => (reader, Some(parts(reader, text, reading)), None),
        Err(rejection) => {
            let why = (rejection.to_string(), rejection.offset());
            (reader, None, Some(why))
        }
    }
}

fn disputed(agreement: &Agreement<'_>) -> Vec<Disputed> {
    let of = |part: Part| {
        let sides = agreement.sides(part).into_iter();
        let sides = sides.map(|side| (side.value.into_owned(), side.readers));
        (part.as_str(), sides.collect())
    };
    agreement.disputed().iter().map(of).collect()
}

fn found(finding: Finding, message: String) -> Found {
    let severity = finding.severity().as_str();
    (
        finding.code.as_str(),
        severity,
        finding.offset,
        message,
        None,
    )
}

/// Parses a string with one reader.
#[pyfunction]
pub(crate) fn read(text: Text<'_>, reader: &str) -> PyResult<Voice> {
    let reader = names::reader(reader)?;
    Ok(voice(reader.name(), &text, &reader.read(&text)))
}

/// Returns the outcomes of the readers that vote, and the disputed parts.
#[pyfunction]
pub(crate) fn agree(py: Python<'_>, text: Text<'_>) -> (Vec<Voice>, Vec<Disputed>) {
    py.detach(|| {
        let agreement = urikit_audit::agree(&text);
        let voices = agreement.voices().iter();
        let voices = voices
            .map(|one| voice(one.reader, &text, &one.outcome))
            .collect();
        (voices, disputed(&agreement))
    })
}

/// Returns the outcomes of all readers, the disputed parts, and the findings.
#[pyfunction]
pub(crate) fn audit(py: Python<'_>, text: Text<'_>) -> (Vec<Voice>, Vec<Disputed>, Vec<Found>) {
    py.detach(|| {
        let report = urikit_audit::audit(&text);
        let voices = report
            .readings()
            .map(|one| voice(one.reader, &text, &one.outcome));
        let findings = report.findings().iter();
        let findings = findings.map(|one| found(one, report.message(one).into_owned()));
        (
            voices.collect(),
            disputed(report.agreement()),
            findings.collect(),
        )
    })
}

/// Resolves a target against a base with several readers, and returns their outcomes, the disputed
/// parts, and the findings.
#[pyfunction]
pub(crate) fn audit_target(
    py: Python<'_>,
    target: Text<'_>,
    base: Text<'_>,
    keep: &str,
) -> PyResult<(Vec<Voice>, Vec<Disputed>, Vec<Found>)> {
    let keep = names::named(keep)?;
    py.detach(|| {
        let answer = urikit_audit::same_site(&base, &target, keep)?;
        let readings = answer.readings();
        let voices = readings.iter().map(|resolved| {
            let outcome = resolved.outcome.as_ref();
            let target = outcome.map_or("", |to| &*to.target);
            let outcome = outcome.map(|to| to.reading.clone()).map_err(|error| *error);
            voice(resolved.reader, target, &outcome)
        });
        let findings = answer.audit().into_iter().map(|located| {
            let (code, severity, offset, message, _) =
                found(located.finding, located.message.into_owned());
            (code, severity, offset, message, located.reader)
        });
        Ok((
            voices.collect(),
            disputed(&answer.agreement()),
            findings.collect(),
        ))
    })
    .map_err(|error: BaseError| PyValueError::new_err(error.to_string()))
}

/// The reader's name, the resolved target and its components if the reader accepts the target,
/// whether the target stays on the site, and the reason and byte offset if the reader rejects the
/// target.
type Led = (
    &'static str,
    Option<(String, Parts)>,
    bool,
    Option<(String, Option<usize>)>,
);

/// Returns whether a target passes the check, the target as each reader resolves it, and the
/// findings.
#[pyfunction]
pub(crate) fn same_site(
    py: Python<'_>,
    base: Text<'_>,
    target: Text<'_>,
    keep: &str,
) -> PyResult<(bool, Vec<Led>, Vec<Found>)> {
    let keep = names::named(keep)?;
    py.detach(|| {
        let answer = urikit_audit::same_site(&base, &target, keep)?;
        let readings = answer.readings();
        let readings = readings.iter().map(|resolved| match &resolved.outcome {
            Ok(to) => {
                let parts = parts(resolved.reader, &to.target, &to.reading);
                (
                    resolved.reader,
                    Some((to.target.clone(), parts)),
                    to.keeps(),
                    None,
                )
            }
            Err(rejection) => {
                let why = (rejection.to_string(), rejection.offset());
                (resolved.reader, None, false, Some(why))
            }
        });
        let findings = answer.findings();
        let findings = findings
            .iter()
            .map(|one| found(one, one.code.sentence().to_owned()));
        Ok((answer.passes(), readings.collect(), findings.collect()))
    })
    .map_err(|error: BaseError| PyValueError::new_err(error.to_string()))
}

/// The Rust gate that implements `urikit.Gate`.
#[pyclass(frozen, module = "urikit._urikit", name = "Gate")]
pub(crate) struct PyGate(Gate);

#[pymethods]
impl PyGate {
    #[new]
    fn new(
        schemes: Option<Vec<String>>,
        ports: Option<Vec<u16>>,
        hosts: Option<Vec<String>>,
        domains: Option<Vec<String>>,
        addresses: Option<Vec<String>>,
        reject_from: &str,
    ) -> PyResult<Self> {
        let invalid = |message: String| PyValueError::new_err(message);
        let severity = reject_from
            .parse()
            .map_err(|error: urikit::UnknownName| invalid(error.to_string()))?;
        let mut gate = Gate::strict().reject_from(severity);
        if let Some(schemes) = schemes {
            gate = gate.schemes(schemes);
        }
        if let Some(ports) = ports {
            gate = gate.ports(ports);
        }
        if hosts.is_some() || domains.is_some() || addresses.is_some() {
            gate = gate.only_allowed_hosts();
        }
        for host in hosts.iter().flatten() {
            gate = gate.allow_host(host);
        }
        for domain in domains.iter().flatten() {
            gate = gate.allow_domain(domain);
        }
        for address in addresses.iter().flatten() {
            let address: IpAddr = address
                .parse()
                .map_err(|_| invalid(format!("expected an IP address, but found {address:?}")))?;
            gate = gate.allow_address(address);
        }
        Ok(Self(gate))
    }

    /// Returns the scheme, host and port of a URL that passes the check.
    fn check(&self, py: Python<'_>, text: Text<'_>) -> PyResult<(String, String, Option<u16>)> {
        match py.detach(|| self.0.check(&text)) {
            Ok(checked) => Ok((
                checked.scheme().to_owned(),
                checked.host().to_string(),
                checked.port(),
            )),
            Err(findings) => {
                let list: Vec<_> = findings
                    .iter()
                    .map(|one| found(one, one.code.sentence().to_owned()))
                    .collect();
                let arguments = (list, text.as_str()).into_pyobject(py)?;
                Err(errors::with(py, "RejectedError", arguments))
            }
        }
    }
}
