//! Edits the pairs of a query. The other pairs are kept as written.

use super::builder::UriBuilder;
use super::error::{Component, EditError};
use super::slot::Slot;
use super::value::{Change, Reading, Value};
use super::write::is_escape;
use crate::component::encoded::may_split;
use crate::component::{Decoded, Encoded, Pair};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

impl<'a> UriBuilder<'a> {
    /// Sets the separator between pairs for subsequent calls. The default separator is an
    /// ampersand.
    ///
    /// The separator must be an ASCII character other than `=` that cannot be part of an escape.
    /// With any other character the query is a single pair, and adding a second pair is an error.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("http://h/?a=1;b=2")?;
    /// let edited = url.to_builder().separator(';').query_append("c;d", "3").build()?;
    /// assert_eq!(edited, "http://h/?a=1;b=2;c%3Bd=3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn separator(mut self, separator: char) -> Self {
        self.separator = separator;
        self
    }

    /// Treats the query as HTML form data in subsequent calls: names match as in
    /// [`form_get_decoded`](crate::Uri::form_get_decoded), which decodes `+` to a space, and spaces
    /// are written as `+`. Without this call, a `+` is a plus sign, so `query_set` and
    /// `query_remove` do not find the name `first name` in `?first+name=Ann`.
    ///
    /// A `+` in a name or value that you pass in is still a plus sign, except in
    /// [`Value::encoded`]. Under RFC 1630, spaces are written as `%20`, because its grammar does
    /// not allow `+` everywhere.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("http://h/?first+name=Ann&page=1")?;
    /// let edited = url.to_builder().form().query_set("first name", "Jo Ann").build()?;
    /// assert_eq!(edited, "http://h/?first+name=Jo+Ann&page=1");
    ///
    /// let edited = url.to_builder().query_set("first name", "Jo Ann").build()?; // another name
    /// assert_eq!(edited, "http://h/?first+name=Ann&page=1&first%20name=Jo%20Ann");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn form(mut self) -> Self {
        self.form = true;
        self
    }

    /// Appends a pair. The value `None::<&str>` appends a name without `=`. The new pair replaces
    /// an empty pair at the end of the query.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("mailto:infobot@example.com?subject=help")?;
    /// let edited = url.to_builder().query_append("body", "send current-issue").build()?;
    /// assert_eq!(edited, "mailto:infobot@example.com?subject=help&body=send%20current-issue");
    ///
    /// let edited = url.to_builder().query_append("urgent", None::<&str>).build()?;
    /// assert_eq!(edited.query().unwrap(), "subject=help&urgent");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn query_append(self, name: impl Into<Value<'a>>, value: impl Into<Change<'a>>) -> Self {
        let (name, value) = (name.into(), value.into());
        self.with_query(|edit, query| {
            let mut query = query.unwrap_or_default().into_owned();
            edit.write_pair(&name, &value, &mut query)?;
            Ok(Some(query))
        })
    }

    /// Appends pairs, each as [`query_append`](Self::query_append) does. An empty list changes
    /// nothing.
    ///
    /// ```
    /// use urikit::UriBuilder;
    /// let query = [("q", "50% off"), ("page", "2")];
    /// let url = UriBuilder::new().scheme("http").host("h").query_extend(query).build()?;
    /// assert_eq!(url, "http://h?q=50%25%20off&page=2");
    /// # Ok::<(), urikit::EditError>(())
    /// ```
    #[must_use]
    pub fn query_extend<N: Into<Value<'a>>, V: Into<Change<'a>>>(
        self,
        pairs: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let mut pairs = pairs.into_iter().peekable();
        if pairs.peek().is_none() {
            return self;
        }
        self.with_query(|edit, query| {
            let mut query = query.unwrap_or_default().into_owned();
            for (name, value) in pairs {
                edit.write_pair(&name.into(), &value.into(), &mut query)?;
            }
            Ok(Some(query))
        })
    }

    /// Sets the value of the first pair with this name, keeping the name as written, and removes
    /// all other pairs with that name. Appends a pair if no pair has the name. A `+` in the query
    /// is a plus sign unless [`form`](Self::form) was called.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("http://h/?a=1&b&%61=2")?;
    /// let edited = url.to_builder().query_set("a", "3").query_set("c", None::<&str>).build()?;
    /// assert_eq!(edited, "http://h/?a=3&b&c");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn query_set(self, name: impl Into<Value<'a>>, value: impl Into<Change<'a>>) -> Self {
        let (name, value) = (name.into(), value.into());
        let decoded = decoded(&name, self.form);
        let is_there = |pair: Pair<'_>| decoded_name(pair, self.form) == *decoded;
        if self.has_pair(is_there) {
            self.query_replace(name, value)
        } else {
            self.query_append(name, value)
        }
    }

    /// Sets the value as [`query_set`](Self::query_set) does, but does nothing if no pair has the
    /// name.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("http://h/?a=1&b")?;
    /// let edited = url.to_builder().query_replace("b", "2").query_replace("c", "3").build()?;
    /// assert_eq!(edited, "http://h/?a=1&b=2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn query_replace(self, name: impl Into<Value<'a>>, value: impl Into<Change<'a>>) -> Self {
        let form = self.form;
        let (name, value) = (decoded(&name.into(), form), value.into());
        let mut found = false;
        self.rewrite_pairs(&value, |pair| {
            if decoded_name(pair, form) != *name {
                return PairEdit::Keep;
            }
            if core::mem::replace(&mut found, true) {
                PairEdit::Remove
            } else {
                PairEdit::Replace
            }
        })
    }

    /// Sets the value of every pair for which `is_meant` returns true. The names are kept as
    /// written.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("http://h/?a=1&b=2&c")?;
    /// let mut number = 0;
    /// let second = |_: urikit::component::Pair<'_>| {
    ///     number += 1;
    ///     number == 2
    /// };
    /// let edited = url.to_builder().query_replace_if(second, "X").build()?;
    /// assert_eq!(edited, "http://h/?a=1&b=X&c");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn query_replace_if(
        self,
        mut is_meant: impl FnMut(Pair<'_>) -> bool,
        value: impl Into<Change<'a>>,
    ) -> Self {
        self.rewrite_pairs(&value.into(), |pair| {
            if is_meant(pair) {
                PairEdit::Replace
            } else {
                PairEdit::Keep
            }
        })
    }

    /// Keeps, removes or replaces each pair. `value` is the new value of each replaced pair.
    fn rewrite_pairs(
        self,
        value: &Change<'a>,
        mut edit_of: impl FnMut(Pair<'_>) -> PairEdit,
    ) -> Self {
        self.with_query(|edit, query| {
            let Some(query) = query else {
                return Ok(None);
            };
            let mut new = String::with_capacity(query.len());
            let mut is_first = true;
            for pair in Encoded::new(&query).pairs(edit.separator) {
                let pair_edit = edit_of(pair);
                if pair_edit == PairEdit::Remove {
                    continue;
                }
                if !is_first {
                    new.push(edit.separator);
                }
                is_first = false;
                if pair_edit == PairEdit::Replace {
                    new.push_str(pair.name().as_str());
                    edit.write_value(value, &mut new)?;
                } else {
                    new.push_str(pair.as_str());
                }
            }
            Ok(Some(new))
        })
    }

    /// Removes all pairs with this name. Removing the last pair removes the query. A `+` in the
    /// query is a plus sign unless [`form`](Self::form) was called.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("http://h/?a=1&b#s")?;
    /// let edited = url.to_builder().query_remove("a").build()?;
    /// assert_eq!(edited, "http://h/?b#s");
    /// assert_eq!(edited.to_builder().query_remove("b").build()?, "http://h/#s");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn query_remove(self, name: impl Into<Value<'a>>) -> Self {
        let form = self.form;
        let name = decoded(&name.into(), form);
        self.query_retain(|pair| decoded_name(pair, form) != *name)
    }

    /// Keeps only the pairs for which `keep` returns true. One separator is removed with each pair,
    /// and removing the last pair removes the query.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("http://h/?utm_source=x&q=1&utm_medium=y")?;
    /// let keep = |pair: urikit::component::Pair<'_>| !pair.name().as_str().starts_with("utm_");
    /// let edited = url.to_builder().query_retain(keep).build()?;
    /// assert_eq!(edited, "http://h/?q=1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn query_retain(self, mut keep: impl FnMut(Pair<'_>) -> bool) -> Self {
        self.with_query(|edit, query| {
            let Some(query) = query else {
                return Ok(None);
            };
            let mut new = String::with_capacity(query.len());
            let mut any = query.is_empty();
            for pair in Encoded::new(&query).pairs(edit.separator) {
                if keep(pair) {
                    if any {
                        new.push(edit.separator);
                    }
                    any = true;
                    new.push_str(pair.as_str());
                }
            }
            Ok(any.then_some(new))
        })
    }

    /// Sorts the pairs by their decoded names, ignoring case. Pairs with the same name keep their
    /// order, which may matter; so do pairs whose names differ only in case, because some servers
    /// treat them as the same. Empty pairs come last.
    ///
    /// ```
    /// use urikit::Uri;
    /// let url = Uri::parse("http://h/?b=2&A=1&b=1&%61=2")?;
    /// assert_eq!(url.to_builder().sort_query().build()?, "http://h/?A=1&%61=2&b=2&b=1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sort_query(self) -> Self {
        self.with_query(|edit, query| {
            let Some(query) = query else {
                return Ok(None);
            };
            let compare = |a: &Pair<'_>, b: &Pair<'_>| {
                let empty_last = a.is_empty().cmp(&b.is_empty());
                // The names are compared byte by byte: decoded copies could take more memory than
                // the query.
                empty_last.then_with(|| folded(*a, edit.form).cmp(folded(*b, edit.form)))
            };
            let listed = Encoded::new(&query).pairs(edit.separator);
            if listed.clone().is_sorted_by(|a, b| compare(a, b).is_le()) {
                return Ok(Some(query.into_owned()));
            }
            let mut pairs = Vec::with_capacity(listed.clone().count());
            pairs.extend(listed);
            pairs.sort_by(compare);
            let mut new = String::with_capacity(query.len());
            for (at, pair) in pairs.iter().enumerate() {
                if at > 0 {
                    new.push(edit.separator);
                }
                new.push_str(pair.as_str());
            }
            Ok(Some(new))
        })
    }

    /// Sets the query to the result of `change`.
    fn with_query(
        mut self,
        change: impl FnOnce(&Self, Option<Cow<'_, str>>) -> Result<Option<String>, EditError>,
    ) -> Self {
        if self.failure.is_none() {
            let change = self.written_query().and_then(|query| change(&self, query));
            match change {
                Ok(query) => self.query = query.map(Value::encoded),
                Err(error) => self.failure = Some(error),
            }
        }
        self
    }

    /// Returns the query as it will be written.
    fn written_query(&self) -> Result<Option<Cow<'_, str>>, EditError> {
        let Some(query) = &self.query else {
            return Ok(None);
        };
        if query.is_written() {
            return Ok(Some(Cow::Borrowed(&query.text)));
        }
        let mut text = String::new();
        self.write(query, Slot::Query, &mut text)?;
        Ok(Some(Cow::Owned(text)))
    }

    fn has_pair(&self, is_meant: impl Fn(Pair<'_>) -> bool) -> bool {
        let query = self.written_query().ok().flatten().unwrap_or_default();
        Encoded::new(&query).pairs(self.separator).any(is_meant)
    }

    /// Appends a pair, with a separator before it unless it is the first pair.
    fn write_pair(
        &self,
        name: &Value<'_>,
        value: &Change<'_>,
        query: &mut String,
    ) -> Result<(), EditError> {
        let separator = self.separator;
        let is_first = query.is_empty();
        if !is_first && !splits(separator) {
            return Err(EditError::NotASeparator { found: separator });
        }
        if !is_first && !query.ends_with(separator) {
            query.push(separator);
        }
        self.write_name(name, query)?;
        self.write_value(value, query)
    }

    fn write_name(&self, name: &Value<'_>, out: &mut String) -> Result<(), EditError> {
        self.write_within(name, Slot::Name, &['='], out)
    }

    fn write_value(&self, value: &Change<'_>, out: &mut String) -> Result<(), EditError> {
        let Change::Set(value) = value else {
            return Ok(());
        };
        if self.separator == '=' {
            return Err(EditError::NotASeparator { found: '=' });
        }
        out.push('=');
        self.write_within(value, Slot::Value, &[], out)
    }

    /// Appends text. Fails if the text contains a delimiter that would end the name or the value.
    fn write_within(
        &self,
        value: &Value<'_>,
        place: Slot,
        ends: &[char],
        out: &mut String,
    ) -> Result<(), EditError> {
        let from = out.len();
        self.write(value, place, out)?;
        let written = out.get(from..).unwrap_or_default();
        if written.contains(self.separator) || written.contains(ends) {
            return Err(EditError::Misread {
                component: Component::Query,
            });
        }
        Ok(())
    }
}

/// The change to make to one pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PairEdit {
    Keep,
    Remove,
    /// Sets the value.
    Replace,
}

/// Returns true if parsers can split pairs at this character.
fn splits(separator: char) -> bool {
    separator.is_ascii() && may_split(separator) && separator != '='
}

/// Returns the decoded bytes of a pair's name, in lower case.
fn folded(pair: Pair<'_>, form: bool) -> impl Iterator<Item = u8> {
    let decoded = decoded_name(pair, form).octets();
    decoded.map(|byte| byte.to_ascii_lowercase())
}

/// Decodes the name of a pair. In form data, a `+` is a space.
fn decoded_name(pair: Pair<'_>, form: bool) -> Decoded<'_> {
    let decoded = pair.name().decode();
    if form { decoded.form() } else { decoded }
}

/// Returns the decoded octets of a name. A `%` that does not begin an escape is literal. In form
/// data, a `+` that is written unchanged is a space.
fn decoded(name: &Value<'_>, form: bool) -> Vec<u8> {
    let plus_is_space = form && matches!(name.reading, Reading::Encoded | Reading::Parsed);
    let literal = |part: Option<&[u8]>, decoded: &mut Vec<u8>| {
        let octet = |byte: &u8| match byte {
            b'+' if plus_is_space => b' ',
            byte => *byte,
        };
        decoded.extend(part.unwrap_or_default().iter().map(octet));
    };
    let bytes = name.text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut from = 0;
    for (at, part) in name.text.match_indices('%').map(|(at, _)| at).map(|at| {
        let part = Encoded::new(name.text.get(at..at + 3).unwrap_or_default());
        (at, part)
    }) {
        if name.has_escapes() && is_escape(bytes.get(at + 1..)) {
            literal(bytes.get(from..at), &mut decoded);
            decoded.extend(part.decode());
            from = at + 3;
        }
    }
    literal(bytes.get(from..), &mut decoded);
    decoded
}
