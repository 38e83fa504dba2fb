//! What a host is, by its form alone.

use crate::grammar::{DIGITS, LETTERS};
use crate::parse::scan::{is_at, is_in};

/// What a host is, by its form; nothing is looked up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum HostKind {
    /// A name that fits the host name syntax of RFC 1034 and RFC 1123: labels of letters, digits
    /// and inner hyphens, at most 63 characters each and 255 together, the last beginning with a
    /// letter (or else it could be taken for an address), one dot at the end allowed.
    Name,
    /// The standard's own form of an IPv4 address. Before RFC 3986 no text gives a range, so that
    /// `999.1.1.1` is one there (RFC 1738's `hostnumber`, RFC 2396's `IPv4address`).
    Ipv4,
    /// An IPv6 address in brackets (RFC 2732, RFC 3986, RFC 3987).
    Ipv6,
    /// An address of a later kind in brackets (RFC 3986, 3.2.2).
    IpvFuture,
    /// Whatever else the standard allows: RFC 3986's `reg-name`, RFC 2396's `reg_name` (which is
    /// the whole authority), RFC 1630's wide `hostname`.
    RegName,
    /// Nothing: `file:///etc/motd`.
    Empty,
}

impl HostKind {
    /// The kind as a word: `name`, `ipv4`, `ipv6`, `ipvfuture`, `reg-name` or `empty`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Ipv4 => "ipv4",
            Self::Ipv6 => "ipv6",
            Self::IpvFuture => "ipvfuture",
            Self::RegName => "reg-name",
            Self::Empty => "empty",
        }
    }

    /// The kind of the host from `start` to `end` that has no brackets; `ipv4` is whether the
    /// standard's production for such addresses matches.
    pub(crate) const fn of_name(text: &[u8], start: usize, end: usize, ipv4: bool) -> Self {
        if start == end {
            Self::Empty
        } else if ipv4 {
            Self::Ipv4
        } else if is_host_name(text, start, end) {
            Self::Name
        } else {
            Self::RegName
        }
    }
}

impl core::fmt::Display for HostKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.as_str())
    }
}

/// Whether the bytes from `start` to `end`, at least one, are a host name (RFC 1034, 3.5, as RFC
/// 1123, 2.1, amends it).
const fn is_host_name(text: &[u8], start: usize, mut end: usize) -> bool {
    if is_at(text, end - 1, b'.') {
        end -= 1;
    }
    if end - start > 255 {
        return false;
    }
    let mut label = start;
    loop {
        let mut at = label;
        while at < end && is_in(text, at, LABEL) {
            at += 1;
        }
        if at == label || at - label > 63 || is_at(text, label, b'-') || is_at(text, at - 1, b'-') {
            return false;
        }
        if at == end {
            return is_in(text, label, &LETTERS);
        }
        if !is_at(text, at, b'.') {
            return false;
        }
        label = at + 1;
    }
}

/// Letters, digits and the hyphen.
const LABEL: &crate::grammar::ByteSet = &LETTERS.or(DIGITS).or(crate::grammar::ByteSet::of(b"-"));
