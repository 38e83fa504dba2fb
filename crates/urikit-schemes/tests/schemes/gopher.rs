//! Tests of `gopher`: builder, and comparison of Gopher+ strings with the grammar.

use super::oracle::assert_agreement;
use urikit::Standard;
use urikit::op::Level;
use urikit_schemes::{BuildError, Edition, Gopher, GopherPlus, ItemType};
use urikit_testkit::Random;
use urikit_testkit::abnf::{self, Generator, Grammar, Mutator, Recogniser};

#[test]
fn rfc4266_agrees() {
    assert_agreement("rfc4266", Edition::Successor);
}

/// Generates octets without a TAB.
fn octets(random: &mut Random) -> Vec<u8> {
    let octet = |random: &mut Random| match random.below(2) {
        0 => *b"/;?:@&=%.+".get(random.below(10)).unwrap(),
        _ => u8::try_from(random.below(256)).unwrap(),
    };
    let octets = (0..random.below(6)).map(|_| octet(random));
    octets.filter(|octet| *octet != b'\t').collect()
}

#[test]
fn built_urls_read_back_unchanged_under_every_standard() {
    let mut random = Random::new(1436);
    for _ in 0..2_000 {
        let item_type = u8::try_from(random.below(256)).unwrap();
        let (selector, words, string) = (
            octets(&mut random),
            octets(&mut random),
            octets(&mut random),
        );
        let mut builder = Gopher::builder("host.dom").item(item_type, &selector);
        let (has_words, has_string) = (random.below(2) == 0, random.below(2) == 0);
        if has_words {
            builder = builder.search(&words);
        }
        if has_string {
            builder = builder.plus(&string);
        }
        let text = builder.clone().build().unwrap().into_string();
        let old = builder.clone().build_any(Standard::Rfc1738).unwrap();
        assert_eq!(old.as_str(), text);
        let old = builder.clone().build_any(Standard::Rfc2396).unwrap();
        assert_eq!(old.as_str(), text);
        builder.clone().build_any(Standard::Rfc3987).unwrap();
        builder.build_any(Standard::Rfc1630).unwrap();
        for standard in Standard::ALL.into_iter().skip(1) {
            let url = standard.parse(&text).unwrap();
            let read = Gopher::read(url).unwrap();
            assert_eq!(read.item_type().octet(), item_type);
            assert_eq!(*read.selector().to_bytes(), *selector);
            let search = read.search().map(|words| words.to_bytes().into_owned());
            let expected = has_words.then_some(words.clone());
            assert_eq!(search, expected.or(has_string.then(Vec::new)));
            let plus = read.plus_string().map(|plus| plus.to_bytes().into_owned());
            assert_eq!(plus, has_string.then_some(string.clone()));
        }
    }
}

#[test]
fn forms_read_back_unchanged() {
    let mut random = Random::new(349);
    let mut read_back = 0;
    for _ in 0..2_000 {
        let values: Vec<Vec<u8>> = (0..=random.below(3)).map(|_| octets(&mut random)).collect();
        let is_good = |value: &Vec<u8>| {
            *value != b"." && !value.iter().any(|octet| matches!(octet, 0 | b'\r' | b'\n'))
        };
        let built = Gopher::builder("h").item(b'0', "s").form(&values).build();
        if !values.iter().all(is_good) {
            let misread = BuildError::Misread {
                part: "Gopher+ string",
            };
            assert_eq!(built.map(drop), Err(misread), "{values:?}");
            continue;
        }
        let built = built.unwrap();
        let read = Gopher::read(built.as_uri()).unwrap();
        let Some(GopherPlus::Form(form)) = read.plus() else {
            panic!("{built}")
        };
        let found: Vec<_> = form
            .values()
            .map(|value| value.to_bytes().into_owned())
            .collect();
        assert_eq!(found, values);
        read_back += 1;
    }
    assert!(read_back > 500, "{read_back}");
}

#[test]
fn gopher_plus_strings_agree_with_the_grammar() {
    let grammar = Grammar::load(&abnf::dir(), "rfc4266").unwrap();
    let rules = [
        ("default-view", "default-view"),
        ("form-item", "form-item"),
        ("item-attributes", "item-attributes"),
        ("directory-attributes", "directory-attributes"),
        ("view", "alternate-view"),
        ("form", "filled-form"),
    ];
    let mut recognisers =
        rules.map(|(kind, rule)| (kind, Recogniser::new(&grammar, rule), 0_usize));
    let mut generator = Generator::new(&grammar, 1738);
    let mut mutator = Mutator::new(1738);
    let (mut before, mut others) = (String::new(), 0);
    for round in 0..24_000 {
        let (_, rule) = rules[round % rules.len()];
        let string = generator.generate(rule);
        for string in [&string, &mutator.mutate(&string, &before)] {
            let text = format!("gopher://h/1%09%09{string}");
            let Ok(url) = Standard::Rfc3986.parse(&text) else {
                continue;
            };
            let read = Gopher::read(url).unwrap();
            if read.plus_string().unwrap() != string.as_str() {
                continue; // a mutation created a fragment
            }
            let kind = read.plus().unwrap().kind();
            let mut expected = "other";
            for (kind, recogniser, count) in &mut recognisers {
                if recogniser.judge(string).valid {
                    assert_eq!(expected, "other", "{string}");
                    expected = *kind;
                    *count += 1;
                }
            }
            assert_eq!(kind, expected, "{string}");
            others += usize::from(kind == "other");
        }
        before = string;
    }
    assert!(recognisers.iter().all(|(_, _, count)| *count > 1_000));
    assert!(others > 500, "{others}");
}

#[test]
fn invalid_parts_are_not_built() {
    let misread = |part| Err(BuildError::Misread { part });
    let item = |selector| Gopher::builder("h").item(ItemType::FILE, selector);
    assert_eq!(item("a\tb").build().map(drop), misread("selector"));
    assert_eq!(
        item("a").search("b\tc").build().map(drop),
        misread("search")
    );
    assert_eq!(
        item("a").form::<&str>(&[]).build().map(drop),
        misread("Gopher+ string")
    );
    assert_eq!(
        item("a").view("", Some("En")).build().map(drop),
        misread("Gopher+ string")
    );
    assert_eq!(
        item("a").view("a b", None).build().map(drop),
        misread("Gopher+ string")
    );
    assert_eq!(
        item("a").attributes(&["+A +B"]).build().map(drop),
        misread("Gopher+ string")
    );
    assert!(Gopher::builder("u@h").build().is_err());
    assert!(matches!(
        Gopher::builder("").build(),
        Err(BuildError::Scheme(_))
    ));
    assert_eq!(
        Gopher::builder("h")
            .build_any(Standard::Rfc1630)
            .unwrap()
            .as_str(),
        "gopher://h"
    );
    let url = item("a")
        .directory_attributes(&["+VIEWS", "+ADMIN"])
        .build()
        .unwrap();
    assert_eq!(url.as_str(), "gopher://h/0a%09%09$+VIEWS%20+ADMIN");
    let url = Gopher::builder("h").search("words").build().unwrap();
    assert_eq!(url.as_str(), "gopher://h/1%09words");
}

/// A selector is opaque (RFC 1738, 3.4.1), so resolving must not remove parts of it.
#[test]
fn resolvers_leave_selectors_alone() {
    for (item_type, selector, path) in [
        (b'0', "/./a", "0%2F./a"),
        (b'0', "a/../b", "0a%2F../b"),
        (b'1', "a/././..", "1a%2F.%2F.%2F.."),
        (b'0', "./a", "0./a"),
        (b'.', "/a", ".%2Fa"),
        (b'.', "./a", "..%2Fa"),
        (b'0', "a/.b/...", "0a/.b/..."),
    ] {
        let url = Gopher::builder("h")
            .item(item_type, selector)
            .build()
            .unwrap();
        assert_eq!(url.as_str(), format!("gopher://h/{path}"));
        let normal = url.normalize_to(Level::Path);
        assert_eq!(normal, url.as_str());
        let read = Gopher::read(url.as_uri()).unwrap();
        assert_eq!(*read.selector().to_bytes(), *selector.as_bytes());
    }
    let url = Gopher::builder("h")
        .item(b'7', "a")
        .search("../x/..")
        .build();
    assert_eq!(url.unwrap().as_str(), "gopher://h/7a%09../x%2F..");
}
