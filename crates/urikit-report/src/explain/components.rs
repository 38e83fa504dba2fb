//! The components of the reference, each with its value, remarks and decoded form.

use super::Explanation;
use super::shown::{Part, Shown, cut, parts};
use crate::Reader;
use crate::mask::MASK;
use crate::reading::{Components, Reading};
use crate::safe::{quoted, safe};
use std::fmt::Write as _;
use std::ops::Range;
use urikit::component::Host;
use urikit::{AnyRef, Form, HostKind};
use urikit_access::mask::unescaped;
use urikit_domains::List;

/// The maximum length of a value, in characters. Longer values are cut off.
const LONGEST: usize = 1000;

/// The components of a reference under one standard.
pub struct ComponentList<'a> {
    /// The standard.
    pub reader: Reader,
    /// True if only the generic production of the standard matches.
    pub is_generic_only: bool,
    /// The form, such as `absolute reference, opaque`.
    pub form: String,
    /// The reference that the components come from: as written, or as browsers serialize it.
    pub shown: Shown<'a>,
    /// The components that are present, in their order in the reference.
    pub components: Vec<Component>,
}

/// A component as pages show it, without passwords.
pub struct Component {
    /// The name.
    pub key: &'static str,
    /// The range in [`ComponentList::shown`], if the component is part of it.
    pub range: Option<Range<usize>>,
    /// The value; empty if the component is empty.
    pub value: String,
    /// A remark, such as the kind of host.
    pub remark: Option<String>,
    /// The decoded value, if it contains escapes.
    pub decoded: Option<String>,
    /// The pairs of a query.
    pub pairs: Option<Pairs>,
}

/// The first pairs of a query.
pub struct Pairs {
    /// The decoded name of each pair, and its decoded value, if it has one.
    pub rows: Vec<(String, Option<String>)>,
    /// The number of further pairs.
    pub more: usize,
}

impl Explanation<'_> {
    /// Returns the components, or `None` if no standard finds any.
    pub fn components(&self, show_secrets: bool) -> Option<ComponentList<'_>> {
        let reading = self.shown()?;
        let components = reading.components()?;
        let form = match components.form {
            Form::Absolute if components.opaque => "absolute reference, opaque".to_owned(),
            Form::Empty => "empty reference".to_owned(),
            form => format!("{} reference", form.as_str()),
        };
        let text = match reading.reader() {
            Reader::Whatwg => reading.href().unwrap_or_default(),
            Reader::Rfc(_) => std::str::from_utf8(self.reference).unwrap_or_default(),
        };
        let shown = Shown::new(text, show_secrets);
        let parts = parts(&components).into_iter();
        let components = parts.map(|part| component(&part, &shown, reading, show_secrets));
        Some(ComponentList {
            reader: reading.reader(),
            is_generic_only: !reading.is_valid(),
            form,
            components: components.collect(),
            shown,
        })
    }
}

fn component(
    part: &Part<'_>,
    shown: &Shown<'_>,
    reading: &Reading<'_>,
    show_secrets: bool,
) -> Component {
    let secret = part.key == "password" && !part.text.is_empty() && !show_secrets;
    let value = match part.text {
        "" => String::new(),
        _ if secret => MASK.to_owned(),
        _ => cut(&shown.value(part), LONGEST),
    };
    let is_masked = shown.unsafe_value(part) != part.text;
    let components = reading.components();
    let remark = components.and_then(|all| remark(part, &all, reading.reference(), is_masked));
    let has_pairs = part.key == "query" && part.text.contains('=');
    let decoded = match part.key {
        _ if has_pairs || secret => None,
        key => decoded(key, shown.unsafe_value(part)),
    };
    Component {
        key: part.key,
        range: shown.range(part),
        value,
        remark: remark.map(|remark| cut(&remark, LONGEST)),
        decoded: decoded.map(|decoded| cut(&decoded, LONGEST)),
        pairs: has_pairs.then(|| pairs(shown.unsafe_value(part))),
    }
}

/// The maximum number of pairs in the table.
const MOST_PAIRS: usize = 40;

/// The maximum length of a name or value in the table, in characters.
const LONGEST_CELL: usize = 200;

/// Returns the first pairs of a query, decoded.
fn pairs(query: &str) -> Pairs {
    let pairs = query.split('&');
    let rows = pairs
        .clone()
        .take(MOST_PAIRS)
        .map(|pair| match pair.split_once('=') {
            Some((name, value)) => (cell(name), Some(cell(value))),
            None => (cell(pair), None),
        });
    Pairs {
        rows: rows.collect(),
        more: pairs.count().saturating_sub(MOST_PAIRS),
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
