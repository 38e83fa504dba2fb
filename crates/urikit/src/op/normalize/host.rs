//! The host of a normal form: text, or an IPv6 address in its canonical form (RFC 5952).

use super::piece::Piece;
use core::cmp::Ordering;
use core::fmt::{self, Write as _};
use core::net::Ipv6Addr;

/// The host of a normal form.
#[derive(Clone, Copy)]
pub(super) enum Host<'a> {
    /// Read from the text.
    Text(Piece<'a>),
    /// An address that is not written as RFC 5952 recommends.
    Address(Ipv6Addr),
}

impl<'a> Host<'a> {
    /// An address in brackets, if it is not written as RFC 5952 recommends.
    pub(super) fn address(address: Ipv6Addr, written: &'a str) -> Option<Self> {
        let is_recommended = AddressText::new(address).as_bytes() == written.as_bytes();
        (!is_recommended).then_some(Self::Address(address))
    }

    pub(super) fn is_as_written(&self) -> bool {
        match self {
            Self::Text(piece) => piece.is_as_written(),
            Self::Address(_) => false,
        }
    }

    /// Whether both have the same normal form.
    pub(super) fn is_same(&self, other: &Host<'_>) -> bool {
        match (self, other) {
            (Self::Text(a), Host::Text(b)) => a.is_same(*b),
            (Self::Address(a), Host::Address(b)) => a == b,
            (Self::Text(_), Host::Address(_)) => other.is_same(self),
            (Self::Address(address), Host::Text(piece)) => {
                let text = AddressText::new(*address);
                piece.bytes().eq(text.as_bytes().iter().copied())
            }
        }
    }

    /// The order of the texts of both normal forms.
    pub(super) fn compare(&self, other: &Host<'_>) -> Ordering {
        let text = |address: &Ipv6Addr| AddressText::new(*address);
        match (self, other) {
            (Self::Text(a), Host::Text(b)) => a.bytes().cmp(b.bytes()),
            (Self::Address(a), Host::Address(b)) => text(a).as_bytes().cmp(text(b).as_bytes()),
            (Self::Text(_), Host::Address(_)) => other.compare(self).reverse(),
            (Self::Address(address), Host::Text(piece)) => {
                text(address).as_bytes().iter().copied().cmp(piece.bytes())
            }
        }
    }

    /// Passes each byte of the normal form to `take`.
    pub(super) fn for_each_byte(&self, take: impl FnMut(u8)) {
        match self {
            Self::Text(piece) => piece.bytes().for_each(take),
            Self::Address(address) => {
                let text = AddressText::new(*address);
                text.as_bytes().iter().copied().for_each(take);
            }
        }
    }

    #[cfg(feature = "alloc")]
    pub(super) fn write(&self, out: &mut alloc::string::String) {
        match self {
            Self::Text(piece) => piece.write(out),
            Self::Address(address) => {
                let text = AddressText::new(*address);
                out.push_str(core::str::from_utf8(text.as_bytes()).unwrap_or_default());
            }
        }
    }
}

/// An address in brackets.
struct AddressText {
    text: [u8; Self::MAX],
    length: usize,
}

impl AddressText {
    /// Brackets and the longest address, `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255`.
    const MAX: usize = 48;

    fn new(address: Ipv6Addr) -> Self {
        let mut text = Self {
            text: [0; Self::MAX],
            length: 0,
        };
        // The standard library writes addresses as RFC 5952 recommends. INVARIANT: they fit.
        let _ = write!(text, "[{address}]");
        text
    }

    fn as_bytes(&self) -> &[u8] {
        self.text.get(..self.length).unwrap_or_default()
    }
}

impl fmt::Write for AddressText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        let place = self.text.get_mut(self.length..end).ok_or(fmt::Error)?;
        place.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}
