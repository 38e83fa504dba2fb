//! Splitting, escaping and decoding for `urikit.urllib.parse`, with the same results as in
//! CPython's `urllib.parse`. These functions are in Rust because they loop over characters, which
//! is slow in Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::borrow::Cow;
use std::net::Ipv6Addr;

/// The scheme (in lower case, or `None`), netloc, path, query and fragment of a URL. The caller
/// must check the NFKC form of a non-ASCII netloc.
type Parts = (Option<String>, String, String, String, String);

/// A flag, for which CPython accepts any object with a truth value.
#[derive(Clone, Copy)]
pub(crate) struct Truth(bool);

impl<'py> FromPyObject<'_, 'py> for Truth {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        value.is_truthy().map(Self)
    }
}

/// Splits a URL. Removes leading spaces and control characters, and all tabs and line breaks.
#[pyfunction(name = "urlsplit")]
pub(crate) fn split(url: &str, allow_fragments: Truth) -> PyResult<Parts> {
    let url = cleaned(url);
    let split = Split::of(&url, allow_fragments.0)?;
    let own = str::to_owned;
    Ok((
        split.scheme.map(Cow::into_owned),
        own(split.netloc),
        own(split.path),
        own(split.query),
        own(split.fragment),
    ))
}

fn cleaned(url: &str) -> Cow<'_, str> {
    let url = url.trim_start_matches(|c: char| c <= ' ');
    let is_removed = |c: char| matches!(c, '\t' | '\r' | '\n');
    if url.contains(is_removed) {
        Cow::Owned(url.replace(is_removed, ""))
    } else {
        Cow::Borrowed(url)
    }
}

/// The components of a cleaned URL.
struct Split<'a> {
    scheme: Option<Cow<'a, str>>,
    netloc: &'a str,
    path: &'a str,
    query: &'a str,
    fragment: &'a str,
}

impl<'a> Split<'a> {
    fn of(url: &'a str, allow_fragments: bool) -> PyResult<Self> {
        let (scheme, rest) = scheme(url);
        let (netloc, rest) = match rest.strip_prefix("//") {
            Some(rest) => rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len())),
            None => ("", rest),
        };
        check_brackets(netloc).map_err(PyValueError::new_err)?;
        let (rest, fragment) = match rest.split_once('#') {
            Some(split) if allow_fragments => split,
            _ => (rest, ""),
        };
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        Ok(Self {
            scheme,
            netloc,
            path,
            query,
            fragment,
        })
    }

    /// Splits as [`of`](Self::of) does. Calls `check` with a netloc that is not US-ASCII.
    fn checked(url: &'a str, allow_fragments: bool, check: &Bound<'_, PyAny>) -> PyResult<Self> {
        let split = Self::of(url, allow_fragments)?;
        if !split.netloc.is_ascii() {
            check.call1((split.netloc,))?;
        }
        Ok(split)
    }
}

/// Assembles the components of a URL.
#[pyfunction(name = "urlunsplit")]
pub(crate) fn unsplit(
    py: Python<'_>,
    scheme: &str,
    netloc: &str,
    path: &str,
    query: &str,
    fragment: &str,
) -> PyResult<String> {
    assemble(py, scheme, netloc, [path, "", query, fragment])
}

/// Assembles the components: path, params, query and fragment in this order. Empty components are
/// treated as absent.
fn assemble(
    py: Python<'_>,
    scheme: &str,
    netloc: &str,
    [path, params, query, fragment]: [&str; 4],
) -> PyResult<String> {
    let length = scheme.len() + netloc.len() + path.len() + params.len() + query.len();
    let mut url = String::with_capacity(length + fragment.len() + 7);
    let mut push = |before: &str, text: &str| {
        url.push_str(before);
        url.push_str(text);
    };
    if !scheme.is_empty() {
        push(scheme, ":");
    }
    let has_path = !path.is_empty() || !params.is_empty();
    if !netloc.is_empty() {
        push("//", netloc);
        if has_path && !path.starts_with('/') {
            push("/", "");
        }
    } else if path.starts_with("//") // otherwise it would begin with a netloc
        || !scheme.is_empty()
            && (!has_path || path.starts_with('/'))
            && List::Netloc.contains(py, scheme)?
    {
        push("//", "");
    }
    push(path, "");
    for (delimiter, text) in [(";", params), ("?", query), ("#", fragment)] {
        if !text.is_empty() {
            push(delimiter, text);
        }
    }
    Ok(url)
}

/// The lists of schemes in `urllib.parse`, to which programs may add schemes.
#[derive(Clone, Copy)]
enum List {
    Relative,
    Netloc,
    Params,
}

impl List {
    fn contains(self, py: Python<'_>, scheme: &str) -> PyResult<bool> {
        static LISTS: [PyOnceLock<Py<PyAny>>; 3] = [const { PyOnceLock::new() }; 3];
        let (list, name) = match (self, &LISTS) {
            (Self::Relative, [list, _, _]) => (list, "uses_relative"),
            (Self::Netloc, [_, list, _]) => (list, "uses_netloc"),
            (Self::Params, [_, _, list]) => (list, "uses_params"),
        };
        let import = || Ok::<_, PyErr>(py.import("urllib.parse")?.getattr(name)?.unbind());
        list.get_or_try_init(py, import)?.bind(py).contains(scheme)
    }
}

/// Splits the params of the last segment off the path.
fn params<'a>(py: Python<'_>, scheme: &str, path: &'a str) -> PyResult<(&'a str, &'a str)> {
    let segment = path.rfind('/').unwrap_or(0);
    let semicolon = path.get(segment..).and_then(|last| last.find(';'));
    match semicolon {
        Some(index) if List::Params.contains(py, scheme)? => {
            let (path, params) = path.split_at(segment + index);
            Ok((path, params.strip_prefix(';').unwrap_or(params)))
        }
        _ => Ok((path, "")),
    }
}

/// Splits a URL into the part before its fragment and the fragment.
#[pyfunction(name = "urldefrag")]
pub(crate) fn defrag(
    py: Python<'_>,
    url: &str,
    check: &Bound<'_, PyAny>,
) -> PyResult<(String, String)> {
    let url = cleaned(url);
    let split = Split::checked(&url, true, check)?;
    let scheme = split.scheme.as_deref().unwrap_or_default();
    let (path, params) = params(py, scheme, split.path)?;
    let rest = assemble(py, scheme, split.netloc, [path, params, split.query, ""])?;
    Ok((rest, split.fragment.to_owned()))
}

/// Resolves a URL against a base. Neither is empty.
#[pyfunction(name = "urljoin")]
pub(crate) fn join(
    py: Python<'_>,
    base: &str,
    url: &str,
    allow_fragments: Truth,
    check: &Bound<'_, PyAny>,
) -> PyResult<String> {
    let Truth(allow_fragments) = allow_fragments;
    let base = cleaned(base);
    let base = Split::checked(&base, allow_fragments, check)?;
    let base_scheme = base.scheme.as_deref().unwrap_or_default();
    let clean = cleaned(url);
    let target = Split::checked(&clean, allow_fragments, check)?;
    let scheme = target.scheme.as_deref().unwrap_or(base_scheme);
    if scheme != base_scheme || !List::Relative.contains(py, scheme)? {
        return Ok(url.to_owned());
    }
    let (path, own_params) = params(py, scheme, target.path)?;
    let mut netloc = target.netloc;
    if List::Netloc.contains(py, scheme)? {
        if !netloc.is_empty() {
            let rest = [path, own_params, target.query, target.fragment];
            return assemble(py, scheme, netloc, rest);
        }
        netloc = base.netloc;
    }
    let (base_path, base_params) = params(py, scheme, base.path)?;
    if path.is_empty() && own_params.is_empty() {
        let query = match target.query {
            "" => base.query,
            query => query,
        };
        let rest = [base_path, base_params, query, target.fragment];
        return assemble(py, scheme, netloc, rest);
    }
    let path = merge(base_path, path);
    let rest = [path.as_str(), own_params, target.query, target.fragment];
    assemble(py, scheme, netloc, rest)
}

/// Merges two paths as in RFC 3986, 5.2.3 and 5.2.4, but drops empty segments in the middle of a
/// path that was merged with the base.
fn merge(base: &str, path: &str) -> String {
    let mut segments: Vec<&str> = Vec::new();
    let is_absolute = path.starts_with('/');
    if !is_absolute {
        segments.extend(base.split('/'));
        if segments.last().is_some_and(|last| !last.is_empty()) {
            segments.pop();
        }
    }
    segments.extend(path.split('/'));
    let last = segments.len() - 1; // a split has at least one segment
    let mut resolved: Vec<&str> = Vec::with_capacity(segments.len());
    for (index, segment) in segments.iter().enumerate() {
        let is_between = 0 < index && index < last;
        match *segment {
            "" if is_between && !is_absolute => {}
            ".." => {
                resolved.pop();
            }
            "." => {}
            segment => resolved.push(segment),
        }
    }
    if matches!(segments.last(), Some(&("." | ".."))) {
        resolved.push("");
    }
    match resolved.join("/") {
        path if path.is_empty() => "/".to_owned(),
        path => path,
    }
}

/// Splits off the scheme, if any, and returns the rest after its colon.
fn scheme(url: &str) -> (Option<Cow<'_, str>>, &str) {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    match url.split_once(':') {
        Some((scheme, rest))
            if scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.bytes().all(is_part) =>
        {
            let is_lower = !scheme.bytes().any(|byte| byte.is_ascii_uppercase());
            let scheme = if is_lower {
                Cow::Borrowed(scheme)
            } else {
                Cow::Owned(scheme.to_ascii_lowercase())
            };
            (Some(scheme), rest)
        }
        _ => (None, url),
    }
}

/// Checks that the brackets are paired and contain an IP address, and that only a port follows
/// them.
fn check_brackets(netloc: &str) -> Result<(), &'static str> {
    const INVALID: &str = "Invalid IPv6 URL";
    match (netloc.contains('['), netloc.contains(']')) {
        (false, false) => return Ok(()),
        (true, true) => {}
        _ => return Err(INVALID),
    }
    let hostinfo = netloc.rsplit('@').next().unwrap_or_default();
    let host = match hostinfo.split_once('[') {
        Some(("", bracketed)) => {
            let (host, after) = bracketed.split_once(']').unwrap_or((bracketed, ""));
            if !after.is_empty() && !after.starts_with(':') {
                return Err(INVALID);
            }
            host
        }
        Some(_) => return Err(INVALID),
        None => hostinfo.split(':').next().unwrap_or_default(),
    };
    if host.starts_with('v') {
        return is_future(host)
            .then_some(())
            .ok_or("IPvFuture address is invalid");
    }
    let (address, zone) = match host.split_once('%') {
        Some((address, zone)) => (address, Some(zone)),
        None => (host, None),
    };
    let is_zone = zone.is_none_or(|zone| !zone.is_empty() && !zone.contains('%'));
    match address.parse::<Ipv6Addr>() {
        Ok(_) if is_zone => Ok(()),
        _ => Err("Expected an IPv6 address between brackets"),
    }
}

/// Checks that the host consists of `v`, a version in hexadecimal digits, a dot and an address.
fn is_future(host: &str) -> bool {
    let split = host.strip_prefix('v').and_then(|rest| rest.split_once('.'));
    split.is_some_and(|(version, address)| {
        !version.is_empty()
            && version.bytes().all(|byte| byte.is_ascii_hexdigit())
            && !address.is_empty()
    })
}

/// Returns true for the characters that are never escaped: letters, digits and `_.-~`.
const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'~')
}

/// Escapes all octets except the unreserved characters and those in `safe`. With `plus`, a space
/// becomes `+`.
#[pyfunction]
pub(crate) fn quote(octets: &[u8], safe: &[u8], plus: bool) -> String {
    let mut out = String::with_capacity(octets.len() + octets.len() / 2);
    Quoter::new(safe, plus).quote(octets, &mut out);
    out
}

/// Escapes all octets except a given set.
struct Quoter {
    literal: [bool; 256],
    plus: bool,
}

impl Quoter {
    fn new(safe: &[u8], plus: bool) -> Self {
        let mut literal: [bool; 256] =
            std::array::from_fn(|byte| u8::try_from(byte).is_ok_and(is_unreserved));
        for &byte in safe.iter().filter(|byte| byte.is_ascii()) {
            if let Some(one) = literal.get_mut(usize::from(byte)) {
                *one = true;
            }
        }
        Self { literal, plus }
    }

    fn quote(&self, octets: &[u8], out: &mut String) {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        let digit = |value: u8| char::from(DIGITS.get(usize::from(value)).copied().unwrap_or(b'0'));
        for &byte in octets {
            if self.plus && byte == b' ' {
                out.push('+');
            } else if self
                .literal
                .get(usize::from(byte))
                .copied()
                .unwrap_or(false)
            {
                out.push(char::from(byte));
            } else {
                out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
            }
        }
    }
}

/// Encodes a dictionary, or a list of pairs, as `urlencode` does by default. Returns `None` if a
/// value has an unusual type. In this case, the caller may start over, because reading values of
/// the usual types has no side effects.
#[pyfunction]
pub(crate) fn urlencode(
    query: &Bound<'_, PyAny>,
    doseq: bool,
    safe: &[u8],
) -> PyResult<Option<String>> {
    let mut form = Form {
        quoter: Quoter::new(safe, true),
        doseq,
        out: String::new(),
    };
    if let Ok(dict) = query.cast_exact::<PyDict>() {
        for (name, value) in dict.iter() {
            if form.pair(&name, &value)?.is_none() {
                return Ok(None);
            }
        }
    } else if let Ok(list) = query.cast_exact::<PyList>() {
        for item in list.iter() {
            let Ok(pair) = item.cast_exact::<PyTuple>() else {
                return Ok(None);
            };
            if pair.len() != 2 || form.pair(&pair.get_item(0)?, &pair.get_item(1)?)?.is_none() {
                return Ok(None);
            }
        }
    } else {
        return Ok(None);
    }
    Ok(Some(form.out))
}

/// Encodes the pairs of a form.
struct Form {
    quoter: Quoter,
    doseq: bool,
    out: String,
}

impl Form {
    fn pair(&mut self, name: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<Option<()>> {
        let values: Vec<Bound<'_, PyAny>> =
            match (value.cast_exact::<PyList>(), value.cast_exact::<PyTuple>()) {
                (Ok(list), _) if self.doseq => list.iter().collect(),
                (_, Ok(tuple)) if self.doseq => tuple.iter().collect(),
                _ => return self.one(name, value),
            };
        if values.is_empty() {
            // A name without values is not written, but it must be valid.
            let length = self.out.len();
            let is_valid = self.value(name)?;
            self.out.truncate(length);
            return Ok(is_valid);
        }
        for value in values {
            if self.one(name, &value)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    fn one(&mut self, name: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<Option<()>> {
        if !self.out.is_empty() {
            self.out.push('&');
        }
        if self.value(name)?.is_none() {
            return Ok(None);
        }
        self.out.push('=');
        self.value(value)
    }

    /// Appends a value if its type is exactly one of the built-in types.
    fn value(&mut self, value: &Bound<'_, PyAny>) -> PyResult<Option<()>> {
        let written;
        let text = if let Ok(text) = value.cast_exact::<PyString>() {
            text
        } else if let Ok(octets) = value.cast_exact::<PyBytes>() {
            self.quoter.quote(octets.as_bytes(), &mut self.out);
            return Ok(Some(()));
        } else if value.is_exact_instance_of::<PyInt>()
            || value.is_exact_instance_of::<PyFloat>()
            || value.is_exact_instance_of::<PyBool>()
            || value.is_none()
        {
            written = value.str()?;
            &written
        } else {
            return Ok(None);
        };
        // A lone surrogate is an error, which the caller must raise.
        let Ok(text) = text.to_str() else {
            return Ok(None);
        };
        self.quoter.quote(text.as_bytes(), &mut self.out);
        Ok(Some(()))
    }
}

/// Decodes the escapes in the octets. Keeps a `%` without two hexadecimal digits.
fn octets(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'%') {
        return Cow::Borrowed(text);
    }
    let hex = |byte: u8| {
        char::from(byte)
            .to_digit(16)
            .and_then(|one| u8::try_from(one).ok())
    };
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        if let (b'%', [high, low, after @ ..]) = (*byte, after)
            && let (Some(high), Some(low)) = (hex(*high), hex(*low))
        {
            out.push(high << 4 | low);
            rest = after;
        } else {
            out.push(*byte);
            rest = after;
        }
    }
    Cow::Owned(out)
}

#[pyfunction]
pub(crate) fn unquote_to_bytes<'py>(py: Python<'py>, text: &[u8]) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &octets(text))
}

/// Decodes escapes as UTF-8, and writes U+FFFD for invalid sequences. A literal non-ASCII character
/// ends a UTF-8 sequence.
#[pyfunction]
pub(crate) fn unquote(text: &str) -> String {
    decoded(text).into_owned()
}

fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let ascii = rest
            .bytes()
            .position(|byte| !byte.is_ascii())
            .unwrap_or(rest.len());
        let (run, after) = rest.split_at(ascii);
        out.push_str(&String::from_utf8_lossy(&octets(run.as_bytes())));
        let other = after
            .bytes()
            .position(|byte| byte.is_ascii())
            .unwrap_or(after.len());
        let (literal, after) = after.split_at(other);
        out.push_str(literal);
        rest = after;
    }
    Cow::Owned(out)
}

/// A name and a value.
type Pair<'a> = (Cow<'a, str>, Cow<'a, str>);

/// Decodes the pairs of a query as UTF-8, and each `+` as a space. If `strict` is true, also
/// returns the first field without `=`.
#[pyfunction(name = "parse_qsl")]
pub(crate) fn pairs<'a>(
    query: &'a str,
    keep_blank_values: Truth,
    strict: Truth,
    separator: &str,
) -> (Vec<Pair<'a>>, Option<&'a str>) {
    let (Truth(keep_blank_values), Truth(strict)) = (keep_blank_values, strict);
    let mut pairs = Vec::new();
    for field in query.split(separator) {
        if field.is_empty() && !strict {
            continue;
        }
        let (name, value) = match field.split_once('=') {
            Some(pair) => pair,
            None if strict => return (pairs, Some(field)),
            None if keep_blank_values => (field, ""),
            None => continue,
        };
        if !value.is_empty() || keep_blank_values {
            pairs.push((text(name), text(value)));
        }
    }
    (pairs, None)
}

fn text(part: &str) -> Cow<'_, str> {
    if part.contains('+') {
        let spaced = part.replace('+', " ");
        Cow::Owned(decoded(&spaced).into_owned())
    } else {
        decoded(part)
    }
}
