//! Proxies in front of the server, which add the address of their client to each request.

use axum::http::HeaderMap;
use std::net::IpAddr;

/// The addresses of proxies whose fields `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Proxies(Vec<IpAddr>);

impl Proxies {
    pub(crate) fn new(trusted: &[IpAddr]) -> Self {
        Self(trusted.iter().map(IpAddr::to_canonical).collect())
    }

    /// Returns true if an address is that of a trusted proxy.
    pub(crate) fn trusts(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }

    /// Returns the client of a request from `peer`: the last address in the chain that is not a
    /// trusted proxy. Earlier addresses in the chain could be forged.
    pub(crate) fn client(&self, peer: IpAddr, fields: &HeaderMap) -> IpAddr {
        if !self.trusts(peer) {
            return peer;
        }
        let values: Vec<&str> = fields
            .get_all("x-forwarded-for")
            .iter()
            .filter_map(|value| value.to_str().ok())
            .collect();
        let mut client = peer;
        for text in values.iter().rev().flat_map(|value| value.rsplit(',')) {
            let Ok(address) = text.trim().parse() else {
                break;
            };
            client = address;
            if !self.trusts(address) {
                break;
            }
        }
        client
    }

    /// Returns the scheme of the address that the client requested from a proxy at `peer`.
    pub(crate) fn scheme(&self, peer: IpAddr, fields: &HeaderMap) -> &'static str {
        let scheme = fields.get("x-forwarded-proto");
        match scheme {
            Some(scheme) if self.trusts(peer) && scheme == "https" => "https",
            _ => "http",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Proxies;
    use axum::http::HeaderMap;
    use std::net::IpAddr;

    #[test]
    fn only_trusted_proxies_name_clients() {
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let proxies = Proxies::new(&[address("127.0.0.1"), address("10.0.0.1")]);
        for (peer, chain, expected) in [
            ("192.0.2.1", &["192.0.2.9"][..], "192.0.2.1"),
            ("127.0.0.1", &[], "127.0.0.1"),
            ("127.0.0.1", &["192.0.2.9"], "192.0.2.9"),
            ("::ffff:127.0.0.1", &["192.0.2.9"], "192.0.2.9"),
            (
                "127.0.0.1",
                &["198.51.100.1, 192.0.2.9, 10.0.0.1"],
                "192.0.2.9",
            ),
            ("127.0.0.1", &["198.51.100.1", "192.0.2.9"], "192.0.2.9"),
            ("127.0.0.1", &["198.51.100.1, x"], "127.0.0.1"),
            ("127.0.0.1", &["2001:db8::1"], "2001:db8::1"),
        ] {
            let mut fields = HeaderMap::new();
            for value in chain {
                fields.append("x-forwarded-for", value.parse().unwrap());
            }
            let client = proxies.client(address(peer), &fields);
            assert_eq!(client, address(expected), "{chain:?}");
        }
        let mut fields = HeaderMap::new();
        fields.insert("x-forwarded-proto", "https".parse().unwrap());
        assert_eq!(proxies.scheme(address("127.0.0.1"), &fields), "https");
        assert_eq!(proxies.scheme(address("192.0.2.1"), &fields), "http");
    }
}
