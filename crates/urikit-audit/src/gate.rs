//! Decides with one call whether a server may fetch a URL.

use crate::agree::Agreement;
use crate::audit::{Audit, audit};
use crate::finding::{Code, Finding, Findings, Severity};
use crate::reading::Reading;
use std::fmt;
use std::net::IpAddr;
use urikit::scheme::default_port;
use urikit::{Uri, UriBuf};

/// Decides whether to accept untrusted URLs.
///
/// A URL passes if readers agree on it, all findings are below the gate's threshold, and its
/// scheme, host and port are allowed. The result is a [`Checked`] value that contains the checked
/// components: use them instead of the string.
///
/// The gate examines only the text of a URL and does not look up names. The code that connects must
/// check the address of the host and check each redirect; `urikit-access` does both.
///
/// ```
/// use urikit_audit::{Code, Gate};
/// let gate = Gate::strict();
/// let checked = gate.check("https://Example.com/a")?;
/// assert_eq!(checked.host().to_string(), "example.com");
/// assert_eq!(checked.port(), Some(443));
///
/// let findings = gate.check("http://127.1/").unwrap_err();
/// assert!(findings.contains(Code::LoopbackAddress));
/// assert!(gate.check("https://good.example\\@evil.example/").is_err());
/// assert!(gate.check("file:///etc/passwd").is_err());
///
/// // Domains match at label boundaries.
/// let gate = Gate::strict().allow_domain("example.com");
/// assert!(gate.check("https://api.example.com/").is_ok());
/// assert!(gate.check("https://notexample.com/").is_err());
/// assert!(gate.check("https://example.com.evil.example/").is_err());
/// # Ok::<(), urikit_audit::Findings>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gate {
    lists: Lists,
    threshold: Severity,
}

impl Gate {
    /// Returns a gate that allows `http` and `https` at their default ports on any host whose
    /// address is public or unknown, and that rejects URLs with findings of [`Severity::Medium`] or
    /// higher.
    pub fn strict() -> Self {
        Self {
            lists: Lists::default(),
            threshold: Severity::Medium,
        }
    }

    /// Sets the schemes that are allowed, instead of `http` and `https`. The case of their names
    /// does not matter.
    ///
    /// ```
    /// use urikit_audit::{Code, Gate};
    /// let gate = Gate::strict().schemes(["https"]);
    /// assert!(gate.check("https://example.com/").is_ok());
    /// let findings = gate.check("http://example.com/").unwrap_err();
    /// assert!(findings.contains(Code::SchemeNotAllowed));
    /// ```
    #[must_use]
    pub fn schemes<S: AsRef<str>>(mut self, schemes: impl IntoIterator<Item = S>) -> Self {
        self.lists.schemes.clear();
        self.lists.without_web = true;
        let add = |gate: Self, scheme: S| gate.allow_scheme(scheme.as_ref());
        schemes.into_iter().fold(self, add)
    }

    /// Allows another scheme, in addition to `http` and `https` or to those set with
    /// [`schemes`](Self::schemes). The case of the scheme's name does not matter.
    #[must_use]
    pub fn allow_scheme(mut self, scheme: &str) -> Self {
        self.lists.schemes.push(scheme.to_ascii_lowercase());
        self
    }

    /// Sets the ports that are allowed, instead of the default port of each scheme. A URL without a
    /// port has the default port of its scheme.
    ///
    /// ```
    /// use urikit_audit::Gate;
    /// let gate = Gate::strict().ports([8443]);
    /// assert!(gate.check("https://example.com:8443/").is_ok());
    /// assert!(gate.check("https://example.com/").is_err());
    /// ```
    #[must_use]
    pub fn ports(mut self, ports: impl IntoIterator<Item = u16>) -> Self {
        self.lists.ports = ports.into_iter().collect();
        self.lists.without_defaults = true;
        self
    }

    /// Allows another port, in addition to the default port of each scheme or to those set with
    /// [`ports`](Self::ports).
    #[must_use]
    pub fn allow_port(mut self, port: u16) -> Self {
        self.lists.ports.push(port);
        self
    }

    /// Allows hosts with this name. From now on, the gate accepts only hosts that are allowed by
    /// name, domain or address.
    ///
    /// The name, such as `localhost`, may refer to this machine. Names are compared as in the DNS,
    /// which ignores case and a trailing dot.
    #[must_use]
    pub fn allow_host(mut self, name: &str) -> Self {
        self.lists.names.push(canonical(name));
        self
    }

    /// Allows this name and all its subdomains. From now on, the gate accepts only hosts that are
    /// allowed explicitly.
    #[must_use]
    pub fn allow_domain(mut self, name: &str) -> Self {
        self.lists.domains.push(canonical(name));
        self
    }

    /// Allows this address, which may be private. From now on, the gate accepts only hosts that are
    /// allowed explicitly.
    ///
    /// Addresses are compared by value. An IPv4 address is equal to its IPv4-mapped IPv6 address.
    ///
    /// ```
    /// use urikit_audit::Gate;
    /// let gate = Gate::strict().allow_address([10, 0, 0, 1].into());
    /// assert!(gate.check("http://10.0.0.1/").is_ok());
    /// assert!(gate.check("http://[::ffff:a00:1]/").is_ok());
    /// assert!(gate.check("http://10.0.0.2/").is_err());
    /// assert!(gate.check("http://0xa.1/").is_err()); // readers disagree
    /// ```
    #[must_use]
    pub fn allow_address(mut self, address: IpAddr) -> Self {
        self.lists.addresses.push(address.to_canonical());
        self
    }

    /// Accepts only hosts that are allowed by name, domain or address, even if none is. This
    /// matters if the lists come from a configuration and may be empty.
    ///
    /// ```
    /// use urikit_audit::Gate;
    /// let gate = Gate::strict().only_allowed_hosts();
    /// assert!(gate.check("https://example.com/").is_err());
    /// assert!(gate.allow_host("example.com").check("https://example.com/").is_ok());
    /// ```
    #[must_use]
    pub const fn only_allowed_hosts(mut self) -> Self {
        self.lists.without_other_hosts = true;
        self
    }

    /// Sets the lowest severity of findings that cause a URL to be rejected.
    ///
    /// Regardless of the threshold, the gate rejects a URL if readers disagree, if a list does not
    /// allow one of its components, or if its address is not public.
    #[must_use]
    pub fn reject_from(mut self, severity: Severity) -> Self {
        self.threshold = severity;
        self
    }

    /// Checks a URL.
    ///
    /// # Errors
    ///
    /// Fails if the URL does not pass. The error contains all findings, including those below the
    /// threshold.
    pub fn check(&self, input: &str) -> Result<Checked, Findings> {
        let report = audit(input);
        let mut found = report.findings().clone();
        let Some(reading) = report.agreement().reading() else {
            return Err(found); // INVARIANT: `lenient` accepts any input
        };
        let host = checked_host(report.agreement());
        self.check_lists(reading, host.as_ref(), &mut found);
        found.sort();
        let is_bad = |finding: Finding| {
            let counts = finding.severity() >= self.threshold || is_decisive(finding.code);
            counts && !self.is_exempt(finding.code, reading, host.as_ref())
        };
        let audits = [Some(&report), report.nested()].into_iter().flatten();
        let mut agreements = audits.map(Audit::agreement);
        if !agreements.all(Agreement::is_unanimous) || found.iter().any(is_bad) {
            return Err(found);
        }
        match (Uri::parse(input), host) {
            (Ok(uri), Some(host)) => Ok(Checked::new(uri, host, reading.port_number())),
            _ => Err(found), // INVARIANT: the gate has a finding for such input
        }
    }

    /// Adds findings for components that the lists do not allow.
    fn check_lists(&self, reading: &Reading<'_>, host: Option<&CheckedHost>, found: &mut Findings) {
        let scheme = reading.scheme.as_deref().unwrap_or_default();
        if scheme.is_empty() {
            found.add(Code::NotAbsolute, 0);
        } else if !self.lists.has_scheme(scheme) {
            found.add(Code::SchemeNotAllowed, 0);
        }
        match host {
            None => found.add(Code::MissingHost, 0),
            Some(host) if !self.lists.has_host(host) => found.add(Code::HostNotAllowed, 0),
            Some(_) => {}
        }
        let has_port = match reading.port_number() {
            Some(port) => self.lists.has_port(scheme, port),
            // A client chooses the port if the scheme has no default.
            None => !self.lists.without_defaults,
        };
        if !has_port {
            found.add(Code::PortNotAllowed, 0);
        }
    }

    /// Returns whether a list explicitly allows the component that a finding is about.
    fn is_exempt(&self, code: Code, reading: &Reading<'_>, host: Option<&CheckedHost>) -> bool {
        match code {
            code if code.is_address() || code == Code::MappedIpv4 => {
                host.is_some_and(|host| self.lists.names_host(host))
            }
            Code::BlockedPort => reading
                .port_number()
                .is_some_and(|port| self.lists.ports.contains(&port)),
            Code::ScriptScheme | Code::FileHost | Code::NestedUrl => {
                let scheme = reading.scheme.as_deref().unwrap_or_default();
                self.lists.names_scheme(scheme)
            }
            _ => false,
        }
    }
}

/// Returns whether a finding causes the URL to be rejected regardless of the threshold.
const fn is_decisive(code: Code) -> bool {
    code.is_address()
        || matches!(
            code,
            Code::NotAbsolute
                | Code::SchemeNotAllowed
                | Code::HostNotAllowed
                | Code::PortNotAllowed
        )
}

/// A URL that has passed a [`Gate`], with the components that were checked.
///
/// ```
/// use urikit_audit::{CheckedHost, Gate};
/// let checked = Gate::strict().check("HTTP://[2001:4860:4860:0::8888]:80/a?b")?;
/// assert_eq!(checked.scheme(), "http");
/// assert_eq!(*checked.host(), CheckedHost::Address("2001:4860:4860::8888".parse().unwrap()));
/// assert_eq!(checked.port(), Some(80));
/// assert_eq!(checked.uri().path(), "/a");
/// # Ok::<(), urikit_audit::Findings>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Checked {
    uri: UriBuf,
    scheme: String,
    host: CheckedHost,
    port: Option<u16>,
}

/// A host on which all readers agree.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CheckedHost {
    /// A name in lower case, which was not looked up: its addresses were not checked.
    Name(String),
    /// An address.
    Address(IpAddr),
}

impl Checked {
    fn new(uri: Uri<'_>, host: CheckedHost, port: Option<u16>) -> Self {
        Self {
            uri: uri.to_owned(),
            scheme: uri.scheme().to_ascii_lowercase(),
            host,
            port,
        }
    }

    /// Returns the URL as written.
    pub const fn uri(&self) -> Uri<'_> {
        self.uri.as_uri()
    }

    /// Returns the scheme in lower case.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// Returns the host.
    pub const fn host(&self) -> &CheckedHost {
        &self.host
    }

    /// Returns the port, or the default port of the scheme, if any.
    pub const fn port(&self) -> Option<u16> {
        self.port
    }
}

impl fmt::Display for CheckedHost {
    /// Writes the name, or the address without brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.pad(name),
            Self::Address(address) => address.fmt(f),
        }
    }
}

/// Returns the host from the first reading that has one.
fn checked_host(agreement: &Agreement<'_>) -> Option<CheckedHost> {
    let mut readings = agreement.readings().map(|(_, reading)| reading);
    let reading = readings.find(|reading| !reading.has_null_host)?;
    if let Some(address) = reading.address {
        return Some(CheckedHost::Address(address));
    }
    let name = reading.host.as_deref().filter(|name| !name.is_empty())?;
    Some(CheckedHost::Name(name.to_lowercase()))
}

/// The schemes that a gate allows by default.
const WEB: [&str; 2] = ["http", "https"];

/// The lists of allowed schemes, hosts and ports. Names are in lower case without a trailing dot,
/// and addresses are canonical.
#[derive(Clone, Debug, Default)]
struct Lists {
    schemes: Vec<String>,
    /// True if `schemes` replaces the default schemes.
    without_web: bool,
    ports: Vec<u16>,
    /// True if `ports` replaces the default ports.
    without_defaults: bool,
    /// True if only listed hosts are allowed although the lists are empty.
    without_other_hosts: bool,
    names: Vec<String>,
    domains: Vec<String>,
    addresses: Vec<IpAddr>,
}

impl Lists {
    fn has_scheme(&self, scheme: &str) -> bool {
        let is_web = || WEB.iter().any(|web| web.eq_ignore_ascii_case(scheme));
        self.names_scheme(scheme) || !self.without_web && is_web()
    }

    /// Returns whether a list contains the scheme.
    fn names_scheme(&self, scheme: &str) -> bool {
        let is_it = |allowed: &String| allowed.eq_ignore_ascii_case(scheme);
        self.schemes.iter().any(is_it)
    }

    fn has_port(&self, scheme: &str, port: u16) -> bool {
        let is_default = || default_port(scheme) == Some(port);
        self.ports.contains(&port) || !self.without_defaults && is_default()
    }

    fn has_host(&self, host: &CheckedHost) -> bool {
        let is_empty =
            self.names.is_empty() && self.domains.is_empty() && self.addresses.is_empty();
        is_empty && !self.without_other_hosts || self.names_host(host)
    }

    /// Returns whether a list contains the host, by name, domain or address.
    fn names_host(&self, host: &CheckedHost) -> bool {
        match host {
            CheckedHost::Address(address) => self.addresses.contains(&address.to_canonical()),
            CheckedHost::Name(name) => {
                let name = canonical(name);
                self.names.contains(&name)
                    || self.domains.iter().any(|domain| is_below(&name, domain))
            }
        }
    }
}

/// Converts a name to the form that the lists use.
fn canonical(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

/// Returns whether a name is the domain or one of its subdomains.
fn is_below(name: &str, domain: &str) -> bool {
    let before = name.strip_suffix(domain);
    before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::is_below;

    #[test]
    fn domains_end_at_labels() {
        assert!(is_below("example.com", "example.com"));
        assert!(is_below("a.b.example.com", "example.com"));
        assert!(!is_below("notexample.com", "example.com"));
        assert!(!is_below("com", "example.com"));
        assert!(!is_below("example.com.evil", "example.com"));
    }
}
