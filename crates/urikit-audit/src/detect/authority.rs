//! Userinfo and host.

use super::shape::Shape;
use crate::escape::{decoded, octets};
use crate::finding::{Code, Findings};

pub(super) fn find(shape: &Shape<'_>, found: &mut Findings) {
    let Some(authority) = shape.authority else {
        return;
    };
    if authority.matches('@').count() > 1 {
        let second = authority.match_indices('@').nth(1).map_or(0, |(at, _)| at);
        found.add(Code::SeveralAt, shape.offset(authority) + second);
    }
    userinfo(shape, found);
    if let Some(at) = misplaced_bracket(authority, shape.host) {
        found.add(Code::MisplacedBracket, shape.offset(authority) + at);
    }
    if shape.host.starts_with('[') {
        if let Some(at) = shape.host.find('%') {
            found.add(Code::Zone, shape.offset(shape.host) + at);
        }
    } else {
        host(shape, found);
    }
}

fn userinfo(shape: &Shape<'_>, found: &mut Findings) {
    let Some(userinfo) = shape.userinfo else {
        return;
    };
    let offset = shape.offset(userinfo);
    let (user, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
    if !password.is_empty() {
        found.add(Code::Password, offset + user.len() + 1);
    }
    let user = decoded(user);
    // An address in brackets has colons.
    let is_bracketed = userinfo.starts_with('[') && userinfo.contains(']');
    if user.contains('.') || is_bracketed {
        found.add(Code::HostLikeUser, offset);
    }
    if user.starts_with('-') {
        found.add(Code::LeadingDash, offset);
    }
}

/// The first bracket that is not around the host.
fn misplaced_bracket(authority: &str, host: &str) -> Option<usize> {
    let inner = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    let is_bracketed = inner.is_some_and(|inner| !inner.contains(['[', ']']));
    let end = authority.len() - authority.rsplit('@').next().unwrap_or_default().len();
    let around = if is_bracketed {
        [Some(end), Some(end + host.len() - 1)]
    } else {
        [None, None]
    };
    authority
        .match_indices(['[', ']'])
        .map(|(at, _)| at)
        .find(|at| !around.contains(&Some(*at)))
}

fn host(shape: &Shape<'_>, found: &mut Findings) {
    let begin = shape.offset(shape.host);
    for octet in octets(shape.host) {
        let at = begin + octet.offset;
        let is_delimiter = b"/?#@:[]\\".contains(&octet.value) || octet.value <= b' ';
        match octet.is_escaped {
            true if is_delimiter => found.add(Code::EscapedDelimiterInHost, at),
            true => found.add(Code::EscapeInHost, at),
            // Others have codes of their own.
            false if b"!\"$&'()*+,;<=>^`{|}:".contains(&octet.value) => {
                found.add(Code::DelimiterInHost, at);
            }
            false => {}
        }
    }
    if decoded(shape.host).starts_with('-') {
        found.add(Code::LeadingDash, begin);
    }
}
