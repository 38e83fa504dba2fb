//! A host, divided by its public suffix.

/// A host that is a domain name, divided by its public suffix. All parts are as written; a final
/// dot is in none of them.
///
/// ```
/// use urikit_domains::List;
/// let domain = List::builtin().domain("a.b.Example.com.").unwrap();
/// assert_eq!(domain.name(), "a.b.Example.com");
/// assert_eq!(domain.suffix(), "com");
/// assert_eq!(domain.registrable(), Some("Example.com"));
/// assert_eq!(domain.label(), Some("Example"));
/// assert_eq!(domain.subdomain(), Some("a.b"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Domain<'a> {
    pub(crate) name: &'a str,
    /// Where the suffix begins, in bytes.
    pub(crate) suffix: usize,
    pub(crate) is_listed: bool,
    pub(crate) is_private: bool,
}

impl<'a> Domain<'a> {
    /// The host without a final dot.
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// The public suffix: what people cannot register.
    pub fn suffix(&self) -> &'a str {
        self.name.get(self.suffix..).unwrap_or_default()
    }

    /// What precedes the suffix, without its dot; `None` if the host is a suffix itself.
    fn before(&self) -> Option<&'a str> {
        self.name.get(..self.suffix.checked_sub(1)?)
    }

    /// The registrable domain: the suffix and one label more; `None` if the host is a suffix
    /// itself.
    pub fn registrable(&self) -> Option<&'a str> {
        // Labels are short: a search that is prepared for long texts takes longer.
        let before = self.before()?.bytes();
        let start = before.rev().position(|byte| byte == b'.');
        let start = start.map_or(0, |length| self.suffix - 1 - length);
        self.name.get(start..)
    }

    /// The label that precedes the suffix; `None` if the host is a suffix itself.
    pub fn label(&self) -> Option<&'a str> {
        self.before()?.rsplit('.').next()
    }

    /// What precedes the registrable domain, without its dot; `None` if nothing does.
    pub fn subdomain(&self) -> Option<&'a str> {
        let before = self.before()?;
        before.rsplit_once('.').map(|(subdomain, _)| subdomain)
    }

    /// Whether a rule of the list gives the suffix, and not its default, by which any last label is
    /// one.
    pub const fn is_listed(&self) -> bool {
        self.is_listed
    }

    /// Whether the suffix is from the part of the list for private domains.
    pub const fn is_private(&self) -> bool {
        self.is_private
    }
}
