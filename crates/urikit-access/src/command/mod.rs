//! What a client sends: commands as values, which become octets only here.
//!
//! Each protocol has its own commands, in its own folder. Plan and session use the same values.

mod argument;
mod line;

pub use argument::{Argument, Secret};
pub use line::Line;

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use urikit::component::MASK;

/// A command that a client sends: a line, or several.
///
/// A protocol implements it for its commands, usually an enum.
///
/// ```
/// use urikit_access::{Argument, Command, Wire};
///
/// /// The query of RFC 1288, 2.3.
/// #[derive(Debug)]
/// struct Finger {
///     is_verbose: bool,
///     user: Argument,
/// }
///
/// impl Command for Finger {
///     fn name(&self) -> &'static str {
///         "query"
///     }
///     fn write(&self, wire: &mut Wire) {
///         wire.word(if self.is_verbose { "/W " } else { "" }).argument(&self.user);
///     }
/// }
///
/// let user = Argument::new(*b"timbl", "user")?;
/// assert_eq!(Finger { is_verbose: true, user }.octets(), b"/W timbl");
/// # Ok::<(), urikit_access::UrlError>(())
/// ```
pub trait Command: fmt::Debug + Any + Send + Sync {
    /// Its name in events, such as `RETR`. It contains nothing of a URL.
    fn name(&self) -> &'static str;

    /// Writes it without the last line end.
    fn write(&self, wire: &mut Wire);

    /// The message in words, if its octets are not text: plans and events display the words in
    /// place of the octets. They must not contain secrets. By default `None`.
    fn words(&self) -> Option<String> {
        None
    }

    /// The octets that are sent, without the last line end.
    fn octets(&self) -> Vec<u8> {
        let mut wire = Wire::default();
        self.write(&mut wire);
        wire.octets
    }

    /// The octets with three asterisks in place of each secret. An empty password is not masked.
    fn masked(&self) -> Vec<u8> {
        let mut wire = Wire::default();
        self.write(&mut wire);
        wire.masked
    }
}

/// Where a [`Command`] writes itself.
///
/// INVARIANT: what comes from a URL is an [`Argument`] or a [`Secret`], which contain no control
/// characters, or is in a message of a binary protocol, with its length.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Wire {
    octets: Vec<u8>,
    masked: Vec<u8>,
    /// Where the secrets are in `octets`.
    secrets: Vec<Range<usize>>,
}

impl Wire {
    fn both(&mut self, octets: &[u8]) -> &mut Self {
        self.octets.extend_from_slice(octets);
        self.masked.extend_from_slice(octets);
        self
    }

    /// Writes a word of the protocol, with the spaces around it.
    pub fn word(&mut self, word: &'static str) -> &mut Self {
        self.both(word.as_bytes())
    }

    /// Writes a number in decimal digits.
    pub fn number(&mut self, number: u64) -> &mut Self {
        self.both(number.to_string().as_bytes())
    }

    /// Writes a message of a binary protocol. It may contain any octets, so the message itself must
    /// separate the data of a URL, by lengths for example. The [words](Command::words) of the
    /// command are displayed in its place.
    pub fn message(&mut self, octets: &[u8]) -> &mut Self {
        self.both(octets)
    }

    /// Writes the content of a local file, which is not displayed.
    pub(crate) fn file(&mut self, octets: &[u8]) -> &mut Self {
        self.octets.extend_from_slice(octets);
        self.masked.extend_from_slice(b"(the file)");
        self
    }

    /// Writes an argument.
    pub fn argument(&mut self, argument: &Argument) -> &mut Self {
        self.both(argument.octets())
    }

    /// Writes a secret argument.
    pub fn secret(&mut self, secret: &Secret) -> &mut Self {
        let start = self.octets.len();
        self.octets.extend_from_slice(secret.octets());
        self.secrets.push(start..self.octets.len());
        if !secret.octets().is_empty() {
            self.masked.extend_from_slice(MASK.as_bytes());
        }
        self
    }

    /// What is sent, and where its secrets are; the same with secrets masked.
    pub(crate) fn into_parts(self) -> (Vec<u8>, Vec<Range<usize>>, Vec<u8>) {
        (self.octets, self.secrets, self.masked)
    }
}

impl fmt::Debug for Wire {
    /// Secrets are masked.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.masked.escape_ascii())
    }
}

/// A command of any protocol, as a [plan](crate::Plan) has it. Two are equal if they send the
/// same.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::ftp;
/// use urikit_access::{Client, Policy, Request};
/// let url = UriRef::parse("ftp://host.dom/motd")?;
/// let plan = Client::new(Policy::new()).plan(&Request::new(url))?;
/// let mut commands = plan.commands().filter_map(|(command, _)| command.downcast_ref());
/// assert!(commands.any(|command| matches!(command, ftp::Command::Retr(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct AnyCommand(Arc<dyn Command>);

impl AnyCommand {
    /// A command of some protocol.
    pub fn new(command: impl Command) -> Self {
        Self(Arc::new(command))
    }

    /// The command as the type that its protocol has; `None` if it is of another type.
    pub fn downcast_ref<T: Command>(&self) -> Option<&T> {
        let command: &dyn Any = &*self.0;
        command.downcast_ref()
    }
}

impl std::ops::Deref for AnyCommand {
    type Target = dyn Command;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl PartialEq for AnyCommand {
    fn eq(&self, other: &Self) -> bool {
        let parts = |command: &Self| {
            let mut wire = Wire::default();
            command.0.write(&mut wire);
            wire.into_parts()
        };
        self.name() == other.name() && parts(self) == parts(other)
    }
}

impl Eq for AnyCommand {}

impl fmt::Debug for AnyCommand {
    /// Secrets are masked.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let masked = self.masked();
        let text: Cow<'_, str> = String::from_utf8_lossy(&masked);
        write!(f, "{}({text:?})", self.name())
    }
}
