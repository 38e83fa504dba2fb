//! `gopher`: menus, files and searches by the Gopher protocol (RFC 1436) and Gopher+.
//!
//! ```text
//! gopherurl = "gopher://" hostport [ / [ gtype [ selector              RFC 1738, 5
//!             [ "%09" search [ "%09" gopher+_string ] ] ] ] ]
//! gopheraddress = g o p h e r : / / hostport [ / gtype [ gcommand ] ]  RFC 1630
//! ```
//!
//! The first `%09` ends the selector and the second ends the search, which the productions do not
//! show (RFC 1738, 3.4.2 and 3.4.3; RFC 1630: the command is "the gopher selector string followed
//! by any Gopher plus syntax", with its TABs encoded). After the slash "no characters are
//! reserved": a slash does not separate levels, and a `?` does not begin a search. RFC 4266
//! repeats this although a `?` begins a query in RFC 3986; so the query of the later standards,
//! with its `?`, is part of the path here.
//!
//! A type is one octet. So under RFC 3987 it is not a character beyond US-ASCII, which would be
//! several octets.

#[cfg(feature = "alloc")]
mod builder;
#[cfg(feature = "alloc")]
mod details;
mod form;
mod item_type;
mod plus;

#[cfg(feature = "alloc")]
pub use builder::GopherBuilder;
pub use form::GopherForm;
pub use item_type::ItemType;
pub use plus::{GopherAttributes, GopherPlus};

#[cfg(feature = "alloc")]
use super::Details;
use super::builtin::{Builtin, builtin};
use super::shape::{Server, Shape};
use super::units::{split_at_octet, units};
use super::{Edition, Facts, ReadError, facts};
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::Rule;
use urikit::internal::encoded;

const FACTS: Facts<'static> = facts("gopher");

pub(super) static GOPHER: Builtin = builtin!(FACTS, Gopher);

const GOPHERURL: Rule = Rule::new("gopherurl", "RFC 1738, 3.4.1");
const GOPHER_PATH: Rule = Rule::new("gopher-path", "RFC 4266, 2.1");

/// A gopher URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::{Gopher, ItemType};
/// // RFC 2396, 1.3; the selector begins with a copy of the type (RFC 1738, 3.4.1)
/// let url = Uri::parse("gopher://spinaltap.micro.umn.edu/00/Weather/California/Los%20Angeles")?;
/// let gopher = Gopher::read(url)?;
/// assert_eq!((gopher.item_type(), gopher.port()), (ItemType::FILE, Some(70)));
/// assert_eq!(gopher.selector().to_utf8()?, "0/Weather/California/Los Angeles");
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
    specification: &'static str,
}

impl<'a> Gopher<'a> {
    /// Reads a reference as a gopher URL; both editions are the same.
    ///
    /// # Errors
    ///
    /// If the reference is not a gopher URL.
    pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference as a gopher URL by the specifications of `edition`.
    ///
    /// # Errors
    ///
    /// If the reference is not a gopher URL.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let production = match edition {
            Edition::Original => GOPHERURL,
            Edition::Successor => GOPHER_PATH,
        };
        let shape = Shape::new(reference, edition, FACTS.name, production)?;
        let server = shape.server(&FACTS)?;
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
            specification: match edition {
                Edition::Successor => "RFC 4266, 2",
                Edition::Original if shape.is_rfc1630() => "RFC 1630, Gopher",
                Edition::Original => "RFC 1738, 3.4",
            },
        })
    }

    /// The host.
    pub fn host(&self) -> Host<'a> {
        self.server.host()
    }

    /// The port, by default 70; `None` for one above 65535.
    pub fn port(&self) -> Option<u16> {
        self.server.port()
    }

    /// What kind of item it is; a directory if nothing follows the slash.
    pub fn item_type(&self) -> ItemType {
        let octet = self
            .item_type
            .and_then(|written| written.decode().octets().next());
        octet.map_or(ItemType::DIRECTORY, ItemType::from)
    }

    /// The selector, as written; empty for the top of a server.
    pub const fn selector(&self) -> Encoded<'a> {
        self.selector
    }

    /// The words to search for, as written. A `+` is a plus sign.
    pub const fn search(&self) -> Option<Encoded<'a>> {
        self.search
    }

    /// The Gopher+ string, as written.
    pub const fn plus_string(&self) -> Option<Encoded<'a>> {
        self.plus
    }

    /// What the Gopher+ string asks for.
    pub fn plus(&self) -> Option<GopherPlus<'a>> {
        self.plus.map(GopherPlus::read)
    }

    /// The specification that it was read by, with the section.
    pub const fn specification(&self) -> &'static str {
        self.specification
    }

    /// All of its meaning as named values, for display or as JSON: `type`, `selector`, `search`
    /// and `gopher_plus`, decoded.
    #[cfg(feature = "alloc")]
    pub fn details(&self) -> Details<'a> {
        self.named_values()
    }
}

/// Everything after the slash that follows the host, including a query and its `?`.
fn gopher_path<'a>(shape: &Shape<'a>) -> Result<Encoded<'a>, ReadError> {
    let part = shape.scheme_part().as_str();
    let authority = shape.reference.authority();
    let length = authority.map_or(0, |authority| 2 + authority.as_str().len());
    let after = part.get(length..).unwrap_or_default();
    match after.strip_prefix('/') {
        Some(path) => Ok(encoded(path)),
        None if after.is_empty() => Ok(encoded("")),
        None => Err(shape.mismatch(shape.offset(after), "`/` before anything else")),
    }
}

/// The type, and what follows it.
#[allow(clippy::type_complexity)] // a type, which may be absent, and the rest
fn split_type<'a>(
    shape: &Shape<'a>,
    path: Encoded<'a>,
) -> Result<(Option<Encoded<'a>>, Encoded<'a>), ReadError> {
    let Some(unit) = units(path).next() else {
        return Ok((None, path));
    };
    let Some((item_type, rest)) = path.as_str().split_at_checked(unit.end) else {
        let expected = "an item type: one character of US-ASCII, or an escape";
        return Err(shape.mismatch(shape.offset(path.as_str()), expected));
    };
    Ok((Some(encoded(item_type)), encoded(rest)))
}
