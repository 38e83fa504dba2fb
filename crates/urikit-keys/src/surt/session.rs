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

    /// Where its match begins in an argument, at whose end it ends.
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

    /// The last match in a query.
    fn find(&self, query: &[u8]) -> Option<(usize, usize)> {
        let found =
            |(start, argument)| Some((start + self.start(argument)?, start + argument.len()));
        from_the_end(query).find_map(found)
    }
}

/// What precedes the last bytes, and these.
fn split_end(text: &[u8], length: usize) -> Option<(&[u8], &[u8])> {
    text.split_at_checked(text.len().checked_sub(length)?)
}

/// The arguments of a query from the last to the first, and where each begins.
fn from_the_end(query: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut end = query.len() + 1;
    query.rsplit(|byte| *byte == b'&').map(move |argument| {
        end -= argument.len() + 1;
        (end, argument)
    })
}

/// Removes what begins at `start` and ends at `end`, and the ampersand after it.
fn remove(query: &mut Vec<u8>, start: usize, end: usize) {
    let after = query.len().min(end + 1);
    query.drain(start..after);
}

/// Whether there may be something to remove: all names end in `sid`, `nid` or `fid`. All bytes are
/// looked at without a branch, so that several can be at once.
#[allow(clippy::needless_bitwise_bool)]
pub(super) fn may_have_any(query: &[u8]) -> bool {
    let from = |start| query.get(start..).unwrap_or_default();
    let is = |byte: &u8, letter: u8| byte | 0x20 == letter;
    let threes = from(0).iter().zip(from(1)).zip(from(2));
    threes.fold(false, |any, ((first, i), d)| {
        let is_first = is(first, b's') | is(first, b'n') | is(first, b'f');
        any | (is_first & is(i, b'i') & is(d, b'd'))
    })
}

/// Removes session identifiers from a query. An expression is only applied where `marker` says that
/// its name is in the query as it was, which Java looks for.
pub(super) fn strip_query(query: &mut Vec<u8>, is_java: bool) {
    if !may_have_any(query) {
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
        if let Some((start, end)) = expression.find(query) {
            remove(query, start, end);
        }
    }
    if had_token && let Some((start, end)) = coldfusion(query) {
        remove(query, start, end);
    }
}

/// `cfid=[^&]+&cftoken=[^&]+`, the last one.
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
