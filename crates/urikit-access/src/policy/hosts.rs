//! Hosts that are allowed to have private addresses.

use crate::host::name_of;
use std::fmt;
use std::str::FromStr;

/// A host or the subdomains of a domain, with an optional port.
///
/// ```
/// use urikit_access::policy::HostRule;
/// let rule: HostRule = "*.test:8080".parse()?;
/// assert_eq!(rule.to_string(), "*.test:8080");
/// assert!("*".parse::<HostRule>().is_err());
/// assert!("http://host.test/".parse::<HostRule>().is_err());
/// # Ok::<(), urikit_access::policy::HostRuleError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostRule {
    /// The DNS name or the address, in lower case. A leading dot means the subdomains of the name.
    name: String,
    is_domain: bool,
    /// The port. `None` means the default ports of the scheme.
    port: Option<u16>,
}

impl HostRule {
    /// Returns true if the rule applies to this port of a host, which is written as in a URL.
    pub(super) fn applies(&self, host: &str, port: u16, default_ports: &[u16]) -> bool {
        let is_port = match self.port {
            Some(own) => own == port,
            None => default_ports.contains(&port),
        };
        let Some(name) = normal(host).filter(|_| is_port) else {
            return false;
        };
        if self.is_domain {
            name.len() > self.name.len() && name.ends_with(&self.name)
        } else {
            name == self.name
        }
    }
}

/// Returns a host in lower case, without brackets or a trailing dot.
fn normal(host: &str) -> Option<String> {
    let name = name_of(host)?.to_ascii_lowercase();
    Some(name.strip_suffix('.').map(str::to_owned).unwrap_or(name))
}

impl FromStr for HostRule {
    type Err = HostRuleError;

    fn from_str(text: &str) -> Result<Self, HostRuleError> {
        let (domain, rest) = match text.strip_prefix("*.") {
            Some(rest) => (".", rest),
            None => ("", text),
        };
        // A colon outside brackets precedes the port, because an IPv6 address is in brackets.
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, digits)) if !digits.contains(']') => {
                let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
                let port = digits.parse().ok().filter(|_| is_number);
                (host, Some(port.ok_or(HostRuleError)?))
            }
            _ => (rest, None),
        };
        let name = normal(host).filter(|name| !name.is_empty() && !name.contains('*'));
        let name = name.ok_or(HostRuleError)?;
        let is_address = name.parse::<std::net::IpAddr>().is_ok();
        if is_address && !domain.is_empty() {
            return Err(HostRuleError);
        }
        Ok(Self {
            name: format!("{domain}{name}"),
            is_domain: !domain.is_empty(),
            port,
        })
    }
}

impl fmt::Display for HostRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let star = if self.is_domain { "*" } else { "" };
        if self.name.contains(':') {
            write!(f, "[{}]", self.name)?;
        } else {
            write!(f, "{star}{}", self.name)?;
        }
        match self.port {
            Some(port) => write!(f, ":{port}"),
            None => Ok(()),
        }
    }
}

/// The error for a string that is not a [`HostRule`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct HostRuleError;

impl fmt::Display for HostRuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected HOST, *.DOMAIN or [IPV6], and optionally `:` and a port")
    }
}

impl std::error::Error for HostRuleError {}

#[cfg(test)]
mod tests {
    use super::HostRule;

    #[test]
    fn rules_apply_to_hosts_and_ports() {
        for (rule, host, port, applies) in [
            ("a.test", "a.test", 80, true),
            ("a.test", "A.TEST.", 80, true),
            ("a.test", "a.test", 8080, false),
            ("a.test:8080", "a.test", 8080, true),
            ("a.test:8080", "a.test", 80, false),
            ("a.test", "b.a.test", 80, false),
            ("*.test", "a.b.test", 80, true),
            ("*.test", "test", 80, false),
            ("*.test", "atest", 80, false),
            ("*.test:1", "a.test", 1, true),
            ("127.0.0.1:1", "127.0.0.1", 1, true),
            ("[::1]", "[::1]", 80, true),
            ("[::1]:1", "[0::1]", 1, true),
            ("127.0.0.1", "127.0.0.2", 80, false),
        ] {
            let parsed: HostRule = rule.parse().unwrap();
            assert_eq!(
                parsed.applies(host, port, &[80]),
                applies,
                "{rule} {host}:{port}"
            );
            assert_eq!(parsed.to_string(), rule);
        }
        for wrong in [
            "",
            "*",
            "*.",
            "a.*.test",
            "a:b",
            "a:99999",
            "::1",
            "*.127.0.0.1",
            "a b",
            ":80",
        ] {
            assert!(wrong.parse::<HostRule>().is_err(), "{wrong}");
        }
    }
}
