//! The components as a list: the value, its kind, and its decoded form if that differs.

use super::layout::cut;
use super::parts::{Part, Shown};
use crate::mask::MASK;
use crate::reading::Components;
use crate::safe::{quoted, width, wrap};
use crate::style::{self, DIM};
use std::fmt::Write as _;
use urikit::component::Host;
use urikit::{AnyRef, HostKind};
use urikit_access::mask::unescaped;

/// Values longer than this many characters are cut off.
const LONGEST: usize = 1000;

/// Writes the list, `columns` wide.
pub(super) fn list(
    out: &mut String,
    shown: &Shown<'_>,
    parts: &[Part<'_>],
    (components, reference): (&Components<'_>, Option<AnyRef<'_>>),
    show_secrets: bool,
    columns: usize,
) {
    let indent = parts.iter().map(|part| part.key.len()).max().unwrap_or(0) + 2;
    for part in parts {
        let style = style::component(part.key);
        let secret = part.key == "password" && !part.text.is_empty() && !show_secrets;
        let value = match part.text {
            "" => String::new(),
            _ if secret => MASK.to_owned(),
            _ => cut(&shown.value(part), LONGEST),
        };
        let room = columns.saturating_sub(indent);
        let mut lines = wrap(&value, room);
        for line in &mut lines {
            *line = format!("{style}{line}{style:#}");
        }
        let mut remarks = Vec::new();
        if value.is_empty() {
            lines = vec![format!("{DIM}(empty){DIM:#}")];
        }
        if let Some(remark) = remark(part, components, reference) {
            // Beside the value if there is room.
            match lines.as_mut_slice() {
                [line] if !value.is_empty() && width(&value) + 2 + width(&remark) <= room => {
                    let _ = write!(line, "  {DIM}{remark}{DIM:#}");
                }
                _ => remarks.push(remark),
            }
        }
        remarks.extend(decoded(part.key, shown.unsafe_value(part)).filter(|_| !secret));
        for remark in remarks {
            let wrapped = wrap(&cut(&remark, LONGEST), room);
            lines.extend(wrapped.iter().map(|line| format!("{DIM}{line}{DIM:#}")));
        }
        let mut key = part.key;
        for line in lines {
            let _ = writeln!(out, "  {style}{key:indent$}{style:#}{line}");
            key = "";
        }
    }
}

/// A remark about a component, such as the kind of host.
fn remark(
    part: &Part<'_>,
    components: &Components<'_>,
    reference: Option<AnyRef<'_>>,
) -> Option<String> {
    match part.key {
        "host" => {
            let host = reference.and_then(|reference| reference.host());
            let address = host
                .and_then(Host::to_ipv6)
                .map(|address| address.to_string())
                .filter(|address| part.text.trim_matches(['[', ']']) != address)
                .map(|address| format!("an IPv6 address: {address}"));
            address.or_else(|| Some(kind(components.host_kind?).to_owned()))
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

/// A kind of host, in words.
pub(super) const fn kind(kind: HostKind) -> &'static str {
    match kind {
        HostKind::Name => "a host name",
        HostKind::Ipv4 => "an IPv4 address",
        HostKind::Ipv6 => "an IPv6 address",
        HostKind::IpvFuture => "an address of a later IP version",
        HostKind::RegName => "a registered name, not a host name",
        _ => "empty: no host is named",
    }
}

/// The decoded form of a component, if it contains escapes. `value` is the component as shown. It
/// is split before it is decoded, because an escaped delimiter is data.
///
/// INVARIANT: decoding reveals no password, because masking decodes escapes too.
fn decoded(key: &str, value: &str) -> Option<String> {
    let text = beginning(value);
    if !text.contains('%') {
        return None;
    }
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

/// The start of a text that is too long to decode completely; it never ends within an escape.
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
