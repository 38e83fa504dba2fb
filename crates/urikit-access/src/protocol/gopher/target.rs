//! The operation that a gopher URL specifies, the plan for it, and the format of the reply.

use super::command::Command;
use super::form::Answers;
use super::menu::{self, HTML, INFO};
use super::phone_book::PhoneBook;
use crate::command::Argument;
use crate::error::{Error, ErrorKind, Result, UrlError};
use crate::plan::{self, Action, Plan, Question};
use crate::request::{Request, Wanted};
use std::borrow::Cow;
use urikit::component::Encoded;
use urikit::{AnyRef, UriBuf};
use urikit_schemes::{
    BuildError, Edition, Gopher, GopherAttributes, GopherBuilder, GopherPlus, ItemType, Session,
};

/// A gopher URL, and whether its body is requested.
pub(super) struct Target<'a> {
    pub(super) url: Gopher<'a>,
    wanted: Wanted,
}

/// The operation that a URL specifies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Operation {
    /// Redirect to this URL, which the selector contains.
    Link(String),
    /// Show the user the host of a session that uses another protocol.
    Session,
    /// Ask the user for search words, because the URL has none.
    Words,
    /// Query a phone book.
    PhoneBook,
    /// Fetch a form, and send the user's answers.
    Form,
    /// Fetch the attributes of an item, either all of them or only those with the given names.
    Attributes { names: Vec<String>, is_all: bool },
    /// Fetch the attributes of all items in a directory.
    Directory,
    /// Fetch the metadata of an item.
    Metadata,
    /// Fetch the data of an item.
    Data,
}

/// The format of a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    Text,
    Menu,
    Bytes,
}

/// A session that uses another protocol.
pub(super) struct SessionInfo {
    /// The kind of session, and the name to log in with.
    pub(super) name: String,
    /// The URL or the host of the session, and its name.
    pub(super) text: String,
    pub(super) reference: Option<String>,
}

impl<'a> Target<'a> {
    /// Reads the URL of a request. Fails if the request asks for something that Gopher does not
    /// support.
    pub(super) fn of(request: &Request<'a>) -> Result<Self> {
        if request.proxy.is_some() {
            let what = "a proxy must be an HTTP server, not a Gopher server";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        if request.resume > 0 && request.wants_body() {
            return Err(Error::new(ErrorKind::CannotResume));
        }
        Ok(Self {
            url: Gopher::read_as(request.reference, request.edition)?,
            wanted: request.wanted,
        })
    }

    /// Reads a URL that this module has built, to request its body.
    pub(super) fn of_url(url: impl Into<AnyRef<'a>>) -> Result<Self> {
        Ok(Self {
            url: Gopher::read_as(url, Edition::Successor)?,
            wanted: Wanted::Body,
        })
    }

    /// Returns the operation that the URL specifies.
    pub(super) fn operation(&self) -> Operation {
        let (url, item_type) = (&self.url, self.url.item_type());
        if url.search().is_none() {
            let selector = url.selector().to_bytes();
            if item_type.octet() == HTML
                && let Some(link) = menu::link(&selector)
            {
                return Operation::Link(link.to_owned());
            }
            if let ItemType::CSO | ItemType::TELNET | ItemType::TN3270 = item_type {
                return Operation::Session;
            }
        }
        if item_type == ItemType::CSO && url.plus().is_none() {
            return Operation::PhoneBook;
        }
        if self.wanted == Wanted::Metadata {
            return Operation::Metadata;
        }
        match url.plus() {
            Some(GopherPlus::FormItem) => Operation::Form,
            Some(GopherPlus::ItemAttributes(attributes)) => Operation::Attributes {
                names: names(attributes),
                is_all: attributes.is_all(),
            },
            Some(GopherPlus::DirectoryAttributes(_)) => Operation::Directory,
            None if item_type == ItemType::SEARCH && url.search().is_none() => Operation::Words,
            _ => Operation::Data,
        }
    }

    /// Returns the host as written in the URL, and the port.
    pub(super) fn server(&self) -> Result<(String, u16)> {
        let port = self.url.port().ok_or(UrlError::NoPort)?;
        Ok((self.url.host().as_str().to_owned(), port))
    }

    /// Returns the request that the URL describes.
    pub(super) fn command(&self) -> Result<Command> {
        Ok(Command::of(&self.url)?)
    }

    /// Returns the words to look up in the phone book. Fails if the URL contains no words.
    pub(super) fn words(&self) -> Result<Argument> {
        let words = self.url.search().map(Encoded::decode);
        let words = Argument::new(words.into_iter().flat_map(|words| words.octets()), "search")?;
        if words.octets().trim_ascii().is_empty() {
            let what = "a phone book needs words, as in gopher://host:105/2%09words";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        Ok(words)
    }

    /// Plans the operation.
    pub(super) fn plan(&self) -> Result<Plan> {
        let mut plan = Plan::new();
        let (host, port) = self.server()?;
        let connect = || Action::Connect(host.clone(), port);
        match self.operation() {
            Operation::Link(url) => {
                // Nothing is sent, but a control character in the selector is still an error.
                self.command()?;
                plan.push(Action::Redirect(url));
            }
            Operation::Session => plan.step(Step::ShowSession(self.session()?.text)),
            Operation::Words => {
                self.command()?;
                plan.push(Action::Ask(Question::SearchWords));
                plan.push(connect());
                let selector = self.url.selector().to_bytes().into_owned();
                plan.step(Step::SendSearch(selector));
            }
            Operation::PhoneBook => {
                plan.push(connect());
                plan.send(PhoneBook::Query(self.words()?));
                plan.send(PhoneBook::Quit);
            }
            Operation::Form => {
                plan.push(connect());
                plan.send(self.command()?);
                self.plan_fallback(&mut plan, connect())?;
                plan.push(Action::Ask(Question::Form));
                plan.push(connect());
                plan.step(Step::SendForm);
            }
            Operation::Attributes { is_all, .. } => {
                plan.push(connect());
                plan.send(self.command()?);
                if !is_all {
                    self.plan_fallback(&mut plan, connect())?;
                }
            }
            Operation::Directory | Operation::Data => {
                plan.push(connect());
                plan.send(self.command()?);
            }
            Operation::Metadata => {
                self.command()?;
                let url = self.with_attributes()?;
                plan.push(connect());
                plan.send(Target::of_url(&url)?.command()?);
            }
        }
        Ok(plan)
    }

    /// Plans a request for all attributes, which is sent to a server that cannot select individual
    /// attributes.
    fn plan_fallback(&self, plan: &mut Plan, connect: Action) -> Result<()> {
        let url = self.with_attributes()?;
        plan.push_if(Condition::NoGopherPlus, connect);
        plan.send_if(Condition::NoGopherPlus, Target::of_url(&url)?.command()?);
        Ok(())
    }

    /// Returns the URL that requests all attributes of the item. The URL has no search words,
    /// because they do not affect the attributes of a search (Gopher+, Appendix II).
    pub(super) fn with_attributes(&self) -> Result<UriBuf> {
        let selector = self.url.selector().to_bytes();
        let url = self.builder(&selector).attributes::<&str>(&[]);
        url.build().map_err(unbuilt)
    }

    /// Returns the URL of a search for these words.
    pub(super) fn with_words(&self, words: &str) -> Result<UriBuf> {
        let selector = self.url.selector().to_bytes();
        let url = self.builder(&selector).search(words);
        url.build().map_err(unbuilt)
    }

    /// Returns the request that sends a form with its answers.
    pub(super) fn filled(&self, answers: &Answers) -> Result<Command> {
        let selector = self.url.selector().to_bytes();
        let words = self.url.search().map(Encoded::to_bytes);
        let mut url = self.builder(&selector).form(&answers.values);
        if let Some(words) = &words {
            url = url.search(&**words);
        }
        let url = url.build().map_err(unbuilt)?;
        let url = Gopher::read_as(url.as_uri(), Edition::Successor)?;
        let mut form = Command::of(&url)?;
        form.mark_secret(&answers.secrets);
        form.file.clone_from(&answers.file);
        Ok(form)
    }

    /// Returns a builder with the server, the type and the selector of the URL.
    fn builder<'b>(&'b self, selector: &'b [u8]) -> GopherBuilder<'b> {
        let url = Gopher::builder(self.url.host().as_str()).item(self.url.item_type(), selector);
        match self.url.port() {
            Some(port) => url.port(port),
            None => url,
        }
    }

    /// Returns the format of the item's data.
    pub(super) fn format(&self) -> Format {
        match self.view().as_deref() {
            Some("application/gopher-menu" | "application/gopher+-menu") => return Format::Menu,
            Some(_) => return Format::Bytes,
            None => {}
        }
        match self.url.item_type() {
            ItemType::DIRECTORY | ItemType::SEARCH => Format::Menu,
            ItemType::FILE | ItemType::ERROR | ItemType::BINHEX | ItemType::UUENCODED => {
                Format::Text
            }
            item_type if item_type.octet() == INFO => Format::Text,
            _ => Format::Bytes,
        }
    }

    /// Returns the media type that the view or the item type in the URL specifies.
    pub(super) fn media_type(&self) -> Option<String> {
        if let Some(view) = self.view() {
            return Some(view);
        }
        let media_type = match self.url.item_type() {
            ItemType::FILE | ItemType::ERROR => "text/plain",
            ItemType::DIRECTORY | ItemType::SEARCH => "application/gopher-menu",
            ItemType::BINHEX => "application/mac-binhex40",
            ItemType::UUENCODED => "text/x-uuencode",
            ItemType::GIF => "image/gif",
            _ if self.is_binary() => "application/octet-stream",
            item_type => match item_type.octet() {
                HTML => "text/html",
                INFO => "text/plain",
                b'M' => "message/rfc822",
                b'P' => "application/pdf",
                _ => return None,
            },
        };
        Some(media_type.to_owned())
    }

    /// Returns whether the item is a binary file of an unknown type.
    pub(super) fn is_binary(&self) -> bool {
        let item_type = self.url.item_type();
        self.view().is_none() && matches!(item_type, ItemType::BINARY | ItemType::DOS_BINARY)
    }

    /// Returns the requested view, in lower case.
    pub(super) fn view(&self) -> Option<String> {
        let Some(GopherPlus::View { view, .. }) = self.url.plus() else {
            return None;
        };
        let view = view.decode_utf8().ok()?;
        Some(view.to_ascii_lowercase())
    }

    /// Returns the session that the URL refers to.
    pub(super) fn session(&self) -> Result<SessionInfo> {
        // Although nothing is sent, a control character in the selector is an error.
        self.command()?;
        let (host, port) = (self.url.host().as_str(), self.url.port());
        let user = self.url.selector().to_bytes();
        let (session, kind) = match self.url.item_type() {
            ItemType::TELNET => (Session::telnet(host), "a telnet session"),
            ItemType::TN3270 => (Session::tn3270(host), "a tn3270 session"),
            _ => {
                let name = "a CSO phone book, which uses the ph protocol".to_owned();
                let text = format!("{host}:{}: {name}", port.unwrap_or_default());
                let reference = None;
                return Ok(SessionInfo {
                    name,
                    text,
                    reference,
                });
            }
        };
        let (session, name) = if user.is_empty() {
            (session, kind.to_owned())
        } else {
            let shown = crate::mask::escape(&user);
            let name = format!("{kind}; log in as {shown}");
            (session.user(&*user), name)
        };
        let session = match port {
            Some(port) => session.port(port),
            None => session,
        };
        let url = session.build().map_err(unbuilt)?.into_string();
        Ok(SessionInfo {
            text: format!("{url}: {name}"),
            name,
            reference: Some(url),
        })
    }
}

/// A condition in a Gopher plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// The server does not support Gopher+.
    NoGopherPlus,
}

impl plan::Condition for Condition {
    fn words(&self) -> &'static str {
        match self {
            Self::NoGopherPlus => "the server does not support Gopher+",
        }
    }
}

/// A step in a Gopher plan, other than a request.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Sends the given selector, and the words that the user typed.
    SendSearch(Vec<u8>),
    /// Sends the form that the user filled in.
    SendForm,
    /// Shows the host of a session that uses another protocol, and how to log in.
    ShowSession(String),
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        match self {
            Self::SendSearch(selector) => (
                "sends the search words, preceded by a TAB and the selector",
                selector.into(),
            ),
            Self::SendForm => ("sends the form", b"".into()),
            Self::ShowSession(text) => ("shows the user", text.as_bytes().into()),
        }
    }
}

/// Decodes the names of attributes.
fn names(attributes: GopherAttributes<'_>) -> Vec<String> {
    let name = |name: Encoded<'_>| String::from_utf8_lossy(&name.to_bytes()).into_owned();
    attributes.names().map(name).collect()
}

/// Returns the error for user input that a request cannot contain.
fn unbuilt(error: BuildError) -> Error {
    match error {
        BuildError::Scheme(error) => error.into(),
        _ => Error::new(ErrorKind::Unsupported(
            "Gopher cannot send this answer: it contains a TAB or a line break, or is a full stop",
        )),
    }
}
