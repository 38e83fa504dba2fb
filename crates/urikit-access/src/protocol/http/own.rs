//! What the caller adds to a request: fields, a method, data.

use super::command::Command;
use crate::command::{Argument, Secret};
use crate::error::{Error, ErrorKind, Result};
use bytes::Bytes;

/// Fields that say how long a message is, or what becomes of its connection. A caller who could set
/// them would decide where the next request begins.
const FRAMING: &[&str] = &[
    "connection",
    "content-length",
    "expect",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Parts of names by which a value is taken for a secret.
const SECRET: &[&str] = &[
    "auth",
    "cookie",
    "key",
    "pass",
    "secret",
    "session",
    "signature",
    "token",
];

/// What is added to each request.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Own {
    /// The fields in order. Without a value, the field of that name is not sent.
    fields: Vec<(String, Option<String>)>,
    pub(super) method: Option<String>,
    pub(super) data: Option<Bytes>,
}

impl Own {
    /// Adds a field, or says that the default one is not sent.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> Result<()> {
        if !is_token(name) {
            return Err(Error::new(ErrorKind::Unsupported(
                "the name of a field is a token (RFC 9110, 5.1)",
            )));
        }
        if FRAMING.contains(&&*name.to_ascii_lowercase()) {
            return Err(Error::new(ErrorKind::Unsupported(
                "this field is set by the client alone: it says where a message ends, or what \
                 becomes of the connection",
            )));
        }
        if let Some(value) = value {
            Argument::new(value.bytes(), "value of the field")?;
        }
        let value = value.map(|value| value.trim().to_owned());
        self.fields.push((name.to_owned(), value));
        Ok(())
    }

    /// Sets the method.
    pub(super) fn set_method(&mut self, name: &str) -> Result<()> {
        if !is_token(name) {
            return Err(Error::new(ErrorKind::Unsupported(
                "a method is a token (RFC 9110, 9.1)",
            )));
        }
        if ["CONNECT", "HEAD"].contains(&name) {
            return Err(Error::new(ErrorKind::Unsupported(
                "CONNECT is for proxies only, and HEAD is the request for metadata",
            )));
        }
        self.method = Some(name.to_owned());
        Ok(())
    }

    /// Whether the caller decided about the field of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        let is_it = |(own, _): &(String, _)| own.eq_ignore_ascii_case(name);
        self.fields.iter().any(is_it)
    }

    /// The lines of the fields. To another server than the first, secrets are not sent.
    pub(super) fn lines(&self, is_foreign: bool) -> Result<Vec<Command>> {
        let mut lines = Vec::new();
        for (name, value) in &self.fields {
            let Some(value) = value else { continue };
            let name = Argument::new(name.bytes(), "name of the field")?;
            if !is_secret(&name) {
                let value = Argument::new(value.bytes(), "value of the field")?;
                lines.push(Command::Own(name, value));
            } else if !is_foreign {
                let value = Secret::new(value.bytes(), "value of the field")?;
                lines.push(Command::OwnSecret(name, value));
            }
        }
        Ok(lines)
    }
}

impl std::fmt::Debug for Own {
    /// Without values, which may be secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = self.fields.iter().map(|(name, _)| name);
        f.debug_struct("Own")
            .field("fields", &names.collect::<Vec<_>>())
            .field("method", &self.method)
            .field("data", &self.data.as_ref().map(Bytes::len))
            .finish()
    }
}

fn is_secret(name: &Argument) -> bool {
    let name = String::from_utf8_lossy(name.octets()).to_ascii_lowercase();
    SECRET.iter().any(|part| name.contains(part))
}

/// `token = 1*tchar` (RFC 9110, 5.6.2).
fn is_token(text: &str) -> bool {
    let is_tchar = |octet: u8| octet.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&octet);
    !text.is_empty() && text.bytes().all(is_tchar)
}
