//! What a gopher URL asks for, and how the reply is read.

use super::command::Command;
use super::form::Answers;
use super::menu::{self, HTML, INFO};
use super::phone_book::PhoneBook;
use super::plan::{Condition, Step};
use crate::command::Argument;
use crate::error::{Error, ErrorKind, Result};
use crate::plan::{Action, Plan, Question};
use crate::request::{Request, Wanted};
use crate::url_error::UrlError;
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

/// What is done for a URL.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Operation {
    /// Redirects to this URL, which the selector contains.
    Link(String),
    /// Names a session of another protocol.
    Session,
    /// Asks for the words of a search, which the URL lacks.
    Words,
    /// Queries a phone book.
    PhoneBook,
    /// Fetches a form, and sends the answers.
    Form,
    /// Fetches the attributes with these names, or all.
    Attributes { names: Vec<String>, is_all: bool },
    /// Fetches the attributes of all items of a directory.
    Directory,
    /// Finds the metadata.
    Metadata,
    /// Fetches the data.
    Data,
}

/// The format of a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    Text,
    Menu,
    Bytes,
}

/// A session of another protocol.
pub(super) struct SessionInfo {
    /// What it is, and how to log in.
    pub(super) name: String,
    /// The same, with its location.
    pub(super) text: String,
    pub(super) reference: Option<String>,
}

impl<'a> Target<'a> {
    pub(super) fn of(request: &Request<'a>) -> Result<Self> {
        if request.proxy.is_some() {
            let what = "only an HTTP server can be a proxy, not a Gopher server";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        // Gopher cannot request a part.
        if request.resume > 0 && request.wants_body() {
            return Err(Error::new(ErrorKind::CannotResume));
        }
        Ok(Self {
            url: Gopher::read_as(request.reference, request.edition)?,
            wanted: request.wanted,
        })
    }

    /// A request for the body of a URL that was built here.
    pub(super) fn of_url(url: impl Into<AnyRef<'a>>) -> Result<Self> {
        Ok(Self {
            url: Gopher::read_as(url, Edition::Successor)?,
            wanted: Wanted::Body,
        })
    }

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

    /// The server: its host as written in the URL, and its port.
    pub(super) fn server(&self) -> Result<(String, u16)> {
        let port = self.url.port().ok_or(UrlError::NoPort)?;
        Ok((self.url.host().as_str().to_owned(), port))
    }

    /// What the URL asks for.
    pub(super) fn command(&self) -> Result<Command> {
        Ok(Command::of(&self.url)?)
    }

    /// The words for a phone book.
    pub(super) fn words(&self) -> Result<Argument> {
        let words = self.url.search().map(Encoded::decode);
        let words = Argument::new(words.into_iter().flat_map(|words| words.octets()), "search")?;
        if words.octets().trim_ascii().is_empty() {
            let what = "a phone book needs words, as in gopher://host:105/2%09words";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        Ok(words)
    }

    /// The steps of the operation.
    pub(super) fn plan(&self) -> Result<Plan> {
        let mut plan = Plan::new();
        let (host, port) = self.server()?;
        let connect = || Action::Connect(host.clone(), port);
        match self.operation() {
            Operation::Link(url) => {
                // Nothing is sent, but errors in the selector are reported.
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
                self.push_fallback(&mut plan, connect())?;
                plan.push(Action::Ask(Question::Form));
                plan.push(connect());
                plan.step(Step::SendForm);
            }
            Operation::Attributes { is_all, .. } => {
                plan.push(connect());
                plan.send(self.command()?);
                if !is_all {
                    self.push_fallback(&mut plan, connect())?;
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

    /// All attributes, if the server cannot select some.
    fn push_fallback(&self, plan: &mut Plan, connect: Action) -> Result<()> {
        let url = self.with_attributes()?;
        plan.push_if(Condition::NoGopherPlus, connect);
        plan.send_if(Condition::NoGopherPlus, Target::of_url(&url)?.command()?);
        Ok(())
    }

    /// The URL of all attributes of the item. It has no search words: a search has the attributes
    /// of an empty one (Gopher+, Appendix II).
    pub(super) fn with_attributes(&self) -> Result<UriBuf> {
        let selector = self.url.selector().to_bytes();
        let url = self.builder(&selector).attributes::<&str>(&[]);
        url.build().map_err(unbuilt)
    }

    /// The URL of a search for words.
    pub(super) fn with_words(&self, words: &str) -> Result<UriBuf> {
        let selector = self.url.selector().to_bytes();
        let url = self.builder(&selector).search(words);
        url.build().map_err(unbuilt)
    }

    /// The filled-in form.
    pub(super) fn filled(&self, answers: &Answers) -> Result<Command> {
        let selector = self.url.selector().to_bytes();
        let words = self.url.search().map(Encoded::to_bytes);
        let mut url = self.builder(&selector).form(&answers.values);
        if let Some(words) = &words {
            url = url.search(&**words);
        }
        let url = url.build().map_err(unbuilt)?;
        let url = Gopher::read_as(url.borrow(), Edition::Successor)?;
        let mut form = Command::of(&url)?;
        form.mark_secret(&answers.secrets);
        form.file.clone_from(&answers.file);
        Ok(form)
    }

    /// A URL of the same item, with its selector.
    fn builder<'b>(&'b self, selector: &'b [u8]) -> GopherBuilder<'b> {
        let url = Gopher::to(self.url.host().as_str()).item(self.url.item_type(), selector);
        match self.url.port() {
            Some(port) => url.port(port),
            None => url,
        }
    }

    /// The format of the data of the item.
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

    /// The media type, by the view or the type in the URL.
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

    /// Whether the item is a binary of an unknown type.
    pub(super) fn is_binary(&self) -> bool {
        let item_type = self.url.item_type();
        self.view().is_none() && matches!(item_type, ItemType::BINARY | ItemType::DOS_BINARY)
    }

    /// The requested view, in lower case.
    pub(super) fn view(&self) -> Option<String> {
        let Some(GopherPlus::View { view, .. }) = self.url.plus() else {
            return None;
        };
        let view = view.to_utf8().ok()?;
        Some(view.to_ascii_lowercase())
    }

    /// The session that the URL names.
    pub(super) fn session(&self) -> Result<SessionInfo> {
        // Nothing is sent, but this finds control characters in the selector.
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
            let shown = crate::escape::escape(&user);
            let name = format!("{kind}, to log in as {shown}");
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

fn names(attributes: GopherAttributes<'_>) -> Vec<String> {
    let name = |name: Encoded<'_>| String::from_utf8_lossy(&name.to_bytes()).into_owned();
    attributes.names().map(name).collect()
}

/// The user's input is not valid in a request.
fn unbuilt(error: BuildError) -> Error {
    match error {
        BuildError::Scheme(error) => error.into(),
        _ => Error::new(ErrorKind::Unsupported(
            "Gopher cannot send this answer: it contains a TAB or a line end, or is a full stop",
        )),
    }
}
