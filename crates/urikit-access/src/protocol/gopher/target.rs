//! What a gopher URL asks for, and how the reply is read.

use super::form::Answers;
use super::menu::{self, HTML, INFO};
use crate::error::{Error, ErrorKind, Result};
use crate::plan::Plan;
use crate::request::{Request, Wanted};
use urikit::component::Encoded;
use urikit::{AnyRef, UriBuf};
use urikit_schemes::{
    BuildError, Edition, FilledForm, Gopher, GopherAttributes, GopherBuilder, GopherPlus, ItemType,
    Session, Step,
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

    /// The steps of the operation.
    pub(super) fn plan(&self) -> Result<Plan> {
        let mut plan = Plan::new();
        let steps = self.url.steps()?;
        match self.operation() {
            Operation::Link(url) => plan.push(Step::Act {
                what: "is redirected to",
                with: url.into_bytes().into(),
            }),
            Operation::Session => plan.push(Step::Act {
                what: "tells the user",
                with: self.session()?.text.into_bytes().into(),
            }),
            Operation::Words => {
                plan.push(Step::say("asks the user for words to search for"));
                plan.push(Step::connect(self.url.host(), self.url.port())?);
                plan.push(Step::Act {
                    what: "sends the words after a TAB and the selector",
                    with: self.url.selector().to_bytes(),
                });
            }
            Operation::Form => {
                self.push_with_fallback(&mut plan, steps)?;
                plan.push(Step::connect(self.url.host(), self.url.port())?);
                plan.push(Step::say("sends the form"));
            }
            Operation::Attributes { is_all: false, .. } => {
                self.push_with_fallback(&mut plan, steps)?;
            }
            Operation::Attributes { .. } | Operation::Directory | Operation::Data => {
                for step in steps {
                    plan.push(step);
                }
            }
            Operation::Metadata => {
                let url = self.with_attributes()?;
                for step in Target::of_url(&url)?.url.steps()? {
                    plan.push(step);
                }
            }
        }
        Ok(plan)
    }

    /// First the requested attributes, then all of them if the server cannot select.
    fn push_with_fallback(&self, plan: &mut Plan, steps: Vec<Step<'_>>) -> Result<()> {
        const WHEN: &str = "if the server does not support Gopher+";
        let url = self.with_attributes()?;
        let mut others = Vec::new();
        for step in steps {
            match step {
                Step::Act { .. } => others.push(step),
                step => plan.push(step),
            }
        }
        for step in Target::of_url(&url)?.url.steps()? {
            plan.push_if(WHEN, step);
        }
        for step in others {
            plan.push(step);
        }
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
    pub(super) fn filled(&self, answers: &Answers) -> Result<FilledForm> {
        let selector = self.url.selector().to_bytes();
        let words = self.url.search().map(Encoded::to_bytes);
        let mut url = self.builder(&selector).form(&answers.values);
        if let Some(words) = &words {
            url = url.search(&**words);
        }
        let url = url.build().map_err(unbuilt)?;
        let steps = Gopher::read_as(url.borrow(), Edition::Successor)?.steps()?;
        let form = steps.into_iter().find_map(|step| match step {
            Step::SendForm(form) => Some(form),
            _ => None,
        });
        let mut form = form.ok_or_else(|| unbuilt(BuildError::Misread { part: "form" }))?;
        for secret in &answers.secrets {
            form.mark_secret(*secret);
        }
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
        self.url.steps()?;
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
