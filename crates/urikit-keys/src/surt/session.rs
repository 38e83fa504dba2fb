//! Session identifiers, which both programs of the Internet Archive remove by regular expressions.
//! These functions match as the expressions do, in linear time.

/// An expression of a query: `^(.*)(?:NAME=VALUE)(?:&(.*))?$`, in any case.
struct Query {
    name: &'static [u8],
    /// How many letters follow the name.
    letters: usize,
    /// How many letters, or letters and digits, the value has.
    value: usize,
    digits: bool,
}

const QUERIES: [Query; 4] = [
    Query::new(b"jsessionid", 0, 32, true),
    Query::new(b"phpsessid", 0, 32, true),
    Query::new(b"sid", 0, 32, true),
    Query::new(b"aspsessionid", 8, 24, false),
];

impl Query {
    const fn new(name: &'static [u8], letters: usize, value: usize, digits: bool) -> Self {
        Self {
            name,
            letters,
            value,
            digits,
        }
    }

    /// Where what begins here ends, at an ampersand or the end of the text.
    fn end(&self, text: &[u8]) -> Option<usize> {
        let name = text.get(..self.name.len())?;
        let (letters, rest) = text
            .get(self.name.len()..)?
            .split_at_checked(self.letters)?;
        let (value, rest) = rest.strip_prefix(b"=")?.split_at_checked(self.value)?;
        let is_value =
            |byte: &u8| byte.is_ascii_alphabetic() || self.digits && byte.is_ascii_digit();
        (name.eq_ignore_ascii_case(self.name)
            && letters.iter().all(u8::is_ascii_alphabetic)
            && value.iter().all(is_value)
            && matches!(rest, [] | [b'&', ..]))
        .then(|| text.len() - rest.len())
    }
}

/// Removes what begins at `start` and ends at `end`, and the ampersand after it.
fn remove(query: &mut Vec<u8>, start: usize, end: usize) {
    let after = query.len().min(end + 1);
    query.drain(start..after);
}

/// Removes session identifiers from a query. An expression is only applied where `marker` says that
/// its name is in the query as it was, which Java looks for.
pub(super) fn strip_query(query: &mut Vec<u8>, is_java: bool) {
    // All have this.
    let has_both = |two: &[u8]| matches!(two, [b'i' | b'I', b'd' | b'D']);
    if !query.windows(2).any(has_both) {
        return;
    }
    let had = QUERIES.map(|expression| {
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
    for (expression, _) in QUERIES.iter().zip(had).filter(|(_, had)| *had) {
        let found = (0..query.len()).rev().find_map(|start| {
            let end = expression.end(query.get(start..)?)?;
            Some((start, start + end))
        });
        if let Some((start, end)) = found {
            remove(query, start, end);
        }
    }
    if had_token && let Some((start, end)) = coldfusion(query) {
        remove(query, start, end);
    }
}

/// `cfid=[^&]+&cftoken=[^&]+`, the last one.
fn coldfusion(query: &[u8]) -> Option<(usize, usize)> {
    // Where the argument that contains `start` ends, and the one after it.
    let (mut end, mut next) = (query.len(), query.len());
    let is = |at: usize, name: &[u8]| {
        let text = query.get(at..at + name.len());
        text.is_some_and(|text| text.eq_ignore_ascii_case(name))
    };
    for start in (0..query.len()).rev() {
        if query.get(start) == Some(&b'&') {
            next = end;
            end = start;
        }
        let (id, token) = (b"cfid=", b"&cftoken=");
        if is(start, id) && start + id.len() < end && is(end, token) && end + token.len() < next {
            return Some((start, next));
        }
    }
    None
}

/// Removes session identifiers of ASP.NET from a path in lower case: `/(a(…))/` and `/(…)/`, where
/// a name with `.aspx` follows and no `?` is in between.
pub(super) fn strip_path(path: &mut Vec<u8>) {
    if !path.windows(2).any(|two| two == b"/(") || !path.windows(5).any(|five| five == b".aspx") {
        return;
    }
    for group in [with_letters, without_letters] {
        if let Some((start, end)) = session(path, group) {
            path.drain(start..end);
        }
    }
}

/// The last identifier, of which `group` gives the length where it begins.
fn session(path: &[u8], group: fn(&[u8]) -> Option<usize>) -> Option<(usize, usize)> {
    // The next two `.aspx`, and the next `?`.
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
                    // Something has to precede `.aspx`.
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

/// The length of `\((?:[a-z]\([0-9a-z]{24}\))+\)/`.
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

/// The length of `\([0-9a-z]{24}\)/`.
fn without_letters(text: &[u8]) -> Option<usize> {
    let rest = identifier(text)?.strip_prefix(b"/")?;
    Some(text.len() - rest.len())
}

/// What follows `\([0-9a-z]{24}\)`.
fn identifier(text: &[u8]) -> Option<&[u8]> {
    let (inner, rest) = text.strip_prefix(b"(")?.split_at_checked(24)?;
    let is_inner = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_lowercase();
    inner
        .iter()
        .all(is_inner)
        .then_some(rest)?
        .strip_prefix(b")")
}
