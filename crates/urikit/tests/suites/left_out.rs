//! The operations whose rows say nothing that a standard decides, and why each is left out.

/// Why an operation is left out; `None` when nobody has decided on it.
pub(crate) fn reason(op: &str) -> Option<&'static str> {
    let named = LEFT_OUT.iter().find(|(_, ops)| ops.contains(&op));
    named.map(|(reason, _)| *reason)
}

/// Each reason, and the operations.
const LEFT_OUT: [(&str, &[&str]); 9] = [
    (
        "refused against a base, or as the target of one, that the row does not state",
        &[
            "oxiri:test_relativize_iri_fails",
            "oxiri:test_wrong_relative_parsing_with_specific_bases",
        ],
    ),
    (
        "the base that Perl keeps beside a reference",
        &["perl:base"],
    ),
    (
        "the words of HTML's ISINDEX, which are no pairs",
        &["perl:query_keywords"],
    ),
    ("URI templates (RFC 6570)", &["valid:uri-template"]),
    (
        "host names of DNS and IDNA (RFC 1123, RFC 5890), which no URI standard asks of a host",
        &["valid:hostname", "valid:idn-hostname"],
    ),
    ("mail addresses (RFC 5321)", &["valid:email"]),
    (
        "the scheme's default port, and other facts about a scheme",
        &[
            "perl:default_port",
            "perl:has_recognized_scheme",
            "perl:host_port",
            "perl:secure",
            "perl:encrypt_mode",
            "ruby:port",
        ],
    ),
    (
        "RFC 1738's url-path of FTP: without its slash, and with %2F decoded",
        &["ruby:path"],
    ),
    (
        "what the syntax of a single scheme has inside a component",
        &[
            "perl:altitude",
            "perl:attributes",
            "perl:auth",
            "perl:authdomain",
            "perl:crs",
            "perl:data",
            "perl:dn",
            "perl:extensions",
            "perl:filter",
            "perl:latitude",
            "perl:location",
            "perl:longitude",
            "perl:media_type",
            "perl:nid",
            "perl:nss",
            "perl:oid",
            "perl:options",
            "perl:params",
            "perl:params_form",
            "perl:scope",
            "perl:sharename",
            "perl:un_path",
            "perl:uncertainty",
        ],
    ),
];
