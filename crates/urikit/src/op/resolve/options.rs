//! Options for choices that the standards leave open.

use crate::{Standard, UnknownName};
use core::str::FromStr;

/// How to treat `..` above the root (RFC 2396, 5.2, step 6 g).
///
/// The option applies to relative paths. Before RFC 3986, an absolute path such as `/../g` always
/// keeps its dot segments (RFC 2396, 5.2, step 5; RFC 1808, 4, step 4).
///
/// ```
/// use urikit::Standard;
/// use urikit::op::{AboveRoot, Options, ResolveError};
/// let parse = |text| Standard::Rfc2396.parse(text).unwrap();
/// let base = parse("http://a/b/c/d;p?q"); // RFC 2396, Appendix C.2
/// let resolve = |above_root| {
///     let options = Options { above_root: Some(above_root), ..Options::default() };
///     let mut target = String::new();
///     parse("../../../../g").resolve_into(base, options, &mut target).map(|_| target)
/// };
/// assert_eq!(resolve(AboveRoot::Keep).unwrap(), "http://a/../../g");
/// assert_eq!(resolve(AboveRoot::Drop).unwrap(), "http://a/g");
/// assert_eq!(resolve(AboveRoot::Refuse).unwrap_err(), ResolveError::AboveRoot);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AboveRoot {
    /// Keep `..` segments above the root in the path, as the examples of RFC 1808 and RFC 2396 do.
    Keep,
    /// Drop `..` segments above the root, as RFC 3986 and RFC 3987 do.
    Drop,
    /// Return an error.
    Refuse,
}

impl AboveRoot {
    /// The standards to which this option applies. RFC 1630 keeps every `..` that it cannot remove,
    /// and RFC 1738 has no relative references.
    pub const STANDARDS: &'static [Standard] = RELATIVE;
}

/// How to treat a reference that repeats the scheme of its base (RFC 2396, 5.2, step 3; RFC 3986,
/// 5.2.2).
///
/// ```
/// use urikit::op::{Options, SameScheme};
/// use urikit::{Uri, UriRef};
/// let base = Uri::parse("http://a/b/c/d;p?q")?; // RFC 3986, 5.4.2
/// let reference = UriRef::parse("http:g")?;
/// let inherit = Options { same_scheme: SameScheme::Inherit, ..Options::default() };
/// assert_eq!(reference.resolve_against(base).unwrap(), "http:g");
/// assert_eq!(reference.resolve_with(base, inherit).unwrap().target, "http://a/b/c/g");
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SameScheme {
    /// The reference is absolute, as with any other scheme.
    #[default]
    Strict,
    /// The reference is relative, as in some older software: `http:g` means `g`. Under RFC 1808 and
    /// RFC 2396, this applies only to schemes that are known to be hierarchical.
    Inherit,
}

impl SameScheme {
    /// The standards to which this option applies. In RFC 1630, a reference with a scheme is not a
    /// partial form.
    pub const STANDARDS: &'static [Standard] = RELATIVE;
}

/// The run of slashes in the context that RFC 1630's rule selects.
///
/// ```
/// use urikit::Standard;
/// use urikit::op::{Options, SlashRule};
/// // RFC 1630, Partial (relative) form: the last of its examples for this context
/// let base = Standard::Rfc1630.parse("magic://a/b/c//d/e/f")?;
/// let reference = Standard::Rfc1630.parse("/g")?;
/// let by_words = Options { slash_rule: SlashRule::Text, ..Options::default() };
/// assert_eq!(reference.resolve_against(base).unwrap(), "magic://a/g");
/// assert_eq!(reference.resolve_with(base, by_words).unwrap().target, "magic://a/b/c//d/g");
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SlashRule {
    /// The first run with exactly as many slashes as the reference, as in the RFC's examples.
    #[default]
    Examples,
    /// The first run that has "no greater number of consecutive slashes anywhere to the right of
    /// it", as the prose of the RFC requires. The RFC's examples contradict this rule.
    Text,
}

impl SlashRule {
    /// The standard to which this option applies. The other standards do not count slashes.
    pub const STANDARDS: &'static [Standard] = &[Standard::Rfc1630];
}

/// The standards whose relative references have path segments and may repeat the scheme.
const RELATIVE: &[Standard] = &[
    Standard::Rfc1808,
    Standard::Rfc2396,
    Standard::Rfc2732,
    Standard::Rfc3986,
    Standard::Rfc3987,
];

/// The options for resolving references. By default, each standard decides.
///
/// ```
/// use urikit::op::{AboveRoot, Options, SameScheme, SlashRule};
/// let options = Options { above_root: Some(AboveRoot::Refuse), ..Options::default() };
/// assert_eq!(options.same_scheme, SameScheme::Strict); // RFC 3986, 5.2.2
/// assert_eq!(options.slash_rule, SlashRule::Examples);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// `None` selects the treatment that the standard defines. The option applies to
    /// [`AboveRoot::STANDARDS`].
    pub above_root: Option<AboveRoot>,
    /// Applies to [`SameScheme::STANDARDS`].
    pub same_scheme: SameScheme,
    /// Applies to [`SlashRule::STANDARDS`].
    pub slash_rule: SlashRule,
}

/// Implements parsing for the names of an enum's values.
macro_rules! words {
    ($name:ident, $kind:literal, $($word:literal = $choice:ident),*) => {
        impl FromStr for $name {
            type Err = UnknownName;

            fn from_str(text: &str) -> Result<Self, UnknownName> {
                match text {
                    $($word => Ok(Self::$choice),)*
                    _ => Err(UnknownName::new($kind, &[$($word),*])),
                }
            }
        }
    };
}

words!(
    AboveRoot,
    "treatment of `..` above the root",
    "keep" = Keep,
    "drop" = Drop,
    "refuse" = Refuse
);
words!(
    SameScheme,
    "treatment of the base's scheme",
    "strict" = Strict,
    "inherit" = Inherit
);
words!(
    SlashRule,
    "slash rule",
    "examples" = Examples,
    "text" = Text
);
