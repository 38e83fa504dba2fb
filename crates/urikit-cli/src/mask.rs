//! Passwords in what people see: masked, in references that are valid and in those that are not.
//!
//! Where a text is no reference, nobody can say what in it is a password, so this looks for whatever
//! somebody may have meant as one, also in a URL inside a URL: it masks too much rather than too
//! little.

use std::borrow::Cow;
use std::ops::Range;

/// What stands for a password. Its length says nothing.
pub(crate) const MASK: &str = "***";

/// A text in which the passwords are masked.
#[derive(Debug)]
pub(crate) struct Masked<'a> {
    original: &'a str,
    /// The text to show.
    pub(crate) text: Cow<'a, str>,
    /// What was masked, in the original, in order.
    secrets: Vec<Range<usize>>,
}

impl<'a> Masked<'a> {
    /// Masks `text`; or shows it as it is.
    pub(crate) fn new(text: &'a str, show_secrets: bool) -> Self {
        let secrets = if show_secrets {
            Vec::new()
        } else {
            secrets(text)
        };
        if secrets.is_empty() {
            return Self {
                original: text,
                text: Cow::Borrowed(text),
                secrets,
            };
        }
        let mut shown = String::with_capacity(text.len());
        let mut from = 0;
        for secret in &secrets {
            shown.push_str(text.get(from..secret.start).unwrap_or_default());
            shown.push_str(MASK);
            from = secret.end;
        }
        shown.push_str(text.get(from..).unwrap_or_default());
        Self {
            original: text,
            text: Cow::Owned(shown),
            secrets,
        }
    }

    /// The text as it is.
    pub(crate) const fn original(&self) -> &'a str {
        self.original
    }

    /// Where the byte at `offset` of the original is shown; the first of the mask, where it is secret.
    pub(crate) fn offset(&self, offset: usize) -> usize {
        let mut shown = offset;
        for secret in self
            .secrets
            .iter()
            .take_while(|secret| secret.start < offset)
        {
            let hidden = secret.end.min(offset) - secret.start;
            let mask = if offset < secret.end { 0 } else { MASK.len() };
            shown = shown - hidden + mask;
        }
        shown
    }

    /// Whether the byte at `offset` of the original is masked.
    pub(crate) fn hides(&self, offset: usize) -> bool {
        self.secrets.iter().any(|secret| secret.contains(&offset))
    }
}

/// `text` with its passwords masked.
pub(crate) fn mask(text: &str, show_secrets: bool) -> Cow<'_, str> {
    Masked::new(text, show_secrets).text
}

/// What may be a password: in every place at which an authority may begin, what stands between a
/// colon and an `@`. An empty one is no secret.
fn secrets(text: &str) -> Vec<Range<usize>> {
    let mut secrets = Vec::new();
    let Some(last_at) = text.rfind('@') else {
        return secrets;
    };
    let mut next = first_authority(text).or_else(|| authority_after(text, 0));
    while let Some(start) = next {
        let rest = text.get(start..).unwrap_or_default();
        let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
        let authority = rest.get(..end).unwrap_or_default();
        if let Some((userinfo, _)) = authority.rsplit_once('@') {
            if let Some((user, password)) = userinfo.split_once(':')
                && !password.is_empty()
            {
                let from = start + user.len() + 1;
                secrets.push(from..from + password.len());
            }
        } else if let Some(from) = behind_colon(authority).map(|at| start + at)
            && from < last_at
            && !is_port(text.get(from..start + end).unwrap_or_default())
        {
            // A password with a delimiter in it: `http://user:p/w@host`.
            secrets.push(from..last_at);
            break;
        }
        next = authority_after(text, start + end);
    }
    secrets
}

/// Where the colon of `host:port` ends; the colons in brackets do not count.
fn behind_colon(authority: &str) -> Option<usize> {
    let from = if authority.starts_with('[') {
        authority.find(']')?
    } else {
        0
    };
    Some(from + authority.get(from..)?.find(':')? + 1)
}

fn is_port(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Where an authority begins at `from` or later: behind two slashes or more, of either kind.
fn authority_after(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_slash = |byte: u8| byte == b'/' || byte == b'\\';
    let pair = bytes
        .get(from..)?
        .windows(2)
        .position(|pair| pair.iter().copied().all(is_slash))?;
    let start = from + pair;
    let slashes = bytes
        .get(start..)?
        .iter()
        .take_while(|byte| is_slash(**byte))
        .count();
    Some(start + slashes)
}

/// Where browsers see the authority of a special scheme: behind any number of slashes, even none.
fn first_authority(text: &str) -> Option<usize> {
    let (scheme, rest) = text.split_once(':')?;
    let special = ["http", "https", "ftp", "ws", "wss"];
    special
        .iter()
        .any(|name| scheme.eq_ignore_ascii_case(name))
        .then(|| text.len() - rest.trim_start_matches(['/', '\\']).len())
}

#[cfg(test)]
mod tests {
    use super::{Masked, mask};

    #[test]
    fn whatever_may_be_a_password_is_masked() {
        for (text, shown) in [
            ("http://user:pw@host/", "http://user:***@host/"),
            ("//user:pw@host", "//user:***@host"),
            ("http://user@host/", "http://user@host/"),
            ("ftp://foo:@host.dom:21/", "ftp://foo:@host.dom:21/"),
            ("http://u:a:b@c@h/", "http://u:***@h/"),
            ("http://user:p^ w@host/", "http://user:***@host/"),
            ("http://user:p/w@host/", "http://user:***@host/"),
            ("http://user:p#?w@host/", "http://user:***@host/"),
            ("http:\\\\user:pw@host/", "http:\\\\user:***@host/"),
            ("HTTP:user:pw@host/", "HTTP:user:***@host/"),
            ("http:/user:pw@host/", "http:/user:***@host/"),
            ("http://[::1]:80/@x", "http://[::1]:80/@x"),
            ("http://[::1/x@y", "http://[::1/x@y"),
            ("http://h:80/a@b", "http://h:80/a@b"),
            ("http://h/?u=ftp://u:pw@h/", "http://h/?u=ftp://u:***@h/"),
            (
                "http://u:pw@h/?u=ftp://u:pw@h/",
                "http://u:***@h/?u=ftp://u:***@h/",
            ),
            ("mailto:a:b@c", "mailto:a:b@c"),
            ("urn:a:b@c", "urn:a:b@c"),
            ("", ""),
            ("http:", "http:"),
        ] {
            assert_eq!(mask(text, false), shown, "{text}");
            assert_eq!(mask(text, true), text);
        }
    }

    #[test]
    fn offsets_follow_their_bytes() {
        let masked = Masked::new("http://u:secret@h/?ftp://u:x@h^", false);
        assert_eq!(masked.text, "http://u:***@h/?ftp://u:***@h^");
        for (offset, shown) in [
            (0, 0),
            (9, 9),
            (12, 9),
            (15, 12),
            (16, 13),
            (27, 24),
            (28, 27),
            (30, 29),
        ] {
            assert_eq!(masked.offset(offset), shown, "{offset}");
        }
        assert!(masked.hides(9) && masked.hides(14) && !masked.hides(15) && !masked.hides(8));
    }
}
