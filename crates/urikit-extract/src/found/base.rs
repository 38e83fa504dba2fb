//! The base URIs of a document, by layer (RFC 2396, 5.1; RFC 3986, 5.1).

use crate::link::standard_of;
use std::borrow::Cow;
use std::sync::Arc;
use urikit::op::repair::{Repaired, repair, repair_for};
use urikit::op::{Layer, Options, remove_dot_segments};
use urikit::{Iri, ParseError, Standard};

/// The maximum length of a base URI, in bytes. The target of each relative reference repeats the
/// base, so the output for a long base could be much larger than the document.
pub(crate) const MAX_BASE: usize = 8 << 10;

/// The base URIs of a document, each with a scheme. The base of the innermost layer applies.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Bases {
    layers: [Option<Arc<Base>>; 4],
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Base {
    uri: String,
    /// The directory of the base without dot segments, if the base may have dot segments. A
    /// document may contain millions of references, so the dot segments are removed only once.
    directory: Option<String>,
}

impl Base {
    fn new(uri: String) -> Self {
        let may_have_dots = uri.contains("/.") || uri.contains(":.");
        let directory = may_have_dots.then(|| directory(&uri)).flatten();
        Self { uri, directory }
    }

    /// Returns a URI against which the reference resolves to the same target as against the base.
    fn uri_for(&self, reference: &str) -> &str {
        match &self.directory {
            Some(directory) if !reference.starts_with(['/', '?', '#']) && !reference.is_empty() => {
                directory
            }
            _ => &self.uri,
        }
    }
}

impl Bases {
    /// Sets the base URI of a layer. The URI must have a scheme.
    pub(crate) fn set(&mut self, layer: Layer, uri: String) {
        if let Some(place) = self.layers.get_mut(layer as usize) {
            *place = Some(Arc::new(Base::new(uri)));
        }
    }

    /// Returns the base that applies, and its layer.
    pub(crate) fn innermost(&self) -> Option<(Layer, &str)> {
        self.base().map(|(layer, base)| (layer, base.uri.as_str()))
    }

    fn base(&self) -> Option<(Layer, &Base)> {
        Layer::ALL
            .into_iter()
            .find_map(|layer| Some((layer, self.layers.get(layer as usize)?.as_deref()?)))
    }

    /// Resolves a reference against the base that applies, under the given standard, if any.
    pub(crate) fn target(&self, reference: &str, standard: Option<Standard>) -> Option<String> {
        let (_, base) = self.base()?;
        let uri = match standard {
            None | Some(Standard::Rfc3987) => base.uri_for(reference),
            Some(Standard::Rfc3986) if base.uri.is_ascii() => base.uri_for(reference),
            // The other standards keep some or all dot segments.
            Some(_) => &base.uri,
        };
        resolve(uri, reference, standard)
    }

    /// Repairs an invalid reference as browsers do when they resolve it against the base that
    /// applies. Returns `None` if the reference cannot be repaired.
    pub(crate) fn repair(&self, reference: &str) -> Option<Repaired> {
        let base = self.innermost().and_then(|(_, base)| Iri::parse(base).ok());
        match base {
            Some(base) => repair_for(reference, &base.to_uri()).ok(),
            None => repair(reference).ok(),
        }
    }

    /// Returns these bases, extended by one that the document declares. The declared base may be
    /// relative to these, and is repaired if it is invalid. If the declared base is too long,
    /// returns no bases, and counts the declared base in `long`.
    pub(crate) fn within(&self, layer: Layer, uri: &str, long: &mut usize) -> Cow<'_, Self> {
        if uri.len() > MAX_BASE {
            *long += 1;
            return Cow::Owned(Self::default());
        }
        let declared = |uri: &str| self.target(uri, None).or_else(|| absolute(uri));
        let repaired = || declared(self.repair(uri)?.reference.as_str());
        match declared(uri).or_else(repaired) {
            None => Cow::Borrowed(self),
            Some(uri) if uri.len() > MAX_BASE => {
                *long += 1;
                Cow::Owned(Self::default())
            }
            Some(uri) => {
                let mut bases = self.clone();
                bases.set(layer, uri);
                Cow::Owned(bases)
            }
        }
    }
}

/// Returns the URI if it has a scheme and can therefore be a base.
pub(crate) fn absolute(uri: &str) -> Option<String> {
    let parsed = standard_of(uri).parse(uri).ok()?;
    parsed.scheme().map(|_| uri.to_owned())
}

/// Checks that a URI can be a base.
pub(crate) fn check_base(uri: &str) -> Result<(), BaseError> {
    if uri.len() > MAX_BASE {
        return Err(BaseError::TooLong { max: MAX_BASE });
    }
    let parsed = standard_of(uri).parse(uri).map_err(BaseError::Syntax)?;
    parsed.scheme().map(|_| ()).ok_or(BaseError::Relative)
}

/// Returns the base up to the last slash of its path, without dot segments. Without an authority,
/// `/.` precedes a path that begins with `//`.
fn directory(base: &str) -> Option<String> {
    let base = standard_of(base).parse(base).ok()?;
    let path = base.path().as_str();
    let path = remove_dot_segments(path.get(..=path.rfind('/')?)?);
    let start = match base.authority() {
        Some(authority) => format!("//{}", authority.as_str()),
        None if path.starts_with("//") => "/.".to_owned(),
        None => String::new(),
    };
    Some(format!("{}:{start}{path}", base.scheme()?))
}

/// Resolves a reference against a base under the standard. Without a standard, both are parsed as
/// URIs, or as IRIs if either has non-ASCII characters.
fn resolve(base: &str, reference: &str, standard: Option<Standard>) -> Option<String> {
    let standard = standard.unwrap_or(match (base.is_ascii(), reference.is_ascii()) {
        (true, true) => Standard::Rfc3986,
        _ => Standard::Rfc3987,
    });
    let base = standard.parse(base).ok()?;
    let mut target = String::new();
    let reference = standard.parse(reference).ok()?;
    reference
        .resolve_into(base, Options::default(), &mut target)
        .ok()?;
    Some(target)
}

/// The reason why a string cannot be a base URI (RFC 3986, 5.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BaseError {
    /// The string is not a valid URI or IRI reference.
    Syntax(ParseError),
    /// The string is a relative reference: it has no scheme.
    Relative,
    /// The string is too long.
    TooLong {
        /// The maximum length, in bytes.
        max: usize,
    },
}

impl core::fmt::Display for BaseError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Syntax(error) => error.fmt(f),
            Self::Relative => {
                f.write_str("expected a base with a scheme, but found a relative reference")
            }
            Self::TooLong { max } => {
                write!(
                    f,
                    "expected a base of at most {max} bytes, but found a longer one"
                )
            }
        }
    }
}

impl core::error::Error for BaseError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// A base's directory is only an optimization: all targets are those of the base itself.
    #[test]
    fn the_directory_of_a_base_gives_the_same_targets() {
        const PARTS: [&str; 12] = [
            "/", "/", "/", ".", "..", "/./", "/../", "a", "b", "é", "%2E", ";x",
        ];
        let mut random = Random(1);
        let mut equal = 0;
        for _ in 0..10_000 {
            let mut path = || -> String {
                let parts = (0..random.below(10)).map(|_| random.pick(&PARTS));
                parts.collect()
            };
            let (base, reference) = (path(), path());
            let suffix = random.pick(&["", "?q/../r", "#f/./g"]);
            let prefix = random.pick(&["s:", "s://h", "s://h/"]);
            let Some(base) = absolute(&format!("{prefix}{base}{suffix}")) else {
                continue;
            };
            let mut bases = Bases::default();
            bases.set(Layer::Retrieval, base.clone());
            for reference in [reference.clone(), reference + "?y#z"] {
                for standard in Standard::ALL.into_iter().map(Some).chain([None]) {
                    let expected = resolve(&base, &reference, standard);
                    let target = bases.target(&reference, standard);
                    assert_eq!(target, expected, "{reference} {base} {standard:?}");
                    equal += usize::from(expected.is_some());
                }
            }
        }
        assert!(equal > 10_000, "{equal}");
    }
}
