//! The equivalences that the specifications of schemes define: default ports and empty paths.

use crate::Standard::{self, Rfc1630, Rfc1738, Rfc2396, Rfc3986};

/// The standards under which a scheme's default port and empty path make no difference.
pub(crate) struct Equivalence {
    name: &'static str,
    /// The earliest standard under which the rules apply: the one on which the scheme's
    /// specification builds.
    pub(crate) since: Standard,
    /// The earliest standard under which an empty path after an authority equals `/`.
    pub(crate) slash_since: Option<Standard>,
}

const fn since(name: &'static str, since: Standard) -> Equivalence {
    Equivalence {
        name,
        since,
        slash_since: None,
    }
}

impl Equivalence {
    const fn or_slash(mut self, since: Standard) -> Self {
        self.slash_since = Some(since);
        self
    }
}

/// The schemes that have an authority and a default port. The scheme's facts contain the port.
static TABLE: [Equivalence; 62] = [
    // RFC 9110, 4.2.1 and 4.2.3; RFC 2616, 3.2.2 and 3.2.3; RFC 1738, 3.3 ("the `/` may also be
    // omitted"); RFC 1630, Examples of HTTP ("a different port to 80").
    since("http", Rfc1630).or_slash(Rfc1738),
    // RFC 9110, 4.2.2 and 4.2.3.
    since("https", Rfc2396).or_slash(Rfc2396),
    // RFC 1738, 3.2.1 and 3.2.2 ("the whole url-path may be omitted, including the `/`"); RFC
    // 1630, FTP ("the FTP default", which STD 9 gives).
    since("ftp", Rfc1630).or_slash(Rfc1738),
    // RFC 1738, 3.4.1 ("the delimiting `/` is also optional").
    since("gopher", Rfc1738).or_slash(Rfc1738),
    // RFC 1738, 3.8 ("the final `/` character may be omitted").
    since("telnet", Rfc1738).or_slash(Rfc1738),
    // RFC 6455, 3.
    since("ws", Rfc3986).or_slash(Rfc3986),
    since("wss", Rfc3986).or_slash(Rfc3986),
    // RFC 7252, 6.1 to 6.3; RFC 8323, 8.1 to 8.4, which builds on RFC 7252, 6.
    since("coap", Rfc3986).or_slash(Rfc3986),
    since("coaps", Rfc3986).or_slash(Rfc3986),
    since("coap+tcp", Rfc3986).or_slash(Rfc3986),
    since("coaps+tcp", Rfc3986).or_slash(Rfc3986),
    since("coap+ws", Rfc3986).or_slash(Rfc3986),
    since("coaps+ws", Rfc3986).or_slash(Rfc3986),
    // Gemini and Spartan: an empty path is requested as `/`.
    since("gemini", Rfc3986).or_slash(Rfc3986),
    since("spartan", Rfc3986).or_slash(Rfc3986),
    // RFC 1738, 3.7, 3.9 and 3.11.
    since("nntp", Rfc1738),
    since("wais", Rfc1738),
    since("prospero", Rfc1738),
    // RFC 5538, 2 and 8.1.
    since("news", Rfc3986),
    since("snews", Rfc3986),
    // RFC 2255, 3.
    since("ldap", Rfc2396),
    // RFC 2192, 2; RFC 2384, 3; RFC 2224, 1; RFC 2229, 5; RFC 2056, 3 and 4.
    since("imap", Rfc1738),
    since("pop", Rfc1738),
    since("nfs", Rfc1738),
    since("dict", Rfc1738),
    since("z39.50s", Rfc1738),
    since("z39.50r", Rfc1738),
    // RFC 2244, 3.2; RFC 2122, 3; RFC 2371, 7; RFC 2326, 3.2: these build on RFC 1738's common
    // syntax.
    since("acap", Rfc1738),
    since("vemmi", Rfc1738),
    since("tip", Rfc1738),
    since("rtsp", Rfc1738),
    since("rtspu", Rfc1738),
    // Schemes defined after RFC 3986 or outside the RFC series.
    since("amqp", Rfc3986),
    since("amqps", Rfc3986),
    since("finger", Rfc3986),
    since("ftps", Rfc3986),
    since("git", Rfc3986),
    since("imaps", Rfc3986),
    since("ipp", Rfc3986),
    since("ipps", Rfc3986),
    since("irc", Rfc3986),
    since("ircs", Rfc3986),
    since("ldaps", Rfc3986),
    since("mongodb", Rfc3986),
    since("mysql", Rfc3986),
    since("nex", Rfc3986).or_slash(Rfc3986),
    since("postgres", Rfc3986),
    since("postgresql", Rfc3986),
    since("redis", Rfc3986),
    since("rediss", Rfc3986),
    since("rsync", Rfc3986),
    since("rtmp", Rfc3986),
    since("rtsps", Rfc3986),
    since("sftp", Rfc3986),
    since("smb", Rfc3986),
    since("smtp", Rfc3986),
    since("smtps", Rfc3986),
    since("ssh", Rfc3986),
    since("svn", Rfc3986),
    since("svn+ssh", Rfc3986),
    since("tftp", Rfc3986),
    since("vnc", Rfc3986),
];

/// Returns the rules of the first scheme for which `is` returns true, given its name.
pub(crate) fn equivalence(is: impl Fn(&str) -> bool) -> Option<&'static Equivalence> {
    TABLE.iter().find(|row| is(row.name))
}

#[cfg(test)]
mod tests {
    use super::TABLE;

    /// Every scheme with a default port has a row, except those whose URLs have no authority.
    #[test]
    fn every_default_port_has_its_standard() {
        for facts in super::super::all_known().filter(|facts| facts.port.is_some()) {
            let has_row = TABLE.iter().any(|row| row.name == facts.name);
            assert!(
                has_row != ["sip", "sips"].contains(&facts.name),
                "{}",
                facts.name
            );
        }
        for row in &TABLE {
            let facts = super::super::known(row.name);
            assert!(
                facts.is_some_and(|facts| facts.port.is_some()),
                "{}",
                row.name
            );
        }
    }
}
