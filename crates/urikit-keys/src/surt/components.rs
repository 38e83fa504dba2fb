//! The steps that both programs of the Internet Archive share: splitting, decoding and escaping,
//! normalizing paths, removing session identifiers, and sorting queries.

use std::ops::Range;
use urikit::grammar::rfc3986::is_scheme;
use urikit::octet::{escape, octet};
use urikit::parse::Parts;

/// The components of a URL according to RFC 2396, Appendix B, without the fragment.
///
/// Both programs use the regular expression of that appendix, but a scheme may contain only valid
/// scheme characters.
pub(super) struct Components<'a> {
    /// The scheme, or an empty slice.
    pub(super) scheme: &'a [u8],
    /// The authority, or an empty slice.
    pub(super) authority: &'a [u8],
    pub(super) path: &'a [u8],
    pub(super) query: Option<&'a [u8]>,
}

/// Returns whether the text begins with a valid scheme and a colon.
pub(super) fn has_scheme(text: &[u8]) -> bool {
    let colon = text.iter().position(|byte| *byte == b':');
    let scheme = colon.and_then(|colon| text.get(..colon));
    scheme.is_some_and(is_scheme)
}

impl<'a> Components<'a> {
    pub(super) fn of(text: &'a [u8]) -> Self {
        let parts = if has_scheme(text) {
            Parts::of(text)
        } else {
            Parts::of_relative(text)
        };
        let slice = |range: Range<usize>| text.get(range).unwrap_or_default();
        Self {
            scheme: parts.scheme.map(slice).unwrap_or_default(),
            authority: parts.authority.map(slice).unwrap_or_default(),
            path: slice(parts.path),
            query: parts.query.map(slice),
        }
    }
}

/// Splits text at the first delimiter.
pub(super) fn partition(text: &[u8], delimiter: u8) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|byte| *byte == delimiter)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Decodes each escape in place if `decodes` returns true for its octet. Escapes that decoding
/// produces (`%2541`) are decoded too.
///
/// Escapes never overlap, so the order of decoding does not matter. A single pass that looks back
/// gives the same result as the programs' repeated passes, in linear time.
pub(super) fn unescape(text: &mut Vec<u8>, decodes: impl Fn(u8) -> bool) {
    let Some(first) = text.iter().position(|byte| *byte == b'%') else {
        return;
    };
    let mut length = first;
    for at in first..text.len() {
        let mut byte = text.get(at).copied().unwrap_or_default();
        while let Some(start) = length.checked_sub(2)
            && let Some([b'%', high]) = text.get(start..length)
            && let Some(octet) = octet(*high, byte)
            && decodes(octet)
        {
            byte = octet;
            length = start;
        }
        if let Some(place) = text.get_mut(length) {
            *place = byte;
        }
        length += 1;
    }
    text.truncate(length);
}

/// Decodes runs of escapes that are valid UTF-8, and keeps the other escapes.
///
/// `scratch` and `run` are reusable buffers; their contents do not matter.
pub(super) fn decode_utf8(text: &mut Vec<u8>, scratch: &mut Vec<u8>, run: &mut Vec<u8>) {
    if !text.contains(&b'%') {
        return;
    }
    scratch.clear();
    let mut rest: &[u8] = text;
    while let [byte, after @ ..] = rest {
        run.clear();
        let mut escapes = rest;
        while let [b'%', high, low, after @ ..] = escapes
            && let Some(octet) = octet(*high, *low)
        {
            run.push(octet);
            escapes = after;
        }
        if run.is_empty() {
            scratch.push(*byte);
            rest = after;
            continue;
        }
        for chunk in run.utf8_chunks() {
            let valid = chunk.valid().len();
            scratch.extend_from_slice(chunk.valid().as_bytes());
            let invalid = chunk.invalid().len();
            scratch.extend_from_slice(
                rest.get(valid * 3..(valid + invalid) * 3)
                    .unwrap_or_default(),
            );
            rest = rest.get((valid + invalid) * 3..).unwrap_or_default();
        }
    }
    std::mem::swap(text, scratch);
}

/// Escapes the octets that Python's `surt` escapes: `#`, `%`, and all octets that are not printable
/// US-ASCII.
pub(super) fn escape_python(text: &mut Vec<u8>, scratch: &mut Vec<u8>) {
    let is_literal = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'#' | b'%');
    if text.iter().fold(true, |all, byte| all & is_literal(byte)) {
        return;
    }
    scratch.clear();
    let mut rest: &[u8] = text;
    while let Some(at) = rest.iter().position(|byte| !is_literal(byte))
        && let Some((literal, [byte, after @ ..])) = rest.split_at_checked(at)
    {
        scratch.extend_from_slice(literal);
        scratch.extend_from_slice(escape(*byte).as_bytes());
        rest = after;
    }
    scratch.extend_from_slice(rest);
    std::mem::swap(text, scratch);
}

/// Escapes the octets that the Java program escapes: those of [`escape_python`] except U+007F.
///
/// Keeps existing escapes. Earlier decoding has left only escapes that do not decode to UTF-8.
pub(super) fn escape_java(text: &mut Vec<u8>, scratch: &mut Vec<u8>) {
    let is_literal = |byte: &u8| matches!(byte, 33..=127) && !matches!(byte, b'#' | b'%');
    if text.iter().all(is_literal) {
        return;
    }
    scratch.clear();
    let mut rest: &[u8] = text;
    while let [byte, after @ ..] = rest {
        rest = after;
        if is_literal(byte) {
            scratch.push(*byte);
        } else if let (b'%', [high, low, after @ ..]) = (byte, after)
            && let Some(octet) = octet(*high, *low)
        {
            scratch.extend_from_slice(escape(octet).as_bytes());
            rest = after;
        } else {
            scratch.extend_from_slice(escape(*byte).as_bytes());
        }
    }
    std::mem::swap(text, scratch);
}

/// Removes dot segments, and empty segments except for the last.
///
/// A `..` above the root is kept, and the next `..` removes it, as in both programs.
pub(super) fn normalize_path(
    path: &mut Vec<u8>,
    scratch: &mut Vec<u8>,
    segments: &mut Vec<(usize, usize)>,
) {
    if path.is_empty() {
        path.push(b'/');
        return;
    }
    let is_plain = !path.windows(2).any(|two| two == b"//" || two == b"/.");
    if is_plain && path.starts_with(b"/") {
        return;
    }
    segments.clear();
    let mut start = 0;
    // Both programs drop everything before the first slash.
    for (number, segment) in path.split(|byte| *byte == b'/').enumerate() {
        let end = start + segment.len();
        match segment {
            _ if number == 0 => {}
            b"." => {}
            b".." if segments.pop().is_some() => {}
            _ => segments.push((start, end)),
        }
        start = end + 1;
    }
    scratch.clear();
    scratch.push(b'/');
    let last = segments.pop();
    for (start, end) in segments.iter().copied().filter(|(start, end)| start < end) {
        scratch.extend_from_slice(path.get(start..end).unwrap_or_default());
        scratch.push(b'/');
    }
    if let Some((start, end)) = last {
        scratch.extend_from_slice(path.get(start..end).unwrap_or_default());
    }
    std::mem::swap(path, scratch);
}

/// Removes a slash at the end of a path, unless the path is just a slash.
pub(super) fn strip_slash(path: &mut Vec<u8>) {
    if path.len() > 1 && path.last() == Some(&b'/') {
        path.pop();
    }
}

/// The regular expression `^(.*)(?:NAME=VALUE)(?:&(.*))?$` for a session identifier in a query,
/// ignoring case.
///
/// Both programs remove session identifiers with regular expressions. The functions here match the
/// same text in linear time.
struct SessionArgument {
    name: &'static [u8],
    /// The number of letters that follow the name.
    letters: usize,
    /// The length of the value.
    value: usize,
    /// True if the value may contain digits in addition to letters.
    digits: bool,
}

const SESSION_ARGUMENTS: [SessionArgument; 4] = [
    SessionArgument::new(b"jsessionid", 0, 32, true),
    SessionArgument::new(b"phpsessid", 0, 32, true),
    SessionArgument::new(b"sid", 0, 32, true),
    SessionArgument::new(b"aspsessionid", 8, 24, false),
];

impl SessionArgument {
    const fn new(name: &'static [u8], letters: usize, value: usize, digits: bool) -> Self {
        Self {
            name,
            letters,
            value,
            digits,
        }
    }

    /// Returns the offset of the match in an argument; the match extends to the argument's end.
    fn start(&self, argument: &[u8]) -> Option<usize> {
        let (rest, value) = split_end(argument, self.value)?;
        let (rest, letters) = split_end(rest.strip_suffix(b"=")?, self.letters)?;
        let (rest, name) = split_end(rest, self.name.len())?;
        let is_value =
            |byte: &u8| byte.is_ascii_alphabetic() || self.digits && byte.is_ascii_digit();
        (name.eq_ignore_ascii_case(self.name)
            && letters.iter().all(u8::is_ascii_alphabetic)
            && value.iter().all(is_value))
        .then_some(rest.len())
    }

    /// Returns the range of the last match in a query.
    fn find(&self, query: &[u8]) -> Option<(usize, usize)> {
        let found =
            |(start, argument)| Some((start + self.start(argument)?, start + argument.len()));
        from_the_end(query).find_map(found)
    }
}

/// Splits off the last `length` bytes.
fn split_end(text: &[u8], length: usize) -> Option<(&[u8], &[u8])> {
    text.split_at_checked(text.len().checked_sub(length)?)
}

/// Iterates over the arguments of a query from last to first, with the offset of each.
fn from_the_end(query: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut end = query.len() + 1;
    query.rsplit(|byte| *byte == b'&').map(move |argument| {
        end -= argument.len() + 1;
        (end, argument)
    })
}

/// Removes the bytes from `start` to `end`, and the ampersand after them.
fn remove_argument(query: &mut Vec<u8>, start: usize, end: usize) {
    let after = query.len().min(end + 1);
    query.drain(start..after);
}

/// Returns whether a query may contain a session identifier: the names of all session parameters
/// end in `sid`, `nid` or `fid`.
// The loop has no branches, so the compiler can vectorize it.
#[allow(clippy::needless_bitwise_bool)]
pub(super) fn may_have_session(query: &[u8]) -> bool {
    let from = |start| query.get(start..).unwrap_or_default();
    let is = |byte: &u8, letter: u8| byte | 0x20 == letter;
    let threes = from(0).iter().zip(from(1)).zip(from(2));
    threes.fold(false, |any, ((first, i), d)| {
        let is_first = is(first, b's') | is(first, b'n') | is(first, b'f');
        any | (is_first & is(i, b'i') & is(d, b'd'))
    })
}

/// Removes session identifiers from a query.
///
/// The Java program first looks for the name of each identifier in the original query, and then
/// applies only the regular expressions for the names that it found.
pub(super) fn strip_query_sessions(query: &mut Vec<u8>, is_java: bool) {
    if !may_have_session(query) {
        return;
    }
    let had = SESSION_ARGUMENTS.map(|expression| {
        !is_java || {
            let marker = expression.name;
            let is_it = |place: &[u8]| {
                place
                    .get(..marker.len())
                    .is_some_and(|name| name.eq_ignore_ascii_case(marker))
                    && (expression.letters > 0 || place.last() == Some(&b'='))
            };
            query
                .windows(marker.len() + usize::from(expression.letters == 0))
                .any(is_it)
        }
    });
    let had_token = !is_java
        || query
            .windows(8)
            .any(|it| it.eq_ignore_ascii_case(b"cftoken="));
    for (expression, _) in SESSION_ARGUMENTS.iter().zip(had).filter(|(_, had)| *had) {
        if let Some((start, end)) = expression.find(query) {
            remove_argument(query, start, end);
        }
    }
    if had_token && let Some((start, end)) = coldfusion(query) {
        remove_argument(query, start, end);
    }
}

/// Returns the range of the last match of `cfid=[^&]+&cftoken=[^&]+`, the session identifiers of
/// ColdFusion.
fn coldfusion(query: &[u8]) -> Option<(usize, usize)> {
    let (id, token) = (b"cfid=", b"cftoken=");
    let is_token = |argument: &[u8]| {
        let name = argument.get(..token.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(token)) && argument.len() > token.len()
    };
    from_the_end(query)
        .zip(from_the_end(query).skip(1))
        .filter(|((_, next), _)| is_token(next))
        .find_map(|((start, next), (before, argument))| {
            let (_, has_value) = argument.split_last()?;
            let mut names = has_value.windows(id.len());
            let name = names.rposition(|name| name.eq_ignore_ascii_case(id))?;
            Some((before + name, start + next.len()))
        })
}

/// Removes the ASP.NET session identifiers `/(a(…))/` and `/(…)/` from a lower-case path if a name
/// with `.aspx` follows, without a `?` before that name.
pub(super) fn strip_path_sessions(path: &mut Vec<u8>) {
    if !path.windows(2).any(|two| two == b"/(") || !path.windows(5).any(|five| five == b".aspx") {
        return;
    }
    for group in [with_letters, without_letters] {
        if let Some((start, end)) = path_session(path, group) {
            path.drain(start..end);
        }
    }
}

/// Returns the range of the last session identifier in a path. `group` returns the length of an
/// identifier at the beginning of its argument.
fn path_session(path: &[u8], group: fn(&[u8]) -> Option<usize>) -> Option<(usize, usize)> {
    // The offsets of the next two occurrences of `.aspx`, and of the next `?`.
    let (mut first, mut second, mut question) = (None, None, path.len());
    for slash in (0..path.len()).rev() {
        match path.get(slash)? {
            b'?' => question = slash,
            b'.' if path.get(slash..)?.starts_with(b".aspx") => {
                second = first;
                first = Some(slash);
            }
            b'/' => {
                let start = slash + 1;
                if let Some(length) = group(path.get(start..)?) {
                    let end = start + length;
                    // The regular expression requires a character before `.aspx`.
                    let aspx = if first == Some(end) { second } else { first };
                    if aspx.is_some_and(|aspx| aspx < question) {
                        return Some((start, end));
                    }
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the length of `\((?:[a-z]\([0-9a-z]{24}\))+\)/` at the beginning of the text.
fn with_letters(text: &[u8]) -> Option<usize> {
    let mut rest = text.strip_prefix(b"(")?;
    let mut count = 0;
    while let [b'a'..=b'z', inner @ ..] = rest {
        rest = identifier(inner)?;
        count += 1;
    }
    rest = rest.strip_prefix(b")/")?;
    (count > 0).then(|| text.len() - rest.len())
}

/// Returns the length of `\([0-9a-z]{24}\)/` at the beginning of the text.
fn without_letters(text: &[u8]) -> Option<usize> {
    let rest = identifier(text)?.strip_prefix(b"/")?;
    Some(text.len() - rest.len())
}

/// Removes `\([0-9a-z]{24}\)` from the beginning of the text.
fn identifier(text: &[u8]) -> Option<&[u8]> {
    let (inner, rest) = text.strip_prefix(b"(")?.split_at_checked(24)?;
    let is_inner = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_lowercase();
    inner
        .iter()
        .all(is_inner)
        .then_some(rest)?
        .strip_prefix(b")")
}

/// Sorts the arguments of a query by name, then by value. Arguments without a value come first.
pub(super) fn sort_query(query: &mut Vec<u8>, scratch: &mut Vec<u8>, places: &mut Vec<[usize; 3]>) {
    if sort_query_into(query, scratch, places) {
        std::mem::swap(query, scratch);
    }
}

/// Sorts the arguments of a query into `out`. Returns `false` and writes nothing if the arguments
/// are already sorted.
pub(super) fn sort_query_into(
    text: &[u8],
    out: &mut Vec<u8>,
    places: &mut Vec<[usize; 3]>,
) -> bool {
    find_arguments(text, places);
    // Without an equals sign the value is `None`, which sorts first.
    let key = |[start, equals, end]: &[usize; 3]| {
        (text.get(*start..*equals), text.get(*equals + 1..*end))
    };
    if places.is_sorted_by(|one, other| key(one) <= key(other)) {
        return false;
    }
    // Arguments with equal keys are identical text, so an unstable sort gives the same result.
    places.sort_unstable_by(|one, other| key(one).cmp(&key(other)));
    out.clear();
    for (number, [start, _, end]) in places.iter().enumerate() {
        if number > 0 {
            out.push(b'&');
        }
        out.extend_from_slice(text.get(*start..*end).unwrap_or_default());
    }
    true
}

/// For each argument, finds the offsets of its start, the end of its name, and its end.
fn find_arguments(text: &[u8], places: &mut Vec<[usize; 3]>) {
    places.clear();
    let (mut start, mut equals) = (0, None);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'=' if equals.is_none() => equals = Some(at),
            b'&' => {
                places.push([start, equals.unwrap_or(at), at]);
                (start, equals) = (at + 1, None);
            }
            _ => {}
        }
    }
    places.push([start, equals.unwrap_or(text.len()), text.len()]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes in repeated passes, as the programs do.
    fn by_passes(text: &str) -> Vec<u8> {
        let mut text = text.as_bytes().to_vec();
        loop {
            let mut out = Vec::new();
            let mut rest = &text[..];
            while let [byte, after @ ..] = rest {
                rest = after;
                match (byte, after) {
                    (b'%', [high, low, after @ ..]) if octet(*high, *low).is_some() => {
                        out.extend(octet(*high, *low));
                        rest = after;
                    }
                    _ => out.push(*byte),
                }
            }
            if out == text {
                return out;
            }
            text = out;
        }
    }

    #[test]
    fn one_pass_gives_the_result_of_many() {
        let mut random = 7_u32;
        for _ in 0..200_000 {
            let mut text = String::new();
            for _ in 0..12 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.push_str(
                    ["%", "2", "5", "%25", "a", "%2", "4", "1"][(random >> 24) as usize % 8],
                );
            }
            let mut one = text.clone().into_bytes();
            unescape(&mut one, |_| true);
            assert_eq!(one, by_passes(&text), "{text}");
        }
    }

    #[test]
    fn octets_that_are_not_utf8_stay_escaped() {
        let mut text = b"%C3%A9%FF%e4%b8%ADx%E4%B8".to_vec();
        decode_utf8(&mut text, &mut Vec::new(), &mut Vec::new());
        assert_eq!(text, "é%FF中x%E4%B8".as_bytes());
    }
}
