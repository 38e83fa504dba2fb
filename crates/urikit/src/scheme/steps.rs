//! What a client does with a URL, step by step: the "algorithm for access" of RFC 1630's registration.
//!
//! Steps are computed and never carried out here. Everything that would be sent as a line passes one
//! gate, [`Line`], which refuses what a line cannot hold.

use super::{FilledForm, ReadError};
use crate::component::{Encoded, Host};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// One thing that a client does.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step<'a> {
    /// Connects to a server.
    Connect {
        /// The host as written, which may be a name or an address.
        host: Cow<'a, str>,
        /// The port.
        port: u16,
    },
    /// Sends a line.
    Send(Line),
    /// Sends a filled-in Gopher+ form, of several lines: the only sending with ends of line in it.
    SendForm(FilledForm),
    /// Does something else: in words, and with what (decoded bytes; may be empty).
    Act {
        /// What, such as `asks for the password of`.
        what: &'static str,
        /// With what.
        with: Cow<'a, [u8]>,
    },
}

/// A line to be sent, without the end of line.
///
/// INVARIANT: no octet in it is below 32 or is 127, but for a TAB where the protocol has one.
#[derive(Clone, PartialEq, Eq)]
pub struct Line {
    octets: Vec<u8>,
    /// What of it is secret, which may end behind the last octet.
    secret: Option<Range<usize>>,
}

/// Why a URL's access has no steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AccessError {
    /// It is no URL of the scheme.
    Read(ReadError),
    /// A control character stands where a line would be sent.
    Control {
        /// The octet.
        octet: u8,
        /// In which part of the URL.
        part: &'static str,
    },
    /// It is no path of a file system.
    Path(super::PathError),
    /// An octet stands where the protocol's argument cannot hold it, such as a space.
    Unfit {
        /// The octet.
        octet: u8,
        /// In which part of the URL.
        part: &'static str,
    },
    /// The URL names no port, and its scheme has none either, or the port is above 65535.
    NoPort,
}

impl<'a> Step<'a> {
    /// Connects to a host of a URL.
    ///
    /// # Errors
    ///
    /// Where there is no port.
    pub fn connect(host: Host<'a>, port: Option<u16>) -> Result<Self, AccessError> {
        Ok(Self::Connect {
            host: Cow::Borrowed(host.as_str()),
            port: port.ok_or(AccessError::NoPort)?,
        })
    }

    /// Does something that words alone tell.
    pub const fn say(what: &'static str) -> Self {
        Self::Act {
            what,
            with: Cow::Borrowed(&[]),
        }
    }

    /// Does something with a decoded part.
    pub fn act(what: &'static str, with: Encoded<'a>) -> Self {
        let with = with.to_bytes();
        Self::Act { what, with }
    }

    /// The same with a part that no line could hold a control character of.
    ///
    /// # Errors
    ///
    /// Where the part holds one; `part` is then named.
    pub fn act_in_line(
        what: &'static str,
        with: Encoded<'a>,
        part: &'static str,
    ) -> Result<Self, AccessError> {
        Line::command("").push(with.decode(), part)?;
        Ok(Self::act(what, with))
    }
}

impl Line {
    /// A command, without an argument.
    pub fn command(command: &'static str) -> Self {
        Self {
            octets: command.into(),
            secret: None,
        }
    }

    /// A command and its argument, decoded, with a space between, also where the argument is empty (`CWD ` with a
    /// null argument: RFC 1738, 3.2.2).
    ///
    /// # Errors
    ///
    /// Where the argument holds a control character; `part` is then named.
    pub fn with_argument(
        command: &'static str,
        argument: Encoded<'_>,
        part: &'static str,
    ) -> Result<Self, AccessError> {
        let mut line = Self::command(command);
        line.octets.push(b' ');
        line.push(argument.decode(), part)?;
        Ok(line)
    }

    /// The same, and the argument is a secret.
    ///
    /// # Errors
    ///
    /// As [`with_argument`](Self::with_argument).
    pub fn with_secret(
        command: &'static str,
        argument: Encoded<'_>,
        part: &'static str,
    ) -> Result<Self, AccessError> {
        let mut line = Self::with_argument(command, argument, part)?;
        line.secret = Some(command.len() + 1..usize::MAX);
        Ok(line)
    }

    /// Appends octets.
    ///
    /// # Errors
    ///
    /// At a control character; `part` is then named.
    pub fn push(
        &mut self,
        octets: impl IntoIterator<Item = u8>,
        part: &'static str,
    ) -> Result<(), AccessError> {
        for octet in octets {
            if octet < b' ' || octet == 0x7F {
                return Err(AccessError::Control { octet, part });
            }
            self.octets.push(octet);
        }
        Ok(())
    }

    /// Appends octets that are a secret. Only the first secret of a line is masked.
    ///
    /// ```
    /// use urikit::scheme::Line;
    /// let mut line = Line::command("GET ftp://foo:"); // to a proxy
    /// line.push_secret(*b"hunter2", "password")?;
    /// line.push(*b"@host.com/ HTTP/1.1", "URI")?;
    /// assert_eq!(&line.masked()[..], b"GET ftp://foo:***@host.com/ HTTP/1.1");
    /// # Ok::<(), urikit::scheme::AccessError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// At a control character; `part` is then named.
    pub fn push_secret(
        &mut self,
        octets: impl IntoIterator<Item = u8>,
        part: &'static str,
    ) -> Result<(), AccessError> {
        let start = self.octets.len();
        let pushed = self.push(octets, part);
        self.secret.get_or_insert(start..self.octets.len());
        pushed
    }

    /// Appends a TAB, which delimits in Gopher.
    pub fn push_tab(&mut self) {
        self.octets.push(b'\t');
    }

    /// All of it is a secret.
    pub(super) const fn mark_secret(&mut self) {
        self.secret = Some(0..usize::MAX);
    }

    /// The octets, exactly.
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// The octets with three asterisks for what is secret; an empty password is none.
    pub fn masked(&self) -> Cow<'_, [u8]> {
        let len = self.octets.len();
        let secret = self
            .secret
            .clone()
            .filter(|secret| secret.start < len.min(secret.end));
        let parts = secret.and_then(|secret| {
            let before = self.octets.get(..secret.start)?;
            Some((before, self.octets.get(len.min(secret.end)..)?))
        });
        match parts {
            Some((before, after)) => Cow::Owned([before, b"***", after].concat()),
            None => Cow::Borrowed(&self.octets),
        }
    }
}

impl fmt::Debug for Line {
    /// Secrets are masked.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.masked().escape_ascii())
    }
}

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Control { octet, part } => write!(
                f,
                "expected no control character in the {part}, found %{octet:02X}"
            ),
            Self::Path(error) => error.fmt(f),
            Self::Unfit { octet, part } => write!(
                f,
                "expected what a command can hold in the {part}, found %{octet:02X}"
            ),
            Self::NoPort => f.write_str("expected a port from 0 to 65535, found none"),
        }
    }
}

impl core::error::Error for AccessError {}

impl From<ReadError> for AccessError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}
