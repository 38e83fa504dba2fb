//! Where the parts of a URN begin and end, by RFC 2141 and by RFC 8141.

use super::super::shape::Shape;
use super::super::{Edition, ReadError};
use urikit::component::Encoded;
use urikit::grammar::{ByteSet, DIGITS, LETTERS, Rule, rfc3986};
use urikit::internal::encoded;

pub(super) const URN: Rule = Rule::new("URN", "RFC 2141, 2");
pub(super) const NAMESTRING: Rule = Rule::new("namestring", "RFC 8141, 2");
const NID: Rule = Rule::new("NID", "RFC 2141, 2.1");
const NID_8141: Rule = Rule::new("NID", "RFC 8141, 2");
const URN_CHARS: Rule = Rule::new("URN chars", "RFC 2141, 2.2");
const NSS_8141: Rule = Rule::new("NSS", "RFC 8141, 2");
const RQ_COMPONENTS: Rule = Rule::new("rq-components", "RFC 8141, 2");

/// RFC 2141's `trans` without `%` and `#`, which begin an escape and the fragment.
static TRANS: ByteSet = LETTERS.or(DIGITS).or(ByteSet::of(b"()+,-.:=@;$_!*'/?"));
/// RFC 8141: what an NSS may have after its first `pchar`.
static NSS: ByteSet = rfc3986::PCHAR.set().or(ByteSet::of(b"/"));
/// RFC 8141: the same for the r- and the q-component.
static COMPONENT: ByteSet = NSS.or(ByteSet::of(b"?"));

/// The maximum length of a NID, in both RFCs.
const NID_MAX: usize = 32;

/// The parts of a URN, as written.
pub(super) struct Layout<'a> {
    pub(super) nid: Option<&'a str>,
    pub(super) nss: Encoded<'a>,
    pub(super) r: Option<Encoded<'a>>,
    pub(super) q: Option<Encoded<'a>>,
}

impl<'a> Layout<'a> {
    /// A name without a namespace.
    pub(super) const fn whole(nss: Encoded<'a>) -> Self {
        Self {
            nid: None,
            nss,
            r: None,
            q: None,
        }
    }
}

/// `<NID> ":" <NSS>` (RFC 2141).
pub(super) fn rfc2141<'a>(shape: &Shape<'a>, part: Encoded<'a>) -> Result<Layout<'a>, ReadError> {
    let (nid, nss) = nid(shape, part)?;
    let expected = "a character of a name (escape all others)";
    hold(shape, nss, [&TRANS, &TRANS], expected, URN_CHARS)?;
    if let Some(at) = nss.as_str().find("%00") {
        let at = shape.offset(nss.as_str()) + at + 2;
        return Err(shape.mismatch_in(at, "an octet other than 0", URN_CHARS));
    }
    let nid = Some(nid);
    Ok(Layout {
        nid,
        ..Layout::whole(nss)
    })
}

/// `NID ":" NSS [ rq-components ]` (RFC 8141).
pub(super) fn rfc8141<'a>(shape: &Shape<'a>, part: Encoded<'a>) -> Result<Layout<'a>, ReadError> {
    let (nid, rest) = nid(shape, part)?;
    let (nss, rq) = match rest.split_once('?') {
        Some((nss, rq)) => (nss, Some(rq)),
        None => (rest, None),
    };
    let pchar = rfc3986::PCHAR.set();
    let expected = "a character of a name, and no slash first (escape all others)";
    hold(shape, nss, [pchar, &NSS], expected, NSS_8141)?;
    let (mut r, mut q) = (None, None);
    if let Some(rq) = rq {
        let text = rq.as_str();
        if let Some(text) = text.strip_prefix('+') {
            let (before, after) = match text.split_once("?=") {
                Some((before, after)) => (before, Some(after)),
                None => (text, None),
            };
            r = Some(encoded(before));
            q = after.map(encoded);
        } else if let Some(text) = text.strip_prefix('=') {
            q = Some(encoded(text));
        } else {
            let expected = "`+` or `=` after the `?`";
            return Err(shape.mismatch_in(shape.offset(text), expected, RQ_COMPONENTS));
        }
        for component in [r, q].into_iter().flatten() {
            let expected = "a character of a component, and no `/` or `?` first";
            hold(
                shape,
                component,
                [pchar, &COMPONENT],
                expected,
                RQ_COMPONENTS,
            )?;
        }
    }
    let nid = Some(nid);
    Ok(Layout { nid, nss, r, q })
}

/// The NID before the first colon, and what follows it.
fn nid<'a>(shape: &Shape<'a>, part: Encoded<'a>) -> Result<(&'a str, Encoded<'a>), ReadError> {
    let is_original = shape.edition == Edition::Original;
    let rule = if is_original { NID } else { NID_8141 };
    let text = part.as_str();
    let start = shape.offset(text);
    let refuse = |at: usize, expected| Err(shape.mismatch_in(start + at, expected, rule));
    let is_nid = |(at, byte): (usize, u8)| byte.is_ascii_alphanumeric() || at > 0 && byte == b'-';
    let end = text.bytes().enumerate().position(|byte| !is_nid(byte));
    let end = end.unwrap_or(text.len());
    let nid = text.get(..end).unwrap_or_default();
    let least = if is_original { 1 } else { 2 };
    if !is_original && text.get(NID_MAX - 1..NID_MAX) == Some("-") && end >= NID_MAX {
        return refuse(NID_MAX - 1, "a letter or a digit, in which a NID ends");
    }
    if end > NID_MAX {
        return refuse(NID_MAX, "`:` after a NID of 32 characters");
    }
    if end == 0 {
        return refuse(0, "a NID, which begins with a letter or a digit");
    }
    let Some(nss) = text.get(end..).and_then(|rest| rest.strip_prefix(':')) else {
        return refuse(end, "a letter, a digit, `-`, or `:` and a name");
    };
    if end < least || !is_original && nid.ends_with('-') {
        return refuse(end, "a letter or a digit, in which a NID ends");
    }
    if is_original && nid.eq_ignore_ascii_case("urn") {
        return refuse(end, "a NID other than `urn`, which is reserved");
    }
    Ok((nid, encoded(nss)))
}

/// Whether the part is not empty, its first character is in the first set, and the others are in
/// the second.
fn hold(
    shape: &Shape<'_>,
    part: Encoded<'_>,
    [first, set]: [&ByteSet; 2],
    expected: &'static str,
    rule: Rule,
) -> Result<(), ReadError> {
    let is_other = |(at, byte): (usize, u8)| {
        let set = if at == 0 { first } else { set };
        byte != b'%' && !set.contains(byte)
    };
    let text = part.as_str();
    let other = match text.bytes().enumerate().position(is_other) {
        None if text.is_empty() => 0,
        None => return Ok(()),
        Some(at) => at,
    };
    Err(shape.mismatch_in(shape.offset(text) + other, expected, rule))
}
