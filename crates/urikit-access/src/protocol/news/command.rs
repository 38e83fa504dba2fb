//! The NNTP commands (RFC 3977; RFC 977; RFC 2980; RFC 4643), and the characters allowed in their
//! arguments.

use crate::command::{Argument, Command as Sent, Secret, Wire};
use crate::error::UrlError;
use urikit::grammar::ByteSet;

/// A command to a news server.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Command {
    /// `CAPABILITIES`: asks for the server's capabilities.
    Capabilities,
    /// `MODE READER`: switches to reader mode.
    ModeReader,
    /// `AUTHINFO USER`: sends the user name.
    AuthinfoUser(Argument),
    /// `AUTHINFO PASS`: sends the password.
    AuthinfoPass(Secret),
    /// `GROUP`: selects a group.
    Group(Argument),
    /// `ARTICLE`: asks for an article.
    Article(Article),
    /// `STAT`: asks whether an article exists.
    Stat(Article),
    /// `HEAD`: asks for the header of an article.
    Head(Article),
    /// `OVER`: asks for the overview of articles.
    Over(Overview),
    /// `XOVER`: asks older servers for the overview of articles, in place of `OVER`.
    Xover(Overview),
    /// `POST`: asks to post an article.
    Post,
    /// The full stop that ends the article.
    End,
    /// `LIST`: asks for all groups.
    List,
    /// `LIST ACTIVE`: asks for the groups that match a pattern.
    ListActive(Argument),
}

/// An article.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Article {
    /// A message identifier, without the angle brackets.
    Id(Argument),
    /// The article's number in the selected group, in digits.
    Number(Argument),
}

/// Specifies the articles that an overview covers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Overview {
    /// One article.
    Article(Article),
    /// All articles from the first number to the last number.
    Range(u64, u64),
}

impl Sent for Command {
    fn name(&self) -> &'static str {
        match self {
            Self::Capabilities => "CAPABILITIES",
            Self::ModeReader => "MODE READER",
            Self::AuthinfoUser(_) => "AUTHINFO USER",
            Self::AuthinfoPass(_) => "AUTHINFO PASS",
            Self::Group(_) => "GROUP",
            Self::Article(_) => "ARTICLE",
            Self::Stat(_) => "STAT",
            Self::Head(_) => "HEAD",
            Self::Over(_) => "OVER",
            Self::Xover(_) => "XOVER",
            Self::Post => "POST",
            Self::End => ".",
            Self::List => "LIST",
            Self::ListActive(_) => "LIST ACTIVE",
        }
    }

    fn write(&self, wire: &mut Wire) {
        wire.word(self.name());
        match self {
            Self::Capabilities | Self::ModeReader | Self::Post | Self::End | Self::List => {}
            Self::AuthinfoUser(argument) | Self::Group(argument) | Self::ListActive(argument) => {
                wire.word(" ").argument(argument);
            }
            Self::AuthinfoPass(password) => {
                wire.word(" ").secret(password);
            }
            Self::Article(article) | Self::Stat(article) | Self::Head(article) => {
                article.write(wire.word(" "));
            }
            Self::Over(overview) | Self::Xover(overview) => match overview {
                Overview::Article(article) => article.write(wire.word(" ")),
                Overview::Range(first, last) => {
                    wire.word(" ").number(*first).word("-").number(*last);
                }
            },
        }
    }
}

impl Article {
    fn write(&self, wire: &mut Wire) {
        match self {
            Self::Id(id) => wire.word("<").argument(id).word(">"),
            Self::Number(digits) => wire.argument(digits),
        };
    }
}

/// The US-ASCII characters of `wildmat-exact` (RFC 3977, 4.1). Group names consist of these
/// characters and of non-ASCII characters in UTF-8.
const NAME: ByteSet = ByteSet::range(b'!', b'~').without(ByteSet::of(b"!*,?[\\]"));
const PATTERN: ByteSet = NAME.or(ByteSet::of(b"*?"));
/// `A-NOTGT` (RFC 3977, 9.8), the characters allowed in a message identifier.
const MESSAGE_ID: ByteSet = ByteSet::range(b'!', b'~').without(ByteSet::of(b">"));
const NON_ASCII: ByteSet = ByteSet::range(0x80, 0xFF);
/// `user-pass-char` (RFC 4643, 3.1), but without control characters. Spaces are allowed, because
/// the argument extends to the end of the line.
const LOGIN: ByteSet = ByteSet::range(b' ', b'~').or(NON_ASCII);

type Checked = Result<Argument, UrlError>;

/// Checks the name of a group.
pub(super) fn group(name: impl IntoIterator<Item = u8>) -> Checked {
    Argument::of(name, &NAME.or(NON_ASCII), "group")
}

/// Checks a pattern for group names.
pub(super) fn pattern(pattern: impl IntoIterator<Item = u8>) -> Checked {
    Argument::of(pattern, &PATTERN.or(NON_ASCII), "pattern")
}

/// Checks a message identifier without its angle brackets.
pub(super) fn message_id(id: impl IntoIterator<Item = u8>) -> Checked {
    Argument::of(id, &MESSAGE_ID, "message identifier")
}

/// Checks a user name in a URL.
pub(super) fn user(name: impl IntoIterator<Item = u8>) -> Checked {
    Argument::of(name, &LOGIN, "user")
}

/// Checks a password in a URL.
pub(super) fn password(password: impl IntoIterator<Item = u8>) -> Result<Secret, UrlError> {
    Argument::of(password, &LOGIN, "password").map(Secret::from)
}
