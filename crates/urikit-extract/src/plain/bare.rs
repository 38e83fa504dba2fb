//! Bare links: where they end.
//!
//! After the scheme and the authority, the text is scanned up to the first character that ends a
//! link for browsers, terminals and readers, or to a closing bracket without its opening one (see
//! [`term`]). What RFC 3986 and RFC 3987 do not allow there (`|`, `[]`, a second `#`) is part of
//! the link where people write it so, and makes it a suspect: only those are parsed to know whether
//! they are valid.

use super::authority::{self, Authority, authority};
use super::escape;
use super::input::Input;
use super::opaque::can_follow;
use super::scan::{Bare, Ends, Scan, char_start};
use super::scheme::{Name, Slashes};
use super::term::{CONTINUE, NAME};
use crate::link::{Kind, Link, Marks};
use std::borrow::Cow;
use urikit::internal::scan_text::{BLOCK, runs};

/// The end of the link that begins with this scheme, whose colon is at `colon`.
#[inline]
pub(crate) fn end(
    text: &Input<'_>,
    name: Name,
    colon: usize,
    slashes: Slashes,
    max_length: usize,
) -> Bare {
    let scheme = text.slice(name.start, colon);
    if scheme.len() < 2 {
        return Bare::None;
    }
    let rest = colon + 1 + slashes.len();
    let limit = name.start.saturating_add(max_length);
    let mut scan = Scan {
        text,
        start: name.start,
        rest,
        slashes,
        limit,
        is_data: false,
        may_glue: true,
    };
    let mut ends = Ends {
        is_escaped: matches!(slashes, Slashes::Escaped | Slashes::UnicodeEscaped),
        ..Ends::default()
    };
    if slashes == Slashes::None {
        if !name.is_known || !can_follow(text, scheme, rest) {
            return Bare::None;
        }
        scan.is_data = scheme.eq_ignore_ascii_case(b"data");
        scan.may_glue = false;
        scan.stop(rest, &mut ends);
        return scan.ends(ends, true);
    }
    // Most links consist of a registered name and common characters, in no more than one block.
    let (name, common) = runs(text.slice_from(rest), &NAME, &CONTINUE);
    let name = if name < BLOCK {
        rest + name
    } else {
        authority::name(text, rest, limit)
    };
    let Some(Authority {
        end,
        continues,
        is_suspect,
        is_cut,
    }) = authority(text, rest, name, slashes, scheme, limit)
    else {
        return Bare::None;
    };
    ends.is_suspect = is_suspect;
    if continues {
        let start = if end == name {
            name.max(rest + common)
        } else {
            end
        };
        scan.stop(start, &mut ends);
    } else {
        ends.stop = end;
        ends.is_cut = is_cut;
    }
    scan.ends(ends, continues)
}

/// The bare link from `start` to `end`.
#[inline]
pub(crate) fn plain_link<'t>(
    text: &Input<'t>,
    start: usize,
    end: usize,
    marks: Marks,
) -> Option<Link<'t>> {
    Some(Link {
        range: start..end,
        uri: Cow::Borrowed(text.string(start, end)?),
        kind: Kind::Bare,
        alternative: None,
        marks,
    })
}

/// The same, without the escapes of string literals and of markup.
pub(crate) fn escaped_link<'t>(text: &Input<'t>, start: usize, ends: Ends) -> Option<Link<'t>> {
    let mut link = plain_link(text, start, ends.end, ends.marks())?;
    link.uri = Cow::Owned(escape::unescape(&link.uri));
    Some(link)
}

/// The end of the abbreviated link that begins at `start` and whose host ends at `host_end`.
pub(crate) fn abbreviated(
    text: &Input<'_>,
    start: usize,
    host_end: usize,
    max_length: usize,
) -> Bare {
    let limit = start.saturating_add(max_length);
    let scan = Scan {
        text,
        start,
        rest: host_end,
        slashes: Slashes::Plain,
        limit,
        is_data: false,
        may_glue: true,
    };
    let mut ends = Ends {
        stop: host_end,
        ..Ends::default()
    };
    if text.at(host_end) == Some(b':') {
        let mut port = host_end + 1;
        while port <= limit && text.at(port).is_some_and(|byte| byte.is_ascii_digit()) {
            port += 1;
        }
        if port > host_end + 1 {
            ends.stop = port;
        }
    }
    let continues = matches!(text.at(ends.stop), Some(b'/' | b'?' | b'#'));
    if continues {
        scan.stop(ends.stop, &mut ends);
    }
    match scan.ends(ends, continues) {
        // The host alone, or what the limit leaves of it.
        Bare::None => Bare::Ends(Ends {
            end: host_end.min(char_start(text, limit)),
            is_cut: ends.stop > limit,
            ..ends
        }),
        ends @ Bare::Ends(_) => ends,
    }
}
