//! Compares the verdicts of the original edition under later standards with RFC 1738's productions.
//! The two verdicts must be equal if the standards find the same components.

use urikit::component::{Authority, Encoded};
use urikit::{AnyRef, Standard};
use urikit_schemes::Edition;
use urikit_testkit::abnf::{self, Generator, Grammar, Mutator};

/// The number of strings for each production. Each has a mutation.
const GENERATED: usize = 10_000;

/// The components of a reference that a scheme's RFC interprets.
fn components(url: AnyRef<'_>) -> [Option<&str>; 3] {
    let authority = url.authority().filter(|a| !a.is_registry_based());
    [
        authority.map(Authority::as_str),
        Some(url.path().as_str()),
        url.query().map(Encoded::as_str),
    ]
}

#[test]
fn rfc1738_verdicts_are_the_same_under_later_standards() {
    let grammar = Grammar::load(&abnf::dir(), "rfc1738").unwrap();
    for (production, name) in [
        ("mailtourl", "mailto"),
        ("newsurl", "news"),
        ("nntpurl", "nntp"),
    ] {
        let mut generator = Generator::new(&grammar, 1738);
        let mut mutator = Mutator::new(1738);
        let mut before = String::new();
        let (mut valid, mut refused) = (0, 0);
        for _ in 0..GENERATED {
            let text = generator.generate(production);
            for text in [mutator.mutate(&text, &before), text.clone()] {
                // RFC 1738's generic parser finds the components, and its production gives the
                // verdict.
                let Ok(generic) = Standard::Rfc1738.parse_generic(&text) else {
                    continue;
                };
                if !generic
                    .scheme()
                    .is_some_and(|s| s.eq_ignore_ascii_case(name))
                {
                    continue;
                }
                let own = Standard::Rfc1738.parse(&text);
                for standard in [Standard::Rfc2396, Standard::Rfc2732, Standard::Rfc3986] {
                    let Ok(url) = standard.parse(&text) else {
                        continue;
                    };
                    if components(url) != components(own.unwrap_or(generic)) {
                        continue;
                    }
                    let read = urikit_schemes::find(name)
                        .unwrap()
                        .check(url, Edition::Original);
                    match own {
                        Ok(_) => {
                            assert_eq!(read, Ok(()), "{standard}: {text}");
                            valid += 1;
                        }
                        // The escapes in a name decode to characters that the name may contain.
                        Err(_) if name != "mailto" && text.contains('%') => {}
                        Err(_) => {
                            assert!(read.is_err(), "{standard}: {text}");
                            refused += 1;
                        }
                    }
                }
            }
            before = text;
        }
        println!("{name}: {valid} valid, {refused} refused");
        assert!(valid > GENERATED && refused > GENERATED / 20, "{name}");
    }
}
