//! The schemes of a program: the built-in ones, custom ones, and gateways for any scheme.

use super::name::check_name;
use super::{BUILTIN, Facts, Gateway, GatewayError, NameError, Scheme, find, known};
use alloc::borrow::ToOwned as _;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use urikit::{AnyRef, UriBuf};

/// Schemes by name, and gateways for schemes that a program cannot access itself.
///
/// A custom scheme is "a name, a syntax, an algorithm for access" (RFC 1630, Registration of
/// naming schemes; RFC 1738, 4), and its name begins with `x-` unless it is a registered name, one
/// that is [`known`]. The crate `urikit-access` has the algorithm for access (its `CustomAccess`).
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
///         let rule = Rule::new("fingerurl", "our own text, 1");
///         let wrong = Mismatch::new(url.as_str(), "x-finger:".len(), "`//` and a host", rule);
///         url.host().map(drop).ok_or(ReadError::Mismatch(wrong))
///     }
///
///     fn details<'a>(&self, url: AnyRef<'a>, edition: Edition) -> Result<Details<'a>, ReadError> {
///         self.check(url, edition)?;
///         let user = url.path().segments().next().map(|segment| segment.encoded());
///         Ok(Details::new("x-finger", "our own text, 1").with("user", user))
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
    own: Vec<Box<dyn Scheme>>,
    has_builtin: bool,
    gateways: Vec<(String, Gateway)>,
}

impl SchemeRegistry {
    /// The built-in schemes, as [`find`] returns them, and no gateway.
    pub const fn new() -> Self {
        Self {
            own: Vec::new(),
            has_builtin: true,
            gateways: Vec::new(),
        }
    }

    /// No schemes.
    pub const fn empty() -> Self {
        Self {
            own: Vec::new(),
            has_builtin: false,
            gateways: Vec::new(),
        }
    }

    /// Adds a scheme. A scheme is never replaced: the names that are read are taken. A name that
    /// is only [`known`], such as `nfs`, may be registered; any other name begins with `x-`.
    ///
    /// # Errors
    ///
    /// If its name is taken, is not valid, or is neither known nor begins with `x-`.
    pub fn register(&mut self, scheme: Box<dyn Scheme>) -> Result<(), NameError> {
        let facts = scheme.facts();
        let is_it = |name: &str| name.eq_ignore_ascii_case(facts.name);
        let builtin = BUILTIN.iter().filter(|_| self.has_builtin);
        if builtin.map(|scheme| scheme.facts.name).any(is_it)
            || self.own.iter().any(|scheme| is_it(scheme.facts().name))
        {
            return Err(NameError::Taken);
        }
        check_name(facts.name)?;
        match facts.name.strip_prefix("x-") {
            Some("") => return Err(NameError::Malformed { offset: 2 }),
            None if known(facts.name).is_none() => return Err(NameError::Unknown),
            _ => {}
        }
        self.own.push(scheme);
        Ok(())
    }

    /// The scheme with that name, in any case. A custom scheme takes precedence over the common
    /// reading of names that begin with `x-`.
    pub fn find(&self, name: &str) -> Option<&dyn Scheme> {
        match self.own(name) {
            Some(scheme) => Some(scheme),
            None if self.has_builtin => find(name).map(|scheme| scheme as &dyn Scheme),
            None => None,
        }
    }

    /// The scheme with that name, in any case, among those that were [registered](Self::register).
    pub fn own(&self, name: &str) -> Option<&dyn Scheme> {
        let is_it = |scheme: &&dyn Scheme| scheme.facts().name.eq_ignore_ascii_case(name);
        self.own.iter().map(AsRef::as_ref).find(is_it)
    }

    /// What is known of the scheme with that name, even if it is not read ([`known`]). For a
    /// custom reading of a known scheme these are its own facts, except that the status stays that
    /// of the registries.
    pub fn facts(&self, name: &str) -> Option<Facts<'_>> {
        let known = known(name).filter(|_| self.has_builtin);
        match (self.find(name).map(Scheme::facts), known) {
            (Some(facts), Some(known)) => Some(facts.status(known.status)),
            (facts, known) => facts.or(known),
        }
    }

    /// All schemes that are read: the built-in ones, then the custom ones in the order in which
    /// they were registered.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Scheme> {
        let builtin = super::all().filter(|_| self.has_builtin);
        let builtin = builtin.map(|scheme| scheme as &dyn Scheme);
        builtin.chain(self.own.iter().map(AsRef::as_ref))
    }

    /// Sets the gateway for a scheme, which need not be known; returns the previous gateway. (RFC
    /// 1630, Registration of naming schemes, and RFC 1738, 4: "provision for being configured to
    /// use specific gateway locators for indirect access through new naming schemes".)
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
    /// If the name is not valid.
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

    /// The gateway for a scheme, by its name in any case.
    pub fn gateway(&self, scheme: &str) -> Option<&Gateway> {
        let is_it = |(name, _): &&(String, Gateway)| name.eq_ignore_ascii_case(scheme);
        self.gateways.iter().find(is_it).map(|(_, gateway)| gateway)
    }

    /// What the gateway for a reference's scheme is asked for ([`Gateway::ask`]); `None` if there
    /// is no such gateway. The result must not be sent through another gateway.
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
    /// As [`new`](Self::new).
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for SchemeRegistry {
    /// The names of the custom schemes, and the gateways.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own: Vec<String> = self
            .own
            .iter()
            .map(|scheme| scheme.facts().name.to_owned())
            .collect();
        f.debug_struct("SchemeRegistry")
            .field("own", &own)
            .field("has_builtin", &self.has_builtin)
            .field("gateways", &self.gateways)
            .finish()
    }
}
