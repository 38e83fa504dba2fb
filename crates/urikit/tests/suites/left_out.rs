//! The files that this test does not read, the operations that no standard defines, and the
//! reasons.

/// The reason for omitting a file. `None` if the list does not contain it.
pub(crate) fn file_reason(file: &str) -> Option<&'static str> {
    let is_it = |name: &&str| file == *name || name.ends_with('/') && file.starts_with(*name);
    let named = FILES.iter().find(|(_, names)| names.iter().any(is_it));
    named.map(|(reason, _)| *reason)
}

/// The files and folders of the list that do not exist.
pub(crate) fn missing(files: &[String]) -> Vec<&'static str> {
    let names = FILES.iter().flat_map(|(_, names)| names.iter().copied());
    let is_there = |name: &&str| files.iter().any(|file| file.starts_with(*name));
    names.filter(|name| !is_there(name)).collect()
}

/// The reasons, and their files. A folder name omits all its texts without verdicts.
const FILES: [(&str, &[&str]); 10] = [
    (
        "texts with links and lists of URLs, which state no verdict: for the extractor and for measuring",
        &[
            "corpora/rfc_1990s/",
            "corpora/w3c_libwww_html/",
            "corpora/url_lists/isaacs_files.txt",
            "corpora/url_lists/kasztp.txt",
            "corpora/url_lists/node_files.txt",
            "schemes/rfc_url_mentions.tsv",
        ],
    ),
    (
        "URLs of single schemes: run by the tests of urikit-schemes, with a list of their own",
        &[
            "schemes/commons_validator.jsonl",
            "schemes/dovecot_http_url.jsonl",
        ],
    ),
    (
        "Punycode by itself (RFC 3492), which the crate `idna` does and tests; what it is for here, ToASCII, is run",
        &["idna/punycode_tests.json", "idna/bad_punycode_tests.json"],
    ),
    (
        "trurl's options and output: run by the tests of the command, with a list of its own",
        &["security/trurl_tests.json"],
    ),
    (
        "URI templates (RFC 6570), which are expanded to references and are none",
        &[
            "uritemplate/extended-tests.json",
            "uritemplate/negative-tests.json",
            "uritemplate/spec-examples-by-section.json",
            "uritemplate/spec-examples.json",
        ],
    ),
    (
        "how browsers read and change URLs: WHATWG's algorithm, which the command asks another library for",
        &[
            "wpt/urltestdata.json",
            "wpt/urltestdata-javascript-only.json",
            "wpt/setters_tests.json",
        ],
    ),
    (
        "patterns of URLs (WHATWG's URLPattern), which no RFC has",
        &["wpt/urlpatterntestdata.json"],
    ),
    (
        "escapes of texts in older charsets, by WHATWG's sets: a query of a form, and no component of an RFC",
        &["wpt/percent-encoding.json"],
    ),
    (
        "what a `data` URL gives when it is fetched (WHATWG's Fetch), with its media types and base64",
        &[
            "wpt/base64.json",
            "wpt/data-urls.json",
            "wpt/generated-mime-types.json",
            "wpt/mime-types.json",
        ],
    ),
    (
        "names of an older Unicode, whose verdicts have been withdrawn",
        &["wpt/IdnaTestV2-removed.json"],
    ),
];

/// The reason for omitting an operation. `None` if the list does not contain it.
pub(crate) fn reason(op: &str) -> Option<&'static str> {
    let named = LEFT_OUT.iter().find(|(_, ops)| ops.contains(&op));
    named.map(|(reason, _)| *reason)
}

/// The reasons, and their operations.
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
