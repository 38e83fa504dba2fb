//! The list of components, each with its value, remarks and decoded form.

use super::page::{Layout, cut};
use crate::mask::{MASK, Masked};
use crate::reading::{Components, Reading};
use crate::safe::{quoted, safe, width, wrap};
use crate::style::{self, DIM};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;
use urikit::component::Host;
use urikit::{AnyRef, HostKind};
use urikit_access::mask::unescaped;
use urikit_domains::List;

/// A component of the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part<'a> {
    pub(super) key: &'static str,
    /// The text as written.
    pub(super) text: &'a str,
}

/// Returns the components that are present, in the order of the reference.
pub(super) fn parts<'a>(components: &Components<'a>) -> Vec<Part<'a>> {
    let userinfo = match components.password {
        Some(_) => [("user", components.user), ("password", components.password)],
        None => [("user", components.userinfo), ("password", None)],
    };
    let all = [
        ("scheme", components.scheme),
        userinfo[0],
        userinfo[1],
        ("host", components.host),
        ("port", components.port),
        ("path", Some(components.path)),
        ("params", components.params),
        ("query", components.query),
        ("fragment", components.fragment),
    ];
    all.into_iter()
        .filter_map(|(key, text)| Some(Part { key, text: text? }))
        .collect()
}

/// A reference in its displayed form: safe to print, with masked passwords.
pub(super) struct Shown<'a> {
    masked: Masked<'a>,
}

impl<'a> Shown<'a> {
    pub(super) fn new(original: &'a str, show_secrets: bool) -> Self {
        let masked = Masked::new(original, show_secrets);
        Self { masked }
    }

    /// Returns the complete masked text. This text is not yet safe to print.
    pub(super) fn masked(&self) -> &str {
        &self.masked.text
    }

    /// Returns part of the text. The offsets come from [`range`](Self::range).
    pub(super) fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        safe(self.masked.text.get(range).unwrap_or_default())
    }

    /// Returns the range at which `part`, a slice of the original, is shown. If `part` ends within
    /// a secret, the range excludes the mask, so neighbouring ranges never overlap.
    pub(super) fn range(&self, part: &Part<'_>) -> Option<Range<usize>> {
        let place = self.place(part)?;
        Some(self.masked.offset(place.start)..self.masked.offset(place.end))
    }

    /// Returns the range of `part` in the original, or `None` if `part` is not a slice of it.
    fn place(&self, part: &Part<'_>) -> Option<Range<usize>> {
        let start = part
            .text
            .as_ptr()
            .addr()
            .checked_sub(self.original().as_ptr().addr())?;
        let end = start + part.text.len();
        (end <= self.original().len()).then_some(start..end)
    }

    /// Returns the text shown for `part`.
    pub(super) fn value(&self, part: &Part<'_>) -> Cow<'_, str> {
        safe(self.unsafe_value(part))
    }

    /// Returns the text shown for `part`, without making it safe to print.
    pub(super) fn unsafe_value(&self, part: &Part<'_>) -> &str {
        self.place(part)
            .map_or("", |place| self.masked.slice(place))
    }

    /// Returns the original text.
    pub(super) const fn original(&self) -> &'a str {
        self.masked.original()
    }

    /// Converts an offset in the original to an offset in the masked text.
    pub(super) fn offset(&self, offset: usize) -> usize {
        self.masked.offset(offset)
    }

    /// Returns true if the byte at `offset` in the original is masked.
    pub(super) fn hides(&self, offset: usize) -> bool {
        self.masked.hides(offset)
    }
}

/// The maximum length of a value, in characters. Longer values are cut off.
const LONGEST: usize = 1000;

/// Writes the list.
pub(super) fn list(
    out: &mut String,
    shown: &Shown<'_>,
    parts: &[Part<'_>],
    reading: &Reading<'_>,
    layout: Layout,
) {
    let Some(components) = reading.components() else {
        return;
    };
    let indent = parts.iter().map(|part| part.key.len()).max().unwrap_or(0) + 2;
    for part in parts {
        let style = style::component(part.key);
        let secret = part.key == "password" && !part.text.is_empty() && !layout.show_secrets;
        let value = match part.text {
            "" => String::new(),
            _ if secret => MASK.to_owned(),
            _ => cut(&shown.value(part), LONGEST),
        };
        let room = layout.width.saturating_sub(indent + 2);
        let mut lines = wrap(&value, room);
        for line in &mut lines {
            *line = format!("{style}{line}{style:#}");
        }
        let mut remarks = Vec::new();
        if value.is_empty() {
            lines = vec![format!("{DIM}(empty){DIM:#}")];
        }
        let is_masked = shown.unsafe_value(part) != part.text;
        if let Some(remark) = remark(part, &components, reading.reference(), is_masked) {
            // A short remark fits on the line of the value.
            match lines.as_mut_slice() {
                [line] if !value.is_empty() && width(&value) + 2 + width(&remark) <= room => {
                    let _ = write!(line, "  {DIM}{remark}{DIM:#}");
                }
                _ => remarks.push(remark),
            }
        }
        let has_pairs = part.key == "query" && part.text.contains('=');
        if !has_pairs {
            remarks.extend(decoded(part.key, shown.unsafe_value(part)).filter(|_| !secret));
        }
        for remark in remarks {
            let wrapped = wrap(&cut(&remark, LONGEST), room);
            lines.extend(wrapped.iter().map(|line| format!("{DIM}{line}{DIM:#}")));
        }
        let mut key = part.key;
        for line in lines {
            let _ = writeln!(out, "  {style}{key:indent$}{style:#}{line}");
            key = "";
        }
        if has_pairs {
            pairs(out, shown.unsafe_value(part), indent + 2, layout);
        }
    }
}

/// The maximum number of pairs in the table.
const MOST_PAIRS: usize = 40;

/// The maximum length of a name or value in the table, in characters.
const LONGEST_CELL: usize = 200;

/// Writes the pairs of a query as a table of decoded names and values.
fn pairs(out: &mut String, query: &str, indent: usize, layout: Layout) {
    let count = query.split('&').count();
    let rows: Vec<_> = query
        .split('&')
        .take(MOST_PAIRS)
        .map(|pair| match pair.split_once('=') {
            Some((name, value)) => (cell(name), Some(cell(value))),
            None => (cell(pair), None),
        })
        .collect();
    let room = layout.width.saturating_sub(indent + 2);
    let names = rows.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
    let names = names.min(room / 3);
    for (name, value) in rows {
        let names_lines = wrap(&name, names.max(8));
        let column = names.max(8);
        let value = match value {
            Some(value) => wrap(&value, room.saturating_sub(column + 2)),
            None => vec!["(no value)".to_owned()],
        };
        for row in 0..names_lines.len().max(value.len()) {
            let name = names_lines.get(row).map_or("", String::as_str);
            let value = value.get(row).map_or("", String::as_str);
            let padding = " ".repeat(column.saturating_sub(width(name)) + 2);
            let line = format!("{:indent$}{DIM}{name}{DIM:#}{padding}{value}", "");
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
    if count > MOST_PAIRS {
        let more = count - MOST_PAIRS;
        let _ = writeln!(out, "{:indent$}{DIM}… and {more} more pairs{DIM:#}", "");
    }
}

/// Returns a decoded name or value, in quotation marks if it is empty or has special characters.
fn cell(text: &str) -> String {
    let end = text.char_indices().nth(LONGEST_CELL);
    let (text, rest) = end
        .and_then(|(end, _)| text.split_at_checked(end))
        .unwrap_or((text, ""));
    let bytes: Vec<u8> = unescaped(text.as_bytes()).map(|(_, byte)| byte).collect();
    let quoted = quoted(&bytes);
    let plain = quoted.get(1..quoted.len() - 1).unwrap_or_default();
    let is_plain = !plain.is_empty() && !plain.contains(['\\', ' ']);
    let more = if rest.is_empty() { "" } else { "…" };
    format!("{}{more}", if is_plain { plain } else { &quoted })
}

/// Returns a remark on a component, for example the kind of host. The remark does not repeat any
/// masked part.
fn remark(
    part: &Part<'_>,
    components: &Components<'_>,
    reference: Option<AnyRef<'_>>,
    is_masked: bool,
) -> Option<String> {
    match part.key {
        "host" => {
            let host = reference.and_then(|reference| reference.host());
            let address = host
                .and_then(Host::to_ipv6)
                .map(|address| address.to_string())
                .filter(|address| part.text.trim_matches(['[', ']']) != address)
                .map(|address| format!("an IPv6 address: {address}"));
            let mut remark = address.or_else(|| Some(kind(components.host_kind?).to_owned()))?;
            let is_name = matches!(
                components.host_kind,
                Some(HostKind::Name | HostKind::RegName)
            );
            if is_name && !is_masked {
                remark.push_str(&names(part.text, host));
            }
            Some(remark)
        }
        "port" => {
            let number = reference?.authority()?.port_number()?.to_string();
            (number != part.text).then(|| format!("the number {number}"))
        }
        "path" if components.opaque => {
            Some("opaque: only the scheme defines its meaning".to_owned())
        }
        _ => None,
    }
}

/// Returns the other spelling of a host name, and the registrable domain of the host.
fn names(text: &str, host: Option<Host<'_>>) -> String {
    let mut names = String::new();
    let ascii = host.and_then(|host| host.to_ascii().ok());
    let ascii = ascii.as_deref().unwrap_or(text);
    let is_encoded = |label: &str| {
        let begin = label.get(..4);
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case("xn--"))
    };
    if ascii.split('.').any(is_encoded) {
        if text.is_ascii() {
            if let Some(unicode) = host.and_then(|host| host.to_unicode().ok()) {
                let _ = write!(names, "; in Unicode {}", safe(&unicode));
            }
        } else {
            let _ = write!(names, "; in the DNS {}", safe(ascii));
        }
    }
    let list = List::default();
    if let Some(domain) = list
        .domain(ascii)
        .and_then(|domain| domain.registrable().map(safe))
    {
        let _ = write!(names, "; domain {domain}");
    }
    names
}

/// Describes a kind of host.
pub(super) const fn kind(kind: HostKind) -> &'static str {
    match kind {
        HostKind::Name => "a host name",
        HostKind::Ipv4 => "an IPv4 address",
        HostKind::Ipv6 => "an IPv6 address",
        HostKind::IpvFuture => "an address of a future IP version",
        HostKind::RegName => "a registered name, not a host name",
        _ => "empty: there is no host",
    }
}

/// Returns the decoded form of a component, if it contains escapes. `value` is the component as
/// shown.
///
/// INVARIANT: decoding reveals no password, because masking decodes escapes too.
fn decoded(key: &str, value: &str) -> Option<String> {
    let text = beginning(value);
    if !text.contains('%') {
        return None;
    }
    // Split before decoding, because an escaped delimiter is data.
    let (delimiter, between) = match key {
        "path" => ('/', " / "),
        "query" => ('&', " & "),
        "params" => (';', " ; "),
        _ => ('\0', ""),
    };
    let split = match key {
        "path" => text.strip_prefix('/').unwrap_or(text),
        _ => text,
    };
    let pieces: Vec<_> = split
        .split(delimiter)
        .map(|piece| {
            let bytes: Vec<u8> = unescaped(piece.as_bytes()).map(|(_, byte)| byte).collect();
            quoted(&bytes)
        })
        .collect();
    let more = if text.len() < value.len() { "…" } else { "" };
    Some(format!("decoded: {}{more}", pieces.join(between)))
}

/// Returns the first `LONGEST` characters of `text`, without an incomplete escape at the end.
fn beginning(text: &str) -> &str {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => {
            let text = text.get(..end).unwrap_or_default();
            match text.rfind('%') {
                Some(at) if at + 2 >= end => text.get(..at).unwrap_or_default(),
                _ => text,
            }
        }
        None => text,
    }
}
