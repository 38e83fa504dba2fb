//! The components of a valid reference match their rules, and the kinds that parsing returns are
//! those whose rules match. These tests cover the rules that do not affect the verdict.

use super::agreement::all_characters_in_addresses;
use super::claims::claims;
use super::{grammar, references, seed};
use std::collections::HashMap;
use urikit::Standard;
use urikit_testkit::abnf::{Generator, Grammar, Mutator, Recogniser};

/// Recognisers for the rules of one grammar, each built on first use.
struct Rules<'g> {
    grammar: &'g Grammar,
    made: HashMap<&'static str, Recogniser>,
}

impl Rules<'_> {
    fn matches(&mut self, rule: &'static str, text: &str) -> bool {
        self.made
            .entry(rule)
            .or_insert_with(|| Recogniser::new(self.grammar, rule))
            .judge(text)
            .valid
    }
}

/// Returns the first false claim about references generated from the grammar, which may be broken,
/// and about those in `testdata/`.
pub(super) fn broken_claim(standard: Standard, grammar: &Grammar, count: usize) -> Option<String> {
    let mut rules = Rules {
        grammar,
        made: HashMap::new(),
    };
    let mut generator = Generator::new(grammar, seed(standard) + 200);
    let mut mutator = Mutator::new(seed(standard) + 200);
    let generated = (0..count).flat_map(|_| {
        let text = generator.generate(grammar.start());
        let changed = mutator.mutate(&text, "http://1.2.3.4:80/a?b#c");
        [text, changed]
    });
    let printed = references().iter().cloned();
    for text in printed
        .chain(hosts())
        .chain(GOPHER.map(str::to_owned))
        .chain(generated)
    {
        let Ok(reference) = standard.parse(&text) else {
            continue;
        };
        for (rule, part, expected) in claims(reference) {
            if rules.matches(rule, part) != expected {
                return Some(format!(
                    "{text:?}: {rule} matches {part:?} is not {expected}"
                ));
            }
        }
    }
    special_claim(standard, grammar, &mut rules, count)
}

/// Gopher URLs with all of the fields that `selector` matches.
const GOPHER: [&str; 3] = [
    "gopher://a/1b%09c%09",
    "gopher://a/1b%09c%09+",
    "gopher://a/1b%09c%09+%24",
];

/// References with borderline host names, addresses and ports.
fn hosts() -> impl Iterator<Item = String> {
    const GROUPS: [&str; 16] = [
        "0", "1", "9", "01", "10", "25", "99", "100", "199", "200", "249", "250", "255", "256",
        "1234", "",
    ];
    const NAMES: [&str; 16] = [
        "a", "a1", "ab", "a-b", "a--b", "a1-2b", "1a.b", "1.a", "a.b", "a.b.", "a.1", "a-.b", "-a",
        "a..b", "1-a.b-c", "a_b",
    ];
    const PORTS: [&str; 4] = ["", ":", ":8", ":80"];
    let one_group = |at: usize| {
        GROUPS.map(|group| {
            let mut groups = ["1"; 4];
            *groups.get_mut(at).unwrap() = group;
            groups.join(".")
        })
    };
    let hosts = (0..4)
        .flat_map(one_group)
        .chain(GROUPS.map(|group| [group; 4].join(".")))
        .chain(NAMES.map(str::to_owned));
    hosts.flat_map(|host| {
        ["//", "x://", "ftp://", "http://", "ftp://u:p@"]
            .into_iter()
            .flat_map(move |before| {
                let host = host.clone();
                PORTS.map(move |port| format!("{before}{host}{port}/"))
            })
    })
}

/// Rules that no start rule uses: RFC 1630's notes, and RFC 822.
fn special_claim(
    standard: Standard,
    grammar: &Grammar,
    rules: &mut Rules<'_>,
    count: usize,
) -> Option<String> {
    // No reference is parsed with these rules; the claims above say what they match.
    for rule in ["path", "ipath", "absolute-URI", "absolute-IRI"] {
        let is_strange = |text: &&str| grammar.rule(rule).is_some() && rules.matches(rule, text);
        if let Some(text) = ["^", " ", "\u{7F}", "\u{FDD0}"]
            .iter()
            .copied()
            .find(is_strange)
        {
            return Some(format!("{rule} matches {text:?}"));
        }
    }
    // `e-qtext` and `e-dtext` also match white space that is not folded.
    for text in ["%20", "%09%20", "%0D%0A%20"] {
        let is_there = grammar.rule("e-linear-white-space").is_some();
        if is_there && !rules.matches("e-linear-white-space", text) {
            return Some(format!("e-linear-white-space does not match {text:?}"));
        }
    }
    if standard != Standard::Rfc1630 {
        return None;
    }
    let mut generator = Generator::new(grammar, seed(standard) + 300);
    for _ in 0..count {
        // "left in as historical note, but is not a url production": a generic URI.
        let afs = generator.generate("afsaddress");
        let is_generic = standard
            .parse(&afs)
            .is_ok_and(|r| r.scheme() == Some("afs"));
        if !is_generic || rules.matches("url", &afs) {
            return Some(format!("{afs:?} is not a generic URI"));
        }
        let prefixed = generator.generate("prefixedurl");
        let url = prefixed.strip_prefix("url:");
        if url.is_none_or(|url| standard.parse(url).is_err()) {
            return Some(format!("{prefixed:?} is not `url:` and a URL"));
        }
        // The specific part's `scheme` may contain a plus sign, and is identical otherwise.
        let scheme = generator.generate("scheme");
        let is_scheme = standard.parse_generic(&format!("{scheme}:")).is_ok();
        if is_scheme == scheme.contains('+') {
            return Some(format!("{scheme:?} is not a scheme"));
        }
    }
    None
}

#[test]
fn components_match_their_rules() {
    for standard in Standard::ALL {
        let grammar = grammar(standard.name());
        let broken = broken_claim(standard, &grammar, 20_000);
        assert_eq!(broken, None, "{standard}");
    }
}

#[test]
fn an_encoded_address_is_an_address() {
    assert_eq!(broken_address(&grammar("rfc822"), 20_000), None);
}

/// Returns a string, with each character escaped, on which `mailto:` and RFC 822's rules disagree.
pub(super) fn broken_address(grammar: &Grammar, count: usize) -> Option<String> {
    // `qtext` and `dtext` also match white space that is not folded.
    let mut white_space = Recogniser::new(grammar, "linear-white-space");
    for text in [" ", "\t ", "\r\n \r\n\t"] {
        if !white_space.judge(text).valid {
            return Some(text.to_owned());
        }
    }
    let mut oracle = Recogniser::new(grammar, grammar.start());
    let mut generator = Generator::new(grammar, 822);
    let mut mutator = Mutator::new(822);
    let generated = (0..count).flat_map(|_| {
        let text = generator.generate(grammar.start());
        let changed = mutator.mutate(&text, "a@b");
        [text, changed]
    });
    for text in all_characters_in_addresses().chain(generated) {
        let escaped = text.bytes().map(|byte| format!("%{byte:02X}"));
        let escaped = escaped.fold(String::new(), |text, byte| text + &byte);
        let is_valid = Standard::Rfc1738
            .parse(&format!("mailto:{escaped}"))
            .is_ok();
        if is_valid != oracle.judge(&text).valid {
            return Some(text);
        }
    }
    None
}
