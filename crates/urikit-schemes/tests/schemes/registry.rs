//! The registry: the names of custom schemes, and gateways.

use urikit::{AnyRef, Standard};
use urikit_schemes::{
    Edition, Facts, Gateway, GatewayError, GatewayRule, NameError, NameRule, ReadError, Scheme,
    SchemeRegistry, Status, all, all_known,
};
use urikit_testkit::Random;
use urikit_testkit::abnf::{self, Generator, Grammar};

/// A scheme that has a name and accepts all references.
struct Named(&'static str);

impl Scheme for Named {
    fn facts(&self) -> Facts<'_> {
        Facts::new(self.0)
    }

    fn check(&self, _: AnyRef<'_>, _: Edition) -> Result<(), ReadError> {
        Ok(())
    }
}

#[test]
fn no_name_is_taken_twice() {
    let mut registry = SchemeRegistry::new();
    for scheme in all() {
        let name: &'static str = scheme.facts().name;
        assert_eq!(
            registry.register(Box::new(Named(name))),
            Err(NameError::Taken)
        );
    }
    for name in ["FTP", "Ftp", "URN"] {
        assert_eq!(
            registry.register(Box::new(Named(name))),
            Err(NameError::Taken),
            "{name}"
        );
    }
    assert_eq!(registry.register(Box::new(Named("x-finger"))), Ok(()));
    for name in ["x-finger", "X-Finger"] {
        assert_eq!(
            registry.register(Box::new(Named(name))),
            Err(NameError::Taken)
        );
    }
    // Custom schemes may have names that are known but not read.
    assert_eq!(registry.register(Box::new(Named("mailserver"))), Ok(()));
    let own: Vec<_> = registry
        .iter()
        .skip(all().count())
        .map(|scheme| scheme.facts().name)
        .collect();
    assert_eq!(own, ["x-finger", "mailserver"]);
    let finger = registry.find("X-FINGER").unwrap();
    assert_eq!(
        (finger.facts().name, finger.facts().status),
        ("x-finger", Status::Experimental)
    );
    assert_eq!(registry.find("x-other").unwrap().facts().name, "x-*");
    assert!(registry.find("magic").is_none());
    assert_eq!(registry.facts("nfs").unwrap().port, Some(2049));
}

#[test]
fn an_empty_registry_has_only_its_own_schemes() {
    let mut registry = SchemeRegistry::empty();
    assert!(registry.iter().next().is_none());
    for facts in all_known() {
        assert!(registry.find(facts.name).is_none() && registry.facts(facts.name).is_none());
    }
    assert_eq!(registry.register(Box::new(Named("ftp"))), Ok(()));
    assert_eq!(
        registry.find("FTP").unwrap().facts().status,
        Status::Provisional
    );
    let reference = Standard::Rfc3986.parse("ftp:x").unwrap();
    let details = registry
        .find("ftp")
        .unwrap()
        .details(reference, Edition::Original)
        .unwrap();
    assert_eq!((details.scheme.as_ref(), details.fields.len()), ("ftp", 0));
}

#[test]
fn names_follow_the_syntax_of_all_standards() {
    // RFC 1738, 2.1, allows names that begin with a digit; RFC 3986, 3.1, does not.
    for (name, offset) in [
        ("", 0),
        ("3com", 0),
        ("-x", 0),
        ("Magic", 0),
        ("a_b", 1),
        ("ab:", 2),
        ("x-A", 2),
        ("x-", 2),
        ("é", 0),
    ] {
        let error = Err(NameError::Malformed { offset });
        assert_eq!(
            SchemeRegistry::new().register(Box::new(Named(name))),
            error,
            "{name}"
        );
    }
    for name in ["x-a", "x-39.50x", "x-+b-c.1"] {
        assert_eq!(
            SchemeRegistry::new().register(Box::new(Named(name))),
            Ok(())
        );
    }
}

#[test]
fn names_by_rfc_1630_are_registered_or_experimental() {
    // RFC 1630 and RFC 1738, 4, list these names, and no built-in scheme reads them.
    for name in ["nfs", "mailserver", "x500", "whois", "z39.50"] {
        let mut registry = SchemeRegistry::new();
        let status = registry.facts(name).unwrap().status;
        assert_eq!(registry.register(Box::new(Named(name))), Ok(()), "{name}");
        assert_eq!(registry.find(name).unwrap().facts().title, "");
        assert_eq!(registry.facts(name).unwrap().status, status);
        let again = registry.register(Box::new(Named(name)));
        assert_eq!(again, Err(NameError::Taken), "{name}");
    }
    for name in ["magic", "a", "x", "x500a", "z39.50x", "com.example.app"] {
        for registry in [SchemeRegistry::new(), SchemeRegistry::empty()] {
            let mut registry = registry.with_names(NameRule::Rfc1630);
            let error = Err(NameError::Unknown);
            assert_eq!(registry.register(Box::new(Named(name))), error, "{name}");
            assert!(registry.find(name).is_none());
            assert_eq!(registry.register(Box::new(Named("x-a"))), Ok(()));
        }
    }
}

#[test]
fn names_by_rfc_7595_need_no_registration() {
    // RFC 7595, 3.8, recommends reversed domains. The other schemes are used without an RFC.
    for name in [
        "com.example.app",
        "web+coffee",
        "spotify",
        "magic",
        "a",
        "x",
        "x-a",
    ] {
        for mut registry in [SchemeRegistry::new(), SchemeRegistry::empty()] {
            assert_eq!(registry.register(Box::new(Named(name))), Ok(()), "{name}");
            assert_eq!(
                registry.find(&name.to_uppercase()).unwrap().facts().name,
                name
            );
            let again = registry.register(Box::new(Named(name)));
            assert_eq!(again, Err(NameError::Taken), "{name}");
        }
    }
    assert_eq!(NameRule::default(), NameRule::Rfc7595);
    let url = Standard::Rfc3986.parse("com.example.app:/a").unwrap();
    let mut registry = SchemeRegistry::new();
    registry
        .register(Box::new(Named("com.example.app")))
        .unwrap();
    let scheme = registry.find(url.scheme().unwrap()).unwrap();
    assert_eq!(scheme.check(url, Edition::Original), Ok(()));
}

#[test]
fn gateways_are_for_any_scheme() {
    let mut registry = SchemeRegistry::empty();
    let prefix = |url| Gateway::prefix(url).unwrap();
    assert_eq!(registry.set_gateway("Magic", prefix("http://a/")), Ok(None));
    let old = registry
        .set_gateway("magic", prefix("http://b/"))
        .unwrap()
        .unwrap();
    assert_eq!(old.url().as_str(), "http://a/");
    assert_eq!(
        registry
            .set_gateway("ma_gic", prefix("http://a/"))
            .map(drop),
        Err(NameError::Malformed { offset: 2 })
    );
    let ask = |text| {
        let asked = registry.gateway_for(Standard::Rfc3986.parse(text).unwrap())?;
        Some(asked.unwrap().into_string())
    };
    assert_eq!(ask("MAGIC:x#y").unwrap(), "http://b/MAGIC:x");
    assert_eq!(ask("other:x"), None);
    assert_eq!(ask("x"), None);
}

#[test]
fn rules_are_read() {
    let rule = |text: &str| text.parse::<GatewayRule>();
    let good = rule("WAIS=http://gw").unwrap();
    assert_eq!(
        (good.scheme.as_str(), good.gateway.url().as_str()),
        ("wais", "http://gw/")
    );
    let proxy = rule("x-a=proxy:https://u@gw:8080/").unwrap();
    assert!(proxy.gateway.is_proxy());
    assert_eq!(rule("wais"), Err(GatewayError::NoEquals));
    assert_eq!(
        rule("=http://a/"),
        Err(GatewayError::Name(NameError::Malformed { offset: 0 }))
    );
    for text in [
        "a=b",
        "a=http:",
        "a=http:///",
        "a=//gw/",
        "a=http://gw/#f",
        "a=mailto:x",
    ] {
        assert_eq!(rule(text), Err(GatewayError::NoServer), "{text}");
    }
    for text in [
        "a=proxy:ftp://gw",
        "a=proxy:http://gw/a",
        "a=proxy:http://gw?a",
    ] {
        assert_eq!(rule(text), Err(GatewayError::NoProxy), "{text}");
    }
    assert!(matches!(rule("a=http://g w/"), Err(GatewayError::Url(_))));
}

#[test]
fn gateways_get_the_uri_without_its_fragment() {
    let proxy = Gateway::proxy("http://p").unwrap();
    let path = Gateway::prefix("http://g/").unwrap();
    let query = Gateway::prefix("http://g/?u=").unwrap();
    for (standard, text, uri, in_path, in_query) in [
        (
            Standard::Rfc3986,
            "x://h/a/../b?c&d=%2F#e",
            "x://h/a/../b?c&d=%2F",
            "x://h/a%2F../b%3Fc&d=%252F",
            "x://h/a/../b?c%26d%3D%252F",
        ),
        (Standard::Rfc3986, "x:./.", "x:./.", "x:.%2F.", "x:./."),
        (
            Standard::Rfc3987,
            "x://é/é",
            "x://%C3%A9/%C3%A9",
            "x://%25C3%25A9/%25C3%25A9",
            "x://%25C3%25A9/%25C3%25A9",
        ),
        (
            Standard::Rfc1630,
            "x:a\"b",
            "x:a%22b",
            "x:a%2522b",
            "x:a%2522b",
        ),
        (
            Standard::Rfc2732,
            "x://[::1]/?[",
            "x://[::1]/?%5B",
            "x://%5B::1%5D/%3F%255B",
            "x://%5B::1%5D/?%255B",
        ),
    ] {
        let reference = standard.parse(text).unwrap();
        let ask = |gateway: &Gateway| gateway.ask(reference).unwrap().into_string();
        assert_eq!(ask(&proxy), uri);
        assert_eq!(ask(&path), format!("http://g/{in_path}"));
        assert_eq!(ask(&query), format!("http://g/?u={in_query}"));
    }
    let relative = Standard::Rfc3986.parse("//h/a").unwrap();
    assert_eq!(proxy.ask(relative), Err(GatewayError::Relative));
    // Only RFC 1738 allows names that begin with a digit.
    let digit = Standard::Rfc1738.parse("3com:x").unwrap();
    assert!(matches!(path.ask(digit), Err(GatewayError::Reference(_))));
}

/// A gateway gets the URI by decoding everything after its prefix once. Resolving never removes a
/// part of the prefix.
#[test]
fn the_encoded_uri_follows_the_prefix() {
    let grammar = Grammar::load(&abnf::dir(), "rfc3986").unwrap();
    let mut generator = Generator::new(&grammar, 1630);
    let mut random = Random::new(1630);
    let proxy = Gateway::proxy("http://p").unwrap();
    for _ in 0..20_000 {
        let mut text = generator.generate("URI");
        if random.below(4) == 0 {
            text = text.replace("//", "/../").replace(':', ":/./../");
        }
        let Ok(reference) = Standard::Rfc3986.parse(&text) else {
            continue;
        };
        if reference.scheme().is_none() {
            continue;
        }
        let uri = proxy.ask(reference).unwrap();
        for prefix in ["http://g/in/", "http://g/in?"] {
            let asked = Gateway::prefix(prefix).unwrap().ask(reference).unwrap();
            let after = asked.as_str().strip_prefix(prefix).unwrap();
            let parsed = Standard::Rfc3986.parse(asked.as_str()).unwrap();
            let part = parsed.query().unwrap_or(parsed.path().encoded());
            assert!(part.as_str().ends_with(after), "{asked}");
            let decoded = part.to_bytes();
            assert!(decoded.ends_with(uri.as_str().as_bytes()), "{asked}");
            let normal = parsed.normalize_to(urikit::op::Level::Path);
            assert!(normal.as_str().starts_with(prefix), "{asked} {normal}");
        }
    }
}
