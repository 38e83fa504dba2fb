//! The files that this test does not read, the operations that no standard defines, and the
//! reasons.

/// Returns the reason for omitting a file, or `None` if the list does not contain the file.
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

/// The reasons for omitting files, and the files. A folder name omits all files in it that contain
/// no verdicts.
const FILES: [(&str, &[&str]); 14] = [
    (
        "text with links, and lists of URLs, without verdicts: for the extractor and for benchmarks",
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
        "URLs of single schemes: the tests of urikit-schemes run them",
        &[
            "schemes/commons_validator.jsonl",
            "schemes/dovecot_http_url.jsonl",
        ],
    ),
    (
        "Punycode (RFC 3492), which the crate `idna` implements and tests; the rows of ToASCII run",
        &["idna/punycode_tests.json", "idna/bad_punycode_tests.json"],
    ),
    (
        "trurl's options and output: the tests of the command run them",
        &["security/trurl_tests.json"],
    ),
    (
        "URI templates (RFC 6570), which are not references",
        &[
            "uritemplate/extended-tests.json",
            "uritemplate/negative-tests.json",
            "uritemplate/spec-examples-by-section.json",
            "uritemplate/spec-examples.json",
        ],
    ),
    (
        "parsing and editing by WHATWG's algorithm, for which the command uses another library",
        &[
            "wpt/urltestdata.json",
            "wpt/urltestdata-javascript-only.json",
            "wpt/setters_tests.json",
            "wpt-2026-07/",
        ],
    ),
    (
        "patterns of URLs (WHATWG's URLPattern), which are not in an RFC",
        &["wpt/urlpatterntestdata.json"],
    ),
    (
        "percent-encoding of older charsets with WHATWG's sets, for form queries",
        &["wpt/percent-encoding.json"],
    ),
    (
        "fetching `data` URLs (WHATWG's Fetch), with media types and base64",
        &[
            "wpt/base64.json",
            "wpt/data-urls.json",
            "wpt/generated-mime-types.json",
            "wpt/mime-types.json",
        ],
    ),
    (
        "names of an older Unicode version, whose verdicts were withdrawn",
        &["wpt/IdnaTestV2-removed.json"],
    ),
    (
        "links in plain text, for the extractor",
        &["links/", "uts58/"],
    ),
    ("fragments of headings, for the extractor", &["slugs/"]),
    (
        "the Public Suffix List: the tests of urikit-domains run it",
        &["schemes/test_psl.txt"],
    ),
    (
        "a schema of reports, without references",
        &["reports/sarif-schema-2.1.0.json"],
    ),
];

/// Returns the reason for omitting an operation, or `None` if the list does not contain the
/// operation.
pub(crate) fn reason(op: &str) -> Option<&'static str> {
    let named = LEFT_OUT.iter().find(|(_, ops)| ops.contains(&op));
    named.map(|(reason, _)| *reason)
}

/// The reasons for omitting operations, and the operations.
const LEFT_OUT: [(&str, &[&str]); 9] = [
    (
        "errors that depend on a base, which the row does not state",
        &[
            "oxiri:test_relativize_iri_fails",
            "oxiri:test_wrong_relative_parsing_with_specific_bases",
        ],
    ),
    ("the base that Perl stores with a reference", &["perl:base"]),
    (
        "the keywords of HTML's ISINDEX, which are not pairs",
        &["perl:query_keywords"],
    ),
    ("URI templates (RFC 6570)", &["valid:uri-template"]),
    (
        "host names of DNS and IDNA (RFC 1123, RFC 5890), which URI standards do not require",
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
        "parts that a single scheme defines within a component",
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
