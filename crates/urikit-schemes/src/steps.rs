//! What a client does with a URL, step by step: the "algorithm for access" of RFC 1630's
//! registration.
//!
//! Steps are only computed here, never carried out. Everything that would be sent as a line goes
//! through [`Line`], which refuses what a line cannot contain.

use super::{FilledForm, ReadError};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
use urikit::component::{Encoded, Host};

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
    /// Sends a filled-in Gopher+ form, which has several lines: the only data sent with line ends
    /// in it.
    SendForm(FilledForm),
    /// Does something else: in words, and with which data (decoded bytes; may be empty).
    Act {
        /// What it does, such as `asks for the password of`.
        what: &'static str,
        /// The data.
        with: Cow<'a, [u8]>,
    },
}

/// A line to be sent, without its line end.
///
/// INVARIANT: no octet in it is below 32 or equal to 127, except a TAB where the protocol has one.
#[derive(Clone, PartialEq, Eq)]
pub struct Line {
    octets: Vec<u8>,
    /// Which part of it is secret; the range may end past the last octet.
    secret: Option<Range<usize>>,
}

/// Why there are no steps to access a URL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AccessError {
    /// It is not a URL of the scheme.
    Read(ReadError),
    /// A line that would be sent contains a control character.
    Control {
        /// The octet.
        octet: u8,
        /// In which part of the URL.
        part: &'static str,
    },
    /// It is not a path of a file system.
    Path(super::PathError),
    /// An octet that the protocol's argument cannot contain, such as a space.
    Unfit {
        /// The octet.
        octet: u8,
        /// In which part of the URL.
        part: &'static str,
    },
    /// There is no port, neither in the URL nor as the scheme's default, or it is above 65535.
    NoPort,
}

impl<'a> Step<'a> {
    /// Connects to a host of a URL.
    ///
    /// # Errors
    ///
    /// If there is no port.
    pub fn connect(host: Host<'a>, port: Option<u16>) -> Result<Self, AccessError> {
        Ok(Self::Connect {
            host: Cow::Borrowed(host.as_str()),
            port: port.ok_or(AccessError::NoPort)?,
        })
    }

    /// Does something that is described in words only.
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

    /// The same with a part that must not contain a control character.
    ///
    /// # Errors
    ///
    /// If the part contains one; the error then names `part`.
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

    /// A command, a space and its decoded argument. The space is there even if the argument is
    /// empty (`CWD ` with a null argument: RFC 1738, 3.2.2).
    ///
    /// # Errors
    ///
    /// If the argument contains a control character; the error then names `part`.
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

    /// The same; the argument is secret.
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
    /// At a control character; the error then names `part`.
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

    /// Appends octets that are secret. Only the first secret of a line is masked.
    ///
    /// ```
    /// use urikit_schemes::Line;
    /// let mut line = Line::command("GET ftp://foo:"); // to a proxy
    /// line.push_secret(*b"hunter2", "password")?;
    /// line.push(*b"@host.com/ HTTP/1.1", "URI")?;
    /// assert_eq!(&line.masked()[..], b"GET ftp://foo:***@host.com/ HTTP/1.1");
    /// # Ok::<(), urikit_schemes::AccessError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// At a control character; the error then names `part`.
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

    /// Appends a TAB, Gopher's delimiter.
    pub fn push_tab(&mut self) {
        self.octets.push(b'\t');
    }

    /// Marks all of it as secret.
    pub(super) const fn mark_secret(&mut self) {
        self.secret = Some(0..usize::MAX);
    }

    /// The octets of the line.
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// The octets with three asterisks in place of a secret; an empty password is not masked.
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

impl core::error::Error for AccessError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Read(error) => Some(error),
            Self::Path(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ReadError> for AccessError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}
