//! From parts to a gopher URL.

use super::super::build::{BuildError, Data, ServerParts, UNRESERVED, UrlText, data};
use super::{Gopher, GopherPlus, ItemType};
use crate::UriRefBuf;
use crate::component::Encoded;
use crate::grammar::ByteSet;
use crate::op::percent::Component;
use crate::standard::{Rfc3986, Spec};
use alloc::vec::Vec;

/// What stands for itself behind the slash, where nothing is reserved: all but what later standards read as a
/// query (`?`) or as params (`;`).
const PATH: ByteSet = TYPE.or(ByteSet::of(b"/"));

/// What stands for itself as a type, which is no slash under RFC 1630.
const TYPE: ByteSet = UNRESERVED.or(ByteSet::of(b":@&="));

/// Makes a gopher URL out of parts, which are octets as they are sent.
///
/// What no client can send, such as a control character, is built all the same; `steps` says so.
///
/// Slashes mean nothing in a selector (RFC 1738, 3.4.1). One beside `.` or `..` is escaped, or resolvers would take
/// the dots for a level; a type `.` with the selector `.` or none has no slash to escape.
///
/// ```
/// use urikit::scheme::{Gopher, ItemType};
/// // RFC 2396, 1.3
/// let selector = "0/Weather/California/Los Angeles";
/// let url = Gopher::to("spinaltap.micro.umn.edu").item(ItemType::FILE, selector).build()?;
/// assert_eq!(url.as_str(), "gopher://spinaltap.micro.umn.edu/00/Weather/California/Los%20Angeles");
/// // RFC 1738, 3.4.8 and 3.4.9
/// let item = || Gopher::to("h").item(ItemType::FILE, "doc");
/// let url = item().view("application/postscript", Some("Es_ES")).build()?;
/// assert_eq!(url.as_str(), "gopher://h/0doc%09%09+application/postscript%20Es_ES");
/// let url = item().form(&["one", "two"]).build()?;
/// assert_eq!(url.as_str(), "gopher://h/0doc%09%09+%091%0D%0A+-1%0D%0Aone%0D%0Atwo%0D%0A.%0D%0A");
/// # Ok::<(), urikit::scheme::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GopherBuilder<'a> {
    server: ServerParts<'a>,
    item: Option<(ItemType, Data<'a>)>,
    search: Option<Data<'a>>,
    plus: Option<Plus<'a>>,
}

/// A Gopher+ string to be.
#[derive(Clone, Debug)]
enum Plus<'a> {
    String(Data<'a>),
    Attributes { sign: u8, names: Vec<Data<'a>> },
    View(Data<'a>, Option<Data<'a>>),
    Form(Vec<Data<'a>>),
}

impl Gopher<'_> {
    /// Begins a URL to a host: a name or an address, as a URL has it. Without more, it leads to the top of the server.
    pub const fn to(host: &str) -> GopherBuilder<'_> {
        GopherBuilder {
            server: ServerParts::new(host),
            item: None,
            search: None,
            plus: None,
        }
    }
}

impl<'a> GopherBuilder<'a> {
    /// Another port than 70.
    #[must_use]
    pub const fn port(mut self, port: u16) -> Self {
        self.server.port = Some(port);
        self
    }

    /// The type and the selector, which may be empty.
    #[must_use]
    pub fn item<T: AsRef<[u8]> + ?Sized>(
        mut self,
        item_type: impl Into<ItemType>,
        selector: &'a T,
    ) -> Self {
        self.item = Some((item_type.into(), data(selector)));
        self
    }

    /// The words to search for.
    #[must_use]
    pub fn search<T: AsRef<[u8]> + ?Sized>(mut self, words: &'a T) -> Self {
        self.search = Some(data(words));
        self
    }

    /// A Gopher+ string, such as `+` or `?`.
    #[must_use]
    pub fn plus<T: AsRef<[u8]> + ?Sized>(mut self, string: &'a T) -> Self {
        self.plus = Some(Plus::String(data(string)));
        self
    }

    /// Attributes of the item, by their names, each with its `+`; all without a name, as by the Gopher+ string `!`.
    #[must_use]
    pub fn attributes<T: AsRef<[u8]>>(self, names: &'a [T]) -> Self {
        self.any_attributes(b'!', names)
    }

    /// Attributes of all items in the directory, by their names; all without a name, as by the Gopher+ string `$`.
    #[must_use]
    pub fn directory_attributes<T: AsRef<[u8]>>(self, names: &'a [T]) -> Self {
        self.any_attributes(b'$', names)
    }

    fn any_attributes<T: AsRef<[u8]>>(mut self, sign: u8, names: &'a [T]) -> Self {
        let names = names.iter().map(data).collect();
        self.plus = Some(Plus::Attributes { sign, names });
        self
    }

    /// An alternate view, and its language.
    #[must_use]
    pub fn view<T: AsRef<[u8]> + ?Sized>(mut self, view: &'a T, language: Option<&'a T>) -> Self {
        self.plus = Some(Plus::View(data(view), language.map(data)));
        self
    }

    /// A filled-in form.
    #[must_use]
    pub fn form<T: AsRef<[u8]>>(mut self, values: &'a [T]) -> Self {
        self.plus = Some(Plus::Form(values.iter().map(data).collect()));
        self
    }

    /// The URL, as a reference of RFC 3986 that RFC 1738 takes too.
    ///
    /// # Errors
    ///
    /// Where the parts make no gopher URL, or would be read as others: a selector with a TAB, a form without a value,
    /// or with one that ends the form.
    pub fn build(self) -> Result<UriRefBuf, BuildError> {
        self.build_as::<Rfc3986>()
    }

    /// The URL, as a reference of `S`.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_as<S: Spec>(self) -> Result<UriRefBuf<S>, BuildError> {
        let plus = self.plus.as_ref().map(Plus::octets);
        // "The %09<search> string must be supplied" before a Gopher+ string (RFC 1738, 3.4.3).
        let search = match (&self.search, &plus) {
            (None, Some(_)) => Some(&[][..]),
            (search, _) => search.as_deref(),
        };
        let mut text = UrlText::<S>::new("gopher");
        text.server(&self.server);
        let item = match &self.item {
            None if search.is_some() => Some((ItemType::DIRECTORY, &[][..])),
            item => item.as_ref().map(|(item_type, data)| (*item_type, &**data)),
        };
        if let Some((item_type, selector)) = item {
            text.push("/");
            text.escape(&[item_type.octet()], Component::Path, &TYPE);
            text.escape_opaque(selector, &PATH);
        }
        for part in [search, plus.as_deref()].into_iter().flatten() {
            text.push("%09");
            text.escape_opaque(part, &PATH);
        }
        text.finish(|url| {
            let read = Gopher::read(url).map_err(BuildError::Scheme)?;
            self.server.check(&read.server)?;
            let (item_type, selector) = item.unwrap_or((ItemType::DIRECTORY, &[]));
            let part = if read.item_type() != item_type {
                "type"
            } else if !is(read.selector(), selector) {
                "selector"
            } else if !is_some(read.search(), search) {
                "search"
            } else if !is_some(read.plus_string(), plus.as_deref())
                || !self
                    .plus
                    .as_ref()
                    .is_none_or(|plus| plus.is_read_as(read.plus()))
            {
                "Gopher+ string"
            } else {
                return Ok(());
            };
            Err(BuildError::Misread { part })
        })
    }
}

fn is(read: Encoded<'_>, data: &[u8]) -> bool {
    read.decode().eq(data.iter().copied())
}

fn are<'a>(mut read: impl Iterator<Item = Encoded<'a>>, data: &[Data<'_>]) -> bool {
    data.iter()
        .all(|data| read.next().is_some_and(|read| is(read, data)))
        && read.next().is_none()
}

fn is_some(read: Option<Encoded<'_>>, data: Option<&[u8]>) -> bool {
    match (read, data) {
        (Some(read), Some(data)) => is(read, data),
        (read, data) => read.is_none() && data.is_none(),
    }
}

impl Plus<'_> {
    fn octets(&self) -> Vec<u8> {
        match self {
            Self::String(string) => string.to_vec(),
            Self::Attributes { sign, names } => {
                let mut octets = alloc::vec![*sign];
                octets.extend(names.join(&b' '));
                octets
            }
            Self::View(view, language) => {
                let mut octets = b"+".to_vec();
                octets.extend_from_slice(view);
                if let Some(language) = language {
                    octets.push(b' ');
                    octets.extend_from_slice(language);
                }
                octets
            }
            Self::Form(values) => {
                let mut octets = super::form::HEAD.to_vec();
                for value in values {
                    octets.extend_from_slice(value);
                    octets.extend_from_slice(b"\r\n");
                }
                octets.extend_from_slice(b".\r\n");
                octets
            }
        }
    }

    /// Whether that is what was put in.
    fn is_read_as(&self, read: Option<GopherPlus<'_>>) -> bool {
        match (self, read) {
            (Self::String(_), Some(_)) => true,
            (Self::Attributes { sign: b'!', names }, Some(GopherPlus::ItemAttributes(read)))
            | (
                Self::Attributes { sign: b'$', names },
                Some(GopherPlus::DirectoryAttributes(read)),
            ) => are(read.names(), names),
            (
                Self::View(view, language),
                Some(GopherPlus::View {
                    view: read,
                    language: other,
                }),
            ) => is(read, view) && is_some(other, language.as_deref()),
            (Self::Form(values), Some(GopherPlus::Form(read))) => are(read.values(), values),
            _ => false,
        }
    }
}
