//! Default ports, as `edit` and `get` need them.

/// The port that a URL of this scheme means when it names none.
pub(super) fn default_port(scheme: &str) -> Option<u16> {
    const PORTS: [(&str, u16); 14] = [
        ("ftp", 21),        // RFC 1738, 3.2
        ("http", 80),       // RFC 1738, 3.3
        ("gopher", 70),     // RFC 1738, 3.4
        ("nntp", 119),      // RFC 1738, 3.7
        ("telnet", 23),     // RFC 1738, 3.8
        ("wais", 210),      // RFC 1738, 3.9
        ("prospero", 1525), // RFC 1738, 3.11
        ("https", 443),     // RFC 2818, 2.3
        ("ldap", 389),      // RFC 4516, 2
        ("imap", 143),      // RFC 5092, 3
        ("pop", 110),       // RFC 2384, 3
        ("ws", 80),         // RFC 6455, 3
        ("wss", 443),       // RFC 6455, 3
        ("rtsp", 554),      // RFC 7826, 4.2
    ];
    let is_it = |entry: &&(&str, u16)| scheme.eq_ignore_ascii_case(entry.0);
    PORTS.iter().find(is_it).map(|(_, port)| *port)
}
