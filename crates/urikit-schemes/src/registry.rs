//! The registry of schemes: built-in schemes, custom schemes, and gateways for any scheme.

use super::{BUILTIN, Facts, Gateway, GatewayError, Scheme, find, known};
use alloc::borrow::ToOwned as _;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use urikit::grammar::rfc3986;
use urikit::{AnyRef, UriBuf};

/// A collection of schemes, found by name, and of gateways for schemes that a program cannot
/// access directly.
///
/// A custom scheme is "a name, a syntax, an algorithm for access" (RFC 1630, Registration of naming
/// schemes; RFC 1738, 4). The [`Scheme`] trait defines the name and the syntax. `CustomAccess` in
/// the `urikit-access` crate defines the algorithm for access.
///
/// By default, a custom scheme may have any name that follows the syntax of RFC 7595. For RFC
/// 1630's rule, in which unregistered names begin with `x-`, see
/// [`with_names`](Self::with_names).
///
/// ```
/// use urikit::grammar::Rule;
/// use urikit_schemes::*;
/// use urikit::{AnyRef, Uri};
///
/// /// `x-finger://host.dom/user`
/// struct Finger;
///
/// impl Scheme for Finger {
///     fn facts(&self) -> Facts<'_> {
///         Facts::new("x-finger").title("Users of a host").port(79).denotes(Denotes::Object)
///     }
///
///     fn check(&self, url: AnyRef<'_>, _: Edition) -> Result<(), ReadError> {
///         let rule = Rule::new("fingerurl", "our specification, 1");
///         let wrong = Mismatch::new(url.as_str(), "x-finger:".len(), "`//` and a host", rule);
///         url.host().map(drop).ok_or(ReadError::Mismatch(wrong))
///     }
///
///     fn details<'a>(&self, url: AnyRef<'a>, edition: Edition) -> Result<Details<'a>, ReadError> {
///         self.check(url, edition)?;
///         let user = url.path().segments().next().map(|segment| segment.encoded());
///         Ok(Details::new("x-finger", "our specification, 1").with("user", user))
///     }
/// }
///
/// let mut registry = SchemeRegistry::new();
/// registry.register(Box::new(Finger))?;
/// assert_eq!(registry.register(Box::new(Finger)), Err(NameError::Taken));
///
/// let url = Uri::parse("x-finger://host.dom/timbl")?;
/// let scheme = registry.find(url.scheme()).unwrap();
/// let details = scheme.details(url.into(), Edition::Original)?;
/// assert_eq!(details.get("user"), Some(&Detail::from("timbl")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SchemeRegistry {
    custom: Vec<Box<dyn Scheme>>,
    has_builtin: bool,
    names: NameRule,
    gateways: Vec<(String, Gateway)>,
}

impl SchemeRegistry {
    /// Returns a registry of the built-in schemes, without gateways.
    pub const fn new() -> Self {
        Self {
            custom: Vec::new(),
            has_builtin: true,
            names: NameRule::Rfc7595,
            gateways: Vec::new(),
        }
    }

    /// Returns a registry without schemes or gateways.
    pub const fn empty() -> Self {
        Self {
            custom: Vec::new(),
            has_builtin: false,
            names: NameRule::Rfc7595,
            gateways: Vec::new(),
        }
    }

    /// Sets the rule for the names of custom schemes. Schemes that were registered earlier keep
    /// their names.
    ///
    /// ```
    /// use urikit::AnyRef;
    /// use urikit_schemes::*;
    ///
    /// struct Named(&'static str);
    ///
    /// impl Scheme for Named {
    ///     fn facts(&self) -> Facts<'_> {
    ///         Facts::new(self.0)
    ///     }
    ///
    ///     fn check(&self, _: AnyRef<'_>, _: Edition) -> Result<(), ReadError> {
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut registry = SchemeRegistry::new();
    /// registry.register(Box::new(Named("com.example.app")))?; // RFC 7595, 3.8
    /// let mut registry = SchemeRegistry::new().with_names(NameRule::Rfc1630);
    /// let error = registry.register(Box::new(Named("com.example.app")));
    /// assert_eq!(error, Err(NameError::Unknown));
    /// registry.register(Box::new(Named("x-app")))?;
    /// # Ok::<(), NameError>(())
    /// ```
    #[must_use]
    pub const fn with_names(mut self, rule: NameRule) -> Self {
        self.names = rule;
        self
    }

    /// Adds a scheme. The scheme's name may be listed in the table of [`known`] schemes, as `nfs`
    /// is, but it must not be the name of a scheme that this crate already reads. An existing
    /// scheme is never replaced.
    ///
    /// # Errors
    ///
    /// Fails if the name is taken, does not follow the syntax, or violates the rule for names
    /// ([`with_names`](Self::with_names)).
    pub fn register(&mut self, scheme: Box<dyn Scheme>) -> Result<(), NameError> {
        let facts = scheme.facts();
        let is_it = |name: &str| name.eq_ignore_ascii_case(facts.name);
        let builtin = BUILTIN.iter().filter(|_| self.has_builtin);
        if builtin.map(|scheme| scheme.facts.name).any(is_it)
            || self.custom.iter().any(|scheme| is_it(scheme.facts().name))
        {
            return Err(NameError::Taken);
        }
        check_name(facts.name)?;
        match facts.name.strip_prefix("x-") {
            Some("") => return Err(NameError::Malformed { offset: 2 }),
            None if self.names == NameRule::Rfc1630 && known(facts.name).is_none() => {
                return Err(NameError::Unknown);
            }
            _ => {}
        }
        self.custom.push(scheme);
        Ok(())
    }

    /// Returns the scheme with that name, ignoring case. A custom scheme takes precedence over the
    /// built-in handling of names that begin with `x-`.
    pub fn find(&self, name: &str) -> Option<&dyn Scheme> {
        match self.own(name) {
            Some(scheme) => Some(scheme),
            None if self.has_builtin => find(name).map(|scheme| scheme as &dyn Scheme),
            None => None,
        }
    }

    /// Returns the [registered](Self::register) scheme with that name, ignoring case.
    pub fn own(&self, name: &str) -> Option<&dyn Scheme> {
        let is_it = |scheme: &&dyn Scheme| scheme.facts().name.eq_ignore_ascii_case(name);
        self.custom.iter().map(AsRef::as_ref).find(is_it)
    }

    /// Returns the facts about the scheme with that name, ignoring case, even if the scheme is
    /// listed only in the table of [`known`] schemes. A custom scheme with a known name has its own
    /// facts, but keeps the status from the table of known schemes.
    pub fn facts(&self, name: &str) -> Option<Facts<'_>> {
        let known = known(name).filter(|_| self.has_builtin);
        match (self.find(name).map(Scheme::facts), known) {
            (Some(facts), Some(known)) => Some(facts.status(known.status)),
            (facts, known) => facts.or(known),
        }
    }

    /// Returns all schemes that can be read: first the built-in schemes, then the custom schemes in
    /// the order of registration.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Scheme> {
        let builtin = super::all().filter(|_| self.has_builtin);
        let builtin = builtin.map(|scheme| scheme as &dyn Scheme);
        builtin.chain(self.custom.iter().map(AsRef::as_ref))
    }

    /// Sets the gateway for a scheme, and returns the previous gateway. The scheme need not be
    /// registered: clients have a "provision for being configured to use specific gateway locators
    /// for indirect access through new naming schemes" (RFC 1630, Registration of naming schemes;
    /// RFC 1738, 4).
    ///
    /// ```
    /// use urikit_schemes::{Gateway, SchemeRegistry};
    /// use urikit::Uri;
    /// let mut registry = SchemeRegistry::new();
    /// registry.set_gateway("wais", Gateway::prefix("http://gateway.example/")?)?;
    /// let url = Uri::parse("wais://host.dom/db?words#there")?;
    /// let asked = registry.gateway_for(url).unwrap()?;
    /// assert_eq!(asked.as_str(), "http://gateway.example/wais://host.dom/db%3Fwords");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the name does not follow the syntax.
    pub fn set_gateway(
        &mut self,
        scheme: &str,
        gateway: Gateway,
    ) -> Result<Option<Gateway>, NameError> {
        let name = scheme.to_ascii_lowercase();
        check_name(&name)?;
        if let Some((_, old)) = self.gateways.iter_mut().find(|(known, _)| *known == name) {
            return Ok(Some(core::mem::replace(old, gateway)));
        }
        self.gateways.push((name, gateway));
        Ok(None)
    }

    /// Returns the gateway for the scheme with that name, ignoring case.
    pub fn gateway(&self, scheme: &str) -> Option<&Gateway> {
        let is_it = |(name, _): &&(String, Gateway)| name.eq_ignore_ascii_case(scheme);
        self.gateways.iter().find(is_it).map(|(_, gateway)| gateway)
    }

    /// Returns the URI for requesting a reference from the gateway of its scheme
    /// ([`Gateway::ask`]). Returns `None` if the scheme has no gateway. Do not pass the result to
    /// another gateway.
    pub fn gateway_for<'r>(
        &self,
        reference: impl Into<AnyRef<'r>>,
    ) -> Option<Result<UriBuf, GatewayError>> {
        let reference = reference.into();
        let gateway = self.gateway(reference.scheme()?)?;
        Some(gateway.ask(reference))
    }
}

impl Default for SchemeRegistry {
    /// Returns the same registry as [`new`](Self::new).
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for SchemeRegistry {
    /// Formats the names of the custom schemes, and the gateways.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let custom: Vec<String> = self
            .custom
            .iter()
            .map(|scheme| scheme.facts().name.to_owned())
            .collect();
        f.debug_struct("SchemeRegistry")
            .field("custom", &custom)
            .field("has_builtin", &self.has_builtin)
            .field("names", &self.names)
            .field("gateways", &self.gateways)
            .finish()
    }
}

/// The rule for the names of custom schemes.
///
/// Under both rules a name consists of a lower-case letter, followed by lower-case letters, digits,
/// `+`, `-` and `.`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum NameRule {
    /// Any name that follows the syntax (RFC 7595). Section 3.8 recommends the reversed domain of
    /// the owner as a prefix, such as `com.example.app`. Many applications use other unregistered
    /// names, such as `spotify`. This rule applies by default.
    #[default]
    Rfc7595,
    /// Only names that are [`known`], and names that begin with `x-` (RFC 1630, Registration of
    /// naming schemes; RFC 1738, 4).
    Rfc1630,
}

/// The reason why the name of a scheme is not accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NameError {
    /// Another scheme already has the name, ignoring case.
    Taken,
    /// The name is not known and does not begin with `x-`, under [`NameRule::Rfc1630`].
    Unknown,
    /// The name does not follow the syntax: a lower-case letter, followed by lower-case letters,
    /// digits, `+`, `-` and `.` (RFC 1738, 2.1; RFC 3986, 3.1; RFC 7595, 3.8).
    Malformed {
        /// The offset of the first invalid byte. If the name is too short, as in `x-`, the offset
        /// is the length of the name.
        offset: usize,
    },
}

/// Checks that the name follows the syntax of a scheme, in lower case.
///
/// Names may begin with a digit under RFC 1738 (2.1), but not under RFC 3986 (3.1).
pub(super) fn check_name(name: &str) -> Result<(), NameError> {
    let is_valid = |(at, byte): (usize, u8)| {
        let is_start = byte.is_ascii_lowercase();
        let is_later = !byte.is_ascii_uppercase() && rfc3986::SCHEME.set().contains(byte);
        if at == 0 { is_start } else { is_later }
    };
    match name.bytes().enumerate().position(|byte| !is_valid(byte)) {
        Some(offset) => Err(NameError::Malformed { offset }),
        None if name.is_empty() => Err(NameError::Malformed { offset: 0 }),
        None => Ok(()),
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken => f.write_str("another scheme already has this name"),
            Self::Unknown => {
                f.write_str("expected a registered name, or one that begins with `x-`")
            }
            Self::Malformed { offset: 0 } => {
                f.write_str("a scheme name begins with a lower-case letter")
            }
            Self::Malformed { offset } => write!(
                f,
                "expected a lower-case letter, a digit, `+`, `-` or `.` at byte {offset} of the \
                 name of a scheme"
            ),
        }
    }
}

impl core::error::Error for NameError {}
