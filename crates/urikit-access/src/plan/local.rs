//! What is done on this machine, without a network.

use std::borrow::Cow;
use std::path::PathBuf;

/// What is done on this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Local {
    /// Continues only if this machine has that name.
    CheckMachine(Vec<u8>),
    /// Opens the file or directory at a path.
    Open(Vec<u8>),
    /// Reads the attributes of what was opened.
    Attributes,
    /// Reads the file, or lists the directory.
    Read,
    /// Reads the file from this byte.
    ReadFrom(u64),
    /// Writes the body to a file, in place of what is there.
    Write(Vec<u8>),
    /// Appends the body to a file, or what is missing of it.
    Append(Vec<u8>),
    /// Gives what was written its name.
    Rename(Vec<u8>),
    /// Finds the message with a Message-ID in received mail.
    FindMessage(Vec<u8>),
    /// Takes the part with a Content-ID out of that message.
    TakePart(Vec<u8>),
    /// Finds the part with a Content-ID, in the message that refers to it.
    FindPart(Vec<u8>),
    /// Searches a mailbox, a Maildir or a message file.
    SearchStore(PathBuf),
    /// Sends nothing, because the URL contains the data.
    SendNothing,
    /// Decodes data from base64.
    DecodeBase64,
    /// Decodes the escapes in data.
    DecodeEscapes,
    /// Returns the data as a media type.
    ReturnAs(String),
}

/// How a message is composed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Compose {
    /// Starts a message.
    Message,
    /// Starts a message to an address.
    MessageTo(Vec<u8>),
    /// Adds another recipient.
    AndTo(Vec<u8>),
    /// Adds a header field: `name: value`.
    Field(Vec<u8>),
    /// Leaves out a header field with that name (RFC 6068, 4).
    LeaveOut(Vec<u8>),
    /// Adds the body.
    Body(Vec<u8>),
    /// Attaches the file of this name.
    Attachment(Vec<u8>),
}

impl Local {
    pub(super) fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        let words = match self {
            Self::CheckMachine(name) => {
                return ("continues only if this machine is", name.into());
            }
            Self::Open(path) => return ("opens", path.into()),
            Self::Attributes => "reads its attributes",
            Self::Read => "reads it, or lists it",
            Self::ReadFrom(byte) => {
                return (
                    "reads it from the byte",
                    byte.to_string().into_bytes().into(),
                );
            }
            Self::Write(path) => return ("writes the body to", path.into()),
            Self::Append(path) => return ("appends the body to", path.into()),
            Self::Rename(path) => return ("renames it to", path.into()),
            Self::FindMessage(id) => return ("looks in received mail for the message", id.into()),
            Self::TakePart(id) => return ("takes its body part", id.into()),
            Self::FindPart(id) => {
                return (
                    "takes, from the message that refers to it, the body part",
                    id.into(),
                );
            }
            Self::SearchStore(path) => {
                return (
                    "searches",
                    path.to_string_lossy().into_owned().into_bytes().into(),
                );
            }
            Self::SendNothing => "sends nothing: the URL contains the data",
            Self::DecodeBase64 => "decodes the data from base64",
            Self::DecodeEscapes => "decodes the escapes in the data",
            Self::ReturnAs(media_type) => {
                return ("returns the data as", media_type.as_bytes().into());
            }
        };
        (words, Cow::Borrowed(&[]))
    }
}

impl Compose {
    pub(super) fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        match self {
            Self::Message => ("composes a message", Cow::Borrowed(&[])),
            Self::MessageTo(address) => ("composes a message to", address.into()),
            Self::AndTo(address) => ("adds the recipient", address.into()),
            Self::Field(field) => ("adds the header field", field.into()),
            Self::LeaveOut(name) => ("leaves out the header field", name.into()),
            Self::Body(text) => ("adds the text", text.into()),
            Self::Attachment(name) => ("attaches the file", name.into()),
        }
    }
}
