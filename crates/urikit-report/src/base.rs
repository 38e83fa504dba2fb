//! Resolution against a base, and its inverse.

use crate::input::{Given, Unparsed};
use crate::reading::{Failure, whatwg};
use crate::record::{ErrorRecord, InputKeys};
use crate::{OptionError, Reader};
use serde::Serialize;
use urikit::op::{AboveRoot, Options, RelativeOptions, ResolveError, SameScheme, SlashRule};
use urikit::{AnyRef, AnyRefBuf, Iri, Standard, UriBuf};

/// A valid base URI with a scheme, parsed once for all inputs.
///
/// ```
/// use urikit_report::Reader;
/// use urikit_report::base::Base;
/// let base = Base::new("http://a/b/c/d;p?q".into(), Reader::default())?;
/// let target = base.resolve("../g".into(), urikit::op::Options::default())?;
/// assert_eq!(target.text, "http://a/b/g"); // RFC 3986, 5.4.1
/// # Ok::<(), urikit_report::reading::Failure>(())
/// ```
pub struct Base {
    text: String,
    reader: Reader,
    parsed: Parsed,
}

enum Parsed {
    /// A base parsed under an RFC.
    Rfc(AnyRefBuf),
    /// A base parsed under the WHATWG URL Standard.
    Whatwg(whatwg::Url),
}

/// A target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The target.
    pub text: String,
    /// True if the reference is a same-document reference.
    pub same_document: bool,
}

impl AsRef<str> for Target {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl Base {
    /// Parses a base.
    ///
    /// # Errors
    ///
    /// Fails if the text is not valid under the standard, or has no scheme.
    pub fn new(text: Unparsed<'_>, reader: Reader) -> Result<Self, Failure> {
        let reading = reader.read(text);
        let has_scheme = reading
            .components()
            .is_some_and(|components| components.scheme.is_some());
        let rfc = reading.reference().map(|base| Parsed::Rfc(base.to_owned()));
        let parsed = rfc.or_else(|| reading.url().cloned().map(Parsed::Whatwg));
        match (reading.failure(), text.text, parsed) {
            (Some(failure), ..) => Err(failure),
            (None, Some(text), Some(parsed)) if has_scheme => Ok(Self {
                text: text.to_owned(),
                reader,
                parsed,
            }),
            _ => Err(Failure::Operation(
                "the base is a relative reference; it must have a scheme".into(),
            )),
        }
    }

    /// Returns the base as a URI, which determines how relative references are repaired.
    pub fn to_uri(&self) -> Option<UriBuf> {
        Some(Iri::parse(&self.text).ok()?.to_uri())
    }

    /// Resolves a reference.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not valid, or the options do not allow its target.
    pub fn resolve(&self, input: Unparsed<'_>, options: Options) -> Result<Target, Failure> {
        let base = match &self.parsed {
            Parsed::Rfc(base) => AnyRef::from(base),
            Parsed::Whatwg(base) => {
                let (text, same_document) =
                    whatwg::resolve(base, input).map_err(Failure::Whatwg)?;
                return Ok(Target {
                    text,
                    same_document,
                });
            }
        };
        let reference = input.parse(base.standard()).map_err(|error| {
            if base.standard() == Standard::Rfc1738 && is_relative(input) {
                Failure::NoRelativeForms
            } else {
                Failure::Rfc(error)
            }
        })?;
        let mut text = String::with_capacity(base.as_str().len() + input.bytes.len());
        match reference.resolve_into(base, options, &mut text) {
            Ok(same_document) => Ok(Target {
                text,
                same_document,
            }),
            Err(ResolveError::Target(error)) => Err(Failure::Target(error)),
            Err(error) => Err(Failure::Operation(error.to_string())),
        }
    }

    /// Returns the shortest relative reference that resolves to a URI.
    ///
    /// # Errors
    ///
    /// Fails if the input is not valid, or no relative reference resolves to it.
    pub fn relativize(&self, input: Unparsed<'_>) -> Result<String, Failure> {
        let base = match &self.parsed {
            Parsed::Rfc(base) => AnyRef::from(base),
            Parsed::Whatwg(base) => {
                let found = whatwg::relativize(base, input).map_err(Failure::Whatwg)?;
                return found.ok_or_else(|| {
                    Failure::Operation("no relative reference resolves to this URI".to_owned())
                });
            }
        };
        let target = input.parse(base.standard()).map_err(Failure::Rfc)?;
        let mut reference = String::new();
        match target.relative_to_into(base, RelativeOptions::default(), &mut reference) {
            Ok(()) => Ok(reference),
            Err(error) => Err(Failure::Operation(error.to_string())),
        }
    }

    /// Returns the record of a resolution.
    pub fn resolved<'a>(
        &'a self,
        input: Given<'a>,
        result: Result<&'a Target, &Failure>,
    ) -> impl Serialize + use<'a> {
        let target = result.ok();
        let keys = TargetKeys {
            target: target.map(|target| target.text.as_str()),
            same_document: target.is_some_and(|target| target.same_document),
        };
        self.record(input, keys, result.err())
    }

    /// Returns the record of a relative reference.
    pub fn relativized<'a>(
        &'a self,
        input: Given<'a>,
        result: Result<&'a String, &Failure>,
    ) -> impl Serialize + use<'a> {
        let relative = result.ok().map(String::as_str);
        self.record(input, RelativeKeys { relative }, result.err())
    }

    fn record<'a, K: Serialize>(
        &'a self,
        input: Given<'a>,
        result: K,
        failure: Option<&Failure>,
    ) -> RelatedRecord<'a, K> {
        RelatedRecord {
            base: &self.text,
            input: input.into(),
            standard: self.reader.name(),
            valid: !failure.is_some_and(Failure::is_of_input),
            result,
            error: failure.map(ErrorRecord::from),
        }
    }
}

/// Combines the options of a resolution under a standard. Uses the default for each `None`.
///
/// # Errors
///
/// Fails if the standard does not support an option.
pub fn options(
    reader: Reader,
    above_root: Option<AboveRoot>,
    same_scheme: Option<SameScheme>,
    slash_rule: Option<SlashRule>,
) -> Result<Options, OptionError> {
    let given = [
        (above_root.is_some(), "--above-root", AboveRoot::STANDARDS),
        (
            same_scheme.is_some(),
            "--same-scheme",
            SameScheme::STANDARDS,
        ),
        (slash_rule.is_some(), "--slash-rule", SlashRule::STANDARDS),
    ];
    let applies = |standards: &[Standard]| match reader {
        Reader::Rfc(standard) => standards.contains(&standard),
        Reader::Whatwg => false,
    };
    for (is_given, option, standards) in given {
        if is_given && !applies(standards) {
            let names: Vec<_> = standards.iter().map(|standard| standard.name()).collect();
            return Err(OptionError(format!(
                "{option} does not apply to --standard {}, only to {}",
                reader.name(),
                names.join(", ")
            )));
        }
    }
    Ok(Options {
        above_root,
        same_scheme: same_scheme.unwrap_or_default(),
        slash_rule: slash_rule.unwrap_or_default(),
    })
}

/// Returns true for a relative URL. RFC 1738 leaves relative URLs to RFC 1808.
fn is_relative(input: Unparsed<'_>) -> bool {
    let reference = input.parse(Standard::Rfc1808);
    reference.is_ok_and(|reference| reference.scheme().is_none())
}

/// One result.
#[derive(serde::Serialize)]
struct RelatedRecord<'a, K> {
    base: &'a str,
    #[serde(flatten)]
    input: InputKeys<'a>,
    standard: &'static str,
    valid: bool,
    #[serde(flatten)]
    result: K,
    error: Option<ErrorRecord>,
}

#[derive(serde::Serialize)]
struct TargetKeys<'a> {
    target: Option<&'a str>,
    same_document: bool,
}

#[derive(serde::Serialize)]
struct RelativeKeys<'a> {
    relative: Option<&'a str>,
}
