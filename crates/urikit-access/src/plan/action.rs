//! What is done in a step.

use super::{Compose, Local, Lookup, Question, Show};
use crate::command::{AnyCommand, Command};
use std::borrow::Cow;

/// What is done in a step.
///
/// It is data; [`words`](Self::words) describes it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Action {
    /// Connects to a host, as written in the URL, and a port.
    Connect(String, u16),
    /// Connects to a proxy.
    ConnectProxy(String, u16),
    /// Asks a SOCKS proxy to connect to a host and a port.
    AskProxy(String, u16),
    /// Connects to the server that the settings name, because the URL names none.
    ConnectToConfigured,
    /// Connects for data to the port that the server names, at the same address.
    ConnectForData,
    /// Asks the proxy for such a connection, in the same way as for the first one.
    AskProxyForData,
    /// Starts TLS on the connection.
    StartTls,
    /// Sends a command.
    Send(AnyCommand),
    /// Sends this many bytes of data.
    SendData(u64),
    /// Repeats the request with an answer to the server's challenge, by the "Digest" scheme (RFC
    /// 7616).
    AnswerChallenge,
    /// Sends the message that was composed, after the SMTP command `DATA`.
    SendMessage,
    /// Sends the body of an upload.
    SendBody,
    /// Sends the form that the user filled in.
    SendForm,
    /// Sends the selector of a search, and the words that the user typed.
    SendSearch(Vec<u8>),
    /// Sends a search for the words that the user typed, in a WAIS database.
    SendWords(Vec<u8>),
    /// Fetches the rest of the document in the same way, up to its end.
    FetchPages,
    /// Fetches the document that was found.
    FetchFound,
    /// Sends a WebSocket key: 16 random octets in base64 (RFC 6455, 4.1).
    SendKey,
    /// Lists the current directory, as for a URL that ends in a slash (FTP).
    ListDirectory,
    /// Lists the articles of the selected group in ranges, by `OVER` or `XOVER`.
    ListArticles,
    /// Receives the body, or a redirect, which is followed.
    ReceiveBody,
    /// Receives the header fields, or a redirect, which is followed.
    ReceiveHead,
    /// Follows the URL of an access method that the directory server names (Prospero).
    FollowAccessMethod,
    /// Lists the targets of the union links of a directory, each on its server (Prospero).
    ListUnionLinks,
    /// Is redirected to a URL.
    Redirect(String),
    /// Asks the user.
    Ask(Question),
    /// Shows something to the user.
    Show(Show),
    /// Composes a part of a message.
    Compose(Compose),
    /// Does something on this machine.
    Local(Local),
    /// Looks something up by a protocol that is described in words only.
    Lookup(Lookup),
    /// Does something else, for protocols outside this crate: what, in words such as `asks`, and
    /// the octets that it is done with or to, if any.
    Other(&'static str, Vec<u8>),
}

impl Action {
    /// Sends a command.
    pub fn send(command: impl Command) -> Self {
        Self::Send(AnyCommand::new(command))
    }

    /// The action in words, such as `opens`, and the octets that it is done with or to, if any.
    ///
    /// ```
    /// use urikit_access::{Action, Local};
    /// let action = Action::Local(Local::Open(b"/etc/motd".to_vec()));
    /// assert_eq!(action.words(), ("opens", b"/etc/motd".into()));
    /// ```
    ///
    /// The octets of a command are masked.
    pub fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        let just = |words| (words, Cow::Borrowed(&[][..]));
        match self {
            Self::Connect(host, port) => {
                let server = format!("{host}:{port}").into_bytes();
                ("connects to", server.into())
            }
            Self::ConnectProxy(host, port) => {
                let server = format!("{host}:{port}").into_bytes();
                ("connects to the proxy", server.into())
            }
            Self::AskProxy(host, port) => {
                let server = format!("{host}:{port}").into_bytes();
                ("asks the proxy to connect to", server.into())
            }
            Self::ConnectToConfigured => just("connects to the configured server"),
            Self::ConnectForData => {
                just("connects to the port that the server names, at the same address")
            }
            Self::AskProxyForData => {
                just("asks the proxy in the same way to connect to the port that the server names")
            }
            Self::StartTls => just("starts TLS"),
            Self::Send(command) => match command.words() {
                Some(words) => ("sends", words.into_bytes().into()),
                None => ("sends", command.masked().into()),
            },
            Self::SendData(count) => {
                let count = count.to_string().into_bytes();
                ("sends the data, in bytes", count.into())
            }
            Self::AnswerChallenge => {
                just("repeats the request with the answer to the server's Digest challenge")
            }
            Self::SendMessage => just("sends the message"),
            Self::SendBody => just("sends the body"),
            Self::SendForm => just("sends the form"),
            Self::SendSearch(selector) => (
                "sends the words after a TAB and the selector",
                selector.into(),
            ),
            Self::SendWords(database) => {
                ("searches for the words in the database", database.into())
            }
            Self::FetchPages => just("fetches the rest of the document in the same way"),
            Self::FetchFound => just("fetches the document that was found"),
            Self::SendKey => just("sends Sec-WebSocket-Key: and 16 random octets in base64"),
            Self::ListDirectory => just("lists it, as the URL with a slash at its end does"),
            Self::ListArticles => {
                just("lists the articles in ranges, by OVER, or by XOVER if that is refused")
            }
            Self::ReceiveBody => just("receives the body, or follows a redirect"),
            Self::ReceiveHead => just("receives the header fields, or follows a redirect"),
            Self::FollowAccessMethod => just("follows the URL of one of the access methods"),
            Self::ListUnionLinks => just("lists the directories that union links name"),
            Self::Redirect(url) => ("is redirected to", url.as_bytes().into()),
            Self::Ask(question) => question.words(),
            Self::Show(show) => show.words(),
            Self::Compose(compose) => compose.words(),
            Self::Local(local) => local.words(),
            Self::Lookup(lookup) => lookup.words(),
            Self::Other(words, with) => (words, with.into()),
        }
    }
}
