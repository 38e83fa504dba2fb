//! Builds gopher URLs.

use super::super::build::{
    BuildError, Data, Parts, ServerParts, UNRESERVED, UrlText, are, build_methods, data, is,
    is_some, set_port, unchanged,
};
use super::{DEFINITION, Gopher, GopherPlus, ItemType};
use alloc::vec::Vec;
use urikit::grammar::ByteSet;
use urikit::percent::Place;
use urikit::{AnyRef, Standard};

/// The characters that stay unescaped after the slash, where RFC 1738 reserves no characters. In
/// later standards, a `?` begins a query and a `;` begins params.
const PATH: ByteSet = TYPE.or(ByteSet::of(b"/"));

/// The characters that stay unescaped in a type. Under RFC 1630, the type cannot be a slash.
const TYPE: ByteSet = UNRESERVED.or(ByteSet::of(b":@&="));

/// Builds a gopher URL from parts, which are the octets that a client sends.
///
/// The builder also accepts data that no client can send, such as a control character. Clients
/// reject these URLs.
///
/// Slashes have no meaning in a selector (RFC 1738, 3.4.1). A slash next to `.` or `..` is escaped,
/// because resolving would remove the segment. The type `.` with the selector `.`, or with an empty
/// selector, cannot be protected in this way, because it contains no slash.
///
/// ```
/// use urikit_schemes::{Gopher, ItemType};
/// // RFC 2396, 1.3
/// let selector = "0/Weather/California/Los Angeles";
/// let url = Gopher::builder("spinaltap.micro.umn.edu").item(ItemType::FILE, selector).build()?;
/// assert_eq!(
///     url.as_str(),
///     "gopher://spinaltap.micro.umn.edu/00/Weather/California/Los%20Angeles",
/// );
/// // RFC 1738, 3.4.8 and 3.4.9
/// let item = || Gopher::builder("h").item(ItemType::FILE, "doc");
/// let url = item().view("application/postscript", Some("Es_ES")).build()?;
/// assert_eq!(url.as_str(), "gopher://h/0doc%09%09+application/postscript%20Es_ES");
/// let url = item().form(&["one", "two"]).build()?;
/// assert_eq!(url.as_str(), "gopher://h/0doc%09%09+%091%0D%0A+-1%0D%0Aone%0D%0Atwo%0D%0A.%0D%0A");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GopherBuilder<'a> {
    server: ServerParts<'a>,
    item: Option<(ItemType, Data<'a>)>,
    search: Option<Data<'a>>,
    plus: Option<Plus<'a>>,
}

/// A Gopher+ string that is being built.
#[derive(Clone, Debug)]
enum Plus<'a> {
    String(Data<'a>),
    Attributes { sign: u8, names: Vec<Data<'a>> },
    View(Data<'a>, Option<Data<'a>>),
    Form(Vec<Data<'a>>),
}

impl Gopher<'_> {
    /// Starts building a URL with a host: a name or an address, written as in a URL. Without an
    /// item, the URL refers to the top menu of the server.
    pub const fn builder(host: &str) -> GopherBuilder<'_> {
        GopherBuilder {
            server: ServerParts::new(host),
            item: None,
            search: None,
            plus: None,
        }
    }
}

set_port!(GopherBuilder, server, "70");

impl<'a> GopherBuilder<'a> {
    /// Sets the type and the selector, which may be empty.
    #[must_use]
    pub fn item<T: AsRef<[u8]> + ?Sized>(
        mut self,
        item_type: impl Into<ItemType>,
        selector: &'a T,
    ) -> Self {
        self.item = Some((item_type.into(), data(selector)));
        self
    }

    /// Sets the words to search for.
    #[must_use]
    pub fn search<T: AsRef<[u8]> + ?Sized>(mut self, words: &'a T) -> Self {
        self.search = Some(data(words));
        self
    }

    /// Sets a Gopher+ string, such as `+` or `?`.
    #[must_use]
    pub fn plus<T: AsRef<[u8]> + ?Sized>(mut self, string: &'a T) -> Self {
        self.plus = Some(Plus::String(data(string)));
        self
    }

    /// Requests the named attributes of the item. Each name includes its `+`. Without names,
    /// requests all attributes with the Gopher+ string `!`.
    #[must_use]
    pub fn attributes<T: AsRef<[u8]>>(self, names: &'a [T]) -> Self {
        self.any_attributes(b'!', names)
    }

    /// Requests the named attributes of all items in the directory. Without names, requests all
    /// attributes with the Gopher+ string `$`.
    #[must_use]
    pub fn directory_attributes<T: AsRef<[u8]>>(self, names: &'a [T]) -> Self {
        self.any_attributes(b'$', names)
    }

    fn any_attributes<T: AsRef<[u8]>>(mut self, sign: u8, names: &'a [T]) -> Self {
        let names = names.iter().map(data).collect();
        self.plus = Some(Plus::Attributes { sign, names });
        self
    }

    /// Requests an alternate view, and its language (RFC 1738, 3.4.8).
    #[must_use]
    pub fn view<T: AsRef<[u8]> + ?Sized>(mut self, view: &'a T, language: Option<&'a T>) -> Self {
        self.plus = Some(Plus::View(data(view), language.map(data)));
        self
    }

    /// Sets the values of a filled-in form (RFC 1738, 3.4.9).
    #[must_use]
    pub fn form<T: AsRef<[u8]>>(mut self, values: &'a [T]) -> Self {
        self.plus = Some(Plus::Form(values.iter().map(data).collect()));
        self
    }
}

build_methods!(
    GopherBuilder,
    /// Builds the URL as an RFC 3986 URI that is also valid under RFC 1738.
    build,
    /// Fails if the parts do not form a gopher URL or would be parsed back into different parts.
    /// Examples of such parts are a selector with a TAB, a form without a value, and a value that
    /// ends the form.
    errors
);

impl GopherBuilder<'_> {
    /// Returns the type and the selector, even if only the search or the Gopher+ string is set.
    fn item_or_top(&self) -> Option<(ItemType, &[u8])> {
        match &self.item {
            None if self.search.is_some() || self.plus.is_some() => {
                Some((ItemType::DIRECTORY, &[]))
            }
            item => item.as_ref().map(|(item_type, data)| (*item_type, &**data)),
        }
    }

    /// Returns the search. The search is empty, but present, before a Gopher+ string: "The
    /// %09<search> string must be supplied" (RFC 1738, 3.4.3).
    fn search_or_empty(&self) -> Option<&[u8]> {
        match &self.search {
            None if self.plus.is_some() => Some(&[]),
            search => search.as_deref(),
        }
    }
}

impl Parts for GopherBuilder<'_> {
    fn scheme(&self) -> &'static str {
        DEFINITION.facts.name
    }

    fn write(&self, text: &mut UrlText) {
        text.server(&self.server);
        if let Some((item_type, selector)) = self.item_or_top() {
            text.push("/");
            text.escape(&[item_type.octet()], Place::Path, &TYPE);
            text.escape_opaque(selector, &PATH);
        }
        let plus = self.plus.as_ref().map(Plus::octets);
        for part in [self.search_or_empty(), plus.as_deref()]
            .into_iter()
            .flatten()
        {
            text.push("%09");
            text.escape_opaque(part, &PATH);
        }
    }

    fn check(&self, url: AnyRef<'_>, _: Standard) -> Result<(), BuildError> {
        let read = Gopher::read(url)?;
        self.server.check(&read.server)?;
        let (item_type, selector) = self.item_or_top().unwrap_or((ItemType::DIRECTORY, &[]));
        unchanged("type", read.item_type() == item_type)?;
        unchanged("selector", is(read.selector(), selector))?;
        unchanged("search", is_some(read.search(), self.search_or_empty()))?;
        let octets = self.plus.as_ref().map(Plus::octets);
        let plus = self.plus.as_ref();
        let is_plus = is_some(read.plus_string(), octets.as_deref())
            && plus.is_none_or(|plus| plus.is_read_as(read.plus()));
        unchanged("Gopher+ string", is_plus)
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
                let mut octets = super::plus::HEAD.to_vec();
                for value in values {
                    octets.extend_from_slice(value);
                    octets.extend_from_slice(b"\r\n");
                }
                octets.extend_from_slice(b".\r\n");
                octets
            }
        }
    }

    /// Returns true if parsing the URL yields the given string.
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
