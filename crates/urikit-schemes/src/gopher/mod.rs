//! `gopher`: menus, files and searches over the Gopher protocol (RFC 1436) and Gopher+.
//!
//! ```text
//! gopherurl = "gopher://" hostport [ / [ gtype [ selector              RFC 1738, 5
//!             [ "%09" search [ "%09" gopher+_string ] ] ] ] ]
//! gopheraddress = g o p h e r : / / hostport [ / gtype [ gcommand ] ]  RFC 1630
//! ```
//!
//! The first `%09` ends the selector and the second ends the search, although the productions do
//! not show this (RFC 1738, 3.4.2 and 3.4.3; RFC 1630: the command is "the gopher selector string
//! followed by any Gopher plus syntax", with its TABs encoded). After the slash "no characters are
//! reserved": a slash does not separate levels, and a `?` does not begin a search. RFC 4266 repeats
//! this rule, although a `?` begins a query in RFC 3986. Therefore, this module treats the query of
//! the later standards, including its `?`, as part of the path.
//!
//! A type is one octet. Under RFC 3987, a non-ASCII character cannot be a type, because it has
//! several octets.

#[cfg(feature = "alloc")]
mod builder;
mod plus;

#[cfg(feature = "alloc")]
pub use builder::GopherBuilder;
pub use plus::{GopherAttributes, GopherForm, GopherPlus};

use super::scheme::{Builtin, builtin};
use super::shape::{
    Definition, ReadBy, Server, Shape, host_and_port, reading, split_at_octet, units,
};
use super::{Edition, ReadError};
use core::fmt;
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::Rule;
use urikit::octet::escape;
#[cfg(feature = "alloc")]
use {
    super::{Detail, Details, Fields},
    alloc::vec,
};

const GOPHERURL: Rule = Rule::new("gopherurl", "RFC 1738, 3.4.1");
const GOPHER_PATH: Rule = Rule::new("gopher-path", "RFC 4266, 2.1");

const DEFINITION: Definition = Definition::new("gopher", GOPHERURL, "RFC 1738, 3.4")
    .rfc1630(GOPHERURL, "RFC 1630, Gopher")
    .successor(GOPHER_PATH, "RFC 4266, 2");

pub(super) static GOPHER: Builtin = builtin!(DEFINITION, Gopher);

/// A gopher URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::{Gopher, ItemType};
/// // RFC 2396, 1.3; the selector begins with a copy of the type (RFC 1738, 3.4.1)
/// let url = Uri::parse("gopher://spinaltap.micro.umn.edu/00/Weather/California/Los%20Angeles")?;
/// let gopher = Gopher::read(url)?;
/// assert_eq!((gopher.item_type(), gopher.port()), (ItemType::FILE, Some(70)));
/// assert_eq!(gopher.selector().decode_utf8()?, "0/Weather/California/Los Angeles");
/// assert!(gopher.search().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Gopher<'a> {
    server: Server<'a>,
    item_type: Option<Encoded<'a>>,
    selector: Encoded<'a>,
    search: Option<Encoded<'a>>,
    plus: Option<Encoded<'a>>,
    read_by: ReadBy,
}

reading!(
    Gopher,
    "a gopher URL",
    /// Returns the parts of the URL as named values, for display or for JSON: `type`, `selector`,
    /// `search` and `gopher_plus`, decoded.
    details
);
host_and_port!(Gopher, "70");

impl<'a> Gopher<'a> {
    /// Reads a reference as a gopher URL. The syntax is the same in both [`Edition`]s.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a gopher URL.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let shape = Shape::new(reference, edition, &DEFINITION)?;
        let server = shape.server()?;
        let path = gopher_path(&shape)?;
        let (item_type, path) = split_type(&shape, path)?;
        let (selector, search) = match split_at_octet(path, b'\t') {
            Some((selector, search)) => (selector, Some(search)),
            None => (path, None),
        };
        let (search, plus) = match search.and_then(|search| split_at_octet(search, b'\t')) {
            Some((search, plus)) => (Some(search), Some(plus)),
            None => (search, None),
        };
        Ok(Self {
            server,
            item_type,
            selector,
            search,
            plus,
            read_by: shape.read_by(),
        })
    }

    /// Returns the type of the item. The item is a directory if nothing follows the slash.
    pub fn item_type(&self) -> ItemType {
        let octet = self
            .item_type
            .and_then(|written| written.decode().octets().next());
        octet.map_or(ItemType::DIRECTORY, ItemType::from)
    }

    /// Returns the selector, as written. The selector is empty for the top menu of a server.
    pub const fn selector(&self) -> Encoded<'a> {
        self.selector
    }

    /// Returns the search words, as written (RFC 1738, 3.4.3). A `+` is a plus sign.
    pub const fn search(&self) -> Option<Encoded<'a>> {
        self.search
    }

    /// Returns the Gopher+ string, as written (RFC 1738, 3.4.4).
    pub const fn plus_string(&self) -> Option<Encoded<'a>> {
        self.plus
    }

    /// Reads the Gopher+ string.
    pub fn plus(&self) -> Option<GopherPlus<'a>> {
        self.plus.map(GopherPlus::read)
    }
}

/// Returns everything after the slash that follows the host. The result includes the query and its
/// `?`, if any.
fn gopher_path<'a>(shape: &Shape<'a>) -> Result<Encoded<'a>, ReadError> {
    let after = shape.after_authority().as_str();
    match after.strip_prefix('/') {
        Some(path) => Ok(Encoded::assume_valid(path)),
        None if after.is_empty() => Ok(Encoded::assume_valid("")),
        None => Err(shape.mismatch(shape.offset(after), "`/` after the host")),
    }
}

/// Splits the type from the selector.
#[allow(clippy::type_complexity)] // a type, which may be absent, and the rest
fn split_type<'a>(
    shape: &Shape<'a>,
    path: Encoded<'a>,
) -> Result<(Option<Encoded<'a>>, Encoded<'a>), ReadError> {
    let Some(unit) = units(path).next() else {
        return Ok((None, path));
    };
    let Some((item_type, rest)) = path.as_str().split_at_checked(unit.end) else {
        let expected = "an item type: one US-ASCII character, or an escape";
        return Err(shape.mismatch(shape.offset(path.as_str()), expected));
    };
    Ok((
        Some(Encoded::assume_valid(item_type)),
        Encoded::assume_valid(rest),
    ))
}

#[cfg(feature = "alloc")]
impl<'a> Gopher<'a> {
    fn values(&self, details: Details<'a>) -> Details<'a> {
        details
            .with("type", self.item_type.unwrap_or(Encoded::assume_valid("1")))
            .with("selector", self.selector())
            .with("search", self.search())
            .with("gopher_plus", self.plus_fields().map(Detail::Fields))
    }

    /// Returns the Gopher+ string, its kind, and the values of that kind.
    fn plus_fields(&self) -> Option<Fields<'a>> {
        let (string, plus) = (self.plus_string()?, self.plus()?);
        let mut fields: Fields<'a> = vec![("string", string.into()), ("kind", plus.kind().into())];
        match plus {
            GopherPlus::ItemAttributes(attributes)
            | GopherPlus::DirectoryAttributes(attributes) => {
                fields.push(("attributes", Detail::list(attributes.names())));
            }
            GopherPlus::View { view, language } => {
                fields.push(("view", view.into()));
                fields.push(("language", language.into()));
            }
            GopherPlus::Form(form) => fields.push(("values", Detail::list(form.values()))),
            GopherPlus::DefaultView | GopherPlus::FormItem | GopherPlus::Other(_) => {}
        }
        Some(fields)
    }
}

/// The type of the item that a gopher URL identifies. A client needs the type to interpret the
/// reply, but never sends the type.
///
/// A type is one octet. RFC 1436, 3.8, and Gopher+, 2.9, list the types that have constants here.
/// All other types are for local use.
///
/// ```
/// use urikit_schemes::ItemType;
/// assert_eq!(ItemType::SEARCH.octet(), b'7'); // RFC 1436, 3.8
/// assert_eq!(ItemType::from(b'0').title(), Some("file"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ItemType(u8);

/// Defines a constant and a title for each listed type.
macro_rules! listed {
    ($($(#[$doc:meta])* $name:ident = $octet:literal, $title:literal;)*) => {
        impl ItemType {
            $($(#[$doc])* pub const $name: Self = Self($octet);)*

            /// Returns the name of the type in RFC 1436 or Gopher+. Returns `None` for types that
            /// neither specification lists.
            pub const fn title(self) -> Option<&'static str> {
                match self.0 {
                    $($octet => Some($title),)*
                    _ => None,
                }
            }
        }
    };
}

listed! {
    /// `0`: a text file.
    FILE = b'0', "file";
    /// `1`: a directory. If a URL contains no type, this is the default.
    DIRECTORY = b'1', "directory";
    /// `2`: a CSO phone-book server.
    CSO = b'2', "CSO phone-book server";
    /// `3`: an error.
    ERROR = b'3', "error";
    /// `4`: a BinHexed Macintosh file.
    BINHEX = b'4', "BinHexed Macintosh file";
    /// `5`: a DOS binary archive.
    DOS_BINARY = b'5', "DOS binary archive";
    /// `6`: a UNIX uuencoded file.
    UUENCODED = b'6', "UNIX uuencoded file";
    /// `7`: an index-search server.
    SEARCH = b'7', "index-search server";
    /// `8`: a text-based telnet session.
    TELNET = b'8', "text-based telnet session";
    /// `9`: a binary file.
    BINARY = b'9', "binary file";
    /// `+`: a redundant server.
    REDUNDANT = b'+', "redundant server";
    /// `T`: a text-based tn3270 session.
    TN3270 = b'T', "text-based tn3270 session";
    /// `g`: a GIF format graphics file.
    GIF = b'g', "GIF format graphics file";
    /// `I`: some kind of image file.
    IMAGE = b'I', "image file";
    /// `:`: a bitmap image (Gopher+).
    BITMAP = b':', "bitmap image";
    /// `;`: a movie (Gopher+).
    MOVIE = b';', "movie";
    /// `<`: a sound (Gopher+).
    SOUND = b'<', "sound";
}

impl ItemType {
    /// Returns the octet of the type.
    pub const fn octet(self) -> u8 {
        self.0
    }
}

impl From<u8> for ItemType {
    fn from(octet: u8) -> Self {
        Self(octet)
    }
}

impl fmt::Display for ItemType {
    /// Writes the character, or an escape if it is not visible.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_ascii_graphic() {
            write!(f, "{}", char::from(self.0))
        } else {
            f.write_str(escape(self.0))
        }
    }
}
