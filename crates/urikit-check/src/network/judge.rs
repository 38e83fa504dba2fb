//! Turns the result of an access into an outcome.

use crate::{Outcome, Reason};
use std::io;
use urikit_access::policy::Refusal;
use urikit_access::{Error, ErrorKind, Hop, Response};

/// Returns the outcome of an access. `is_enough` is true if the caller ended the transfer because
/// it needed nothing else. Returns `None` if the access was cancelled.
pub(super) fn outcome(fetched: &Result<Response, Error>, is_enough: bool) -> Option<Outcome> {
    let error = match fetched {
        Ok(response) => return Some(admitted(response.hops.last())),
        Err(error) if is_enough => return Some(admitted(error.hops().last())),
        Err(error) => error,
    };
    let is_answer =
        error.kind().is_denial() || matches!(error.kind(), ErrorKind::ProxyLogin { .. });
    if let Some(hop) = last_http(error.hops()).filter(|_| is_answer) {
        if is_challenge(hop) {
            return Some(Outcome::Unverifiable(Reason::BotWall));
        }
        if let Some(status) = hop.status {
            return Some(of_status(status));
        }
    }
    Some(match error.kind() {
        ErrorKind::Cancelled => return None,
        // The page exists, but it is too long for its content to be read.
        ErrorKind::Refused(
            Refusal::Bytes { .. } | Refusal::Items { .. } | Refusal::Expansion { .. },
        ) => Outcome::Ok,
        // A Gemini server asks for input, so the resource exists.
        ErrorKind::Unsupported(_) if matches!(error.status(), Some(10..=19)) => Outcome::Ok,
        kind => of_kind(kind, error),
    })
}

/// Returns the outcome for a successful response, which may be a challenge for browsers.
fn admitted(hop: Option<&Hop>) -> Outcome {
    match hop {
        Some(hop) if is_challenge(hop) => Outcome::Unverifiable(Reason::BotWall),
        _ => Outcome::Ok,
    }
}

/// Returns the last response if it is an HTTP response.
pub(super) fn last_http(hops: &[Hop]) -> Option<&Hop> {
    hops.last().filter(|hop| hop.version.is_some())
}

/// Returns true if the fields of Cloudflare, AWS WAF or DataDome show that the response is a
/// challenge for browsers.
fn is_challenge(hop: &Hop) -> bool {
    let has = |name: &str, values: &[&str]| {
        let mut found = hop.values(name);
        found.any(|value| {
            values
                .iter()
                .any(|it| value.trim().eq_ignore_ascii_case(it))
        })
    };
    has("cf-mitigated", &["challenge", "block"])
        || has("x-amzn-waf-action", &["challenge", "captcha"])
        || hop.status == Some(403) && hop.values("x-datadome").next().is_some()
}

/// Returns the outcome for an HTTP status that does not mean success.
fn of_status(status: u16) -> Outcome {
    let reason = Reason::Status(status);
    match status {
        401 | 403 | 407 | 408 | 429 | 451 => Outcome::Unverifiable(reason),
        400..=499 => Outcome::Broken(reason),
        // 5xx; 999, which LinkedIn sends to robots; and redirects without a target.
        _ => Outcome::Unverifiable(reason),
    }
}

fn of_kind(kind: &ErrorKind, error: &Error) -> Outcome {
    let failed = || Outcome::Unverifiable(Reason::Failed(error.to_string()));
    match kind {
        ErrorKind::HostNotFound if error.is_transient() => {
            Outcome::Unverifiable(Reason::DnsFailure)
        }
        ErrorKind::HostNotFound => Outcome::Broken(Reason::NoSuchHost),
        ErrorKind::Timeout(_) => Outcome::Unverifiable(Reason::Timeout),
        ErrorKind::Network(cause) if cause.kind() == io::ErrorKind::ConnectionRefused => {
            Outcome::Broken(Reason::ConnectionRefused)
        }
        ErrorKind::Network(cause) => match certificate_error(cause) {
            Some(why) => Outcome::Broken(Reason::Tls(why)),
            None => failed(),
        },
        ErrorKind::Untrusted(why) => Outcome::Broken(Reason::Tls((*why).to_owned())),
        ErrorKind::CertificateChanged { .. } => Outcome::Broken(Reason::Tls(kind.to_string())),
        ErrorKind::NoTls => Outcome::Broken(Reason::Failed(kind.to_string())),
        // A menu that consists of one error, which Gopher servers send for every failure; a client
        // error in Spartan (4); and a permanent failure in Gemini (50 to 59).
        ErrorKind::NotFound
        | ErrorKind::Server {
            code: None | Some(4 | 50..=59),
            ..
        } => Outcome::Broken(Reason::NotFound(error.to_string())),
        ErrorKind::LoginRequired | ErrorKind::NoPassword => {
            Outcome::Unverifiable(Reason::LoginRequired)
        }
        ErrorKind::NoProtocol { scheme } => {
            Outcome::NotChecked(Reason::UnknownScheme(scheme.clone()))
        }
        ErrorKind::Refused(Refusal::RedirectLoop { .. }) => Outcome::Broken(Reason::RedirectLoop),
        ErrorKind::Refused(Refusal::Redirects { .. }) => Outcome::Broken(Reason::TooManyRedirects),
        ErrorKind::Refused(refusal) => Outcome::NotChecked(Reason::Refused(refusal.to_string())),
        ErrorKind::Invalid(_) | ErrorKind::Relative | ErrorKind::Url(_) | ErrorKind::Gateway(_)
            if error.class() == urikit_access::Class::Invalid =>
        {
            Outcome::Broken(Reason::Invalid(kind.to_string()))
        }
        _ => failed(),
    }
}

/// Returns the reason why a certificate is not valid.
fn certificate_error(cause: &io::Error) -> Option<String> {
    let text = cause.to_string();
    let why = text.strip_prefix("invalid peer certificate: ")?;
    Some(why.to_owned())
}
