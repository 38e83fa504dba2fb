//! The names under which the server may be reached.
//!
//! A page of another site can make its own name resolve to a loopback address (DNS rebinding), and
//! then read the responses as if they came from its site. The `Host` field of these requests
//! contains the other site's name.

use crate::problem::{Problem, ProblemType};
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use std::net::{IpAddr, SocketAddr};

/// The names and addresses that `Host` may contain.
#[derive(Debug)]
pub(crate) struct Hosts {
    /// The public hosts.
    public: Vec<String>,
    /// The addresses.
    own: Vec<String>,
}

impl Hosts {
    pub(crate) fn new(addresses: &[SocketAddr], public: &[String]) -> Self {
        let mut hosts = Vec::new();
        for address in addresses
            .iter()
            .filter(|address| !address.ip().is_unspecified())
        {
            hosts.push(match address.ip() {
                IpAddr::V4(ip) => ip.to_string(),
                IpAddr::V6(ip) => format!("[{ip}]"),
            });
            if address.ip().is_loopback() {
                hosts.push("localhost".to_owned());
            }
        }
        Self {
            public: public.to_vec(),
            own: hosts,
        }
    }

    /// Checks `Host` and `Origin`.
    ///
    /// # Errors
    ///
    /// Returns the problem to report for a request that is not for this server, or that comes from
    /// another site.
    pub(crate) fn check(&self, request: &Request) -> Result<(), Problem> {
        let host = self.check_host(request.headers())?;
        // A complete URL in the request line replaces the field (RFC 9112, 3.2.2).
        let target = request.uri().authority();
        if target.is_some_and(|authority| !authority.as_str().eq_ignore_ascii_case(host)) {
            return Err(foreign("the host of the URL differs from the Host field"));
        }
        if Self::check_origin(request.headers(), host) {
            return Ok(());
        }
        let detail = "the Origin field names another site";
        Err(Problem::new(ProblemType::ForeignOrigin, detail))
    }

    /// Checks `Host`, and returns its value.
    ///
    /// # Errors
    ///
    /// Returns the problem to report for a request that is not for this server.
    pub(crate) fn check_host<'f>(&self, fields: &'f HeaderMap) -> Result<&'f str, Problem> {
        let mut hosts = fields.get_all(header::HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.to_str().unwrap_or_default(),
            (None, _) => return Err(foreign("the Host field is missing")),
            (Some(_), Some(_)) => return Err(foreign("the Host field is repeated")),
        };
        if self.includes(host) {
            return Ok(host);
        }
        Err(foreign(
            "the server does not listen on this host, and --public-host does not name it",
        ))
    }

    /// Returns true unless the request comes from a page of another site.
    pub(crate) fn check_origin(fields: &HeaderMap, host: &str) -> bool {
        let mut origins = fields.get_all(header::ORIGIN).iter();
        origins.all(|origin| is_own(origin.as_bytes(), host))
    }

    /// Returns true if a `Host` field names a public host.
    pub(crate) fn is_public(&self, fields: &HeaderMap) -> bool {
        let host = fields.get(header::HOST).and_then(|host| host.to_str().ok());
        let name = host.map(without_port).unwrap_or_default();
        let mut public = self.public.iter();
        public.any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Returns true if the value of a `Host` field is a known host, with any port.
    fn includes(&self, host: &str) -> bool {
        let name = without_port(host);
        let mut known = self.public.iter().chain(&self.own);
        known.any(|known| known.eq_ignore_ascii_case(name))
    }
}

fn foreign(detail: &'static str) -> Problem {
    Problem::new(ProblemType::ForeignHost, detail)
}

/// Returns the host of a `Host` field, without its port and its trailing dot.
fn without_port(host: &str) -> &str {
    let port = host
        .rsplit_once(':')
        .filter(|(_, port)| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()));
    let name = port.map_or(host, |(name, _)| name);
    name.strip_suffix('.').unwrap_or(name)
}

/// Returns true if the host has this origin, under `http` or `https`: a proxy in front of the
/// server may use TLS.
fn is_own(origin: &[u8], host: &str) -> bool {
    let rest = origin
        .strip_prefix(b"http://")
        .or_else(|| origin.strip_prefix(b"https://"));
    rest.is_some_and(|rest| rest.eq_ignore_ascii_case(host.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{Hosts, is_own};

    #[test]
    fn hosts_are_compared_without_ports() {
        let addresses = ["127.0.0.1:8738", "[::1]:8738"].map(|text| text.parse().unwrap());
        let hosts = Hosts::new(&addresses, &["Example.org".to_owned()]);
        for host in [
            "127.0.0.1:8738",
            "127.0.0.1",
            "[::1]:1",
            "[::1]",
            "LocalHost",
            "localhost.:8738",
            "example.ORG",
        ] {
            assert!(hosts.includes(host), "{host}");
        }
        for host in [
            "",
            ":8738",
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "localhost:x",
            "localhost:",
            "::1",
            "127.1",
            "user@localhost",
        ] {
            assert!(!hosts.includes(host), "{host}");
        }
        let public = Hosts::new(&["0.0.0.0:80".parse().unwrap()], &["a.example".to_owned()]);
        assert!(public.includes("a.example") && !public.includes("0.0.0.0"));
        assert!(!public.includes("localhost"));
    }

    #[test]
    fn origins_are_compared_with_their_ports() {
        assert!(is_own(b"http://localhost:8738", "localhost:8738"));
        assert!(is_own(b"https://a.example", "A.example"));
        for origin in [
            "null",
            "http://localhost:3000",
            "http://localhost",
            "file://",
            "",
        ] {
            assert!(!is_own(origin.as_bytes(), "localhost:8738"), "{origin}");
        }
    }
}
