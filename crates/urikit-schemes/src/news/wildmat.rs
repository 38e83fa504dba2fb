//! Whether a name matches a pattern (RFC 3977, 4.2).

use urikit::component::{Encoded, Octets};

/// Whether all of `name` matches the decoded pattern: `*` matches any characters, `?` one, and
/// every other octet itself. Does not allocate.
pub(super) fn matches(pattern: Encoded<'_>, name: &str) -> bool {
    let mut pattern = pattern.decode().octets();
    let mut rest = name.chars();
    // What follows the last `*`, and the first character that it has not matched yet.
    let mut last: Option<(Octets<'_>, core::str::Chars<'_>)> = None;
    loop {
        let mut after = pattern.clone();
        match after.next() {
            Some(b'*') => {
                last = Some((after.clone(), rest.clone()));
                pattern = after;
                continue;
            }
            Some(b'?') if rest.next().is_some() => {
                pattern = after;
                continue;
            }
            None if rest.as_str().is_empty() => return true,
            _ => {}
        }
        if let Some(c) = rest.clone().next()
            && let Some(after) = after_char(&pattern, c)
        {
            rest.next();
            pattern = after;
            continue;
        }
        // The last `*` matches one character more.
        let Some((behind_star, mut from)) = last else {
            return false;
        };
        if from.next().is_none() {
            return false;
        }
        pattern = behind_star.clone();
        rest = from.clone();
        last = Some((behind_star, from));
    }
}

/// The pattern after a literal character.
fn after_char<'a>(pattern: &Octets<'a>, c: char) -> Option<Octets<'a>> {
    let mut pattern = pattern.clone();
    let mut buffer = [0; 4];
    let octets = c.encode_utf8(&mut buffer).bytes();
    let is_it = octets
        .into_iter()
        .all(|octet| pattern.next() == Some(octet));
    is_it.then_some(pattern)
}
