//! Logging in to the mail server: `AUTH` (RFC 4954), by PLAIN (RFC 4616), LOGIN and XOAUTH2. Only
//! over TLS.

use super::command::{Command, Mechanism};
use crate::command::Secret;
use crate::error::{Error, ErrorKind, Result};
use crate::request::Credentials;
use urikit_mime::base64;

/// A user, and what proves it.
pub(super) struct Login {
    user: String,
    proof: String,
    is_token: bool,
}

impl Login {
    /// From credentials, whose password may be an access token of OAuth 2.0.
    pub(super) fn new(credentials: &Credentials, is_token: bool) -> Result<Self> {
        for (text, part) in [
            (&credentials.user, "user"),
            (&credentials.password, "password"),
        ] {
            crate::command::Argument::new(text.bytes(), part)?;
        }
        Ok(Self {
            user: credentials.user.clone(),
            proof: credentials.password.clone(),
            is_token,
        })
    }

    /// The first of the mechanisms that a server supports. An access token is never sent as a
    /// password.
    pub(super) fn mechanism(&self, lines: &[Vec<u8>]) -> Result<Mechanism> {
        let wanted: &[Mechanism] = if self.is_token {
            &[Mechanism::Xoauth2]
        } else {
            &[Mechanism::Plain, Mechanism::Login]
        };
        let offers = |mechanism: &&Mechanism| lines.iter().any(|line| offers(line, **mechanism));
        wanted.iter().find(offers).copied().ok_or_else(|| {
            let what = "the server offers no mechanism for this login (AUTH PLAIN, LOGIN, XOAUTH2)";
            Error::new(ErrorKind::Unsupported(what))
        })
    }

    /// The mechanism that is planned.
    pub(super) const fn planned(&self) -> Mechanism {
        if self.is_token {
            Mechanism::Xoauth2
        } else {
            Mechanism::Plain
        }
    }

    /// `AUTH`, with the response that the mechanism begins with.
    pub(super) fn command(&self, mechanism: Mechanism) -> Result<Command> {
        let (user, proof) = (&self.user, &self.proof);
        let initial = match mechanism {
            Mechanism::Plain => Some(format!("\0{user}\0{proof}")),
            Mechanism::Xoauth2 => Some(format!("user={user}\x01auth=Bearer {proof}\x01\x01")),
            Mechanism::Login => None,
        };
        let initial = initial.map(|text| secret(&text)).transpose()?;
        Ok(Command::Auth(mechanism, initial))
    }

    /// The user name and the password, as LOGIN asks for them.
    pub(super) fn responses(&self) -> Result<[Command; 2]> {
        Ok([
            Command::AuthResponse(secret(&self.user)?),
            Command::AuthResponse(secret(&self.proof)?),
        ])
    }
}

fn secret(text: &str) -> Result<Secret> {
    let encoded = base64::encode(text.as_bytes()).to_string();
    Ok(Secret::new(encoded.bytes(), "password")?)
}

/// Whether a line of the reply to `EHLO` names the mechanism: `250-AUTH PLAIN LOGIN`, and with an
/// equals sign on old servers.
fn offers(line: &[u8], mechanism: Mechanism) -> bool {
    let text = line.get(4..).unwrap_or_default();
    let mut words = text.split(|octet| matches!(octet, b' ' | b'='));
    let is = |word: &[u8], name: &str| word.eq_ignore_ascii_case(name.as_bytes());
    words.next().is_some_and(|word| is(word, "AUTH"))
        && words.any(|word| is(word, mechanism.name()))
}

#[cfg(test)]
mod tests {
    use super::{Login, Mechanism};
    use crate::command::Command as _;
    use crate::request::Credentials;

    #[test]
    fn responses() {
        let login = |is_token| {
            let (user, password) = ("tim".to_owned(), "tanstaaftanstaaf".to_owned());
            Login::new(&Credentials { user, password }, is_token).unwrap()
        };
        // RFC 4616, 4: the message of the first example, in base64
        let plain = login(false).command(Mechanism::Plain).unwrap();
        assert_eq!(plain.octets(), b"AUTH PLAIN AHRpbQB0YW5zdGFhZnRhbnN0YWFm");
        assert_eq!(plain.masked(), b"AUTH PLAIN ***");
        let first = login(false).command(Mechanism::Login).unwrap();
        assert_eq!(first.octets(), b"AUTH LOGIN");
        let [user, password] = login(false).responses().unwrap();
        assert_eq!(
            (user.octets(), password.masked()),
            (b"dGlt".to_vec(), b"***".to_vec())
        );
        let line = |text: &str| vec![text.as_bytes().to_vec()];
        for (offered, is_token, found) in [
            ("250-AUTH LOGIN PLAIN", false, Some(Mechanism::Plain)),
            ("250 auth=login", false, Some(Mechanism::Login)),
            ("250 AUTH XOAUTH2 PLAIN", true, Some(Mechanism::Xoauth2)),
            ("250 AUTH PLAIN", true, None),
            ("250 AUTH XOAUTH2", false, None),
            ("250 AUTHPLAIN", false, None),
        ] {
            let mechanism = login(is_token).mechanism(&line(offered)).ok();
            assert_eq!(mechanism, found, "{offered}");
        }
    }
}
