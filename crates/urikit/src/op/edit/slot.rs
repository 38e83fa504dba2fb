//! The characters that stay literal in each slot of a reference: those allowed in the component,
//! except the slot's delimiters.

use crate::Standard;
use crate::grammar::component::{Component, class};
use crate::grammar::{Beyond, Class};
use crate::percent::{Place, is_fit_for_iris};

/// A part of a reference to which a value can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    User,
    Password,
    Host,
    /// A complete path.
    Path,
    /// Everything after the colon of an opaque reference.
    Opaque,
    Segment,
    Params,
    Query,
    /// The name or value of a pair.
    Name,
    Value,
    Fragment,
}

impl Slot {
    /// Returns the place of a leaf: a single piece of data rather than a component with delimiters.
    pub(super) const fn leaf(self) -> Option<Place> {
        match self {
            Self::User => Some(Place::User),
            Self::Password => Some(Place::Password),
            Self::Segment => Some(Place::Segment),
            Self::Name => Some(Place::QueryName),
            Self::Value => Some(Place::QueryValue),
            _ => None,
        }
    }
}

/// The characters that do not need to be escaped in a slot.
#[derive(Clone, Copy)]
pub(super) struct Allowed {
    class: &'static Class,
    /// Characters that would end the slot.
    delimiters: &'static [u8],
    /// For data in a leaf: the characters that [`encode`](fn@crate::percent::encode) keeps
    /// literal.
    pub(super) data: Option<&'static Class>,
    /// Another character that would end the slot.
    pub(super) separator: Option<char>,
    /// True if some programs interpret a plus sign as a space.
    pub(super) plus_is_space: bool,
    /// True if a space is written as a plus sign.
    pub(super) space_is_plus: bool,
}

impl Allowed {
    /// Returns whether `c` may be literal.
    pub(super) fn contains(&self, c: char) -> bool {
        if self.separator == Some(c) || self.plus_is_space && c == '+' {
            return false;
        }
        match u8::try_from(c) {
            Ok(byte) if c.is_ascii() => {
                let is_literal = self.data.is_none_or(|data| data.set().contains(byte));
                self.class.set().contains(byte) && is_literal && !self.delimiters.contains(&byte)
            }
            _ => {
                let is_literal = self.data.is_none() || is_fit_for_iris(c);
                let beyond = self.class.beyond();
                is_literal && beyond != Beyond::None && beyond.contains(c)
            }
        }
    }
}

/// Returns the characters that do not need to be escaped in `slot` of a reference with this scheme.
pub(super) fn allowed(
    standard: Standard,
    scheme: Option<&str>,
    generic: bool,
    slot: Slot,
) -> Allowed {
    let (component, delimiters): (Component, &[u8]) = match slot {
        Slot::User => (Component::User, b""),
        Slot::Password => (Component::Password, b""),
        Slot::Host => (Component::Host, b""),
        Slot::Path => (Component::Path, b""),
        Slot::Opaque => (Component::Opaque, b""),
        Slot::Segment => (Component::Path, b"/"),
        Slot::Params => (Component::Params, b""),
        Slot::Query | Slot::Value => (Component::Query, b""),
        Slot::Name => (Component::Query, b"="),
        Slot::Fragment => (Component::Fragment, b""),
    };
    let production = |scheme| if generic { "" } else { scheme };
    Allowed {
        class: class(standard, scheme.map(production), component),
        delimiters,
        data: None,
        separator: None,
        plus_is_space: false,
        space_is_plus: false,
    }
}

/// Returns whether paths of this scheme may end in `;type=` and a code.
pub(super) fn has_type(standard: Standard, scheme: Option<&str>) -> bool {
    let scheme = scheme.unwrap_or_default();
    match standard {
        Standard::Rfc1630 => scheme == "ftp",
        Standard::Rfc1738 => scheme.eq_ignore_ascii_case("ftp"),
        _ => false,
    }
}

/// Returns whether `c` is a delimiter of any component. A caller that puts a delimiter in a host
/// has probably made a mistake.
pub(super) const fn is_delimiter(c: char) -> bool {
    matches!(c, ':' | '/' | '?' | '#' | '@' | '[' | ']' | '\\')
}
