//! RFC 1630, Partial (relative) form.
//!
//! Its rules, in short: a partial form that begins with slashes takes from the context everything
//! before the first run of exactly as many slashes; any other takes the context up to its last
//! slash, and then every `xxx/../` and `/.` of complete elements is removed. Interpretations:
//!
//! - The examples contradict the words "which has no greater number of consecutive slashes
//!   anywhere to the right of it": the examples are followed, and the words are an option.
//! - The context's search and fragment are dropped first. Its path is what follows `//` and the
//!   host.
//! - `xxx` is not `..`, since the result would otherwise depend on the order of removal, and it is
//!   never the host. A final `/.` is removed completely, a final `/..` is kept.
//! - A void partial form, with or without a fragment, is the document itself ("A void fragment-id
//!   with or without the hash sign means that the URL refers to the whole object").

use super::rfc3986::without_fragment;
use super::{Options, ResolveError, SlashRule, path};
use crate::component::Encoded;
use crate::{AnyRef, Form, Standard};
use alloc::string::String;

/// The rules for "the use of a partial name relative to the URI of the context".
pub(super) fn resolve(
    partial: AnyRef<'_>,
    context: AnyRef<'_>,
    options: Options,
    out: &mut String,
) -> Result<bool, ResolveError> {
    let begin = out.len();
    let fragment = partial.fragment().map(Encoded::as_str);
    let form = partial.form();
    match form {
        Form::Absolute => out.push_str(partial.as_str()),
        Form::Empty | Form::FragmentOnly => {
            out.push_str(without_fragment(context));
            path::component(out, "#", fragment);
        }
        _ => {
            let context = without_search(context);
            let text = partial.path().as_str();
            let slashes = text.len() - text.trim_start_matches('/').len();
            if slashes > 0 {
                let kept = before_slashes(context, slashes, options.slash_rule)
                    .ok_or(ResolveError::NoSuchSlashes { count: slashes })?;
                out.push_str(kept);
                out.push_str(text);
            } else {
                in_place_of_last(context, text, out)?;
            }
            path::component(out, "?", partial.query().map(Encoded::as_str));
            path::component(out, "#", fragment);
        }
    }
    let target = out.get(begin..).unwrap_or_default();
    Standard::Rfc1630
        .parse(target)
        .map_err(ResolveError::Target)?;
    Ok(matches!(form, Form::Empty | Form::FragmentOnly))
}

/// The context up to its search part and fragment.
pub(super) fn without_search(context: AnyRef<'_>) -> &str {
    let text = without_fragment(context);
    let search = context.query().map_or(0, |search| search.len() + 1);
    text.get(..text.len() - search).unwrap_or(text)
}

/// The context up to the run of exactly `count` slashes that the rule selects.
fn before_slashes(context: &str, count: usize, rule: SlashRule) -> Option<&str> {
    // Each run of slashes from the right: where it begins, and how long it is.
    let mut found = None;
    let mut rest = context;
    while let Some(last) = rest.rfind('/') {
        let before = rest.get(..=last)?.trim_end_matches('/');
        let length = last + 1 - before.len();
        if length == count {
            found = Some(before);
        }
        // By the words, no longer run may follow the selected one.
        if rule == SlashRule::Text && length > count {
            break;
        }
        rest = before;
    }
    found
}

/// Appends the context up to the part that is replaced, with `xxx/../` and `/.` removed; returns
/// where its path begins there.
pub(super) fn directory(context: AnyRef<'_>, out: &mut String) -> usize {
    let (before_path, path) = split_host(without_search(context));
    out.push_str(before_path);
    let start = out.len();
    Elements::new(out).directory(path, before_path.ends_with(|last| last != ':'));
    start
}

/// Puts the partial form in place of what follows the context's last slash, and removes `xxx/../`
/// and `/.`.
fn in_place_of_last(context: &str, partial: &str, out: &mut String) -> Result<(), ResolveError> {
    let (before_path, path) = split_host(context);
    out.push_str(before_path);
    let has_host = before_path.ends_with(|last| last != ':');
    let start = out.len();
    let mut writer = Elements::new(out);
    writer.directory(path, has_host);
    let mut rest = partial;
    while let Some((element, after)) = rest.split_once('/') {
        writer.element(element, false);
        rest = after;
    }
    writer.element(rest, true);
    if !has_host && out.get(start..).is_some_and(|path| path.starts_with("//")) {
        return Err(ResolveError::PathLooksLikeAuthority);
    }
    Ok(())
}

/// The context up to its path, and its path: after `scheme:`, and after `//` and a host if they
/// follow.
fn split_host(context: &str) -> (&str, &str) {
    let colon = context.find(':').map_or(0, |colon| colon + 1);
    let path = match context
        .get(colon..)
        .and_then(|rest| rest.strip_prefix("//"))
    {
        Some(rest) => context.len() - rest.len() + rest.find('/').unwrap_or(rest.len()),
        None => colon,
    };
    context.split_at_checked(path).unwrap_or((context, ""))
}

/// Writes path elements, each with its slash, and truncates where `..` removes one.
struct Elements<'o> {
    out: &'o mut String,
    /// Where the path begins.
    start: usize,
    /// What precedes this is never removed: a first, void element (the slash after a host), and
    /// any `..` that are kept.
    floor: usize,
    is_first: bool,
}

impl<'o> Elements<'o> {
    fn new(out: &'o mut String) -> Self {
        let start = out.len();
        Self {
            out,
            start,
            floor: start,
            is_first: true,
        }
    }

    /// Writes a path up to its last slash; if it has no slash, the slash after a host.
    fn directory(&mut self, path: &str, has_host: bool) {
        match path.rsplit_once('/') {
            Some((directory, _)) => directory
                .split('/')
                .for_each(|element| self.element(element, false)),
            None if has_host => self.element("", false),
            None => {}
        }
    }

    fn element(&mut self, element: &str, is_last: bool) {
        let is_first = core::mem::replace(&mut self.is_first, false);
        match element {
            // "/." is removed: an element without a slash before it is kept, even if that slash
            // was removed with an `xxx/../`.
            "." if self.out.len() > self.start => {
                if is_last {
                    self.out.pop();
                }
                return;
            }
            ".." if !is_last && self.out.len() > self.floor => {
                self.out.pop();
                let written = self.out.get(self.floor..).unwrap_or_default();
                let end = written.rfind('/').map_or(0, |slash| slash + 1);
                self.out.truncate(self.floor + end);
                return;
            }
            _ => {}
        }
        self.out.push_str(element);
        if !is_last {
            self.out.push('/');
        }
        if element == ".." || (is_first && element.is_empty()) {
            self.floor = self.out.len();
        }
    }
}
