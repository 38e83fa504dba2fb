//! Decodes URLs of Proofpoint's URL Defense, versions 1 to 3, like Proofpoint's `urldecoder.py`
//! (3.0.1).
//!
//! - Version 1: the `u` parameter is the target, escaped for HTML and percent-encoded.
//! - Version 2: in addition, `-` replaces `%`, and `_` replaces `/`.
//! - Version 3: `v3/__TARGET__;BASE64!…`. In the target, `*` represents the next character of the
//!   decoded text, and `**X` represents as many characters as `X` encodes: `A` means 2, and so on
//!   through `A-Z`, `a-z`, `0-9`, `-` and `_`.

use super::decoded;
use urikit_mime::base64;

/// Decodes the `u` parameter of version 2.
pub(super) fn v2(text: &str) -> Option<String> {
    let text = text.replace('-', "%").replace('_', "/");
    Some(unescape(&decoded(&text)?))
}

/// Decodes the text after `/v3/__`.
pub(super) fn v3(text: &str) -> Option<String> {
    let (target, rest) = text.split_once("__;")?;
    let (replaced, _) = rest.split_once('!')?;
    let replaced = replaced.trim_end_matches('=');
    let padding = replaced.len().next_multiple_of(4) - replaced.len();
    let padding = std::iter::repeat_n(b'=', padding);
    // The alphabet for URLs (RFC 4648, 5).
    let characters = replaced.bytes().chain(padding).map(|byte| match byte {
        b'-' => b'+',
        b'_' => b'/',
        other => other,
    });
    let replaced: Result<Vec<u8>, _> = base64::decode(characters).collect();
    let replaced = String::from_utf8(replaced.ok()?).ok()?;
    let mut replaced = replaced.chars();
    let target = decoded(&with_two_slashes(target))?;
    let mut out = String::with_capacity(target.len());
    let mut chars = target.chars();
    while let Some(c) = chars.next() {
        if c != '*' {
            out.push(c);
            continue;
        }
        let mut ahead = chars.clone();
        let count = match (ahead.next(), ahead.next()) {
            (Some('*'), Some(run)) => {
                chars = ahead;
                run_length(run)?
            }
            _ => 1,
        };
        for _ in 0..count {
            out.push(replaced.next()?);
        }
    }
    Some(out)
}

/// Adds the second slash after the scheme, which some mail systems drop.
fn with_two_slashes(target: &str) -> String {
    match target.split_once(":/") {
        Some((scheme, rest)) if !rest.starts_with('/') && !scheme.contains('/') => {
            format!("{scheme}://{rest}")
        }
        _ => target.to_owned(),
    }
}

/// Returns the number of characters that `**` and this character represent.
fn run_length(c: char) -> Option<usize> {
    const COUNTS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    COUNTS.find(c).map(|at| at + 2)
}

/// Decodes the entities that HTML requires in attribute values.
pub(super) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, entity) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let known = [
            ("&amp;", '&'),
            ("&lt;", '<'),
            ("&gt;", '>'),
            ("&quot;", '"'),
            ("&#39;", '\''),
        ];
        let found = known
            .into_iter()
            .find_map(|(name, c)| Some((entity.strip_prefix(name)?, c)));
        let (next, c) = found.unwrap_or((entity.get(1..).unwrap_or_default(), '&'));
        out.push(c);
        rest = next;
    }
    out + rest
}
