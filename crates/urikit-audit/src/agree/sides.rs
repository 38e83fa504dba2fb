//! Who says what.

use super::{Agreement, Part};
use crate::compare::{
    host_text, port_text, same_host, same_path, same_port, same_scheme, same_userinfo,
};
use crate::reading::Reading;
use std::borrow::Cow;

/// Readers that say the same about a part.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Side<'v> {
    /// What they say, as it is compared: a host in lower case, an address in canonical form, a
    /// port with the default filled in; empty for none. For [`Part::Validity`] it is `accepted` or
    /// `rejected`.
    pub value: Cow<'v, str>,
    /// The readers.
    pub readers: Vec<&'static str>,
}

impl Agreement<'_> {
    /// The readers by what they say about a part, in the order of the first of each side. There is
    /// one side if they agree, and none if all reject the input.
    ///
    /// ```
    /// use urikit_audit::{Part, agree};
    /// let agreement = agree("http://127.1/");
    /// let sides = agreement.sides(Part::Host);
    /// assert_eq!(sides[0].value, "127.1");
    /// assert_eq!(sides[0].readers, ["rfc3986", "lenient", "urllib"]);
    /// assert_eq!(sides[1].value, "127.0.0.1");
    /// assert_eq!(sides[1].readers, ["whatwg", "curl", "legacy-ipv4"]);
    /// ```
    pub fn sides(&self, part: Part) -> Vec<Side<'_>> {
        if part == Part::Validity {
            return self.validity();
        }
        let named = |reading: &Reading<'_>| part == Part::Scheme || !reading.has_null_host;
        let readings = self.readings().filter(|(_, reading)| named(reading));
        group(readings, |a, b| is_same(part, a, b), |one| value(part, one))
    }

    /// The readers by the path that they give, as written; one that differs is no dispute. Paths
    /// are compared after normalization.
    ///
    /// ```
    /// let agreement = urikit_audit::agree("http://example.com/a\\b");
    /// let paths = agreement.paths();
    /// assert_eq!(paths[0].value, "/a/b");
    /// assert_eq!(paths[0].readers, ["whatwg"]);
    /// assert_eq!(paths[1].value, "/a\\b");
    /// ```
    pub fn paths(&self) -> Vec<Side<'_>> {
        group(self.readings(), same_path, |one| Cow::Borrowed(&*one.path))
    }

    fn validity(&self) -> Vec<Side<'_>> {
        let of = |is_valid: bool, value: &'static str| Side {
            value: Cow::Borrowed(value),
            readers: self
                .voices()
                .iter()
                .filter(|voice| voice.outcome.is_ok() == is_valid)
                .map(|voice| voice.reader)
                .collect(),
        };
        let mut sides = vec![of(true, "accepted"), of(false, "rejected")];
        sides.retain(|side| !side.readers.is_empty());
        sides
    }
}

/// The readers by what they say.
fn group<'v, 'a: 'v>(
    readings: impl Iterator<Item = (&'static str, &'v Reading<'a>)>,
    is_same: impl Fn(&Reading<'_>, &Reading<'_>) -> bool,
    value: impl Fn(&'v Reading<'a>) -> Cow<'v, str>,
) -> Vec<Side<'v>> {
    let mut sides: Vec<(&Reading<'_>, Side<'_>)> = Vec::new();
    for (reader, reading) in readings {
        let same = sides.iter_mut().find(|(first, _)| is_same(first, reading));
        match same {
            Some((_, side)) => side.readers.push(reader),
            None => sides.push((
                reading,
                Side {
                    value: value(reading),
                    readers: vec![reader],
                },
            )),
        }
    }
    sides.into_iter().map(|(_, side)| side).collect()
}

fn is_same(part: Part, a: &Reading<'_>, b: &Reading<'_>) -> bool {
    match part {
        Part::Validity => true,
        Part::Scheme => same_scheme(a, b),
        Part::Userinfo => same_userinfo(a, b),
        Part::Host => same_host(a, b),
        Part::Port => same_port(a, b),
    }
}

fn value<'v>(part: Part, reading: &'v Reading<'_>) -> Cow<'v, str> {
    let text = |text: &'v Option<Cow<'_, str>>| Cow::Borrowed(text.as_deref().unwrap_or_default());
    match part {
        Part::Validity => Cow::Borrowed("accepted"),
        Part::Scheme => Cow::Owned(text(&reading.scheme).to_ascii_lowercase()),
        Part::Userinfo => text(&reading.userinfo),
        Part::Host => host_text(reading),
        Part::Port => port_text(reading),
    }
}
