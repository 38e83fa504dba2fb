//! What is sent: the lines of a request (Prospero protocol, version 5).

use super::text::quote;
use crate::command::{Argument, Command as Sent, Wire};
use crate::url_error::UrlError;

/// A line of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Command {
    /// `VERSION`: the version of the protocol, and the name of this program.
    Version,
    /// `AUTHENTICATE`: that the user is not authenticated, as `anonymous`.
    Authenticate,
    /// `GET-OBJECT-INFO`: asks for attributes of an object.
    GetObjectInfo {
        /// Which attributes.
        attributes: Attributes,
        /// The object.
        name: Quoted,
        /// Its version; 0 for the current one.
        version: Quoted,
    },
    /// `DIRECTORY`: names the directory that `LIST` is about.
    Directory {
        /// The directory.
        name: Quoted,
        /// Its version, if it is not the current one.
        version: Option<Quoted>,
    },
    /// `SELECT`: a field that identifies the object of the line before.
    Select {
        /// The name of the field.
        name: Quoted,
        /// The words of its value.
        value: Vec<Quoted>,
    },
    /// `LIST`: asks for the links of the directory, with all attributes.
    List,
}

/// The attributes that are asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Attributes {
    /// `#ALL`: all but the contents.
    All,
    /// `#ALL`, and one by its name, as a URL of RFC 1630 has it.
    AllAnd(Argument),
    /// `CONTENTS`: the contents.
    Contents,
}

/// A word, quoted where the protocol needs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quoted(Argument);

impl Quoted {
    /// Takes decoded octets.
    ///
    /// ```
    /// use urikit_access::protocol::prospero::Quoted;
    /// let name = Quoted::new(*b"/two words", "object name")?;
    /// assert_eq!(name.octets(), b"'/two words'");
    /// assert!(Quoted::new(*b"a\nLIST", "object name").is_err());
    /// # Ok::<(), urikit_access::UrlError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// At a control character. The error then names `part`, such as `object name`.
    pub fn new(octets: impl IntoIterator<Item = u8>, part: &'static str) -> Result<Self, UrlError> {
        let octets: Vec<u8> = octets.into_iter().collect();
        Argument::new(quote(&octets).iter().copied(), part).map(Self)
    }

    /// The octets as they are sent.
    pub fn octets(&self) -> &[u8] {
        self.0.octets()
    }
}

impl Sent for Command {
    fn name(&self) -> &'static str {
        match self {
            Self::Version => "VERSION",
            Self::Authenticate => "AUTHENTICATE",
            Self::GetObjectInfo { .. } => "GET-OBJECT-INFO",
            Self::Directory { .. } => "DIRECTORY",
            Self::Select { .. } => "SELECT",
            Self::List => "LIST",
        }
    }

    fn write(&self, wire: &mut Wire) {
        wire.word(self.name());
        match self {
            Self::Version => {
                wire.word(" 5 urikit");
            }
            Self::Authenticate => {
                wire.word(" '' UNAUTHENTICATED anonymous");
            }
            Self::GetObjectInfo {
                attributes,
                name,
                version,
            } => {
                match attributes {
                    Attributes::All => wire.word(" '#ALL'"),
                    Attributes::AllAnd(name) => wire.word(" '#ALL+").argument(name).word("'"),
                    Attributes::Contents => wire.word(" CONTENTS"),
                };
                wire.word(" ASCII ").argument(&name.0);
                wire.word(" ").argument(&version.0);
            }
            Self::Directory { name, version } => {
                wire.word(" ASCII ").argument(&name.0);
                if let Some(version) = version {
                    wire.word(" ").argument(&version.0);
                }
            }
            Self::Select { name, value } => {
                wire.word(" OBJECT FIELD ").argument(&name.0);
                // Servers know the type of this one, and of no other.
                if name.octets() != b"ID" {
                    wire.word(" SEQUENCE");
                }
                for word in value {
                    wire.word(" ").argument(&word.0);
                }
            }
            Self::List => {
                // No component is all components; the blank before it stays.
                wire.word(" 'ATTRIBUTES(#ALL)' COMPONENTS ");
            }
        }
    }
}

/// The text of a request. Each line ends in LF.
pub(super) fn text(commands: &[Command]) -> Vec<u8> {
    let mut text = Vec::new();
    for command in commands {
        text.append(&mut command.octets());
        text.push(b'\n');
    }
    text
}
