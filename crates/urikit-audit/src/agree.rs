//! Asks several readers about one input, and finds the components on which they disagree.

use crate::compare::{
    host_text, port_text, same_host, same_path, same_port, same_scheme, same_userinfo,
};
use crate::reader::{
    Curl, JavaNetUri, LegacyIpv4, Lenient, Outcome, Reader, Urllib, VOTERS, of_reference,
};
use crate::reading::{Reading, Rejection};
use crate::whatwg::Whatwg;
use std::borrow::Cow;
use std::fmt;
use urikit::{AnyRef, HostKind, Standard};

/// The answer from one reader.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Voice<'a> {
    /// The reader's name.
    pub reader: &'static str,
    /// The reading, or the reason why the reader rejects the input.
    pub outcome: Outcome<'a>,
}

/// The answers from several readers about one input, and the components on which they disagree.
///
/// See [`agree`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Agreement<'a> {
    voices: Vec<Voice<'a>>,
    disputed: Parts,
    paths_differ: bool,
}

/// The result of comparing readings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict<'v, 'a> {
    /// All readers that accept the input find the same scheme, userinfo, host and port. Contains
    /// the first reading, or `None` if all readers reject the input.
    Unanimous(Option<&'v Reading<'a>>),
    /// Readers disagree on these parts.
    Disputed(Parts),
}

/// Asks [`VOTERS`]: RFC 3986, the WHATWG URL Standard, and widely used parsers.
///
/// The readers agree if all voters that accept the input find the same scheme, userinfo, host and
/// port. Hosts are compared in lower case and without brackets, and addresses by value. Default
/// ports are filled in, and an empty component is equal to an absent one.
///
/// A reader that rejects the input is ignored, because it does not find a different host. The two
/// standards are an exception: if only one of `rfc3986` and `whatwg` accepts the input, its
/// validity is disputed. The exception does not apply to relative references, which `whatwg`
/// rejects only because they have no base. If `java-net-uri` returns a null host, its authority is
/// not compared.
///
/// ```
/// use urikit_audit::{Part, agree};
/// assert!(agree("HTTP://EXAMPLE.com:80/").is_unanimous());
///
/// let agreement = agree("http://good.example\\@evil.example/");
/// assert!(agreement.disputed().contains(Part::Host));
/// let hosts: Vec<_> = agreement.sides(Part::Host).into_iter().map(|side| side.value).collect();
/// assert_eq!(hosts, ["good.example", "evil.example"]);
/// ```
pub fn agree(input: &str) -> Agreement<'_> {
    match plain_voices(input) {
        Some(voices) => Agreement::of(voices),
        None => agree_with(input, &VOTERS),
    }
}

/// Asks the given readers and compares their answers according to the rules of [`agree`].
pub fn agree_with<'a>(input: &'a str, readers: &[&dyn Reader]) -> Agreement<'a> {
    let mut voices = Vec::with_capacity(readers.len());
    voices.extend(readers.iter().map(|reader| Voice {
        reader: reader.name(),
        outcome: reader.read(input),
    }));
    Agreement::of(voices)
}

impl<'a> Agreement<'a> {
    pub(crate) fn of(voices: Vec<Voice<'a>>) -> Self {
        let mut disputed = Parts::NONE;
        let mut paths_differ = false;
        let mut readings = voices
            .iter()
            .filter_map(|voice| voice.outcome.as_ref().ok());
        if let Some(first) = readings.clone().find(|reading| !reading.has_null_host) {
            for reading in readings.clone().filter(|reading| !reading.has_null_host) {
                let parts = [
                    (Part::Host, same_host(first, reading)),
                    (Part::Port, same_port(first, reading)),
                    (Part::Userinfo, same_userinfo(first, reading)),
                ];
                for (part, _) in parts.into_iter().filter(|(_, is_same)| !is_same) {
                    disputed = disputed.with(part);
                }
            }
        }
        if let Some(first) = readings.next() {
            for reading in readings {
                if !same_scheme(first, reading) {
                    disputed = disputed.with(Part::Scheme);
                }
                paths_differ = paths_differ || !same_path(first, reading);
            }
        }
        let mut agreement = Self {
            voices,
            disputed,
            paths_differ,
        };
        if agreement.standards_differ() {
            agreement.disputed = disputed.with(Part::Validity);
        }
        agreement
    }

    /// Returns whether only one of `rfc3986` and `whatwg` accepts the input.
    fn standards_differ(&self) -> bool {
        let rfc = self.outcome("rfc3986");
        let whatwg = self.outcome("whatwg");
        match (rfc, whatwg) {
            (Some(Ok(reading)), Some(Err(rejection))) => {
                let is_relative = reading.scheme.is_none()
                    && *rejection == Rejection::Whatwg(url::ParseError::RelativeUrlWithoutBase);
                !is_relative
            }
            (Some(Err(_)), Some(Ok(_))) => true,
            _ => false,
        }
    }

    /// Returns whether no part is disputed.
    pub fn is_unanimous(&self) -> bool {
        self.disputed == Parts::NONE
    }

    /// Returns the reading on which readers agree, or the parts on which they disagree.
    pub fn verdict(&self) -> Verdict<'_, 'a> {
        if self.is_unanimous() {
            Verdict::Unanimous(self.reading())
        } else {
            Verdict::Disputed(self.disputed)
        }
    }

    /// Returns the parts on which readers disagree.
    pub const fn disputed(&self) -> Parts {
        self.disputed
    }

    /// Returns whether paths differ after normalization. A difference in the paths does not count
    /// as a dispute.
    pub const fn paths_differ(&self) -> bool {
        self.paths_differ
    }

    /// Returns the first reading. If the readers agree, the other readings differ from it only in
    /// spelling.
    pub fn reading(&self) -> Option<&Reading<'a>> {
        self.readings().next().map(|(_, reading)| reading)
    }

    /// Iterates over the readers that accept the input, with their readings.
    pub fn readings(&self) -> impl Iterator<Item = (&'static str, &Reading<'a>)> {
        self.voices
            .iter()
            .filter_map(|voice| Some((voice.reader, voice.outcome.as_ref().ok()?)))
    }

    /// Returns the answers in the order in which the readers were asked.
    pub fn voices(&self) -> &[Voice<'a>] {
        &self.voices
    }

    /// Returns the answer from the reader with this name, or `None` if that reader was not asked.
    pub fn outcome(&self, reader: &str) -> Option<&Outcome<'a>> {
        let voice = self.voices.iter().find(|voice| voice.reader == reader)?;
        Some(&voice.outcome)
    }
}

/// A property on which readers can disagree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Part {
    /// The validity of the input, which only `rfc3986` and `whatwg` decide.
    Validity,
    /// The scheme.
    Scheme,
    /// The userinfo.
    Userinfo,
    /// The host.
    Host,
    /// The port.
    Port,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 5] = [
        Self::Validity,
        Self::Scheme,
        Self::Userinfo,
        Self::Host,
        Self::Port,
    ];

    /// Returns the name: `validity`, `scheme`, `userinfo`, `host` or `port`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Validity => "validity",
            Self::Scheme => "scheme",
            Self::Userinfo => "userinfo",
            Self::Host => "host",
            Self::Port => "port",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A set of [`Part`]s.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Parts(u8);

impl Parts {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Adds a part.
    #[must_use]
    pub const fn with(self, part: Part) -> Self {
        Self(self.0 | 1 << part as u8)
    }

    /// Returns whether the set contains a part.
    pub const fn contains(self, part: Part) -> bool {
        self.0 >> part as u8 & 1 == 1
    }

    /// Iterates over the parts in the set.
    pub fn iter(self) -> impl Iterator<Item = Part> {
        Part::ALL
            .into_iter()
            .filter(move |part| self.contains(*part))
    }
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The readers that return the same value for a part.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Side<'v> {
    /// The value in the form used for comparison: a host in lower case, an address in canonical
    /// form, a port with the default filled in. If the part is absent, the value is empty. For
    /// [`Part::Validity`], the value is `accepted` or `rejected`.
    pub value: Cow<'v, str>,
    /// The names of the readers.
    pub readers: Vec<&'static str>,
}

impl Agreement<'_> {
    /// Groups the readers by the value that they return for a part, in the order of each group's
    /// first reader. Returns one group if the readers agree, and no group if all of them reject the
    /// input.
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

    /// Groups the readers by the path that they return. Paths are compared after normalization, and
    /// a difference between them does not count as a dispute.
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

/// Groups readers by value.
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

/// Returns the answers from all voters for a plain URL, based on a single parse.
fn plain_voices(input: &str) -> Option<Vec<Voice<'_>>> {
    let reference = Standard::Rfc3986.parse(input).ok()?;
    if !is_plain(reference) {
        return None;
    }
    let reading = of_reference(reference);
    let mut voices = Vec::with_capacity(7);
    let mut say = |reader: &'static str, outcome| voices.push(Voice { reader, outcome });
    say(Standard::Rfc3986.name(), Ok(reading.clone()));
    say(Whatwg.name(), Whatwg.read(input));
    say(Lenient.name(), Ok(reading.clone()));
    let fragment = reading.fragment.clone().filter(|text| !text.is_empty());
    let curl = Reading {
        path: match &*reading.path {
            "" => Cow::Borrowed("/"),
            _ => reading.path.clone(),
        },
        fragment: fragment.clone(),
        ..reading.clone()
    };
    let urllib = Reading {
        query: reading.query.clone().filter(|text| !text.is_empty()),
        fragment,
        ..reading.clone()
    };
    say(Curl.name(), Ok(curl));
    say(Urllib.name(), Ok(urllib));
    say(JavaNetUri.name(), Ok(reading.clone()));
    say(LegacyIpv4.name(), Ok(reading));
    Some(voices)
}

/// Returns whether all voters read a reference in the same way: its scheme is in lower case and
/// accepted by curl, its host is a name in lower case or an IPv4 address, its port has no leading
/// zeros, and its path has no dot segments.
fn is_plain(reference: AnyRef<'_>) -> bool {
    let Some((scheme, host)) = reference.scheme().zip(reference.host()) else {
        return false;
    };
    let is_lower = |text: &str| !crate::split::any(text, |byte| byte.is_ascii_uppercase());
    let has_plain_port = match reference.port() {
        None => true,
        Some(digits) => !digits.starts_with('0') && reference.port_number().is_some(),
    };
    let mut pairs = reference.path().as_str().as_bytes().windows(2);
    scheme.len() <= 40
        && scheme != "file"
        && is_lower(scheme)
        && matches!(host.kind(), HostKind::Name | HostKind::Ipv4)
        && is_lower(host.as_str())
        && has_plain_port
        && !pairs.any(|pair| pair == b"/.")
}
