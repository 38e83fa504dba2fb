//! Tests of `news`, `snews` and `nntp`: builders, and comparison with RFC 5538's grammar.

use crate::oracle;
use urikit::Standard;
use urikit_schemes::{BuildError, Edition, News, Newsgroups, Nntp};
use urikit_testkit::Random;

#[test]
fn rfc5538_grammar_gives_the_same_verdicts() {
    oracle::assert_agreement("rfc5538", Edition::Successor);
}

fn octets(random: &mut Random, of: &[u8]) -> Vec<u8> {
    (0..=random.below(6)).map(|_| *random.pick(of)).collect()
}

#[test]
fn built_urls_read_back_unchanged() {
    let mut random = Random::new(5538);
    for _ in 0..3_000 {
        let any: Vec<u8> = (0..=random.below(6))
            .map(|_| u8::try_from(random.below(256)).unwrap())
            .filter(|octet| !b"*?".contains(octet))
            .chain([b'g'])
            .collect();
        let url = News::group(&any).server("h").port(8119).build().unwrap();
        let news = News::read(url.as_uri()).unwrap();
        let Some(Newsgroups::One(group)) = news.newsgroups() else {
            panic!("{url}");
        };
        assert_eq!(*group.to_bytes(), *any);
        assert_eq!(news.port(), Some(8119));
        let url = Nntp::builder("h", &any)
            .article(any.len() as u64)
            .build()
            .unwrap();
        let nntp = Nntp::read(url.as_uri()).unwrap();
        assert_eq!(*nntp.group().to_bytes(), *any);
        assert_eq!(nntp.article(), Some(any.len().to_string().as_str()));

        let mut id = octets(&mut random, b"aZ9!#$%&'*+-/=?^_`{|}~");
        id.push(b'@');
        if random.chance(50) {
            id.extend(b"[10.0.0.1]");
        } else {
            id.extend(b"Host.dom");
            // The URL is the same under RFC 1738.
            let url = News::article(&id)
                .build_any(Standard::Rfc1738)
                .unwrap()
                .into_string();
            assert_eq!(News::article(&id).build().unwrap().as_str(), url);
            let news = News::read(Standard::Rfc1738.parse(&url).unwrap()).unwrap();
            assert_eq!(*news.message_id().unwrap().to_bytes(), *id);
        }
        let url = News::article(&id).snews().build().unwrap();
        let news = News::read(url.as_uri()).unwrap();
        assert!(news.is_snews());
        assert_eq!(*news.message_id().unwrap().to_bytes(), *id);
    }
}

#[test]
fn parts_that_the_rfcs_lack_are_not_built() {
    let misread = |part| Err(BuildError::Misread { part });
    assert_eq!(News::group("a*").build().map(drop), misread("group"));
    assert_eq!(News::group("*").build().map(drop), misread("group"));
    assert_eq!(News::group("").build().map(drop), misread("group"));
    assert_eq!(News::matching("a.b").build().map(drop), misread("pattern"));
    assert_eq!(
        News::article("a").build().map(drop),
        misread("message identifier")
    );
    assert!(matches!(
        News::article("a b@c").build(),
        Err(BuildError::Scheme(_))
    ));
    assert!(matches!(
        News::article("<a@b>").build(),
        Err(BuildError::Scheme(_))
    ));
    assert!(matches!(
        News::all().server("a b").build(),
        Err(BuildError::Syntax(_))
    ));
    assert_eq!(
        News::all().build_any(Standard::Rfc1738).unwrap().as_str(),
        "news:*"
    );
    // RFC 1738 does not allow a server, a pattern, or escapes in groups.
    assert!(
        News::all()
            .server("h")
            .build_any(Standard::Rfc1738)
            .is_err()
    );
    assert!(News::matching("a.*").build_any(Standard::Rfc1738).is_err());
    assert!(News::matching("a.*").build_any(Standard::Rfc2396).is_ok());
    assert!(
        Nntp::builder("h", "a/b")
            .build_any(Standard::Rfc1738)
            .is_err()
    );
    assert!(Nntp::builder("", "a").build().is_err());
    assert!(Nntp::builder("h", "").build().is_err());
    assert!(
        Nntp::builder("h", "a")
            .article(10_u64.pow(16))
            .build()
            .is_err()
    );
    assert!(
        Nntp::builder("h", "a")
            .article(10_u64.pow(16))
            .build_any(Standard::Rfc1738)
            .is_ok()
    );
    let url = Nntp::builder("h", "a").user("u").port(1).build().unwrap();
    assert_eq!(url.as_str(), "nntp://u@h:1/a");
}

#[test]
fn the_server_is_optional_and_may_come_in_any_order() {
    let all = || News::all().user("u").password("p:").port(8563);
    for url in [
        all().server("h").build(),
        News::all()
            .server("h")
            .port(8563)
            .password("p:")
            .user("u")
            .build(),
    ] {
        assert_eq!(url.unwrap().as_str(), "news://u:p%3A@h:8563/*");
    }
    let url = News::all().snews().port(1).server("h").build().unwrap();
    assert_eq!(url.as_str(), "snews://h:1/*");
    let url = Nntp::builder("h", "a")
        .password("p")
        .user("u")
        .build()
        .unwrap();
    assert_eq!(url.as_str(), "nntp://u:p@h/a");
    let misread = |part| Err(BuildError::Misread { part });
    assert_eq!(all().build().map(drop), misread("port"));
    assert_eq!(News::all().user("u").build().map(drop), misread("user"));
    let password = News::group("a").password("p");
    assert_eq!(password.build().map(drop), misread("password"));
    // A password needs a user.
    let password = News::all().server("h").password("p");
    assert_eq!(password.build().map(drop), misread("user"));
    let password = Nntp::builder("h", "a").password("p");
    assert_eq!(password.build().map(drop), misread("user"));
}

#[test]
fn patterns_match_as_rfc_3977_says() {
    // RFC 3977, 4.4, with £ in place of #. A pattern of RFC 5538 contains neither `,` nor `!`.
    for (pattern, yes, no) in [
        ("*%C2%A3", vec!["£", "a£"], vec!["", "a", "£a"]),
        ("a*", vec!["a", "ab", "a£"], vec!["", "ba"]),
        ("a*b", vec!["ab", "axb", "abab"], vec!["a", "b", "aba"]),
        ("%3Fa*", vec!["ba", "£a", "bab"], vec!["a", "ab", "bba"]),
        ("%3F%3Fa*", vec!["bba", "££ab"], vec!["ba", "bbb"]),
        (
            "*a%3F",
            vec!["ab", "aab", "baa", "a£"],
            vec!["a", "b", "ab£"],
        ),
        ("*a%3F%3F", vec!["abc", "xaa£"], vec!["ab", "abcd"]),
        (
            "a*b*c",
            vec!["abc", "abbc", "axbxbc"],
            vec!["abcb", "acb", "ac"],
        ),
        ("**", vec!["", "a"], vec![]),
    ] {
        let url = format!("news:{pattern}");
        let news = News::read(Standard::Rfc3986.parse(&url).unwrap()).unwrap();
        let groups = news.newsgroups().unwrap();
        assert!(matches!(groups, Newsgroups::Matching(_)), "{pattern}");
        for name in yes {
            assert!(groups.contains(name), "{pattern}: {name}");
        }
        for name in no {
            assert!(!groups.contains(name), "{pattern}: {name}");
        }
    }
}

#[test]
fn a_successor_reads_urls_that_only_the_generic_production_accepts() {
    // RFC 5538, 4, allows a server in a news URL. RFC 1738, 3.6, does not.
    assert!(Standard::Rfc1738.parse("news://h/g.x").is_err());
    let generic = Standard::Rfc1738.parse_generic("news://h/g.x").unwrap();
    assert!(News::read_as(generic, Edition::Original).is_err());
    let news = News::read_as(generic, Edition::Successor).unwrap();
    assert_eq!(news.host().unwrap(), "h");
    assert!(matches!(news.newsgroups(), Some(Newsgroups::One(_))));
}
