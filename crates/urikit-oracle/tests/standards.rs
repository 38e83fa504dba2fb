//! Checks the grammars under `spec/abnf` with the examples of the RFCs and variations of these
//! examples.

#![allow(clippy::panic)] // a test fails by panicking

use urikit_oracle::{Grammar, Judgement, Recogniser, dir};

fn grammar(name: &str) -> Grammar {
    Grammar::load(&dir(), name).unwrap_or_else(|error| panic!("{error}"))
}

/// Checks valid strings, and invalid ones with the offset of the first character that is not
/// allowed.
fn check(name: &str, valid: &[&str], invalid: &[(&str, usize)]) {
    let grammar = grammar(name);
    let mut recogniser = Recogniser::new(&grammar, grammar.start());
    for input in valid {
        assert_eq!(
            recogniser.judge(input),
            Judgement {
                valid: true,
                viable: input.len()
            },
            "{name}: {input:?}"
        );
    }
    for (input, viable) in invalid {
        assert_eq!(
            recogniser.judge(input),
            Judgement {
                valid: false,
                viable: *viable
            },
            "{name}: {input:?}"
        );
    }
}

#[test]
fn rfc3986_examples_and_offsets() {
    check(
        "rfc3986",
        &[
            "ftp://ftp.is.co.za/rfc/rfc1808.txt",
            "ldap://[2001:db8::7]/c=GB?objectClass?one",
            "mailto:John.Doe@example.com",
            "news:comp.infosystems.www.servers.unix",
            "tel:+1-816-555-1212",
            "telnet://192.0.2.16:80/",
            "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
            "",
            "foo:",
            "//",
            "?y",
            "#",
            "./a:b",
            "http://[v1.a:b]/",
            "http://[V1F.!]",
            "http://a:/",
            "http://999.1.1.1/",
        ],
        &[
            // All text up to the slash may be a userinfo.
            ("http://a:b/", 10),
            ("http://a:b", 10),
            ("http://a:b:c", 12),
            ("%4g", 2),
            ("%", 1),
            ("%4", 2),
            ("1a:b", 2),
            ("a b", 1),
            ("http://[1:2:3:4:5:6:7:8:", 23),
            ("http://[1:2:3:4:5:6:7:8", 23),
            ("http://[::1%25eth0]", 11),
            ("http://[v.a]", 9),
            ("http://a[", 8),
            ("#a#b", 2),
            ("http://é", 7),
            ("a|b", 1),
        ],
    );
}

#[test]
fn ipv6_addresses() {
    let valid = [
        "::",
        "::1",
        "1::",
        "1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7::",
        "::2:3:4:5:6:7:8",
        "1::3:4:5:6:7:8",
        "1:2:3:4:5:6::8",
        "::ffff:192.0.2.1",
        "1:2:3:4:5:6:255.255.255.255",
        "1::1.2.3.4",
        "1:2:3:4:5::1.2.3.4",
        "FEDC:BA98::0001",
    ];
    let invalid = [
        ("", 0),
        (":", 1),
        (":1", 1),
        (":::", 2),
        ("1:2:3:4:5:6:7", 13),
        ("1:2:3:4:5:6:7:8:9", 15),
        ("1::2::3", 5),
        ("1:2:3:4:5:6:7:8::", 15),
        ("12345::", 4),
        ("g::", 0),
        ("::256.1.1.1", 5),
        ("::1.2.3", 7),
        ("::01.2.3.4", 4),
        ("1:2:3:4:5:6:7:1.2.3.4", 15),
        ("1:2:3:4:5:6::1.2.3.4", 14),
        ("1.2.3.4::", 1),
        ("::1.2.3.4:5", 9),
        ("1:2:3:4:5:6:7:8:", 15),
        ("::1:2:3:4:5:6:7:8", 15),
        ("1:2:3:4:5:6:7::8", 15),
    ];
    for (name, rule) in [
        ("rfc3986", "IPv6address"),
        ("rfc3987", "IPv6address"),
        ("rfc2732", "IPv6address"),
    ] {
        let grammar = grammar(name);
        let mut recogniser = Recogniser::new(&grammar, rule);
        for address in valid {
            assert!(recogniser.judge(address).valid, "{name}: {address}");
        }
        for (address, viable) in invalid {
            assert_eq!(
                recogniser.judge(address),
                Judgement {
                    valid: false,
                    viable
                },
                "{name}: {address}"
            );
        }
    }
}

#[test]
fn rfc3987_examples_and_offsets() {
    check(
        "rfc3987",
        &[
            "http://résumé.example.org",
            "http://r\u{E4}ksm\u{F6}rg\u{E5}s.se/?\u{E000}",
            "#\u{10000}",
            "\u{A0}",
        ],
        &[
            ("/\u{E000}", 1),
            ("#\u{F8FF}", 1),
            ("é\u{FDD0}", 2),
            ("http://é\u{E000}", 9),
            ("\u{9F}", 0),
            ("?\u{FFFE}", 1),
        ],
    );
}

#[test]
fn rfc2396_and_rfc2732_differ_in_brackets() {
    let valid = [
        "http://www.ics.uci.edu/pub/ietf/uri/#Related",
        "?y",
        "",
        "g;x=1/../y",
        "file:///x",
        "http://a:b:c@d,e",
        "foo:?x",
        "mailto:a@b?x=y",
        "http://999999.1.1.1/",
        "a:b:c",
    ];
    let invalid = [
        ("foo:", 4),
        ("foo:#x", 4),
        ("1a:b", 2),
        ("http://a b", 8),
        ("%zz", 1),
        ("a[", 1),
        (":a", 0),
    ];
    check("rfc2396", &valid, &invalid);
    check("rfc2732", &valid, &invalid);
    let brackets = [
        "http://[FEDC:BA98:7654:3210:FEDC:BA98:7654:3210]:80/index.html",
        "http://[::192.9.5.5]/ipng",
        "http://u:p@[::1]:",
        "?[",
        "#]",
        "foo:a[",
        "foo:?[",
    ];
    check(
        "rfc2732",
        &brackets,
        &[
            ("http://[v1.a]", 8),
            ("http://[::1%25a]", 11),
            ("foo:[", 4),
            ("foo:/[", 5),
            ("//[::1]a", 7),
        ],
    );
    let first_bracket = brackets.map(|text| (text, text.find(['[', ']']).unwrap()));
    check("rfc2396", &[], &first_bracket);
}

#[test]
fn rfc1808_as_written() {
    check(
        "rfc1808",
        &[
            "http:////x",
            "a%41:b",
            ":x",
            "g:h",
            "//net?loc;x/p",
            ";x=1/./y",
            "g;x?y#s",
            "",
            "///a",
        ],
        &[("////x", 3), ("a~", 1), ("#a#", 2), ("a_b:c/é", 6)],
    );
}

#[test]
fn rfc1738_schemes_follow_their_own_rules() {
    check(
        "rfc1738",
        &[
            "ftp://foo:@host.com/%2Fetc/motd;type=a",
            "ftp://@host.com/",
            "HTTP://h:80/a?b",
            "news:*",
            "news:a%25b@c.d",
            "nntp://h/group.x/12",
            "gopher://h:70/1sel%09search%09plus",
            "telnet://u:p@h/",
            "wais://h/db?x",
            "wais://h/db/t/p",
            "mailto:a.b@c",
            "mailto:%22a%20b%22@%5Bx%5D",
            "mailto:%22%5C%22%22%40c%2Ed",
            "file:///p",
            "file://localhost/p",
            "prospero://h/a/b;c=d;e=",
            "9z+.-:anything//%41",
            "xyz:",
            "http://999.1.1.1",
            "mid:x@y#f",
            "httpx:y",
            "htt:x",
        ],
        &[
            ("http:xyz", 5),
            ("http://h/~a", 9),
            ("http://h:", 9),
            ("http://-a", 7),
            ("http://1.2.3", 12),
            ("http://1.2.3/", 12),
            ("ftp://h/a;type=x", 15),
            ("ftp://h/a;Type=a", 10),
            ("mailto:a", 8),
            ("mailto:a@b@c", 10),
            ("mailto:a..b@c", 9),
            ("mailto:%22a@b", 13),
            ("mailto:a%0D@b", 9),
            ("mailto:%80@b", 8),
            ("prospero://h/a;b", 16),
            ("prospero://h/a;b;", 16),
            ("relative", 8),
            ("/a", 0),
            ("", 0),
            (":a", 0),
            ("xyz:a#b#", 7),
            ("MAILTO:x", 8),
            ("nntp://h/1", 9),
            ("a_b", 1),
            ("ht:[", 3),
        ],
    );
    let grammar = grammar("rfc1738");
    let mut generic = Recogniser::new(&grammar, grammar.generic().unwrap());
    for input in ["http:xyz", "mailto:a", "HTTP://#f", "xyz:"] {
        assert!(generic.judge(input).valid, "{input}");
    }
}

#[test]
fn rfc1630_schemes_forms_and_both_safes() {
    check(
        "rfc1630",
        &[
            "http://info.cern.ch:8000/imaginary/test",
            "http://www.myu.edu/org/admin/people#andy",
            "http://a@b",
            "http://a?x+y",
            "http://a#",
            "ftp://u:p@h/a/b;type=AN",
            "ftp://h/",
            "ftp://h/a;type=L8",
            "news:*",
            "news:a@b",
            "news:comp.x",
            "nntp:g/1",
            "nntp://h/g/1",
            "file:///p",
            "file://localhost/p",
            "telnet://u@h",
            "rlogin://h",
            "tn3270://u:p@h:1",
            "gopher://h/1",
            "gopher://h:1/0/a+",
            "wais://h/d?x",
            "wais://h/d/t/1=a;2=b/c;",
            "mid:a@b.c",
            "mid:\"a%20\"@b",
            "mid:a%2Eb=?@c",
            "cid:%22%5C%22%22%40%5Ba%5D",
            "mailto:a@b@c",
            "prospero://h/a%001a",
            "HTTP:x",
            "HTTP://h/p?q",
            "urn:/iana/dns/ch/cern/cn/techdoc/94/1642-3",
            "x-a!b%41:p",
            "url:http",
            "afs://c/p",
            "",
            "/",
            "//x/y",
            "../g",
            "?a",
            "?a++b#c+d",
            "#",
            "a/b?c+d#e",
            "a+b/c",
            "x:?a",
        ],
        &[
            ("http://a/?", 10),
            ("http://a/b#c+%", 14),
            ("gopher://h/", 11),
            ("telnet://h/", 10),
            ("ftp://h", 7),
            ("http:x", 5),
            ("ftp://h/a;type=A8", 16),
            ("ftp://h/a;type=a", 15),
            ("ftp://h/a;Type=A", 10),
            ("mid:a", 5),
            ("mid:a@b#c#", 9),
            ("fxqn:/us/va/reston/cnri/ietf/24/asdf%*.fred", 37),
            ("news:12345667123%asdghfh@info.cern.ch", 18),
            (
                "http://info.cern.ch/RDB/EMP?*%20where%20name%%3Ddobbins",
                45,
            ),
            ("http://1a", 8),
            ("a+b:c", 3),
            ("1a:", 2),
            ("x:y:z", 3),
            ("x:a=b", 3),
            ("a~b", 1),
            ("url:http:x", 8),
            ("a?", 2),
            ("/a:b", 2),
            ("http://h/a=b", 10),
            ("file://h", 8),
            ("nntp://h/g", 10),
            ("http://1.2.3.4.5", 14),
            ("mid:[a]@b", 4),
        ],
    );
    let grammar = grammar("rfc1630");
    let mut generic = Recogniser::new(&grammar, grammar.generic().unwrap());
    assert!(generic.judge("http://a/b?c+d#e").valid);
    assert!(
        !generic
            .judge("http://info.cern.ch:8000/imaginary/test")
            .valid,
        "the generic path does not allow a colon"
    );
    assert!(
        !generic.judge("relative").valid,
        "a partial form is not a uri"
    );
}
