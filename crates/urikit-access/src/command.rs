//! Commands, which are converted to octets only when they are sent.
//!
//! Each protocol defines its own commands, which its plan and its session share.

use crate::error::UrlError;
use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use urikit::component::MASK;
use urikit::grammar::ByteSet;

/// A command that a client sends, in one or more lines.
///
/// Each protocol implements this trait for its command type, usually an enum.
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
    /// Returns the name that identifies the command in events, such as `RETR`. The name never
    /// contains any part of a URL.
    fn name(&self) -> &'static str;

    /// Writes the command without the last line ending.
    fn write(&self, wire: &mut Wire);

    /// Describes a command whose octets are not text. Plans and events display the description
    /// instead of the octets, so it must not contain secrets.
    fn words(&self) -> Option<String> {
        None
    }

    /// Returns the octets of the command, without the last line ending.
    fn octets(&self) -> Vec<u8> {
        let mut wire = Wire::default();
        self.write(&mut wire);
        wire.octets
    }

    /// Returns the octets of the command, with three asterisks in place of each secret. An empty
    /// password is not masked.
    fn masked(&self) -> Vec<u8> {
        let mut wire = Wire::default();
        self.write(&mut wire);
        wire.masked
    }
}

/// The buffer that a [`Command`] writes itself to.
///
/// INVARIANT: every part of a URL is an [`Argument`] or a [`Secret`], which contain no control
/// characters, or belongs to a message of a binary protocol, which delimits the part, for example
/// by stating its length.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Wire {
    octets: Vec<u8>,
    masked: Vec<u8>,
    /// The positions of the secrets in `octets`.
    secrets: Vec<Range<usize>>,
}

impl Wire {
    /// Creates an empty wire with space for a command of the usual length.
    pub(crate) fn new() -> Self {
        Self {
            octets: Vec::with_capacity(128),
            masked: Vec::with_capacity(128),
            secrets: Vec::new(),
        }
    }

    fn both(&mut self, octets: &[u8]) -> &mut Self {
        self.octets.extend_from_slice(octets);
        self.masked.extend_from_slice(octets);
        self
    }

    /// Writes a keyword of the protocol and the spaces around it.
    pub fn word(&mut self, word: &'static str) -> &mut Self {
        self.both(word.as_bytes())
    }

    /// Writes a number in decimal digits.
    pub fn number(&mut self, number: u64) -> &mut Self {
        self.both(number.to_string().as_bytes())
    }

    /// Writes a message of a binary protocol. The message may contain any octets, so the message
    /// itself must delimit any data from a URL, for example by stating the length of the data. The
    /// [words](Command::words) of the command are displayed instead of the message.
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

    /// Removes the command, so that another one can be written.
    pub(crate) fn clear(&mut self) {
        self.octets.clear();
        self.masked.clear();
        self.secrets.clear();
    }

    /// Returns the octets to send.
    pub(crate) fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Returns the octets with the secrets masked.
    pub(crate) fn masked(&self) -> &[u8] {
        &self.masked
    }

    /// Returns the positions of the secrets in the octets.
    pub(crate) fn secrets(&self) -> &[Range<usize>] {
        &self.secrets
    }

    /// Returns the octets to send.
    pub(crate) fn into_octets(self) -> Vec<u8> {
        self.octets
    }
}

impl fmt::Debug for Wire {
    /// Secrets are masked.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.masked.escape_ascii())
    }
}

/// A command of any protocol, for use in a [plan](crate::Plan). Two commands are equal if they have
/// the same name and send the same octets.
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
    /// Wraps a command.
    pub fn new(command: impl Command) -> Self {
        Self(Arc::new(command))
    }

    /// Returns the command as a `T`, which is a command type of its protocol, or `None` if the
    /// command has another type.
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
        let written = |command: &Self| {
            let mut wire = Wire::default();
            command.0.write(&mut wire);
            wire
        };
        self.name() == other.name() && written(self) == written(other)
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

/// An argument of a command, which consists of decoded octets without control characters.
///
/// No part of a URL can end a line or begin another one, because every protocol uses this type for
/// its arguments.
///
/// INVARIANT: no octet is below 32 or equal to 127.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Ftp;
/// use urikit_access::Argument;
/// let directories = |url| -> Result<Vec<Argument>, Box<dyn std::error::Error>> {
///     let url = Ftp::read(Uri::parse(url)?)?;
///     let cwd = url.cwd().map(|cwd| Argument::new(cwd.decode(), "directory"));
///     Ok(cwd.collect::<Result<_, _>>()?)
/// };
/// let found = directories("ftp://host.dom/%2Fetc/motd")?;
/// assert_eq!(found[0].octets(), b"/etc"); // RFC 1738, 3.2.2
/// assert!(directories("ftp://host.dom/a%0D%0ADELE%20b/motd").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Argument(Vec<u8>);

/// An argument that is displayed as three asterisks, such as a password.
///
/// ```
/// use urikit_access::Secret;
/// let password = Secret::new(*b"hunter2", "password")?;
/// assert_eq!(format!("{password:?}"), "***");
/// # Ok::<(), urikit_access::UrlError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Argument);

impl Argument {
    /// Creates an argument from decoded octets.
    ///
    /// # Errors
    ///
    /// Fails if the octets contain a control character. The error names `part`, such as `file
    /// name`.
    pub fn new(octets: impl IntoIterator<Item = u8>, part: &'static str) -> Result<Self, UrlError> {
        let octets: Vec<u8> = octets.into_iter().collect();
        match octets.iter().find(|octet| octet.is_ascii_control()) {
            Some(&octet) => Err(UrlError::Control { octet, part }),
            None => Ok(Self(octets)),
        }
    }

    /// Creates an argument from decoded octets, all of which must be in the given set.
    ///
    /// # Errors
    ///
    /// Fails if the octets contain a control character, or an octet that is not in the set.
    pub(crate) fn of(
        octets: impl IntoIterator<Item = u8>,
        set: &ByteSet,
        part: &'static str,
    ) -> Result<Self, UrlError> {
        let argument = Self::new(octets, part)?;
        match argument.0.iter().find(|octet| !set.contains(**octet)) {
            Some(&octet) => Err(UrlError::Unfit { octet, part }),
            None => Ok(argument),
        }
    }

    /// Returns the octets, which are sent unchanged.
    pub fn octets(&self) -> &[u8] {
        &self.0
    }

    /// Returns true if the argument has no octets.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Secret {
    /// Creates a secret from decoded octets.
    ///
    /// # Errors
    ///
    /// Fails for the same reasons as [`Argument::new`].
    pub fn new(octets: impl IntoIterator<Item = u8>, part: &'static str) -> Result<Self, UrlError> {
        Argument::new(octets, part).map(Self)
    }

    /// Returns the octets, which are sent unchanged. Do not display these octets.
    pub fn octets(&self) -> &[u8] {
        self.0.octets()
    }
}

impl From<Argument> for Secret {
    fn from(argument: Argument) -> Self {
        Self(argument)
    }
}

impl fmt::Debug for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(urikit::component::MASK)
    }
}

/// A line in a custom protocol, which consists of arguments and of words from the program.
///
/// ```
/// use urikit_access::{Argument, Command as _, Line, Secret};
/// let line = Line::new("LOGIN ")
///     .argument(Argument::new(*b"tim", "user")?)
///     .word(" ")
///     .secret(Secret::new(*b"hunter2", "password")?);
/// assert_eq!(line.octets(), b"LOGIN tim hunter2");
/// assert_eq!(line.masked(), b"LOGIN tim ***");
/// # Ok::<(), urikit_access::UrlError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Line {
    pieces: Vec<Piece>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Word(&'static str),
    Argument(Argument),
    Secret(Secret),
}

impl Line {
    /// Starts a line with a word, which may be empty.
    pub fn new(word: &'static str) -> Self {
        Self::default().word(word)
    }

    /// Appends a word. The word is not checked, so it must come from the program, never from a URL.
    #[must_use]
    pub fn word(mut self, word: &'static str) -> Self {
        self.pieces.push(Piece::Word(word));
        self
    }

    /// Appends an argument.
    #[must_use]
    pub fn argument(mut self, argument: Argument) -> Self {
        self.pieces.push(Piece::Argument(argument));
        self
    }

    /// Appends a secret argument.
    #[must_use]
    pub fn secret(mut self, secret: Secret) -> Self {
        self.pieces.push(Piece::Secret(secret));
        self
    }
}

impl Command for Line {
    /// Returns the first word, or `line` if the line begins with an argument.
    fn name(&self) -> &'static str {
        match self.pieces.first() {
            Some(Piece::Word(word)) if !word.trim().is_empty() => word.trim(),
            _ => "line",
        }
    }

    fn write(&self, wire: &mut Wire) {
        for piece in &self.pieces {
            match piece {
                Piece::Word(word) => wire.word(word),
                Piece::Argument(argument) => wire.argument(argument),
                Piece::Secret(secret) => wire.secret(secret),
            };
        }
    }
}
