//! Runs the test data of publicsuffix.org (`tests/test_psl.txt`, in the public domain), and
//! compares the compiled-in list with a parsed one.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use allocation_counter::measure;
use std::hint::black_box;
use urikit_domains::List;

/// Hosts and their registrable domains, with private suffixes.
const ROWS: &[(&str, Option<&str>)] = &[
    ("COM", None),
    ("example.COM", Some("example.COM")),
    ("WwW.example.COM", Some("example.COM")),
    (".com", None),
    (".example.com", None),
    ("example", None),
    ("example.example", Some("example.example")),
    ("a.b.example.example", Some("example.example")),
    ("biz", None),
    ("domain.biz", Some("domain.biz")),
    ("a.b.domain.biz", Some("domain.biz")),
    ("uk.com", None),
    ("example.uk.com", Some("example.uk.com")),
    ("b.example.uk.com", Some("example.uk.com")),
    ("mm", None),
    ("c.mm", None),
    ("b.c.mm", Some("b.c.mm")),
    ("a.b.c.mm", Some("b.c.mm")),
    ("ac.jp", None),
    ("test.ac.jp", Some("test.ac.jp")),
    ("kyoto.jp", None),
    ("ide.kyoto.jp", None),
    ("b.ide.kyoto.jp", Some("b.ide.kyoto.jp")),
    ("c.kobe.jp", None),
    ("b.c.kobe.jp", Some("b.c.kobe.jp")),
    ("city.kobe.jp", Some("city.kobe.jp")),
    ("www.city.kobe.jp", Some("city.kobe.jp")),
    ("ck", None),
    ("test.ck", None),
    ("b.test.ck", Some("b.test.ck")),
    ("www.ck", Some("www.ck")),
    ("www.www.ck", Some("www.ck")),
    ("k12.ak.us", None),
    ("test.k12.ak.us", Some("test.k12.ak.us")),
    ("食狮.com.cn", Some("食狮.com.cn")),
    ("食狮.公司.cn", Some("食狮.公司.cn")),
    ("www.食狮.公司.cn", Some("食狮.公司.cn")),
    ("公司.cn", None),
    (
        "www.xn--85x722f.xn--55qx5d.cn",
        Some("xn--85x722f.xn--55qx5d.cn"),
    ),
    ("xn--55qx5d.cn", None),
];

/// The rules that the rows need, in the format of the list.
const RULES: &str = "
// ===BEGIN ICANN DOMAINS===
com
biz
*.mm
jp
ac.jp
kyoto.jp
ide.kyoto.jp
*.kobe.jp
!city.kobe.jp
*.ck
!www.ck
us
ak.us
k12.ak.us
cn
com.cn
公司.cn
uk
co.uk
// ===BEGIN PRIVATE DOMAINS===
uk.com
// comment
*.compute.example.com
";

#[test]
fn registrable_domains_are_those_of_the_lists_own_test() {
    for list in [List::builtin(), List::parse(RULES).unwrap()] {
        let list = list.with_private(true);
        for (host, expected) in ROWS {
            let domain = list.domain(host);
            let found = domain.and_then(|domain| domain.registrable());
            assert_eq!(found, *expected, "{host}");
            let dotted = format!("{host}.");
            let found = list.domain(&dotted);
            let found = found.and_then(|domain| domain.registrable());
            assert_eq!(found, *expected, "{host} with a dot");
        }
    }
}

#[test]
fn private_suffixes_are_a_choice() {
    let list = List::parse(RULES).unwrap();
    let with = list.clone().with_private(true);
    let registrable = |list: &List, host| {
        list.domain(host)
            .and_then(|domain| domain.registrable().map(str::to_owned))
    };
    assert_eq!(registrable(&list, "a.uk.com").unwrap(), "uk.com");
    assert_eq!(registrable(&with, "a.uk.com").unwrap(), "a.uk.com");
    let host = "a.b.compute.example.com";
    assert_eq!(registrable(&list, host).unwrap(), "example.com");
    assert_eq!(registrable(&with, host).unwrap(), host);
    let domain = with.domain(host).unwrap();
    assert!(domain.is_private() && domain.is_listed());
    let domain = list.domain(host).unwrap();
    assert!(!domain.is_private() && domain.is_listed());
    assert!(!list.domain("a.unlisted").unwrap().is_listed());
    assert!(List::parse("com\n").is_err());
    assert!(List::parse("").is_err());
}

#[test]
fn parts_are_the_name() {
    let list = List::builtin();
    for host in [
        "a.b.example.co.uk",
        "example.co.uk.",
        "%65xample.com",
        "A.B",
        "co.uk",
    ] {
        let domain = list.domain(host).unwrap();
        let parts = [domain.subdomain(), domain.label(), Some(domain.suffix())];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        assert_eq!(parts.join("."), domain.name(), "{host}");
    }
    // An escaped dot would be inside a label.
    assert!(list.domain("a%2Eexample.com").is_none());
    assert!(list.domain("a%FF.com").is_none());
}

#[test]
fn ordinary_hosts_take_no_memory() {
    let lists = [
        List::builtin(),
        List::parse(RULES).unwrap().with_private(true),
    ];
    for list in lists {
        for host in ["www.Example.co.uk", "a.b.c.kobe.jp.", "127.0.0.1", "[::1]"] {
            let taken = measure(|| {
                black_box(list.domain(host));
            });
            assert_eq!(taken.count_total, 0, "{host}");
        }
    }
}
