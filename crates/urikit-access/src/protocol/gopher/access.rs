//! Carries out the operation that a gopher URL specifies.

use super::attributes::{self, Block, Items};
use super::command::Command;
use super::form;
use super::menu::{self, Menu};
use super::reply::{Body, End, Head};
use super::target::{Format, Operation, Target};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::listing::{Entry, EntryKind};
use crate::net::Connection;
use crate::output::{Metadata, Output};
use crate::protocol::Outcome;
use std::time::Duration;
use urikit_schemes::GopherPlus;

/// The maximum length of an error message in bytes. Longer messages are truncated.
const MAX_ERROR: usize = 4096;

/// An access in progress.
pub(super) struct Access<'a, 'c, 'd> {
    pub(super) patience: Duration,
    pub(super) target: Target<'a>,
    pub(super) context: &'a mut Context<'c>,
    pub(super) output: &'a mut Output<'d>,
}

/// A reply to a Gopher+ request.
enum PlusReply {
    /// Data that follows a Gopher+ head.
    Data(Body),
    /// A reply without a Gopher+ head, which means that the server does not support Gopher+.
    Plain(Body),
    /// The item has moved.
    Moved(Outcome),
}

impl Access<'_, '_, '_> {
    /// Carries out the operation that the URL specifies.
    pub(super) fn fetch(mut self) -> Result<Outcome> {
        match self.target.operation() {
            Operation::Link(url) => Ok(Outcome::Redirect(url)),
            Operation::Session => self.session(),
            Operation::Words => self.words(),
            Operation::PhoneBook => self.query_phone_book(),
            Operation::Form => self.form(),
            Operation::Attributes { names, is_all } => self.attributes(&names, is_all),
            Operation::Directory => self.directory(),
            Operation::Metadata => self.metadata(),
            Operation::Data => {
                let connection = self.open(&self.target.command()?)?;
                self.data(connection)
            }
        }
    }

    /// Tells the user the host of a session, and how to log in.
    fn session(&mut self) -> Result<Outcome> {
        let advice = self.target.session()?;
        self.context.prompt().notify(&advice.text);
        self.context.note(advice.text.clone());
        self.output.begin(Metadata::listing())?;
        let mut entry = Entry::new(EntryKind::Session, advice.name.as_bytes());
        entry.reference = advice.reference;
        self.output.entry(&entry)?;
        Ok(Outcome::Done)
    }

    /// Asks the user for the words to search for.
    fn words(&mut self) -> Result<Outcome> {
        let question = format!("Search {} for", self.target.url.host().as_str());
        let words = self.context.prompt().input(&question, "");
        let Some(words) = words.filter(|words| !words.is_empty()) else {
            let what = "a search needs words, as in gopher://host/7selector%09words";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        };
        let url = self.target.with_words(&words)?;
        let target = Target::of_url(&url)?;
        let connection = self.open(&target.command()?)?;
        self.data(connection)
    }

    /// Fetches a form, asks the user its questions, and sends the answers.
    fn form(&mut self) -> Result<Outcome> {
        let blocks = match self.blocks(&["+ASK"], false)? {
            Ok(blocks) => blocks,
            Err(outcome) => return Ok(outcome),
        };
        let host = self.target.url.host().as_str().to_owned();
        let answers = form::ask(&blocks, &host, self.context)?;
        let connection = self.open(&self.target.filled(&answers)?)?;
        self.data(connection)
    }

    /// Connects to the server, and sends a request.
    fn open(&mut self, command: &Command) -> Result<Connection> {
        let (host, port) = self.target.server()?;
        let mut connection = self.context.connect(&host, port)?;
        if command.file.is_some() {
            connection.send_message(command)?;
        } else {
            connection.send(command)?;
        }
        Ok(connection)
    }

    /// Returns the attributes of the item, both as metadata and as the body.
    fn attributes(&mut self, names: &[String], is_all: bool) -> Result<Outcome> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut blocks = match self.blocks(&names, is_all)? {
            Ok(blocks) => blocks,
            Err(outcome) => return Ok(outcome),
        };
        // "It is the client's responsibility to inspect the returned attributes" (Gopher+, 2.7).
        blocks.retain(|block| is_all || names.contains(&block.name.as_str()));
        let mut text = Vec::new();
        for block in &blocks {
            block.write(&mut text);
        }
        let mut metadata = attributes::metadata(&blocks);
        metadata.media_type = Some("text/plain".to_owned());
        metadata.modified = None;
        self.output.begin(metadata)?;
        self.output.bytes(&text)?;
        Ok(Outcome::Done)
    }

    /// Determines the metadata of the item from its attributes, or from the type in the URL if the
    /// server provides no attributes.
    fn metadata(&mut self) -> Result<Outcome> {
        let url = self.target.with_attributes()?;
        let all = Target::of_url(&url)?;
        let connection = self.open(&all.command()?)?;
        let mut metadata = match self.read_reply(connection)? {
            PlusReply::Moved(outcome) => return Ok(outcome),
            PlusReply::Data(body) => {
                let mut items = Items::new(body, self.context.max_line());
                attributes::metadata(&items.next()?.unwrap_or_default())
            }
            PlusReply::Plain(mut body) => {
                if let Some(error) = denial(&mut body)? {
                    return Err(error);
                }
                if body.peek()?.is_empty() {
                    return Err(empty(&body));
                }
                self.context
                    .note("the server does not support Gopher+, so the type in the URL is used");
                Metadata::default()
            }
        };
        let format = self.target.format();
        metadata.is_listing = format == Format::Menu;
        // The media type is that of the first view, which is the server's default. The URL may
        // request a different view.
        if metadata.media_type.is_none() || self.target.view().is_some() {
            metadata.media_type = self.target.media_type();
        }
        self.output.begin(metadata)?;
        Ok(Outcome::Done)
    }

    /// Lists the attributes of all items in a directory.
    fn directory(&mut self) -> Result<Outcome> {
        let connection = self.open(&self.target.command()?)?;
        let body = match self.read_reply(connection)? {
            PlusReply::Moved(outcome) => return Ok(outcome),
            PlusReply::Plain(body) => return Err(no_head(body)),
            PlusReply::Data(body) => body,
        };
        self.output.begin(Metadata::listing())?;
        let mut menu = Menu::default();
        let mut items = Items::new(body, self.context.max_line());
        while let Some(blocks) = items.next()? {
            let entry = attributes::entry(&mut menu, &blocks)?;
            self.output.entry(&entry)?;
        }
        Ok(Outcome::Done)
    }

    /// Fetches attributes of the item. If the item has moved, returns the outcome as the error
    /// value.
    fn blocks(
        &mut self,
        names: &[&str],
        is_all: bool,
    ) -> Result<std::result::Result<Vec<Block>, Outcome>> {
        let connection = self.open(&self.target.command()?)?;
        let mut reply = self.read_reply(connection)?;
        if !is_all && matches!(reply, PlusReply::Plain(_)) {
            // pygopherd supports only `!`, and returns the item itself if a client sends `!+NAME`.
            let wanted = names.join(" ");
            self.context.note(format!(
                "the server cannot select {wanted}: requesting all attributes"
            ));
            let url = self.target.with_attributes()?;
            let all = Target::of_url(&url)?;
            let connection = self.open(&all.command()?)?;
            reply = self.read_reply(connection)?;
        }
        match reply {
            PlusReply::Moved(outcome) => Ok(Err(outcome)),
            PlusReply::Plain(body) => Err(no_head(body)),
            PlusReply::Data(body) => {
                let mut items = Items::new(body, self.context.max_line());
                Ok(Ok(items.next()?.unwrap_or_default()))
            }
        }
    }

    /// Reads the reply that contains the item's data.
    fn data(&mut self, connection: Connection) -> Result<Outcome> {
        let plus = self.target.url.plus();
        let mut body = if plus.is_none() {
            self.plain(connection, Vec::new())
        } else {
            match self.read_reply(connection)? {
                PlusReply::Moved(outcome) => return Ok(outcome),
                PlusReply::Data(body) => return self.deliver(body, true),
                // A server without Gopher+ cannot send the requested view.
                PlusReply::Plain(body) if matches!(plus, Some(GopherPlus::View { .. })) => {
                    return Err(no_head(body));
                }
                PlusReply::Plain(body) => {
                    self.context.note("the server does not support Gopher+");
                    body
                }
            }
        };
        if self.target.format() != Format::Menu
            && let Some(error) = denial(&mut body)?
        {
            return Err(error);
        }
        if body.peek()?.is_empty() {
            return Err(empty(&body));
        }
        self.deliver(body, false)
    }

    /// Passes the reply to the output, in the format that the type in the URL implies.
    fn deliver(&mut self, mut body: Body, has_head: bool) -> Result<Outcome> {
        let format = self.target.format();
        let mut metadata = Metadata {
            media_type: self.target.media_type(),
            is_listing: format == Format::Menu,
            ..Metadata::default()
        };
        if let End::Length(length) = body.end() {
            metadata.size = Some(length);
        }
        match format {
            Format::Menu => {
                self.output.begin(metadata)?;
                let mut menu = Menu::default();
                while let Some(line) = body.line()? {
                    self.output.entry(&menu.entry(&line))?;
                }
                if let Some(error) = menu.denial() {
                    let kind = ErrorKind::server(None, &error);
                    return Err(body.connection().failed(kind).with_received(&error));
                }
            }
            // After the head `+-1`, data of any type is sent as text (RFC 1436).
            Format::Text | Format::Bytes if body.end() == End::LastLine => {
                self.output.begin(metadata)?;
                body.deliver_text(self.output)?;
            }
            // Text without a head ends with a line that contains only a full stop. Data with a
            // length, or after the head `+-2`, is passed to the output unchanged.
            Format::Text if !has_head => {
                self.output.begin(metadata)?;
                body.deliver_text(self.output)?;
            }
            Format::Text | Format::Bytes => {
                // Types 5 and 9 cover all binary files, so the first bytes are examined.
                if self.target.is_binary() {
                    let first = body.peek()?;
                    if let Some(kind) = infer::get(first) {
                        metadata.media_type = Some(kind.mime_type().to_owned());
                    }
                }
                self.output.begin(metadata)?;
                body.deliver(self.output)?;
            }
        }
        if body.lacks_last_line() {
            self.context
                .note("the connection ended without a full stop: the reply may be incomplete");
        }
        Ok(Outcome::Done)
    }

    /// Reads the head of a reply to a Gopher+ request. Fails if the server reports an error,
    /// except for the error that contains the new location of the item.
    fn read_reply(&mut self, mut connection: Connection) -> Result<PlusReply> {
        let head = Head::receive(&mut connection)?;
        let (longest, patience) = (self.context.max_line(), self.patience);
        let end = match head {
            Head::None(ahead) => return Ok(PlusReply::Plain(self.plain(connection, ahead))),
            Head::Data(end) => {
                self.context.received(format!("+{end}").as_bytes());
                let body = Body::new(connection, end, Vec::new(), longest, patience);
                return Ok(PlusReply::Data(body));
            }
            Head::Failure(end) => end,
        };
        self.context.received(format!("-{end}").as_bytes());
        let mut body = Body::new(connection, end, Vec::new(), longest, patience);
        let mut text = Vec::new();
        // The text of the error is shown even if its end is not marked correctly.
        while let Ok(Some(line)) = body.line() {
            if !text.is_empty() {
                text.extend_from_slice(b"\r\n");
            }
            text.extend_from_slice(&line);
            if text.len() > MAX_ERROR {
                break;
            }
        }
        // "Following the error-code is the gopher descriptor of where it now lives" (2.3).
        let item = text
            .strip_prefix(b"3 ")
            .or_else(|| text.strip_prefix(b"3\t"));
        let line = item.and_then(|item| item.split(|octet| *octet == b'\r').next());
        if let Some(item) = line.and_then(menu::Item::parse)
            && let Ok(reference) = item.reference(item.kind)
        {
            self.context.note("the item has moved");
            return Ok(PlusReply::Moved(Outcome::Redirect(reference)));
        }
        Err(plus_error(&body, &text))
    }

    /// Returns the data of a reply without a Gopher+ head.
    fn plain(&self, connection: Connection, ahead: Vec<u8>) -> Body {
        let end = match self.target.format() {
            Format::Bytes => End::Close,
            Format::Text | Format::Menu => End::LastLineOrClose,
        };
        let longest = self.context.max_line();
        Body::new(connection, end, ahead, longest, self.patience)
    }
}

/// Converts the text of a Gopher+ error, which begins with a code (Gopher+, 2.3), to an error.
fn plus_error(body: &Body, text: &[u8]) -> Error {
    let kind = match text.first() {
        Some(b'1') => ErrorKind::NotFound,
        Some(code @ b'2'..=b'9') => {
            let words = text.get(2..).unwrap_or_default();
            ErrorKind::server(u16::from(code - b'0'), words)
        }
        _ => ErrorKind::server(None, text),
    };
    let error = body.connection().failed(kind).with_received(text);
    // "Try again later."
    if text.first() == Some(&b'2') {
        return error.with_retry_after(None);
    }
    error
}

/// Returns the error for a reply that consists of one error line. Servers without Gopher+ have no
/// other way to report errors.
fn denial(body: &mut Body) -> Result<Option<Error>> {
    if body.peek()?.first() != Some(&b'3') {
        return Ok(None);
    }
    let Some(line) = body.only_line(MAX_ERROR)? else {
        return Ok(None);
    };
    let is_error = menu::Item::parse(&line).is_some_and(|item| item.is_error());
    let kind = ErrorKind::server(None, &line);
    let denied = || body.connection().failed(kind).with_received(&line);
    Ok(is_error.then(denied))
}

/// Returns the error for a connection that the server closed without sending any data.
fn empty(body: &Body) -> Error {
    let (expected, received) = (None, 0);
    let error = body
        .connection()
        .failed(ErrorKind::EndedEarly { expected, received });
    error.with_step("reading the reply")
}

/// Returns the error for a reply that should begin with a Gopher+ head, but does not. If the reply
/// is an error line, the error contains its text.
fn no_head(mut body: Body) -> Error {
    if let Ok(Some(error)) = denial(&mut body) {
        return error;
    }
    let what = "a Gopher+ reply: `+` or `-`, and a length";
    let first = body.line().ok().flatten().unwrap_or_default();
    body.connection()
        .failed(ErrorKind::Protocol(what))
        .with_received(&first)
}
