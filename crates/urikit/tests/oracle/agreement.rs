//! The parser and the oracle agree on the verdict and the offset, at run time and in constants.

use super::{grammar, references, rejects, seed};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::LazyLock;
use urikit::Standard;
use urikit_testkit::Random;
use urikit_testkit::abnf::{Generator, Grammar, Mutator, Recogniser};

/// The number of strings generated from each standard's rules, and the number of mutated ones.
const GENERATED: usize = 120_000;
const MUTATED: usize = 120_000;
/// The least number of times that each alternative of each rule must be taken.
const TAKEN: u64 = 100;

/// The characters of the short strings: a letter, a digit, a hexadecimal digit of each case, all
/// delimiters, characters that are in some sets but not in others, one that is in no set, and one
/// non-ASCII character.
const ALPHABET: [char; 20] = [
    'a', 'F', '1', '0', ':', '/', '?', '#', '[', ']', '@', '%', '.', ';', '=', '+', '-', '~', ' ',
    'é',
];

/// Prefixes of the short strings, which lead the parser to the productions of each scheme.
const BEFORE: [&str; 32] = [
    "//",
    "//a",
    "//a:",
    "//a@",
    "//[",
    "//[1:2:3:4:5:6:",
    "//[::",
    "//[v1.",
    "a:",
    "a://",
    "a://a@",
    "http://a",
    "http://1.2.3",
    "http://a/",
    "http://a/?",
    "ftp://",
    "ftp://a:",
    "ftp://a/a;type=",
    "file://",
    "gopher://a/",
    "mailto:",
    "mailto:a@",
    "mailto:%22",
    "news:",
    "nntp:",
    "nntp://a/a",
    "telnet://a",
    "wais://a/",
    "wais://a/a/a/1=",
    "prospero://a/",
    "mid:a@%5B",
    "cid:\"",
];

/// The parser and the oracle of one production.
pub(super) struct Pair {
    standard: Standard,
    generic: bool,
    oracle: Recogniser,
    /// The shortest string on which the parser and the oracle disagree, and both verdicts.
    pub(super) disagreement: Option<(String, String)>,
    /// True to stop at the first disagreement instead of searching for the shortest string.
    any: bool,
    judged: usize,
    valid: usize,
}

impl Pair {
    pub(super) fn new(standard: Standard, grammar: &Grammar, generic: bool) -> Self {
        let start = if generic {
            grammar.generic().unwrap()
        } else {
            grammar.start()
        };
        Self {
            standard,
            generic,
            oracle: Recogniser::new(grammar, start),
            disagreement: None,
            any: false,
            judged: 0,
            valid: 0,
        }
    }

    /// Returns a comparison for a broken grammar, which ends at the first disagreement.
    pub(super) fn until_disagreement(standard: Standard, grammar: &Grammar, generic: bool) -> Self {
        Self {
            any: true,
            ..Self::new(standard, grammar, generic)
        }
    }

    /// Returns whether no more strings need to be compared.
    fn is_done(&self) -> bool {
        self.any && self.disagreement.is_some()
    }

    /// Parses a string with the parser and the oracle. Returns the oracle's verdict.
    pub(super) fn judge(&mut self, text: &str) -> bool {
        let oracle = self.oracle.judge(text);
        let parser = if self.generic {
            self.standard.parse_generic(text)
        } else {
            self.standard.parse(text)
        };
        // The parser for constants works byte by byte. The parser used at run time uses masks where
        // it can.
        if !self.generic {
            let by_bytes = self.standard.parse_const(text);
            assert_eq!(by_bytes.err(), parser.err(), "{text:?}");
        }
        self.judged += 1;
        self.valid += usize::from(oracle.valid);
        let agree = match &parser {
            Ok(_) => oracle.valid,
            Err(error) => !oracle.valid && error.offset() == oracle.viable,
        };
        let is_shorter = |(shortest, _): &(String, String)| text.len() < shortest.len();
        if !agree && self.disagreement.as_ref().is_none_or(is_shorter) {
            let parser = parser.map_or_else(|error| error.to_string(), |_| "valid".to_owned());
            self.disagreement = Some((text.to_owned(), format!("{parser}; oracle: {oracle:?}")));
        }
        oracle.valid
    }

    fn assert_agreement(&self) {
        if let Some((text, how)) = &self.disagreement {
            panic!("{}, shortest of all: {text:?}: {how}", self.standard);
        }
    }
}

/// Compares all strings of up to `length` characters of the alphabet, each after `before`.
pub(super) fn all_short(pair: &mut Pair, before: &str, length: usize) {
    let mut text = before.to_owned();
    pair.judge(&text);
    longer(pair, &mut text, length);
}

fn longer(pair: &mut Pair, text: &mut String, length: usize) {
    if length == 0 {
        return;
    }
    for c in ALPHABET {
        if pair.is_done() {
            return;
        }
        text.push(c);
        pair.judge(text);
        longer(pair, text, length - 1);
        text.pop();
    }
}

/// Compares strings generated from the rules, and mutated ones. Returns a report.
pub(super) fn made(pair: &mut Pair, grammar: &Grammar, generated: usize, mutated: usize) -> String {
    let mut generator = Generator::new(grammar, seed(pair.standard));
    let mut mutator = Mutator::new(seed(pair.standard));
    let start = if pair.generic {
        grammar.generic().unwrap()
    } else {
        grammar.start()
    };
    let mut before = String::new();
    for index in 0..generated {
        if pair.is_done() {
            break;
        }
        let text = generator.generate(start);
        pair.judge(&text);
        for _ in 0..(mutated * (index + 1) / generated - mutated * index / generated) {
            let changed = mutator.mutate(&text, &before);
            pair.judge(&changed);
        }
        before = text;
    }
    let mut report = format!(
        "{}{}: {} texts, {} % valid",
        pair.standard,
        if pair.generic { " (generic)" } else { "" },
        pair.judged,
        100 * pair.valid / pair.judged.max(1),
    );
    let rows = generator.coverage();
    let rarest = rows.iter().min_by_key(|row| row.count);
    if let Some(row) = rarest {
        let _ = write!(
            report,
            "; {} alternatives, the rarest ({}: {}) taken {} times",
            rows.len(),
            row.rule,
            row.alternative,
            row.count
        );
    }
    let mut by_rule: HashMap<&str, Vec<u64>> = HashMap::new();
    for row in &rows {
        by_rule.entry(&row.rule).or_default().push(row.count);
    }
    let mut rules: Vec<_> = by_rule.into_iter().collect();
    rules.sort_unstable();
    for (rule, counts) in rules {
        let _ = write!(report, "\n    {rule}: {counts:?}");
    }
    if generated >= GENERATED {
        for row in &rows {
            assert!(row.count >= TAKEN, "{}: {row:?}", pair.standard);
        }
        assert!(pair.judged >= 200_000);
        assert!(100 * pair.valid >= 40 * pair.judged, "{}", pair.standard);
    }
    report
}

/// Returns addresses with every US-ASCII character in every position, and with folded white space.
pub(super) fn all_characters_in_addresses() -> impl Iterator<Item = String> {
    let places = |c: char| {
        [
            format!("{c}@a"),
            format!("a{c}@a"),
            format!("\"{c}\"@a"),
            format!("\"\\{c}\"@a"),
            format!("\"\r\n{c}\"@a"),
            format!("a@{c}"),
            format!("a@[{c}]"),
            format!("a@[\\{c}]"),
            format!("a@[\r\n{c}]"),
        ]
    };
    (0..=0x80_u8).map(char::from).flat_map(places)
}

/// Compares addresses that are generated from RFC 822's rules, with literal and escaped
/// characters, after each scheme that has addresses.
pub(super) fn addresses(pair: &mut Pair, count: usize) {
    static RFC822: LazyLock<Grammar> = LazyLock::new(|| grammar("rfc822"));
    let mut generator = Generator::new(&RFC822, seed(pair.standard) + 822);
    let mut random = Random::new(seed(pair.standard) + 823);
    let generated = (0..count).map(|_| generator.generate(RFC822.start()));
    for address in all_characters_in_addresses().chain(generated) {
        if pair.is_done() {
            return;
        }
        for scheme in ["mailto:", "mid:", "cid:"] {
            let escaped = address.bytes().map(|byte| format!("%{byte:02X}"));
            pair.judge(&escaped.fold(scheme.to_owned(), |text, byte| text + &byte));
            let mut text = scheme.to_owned();
            for byte in address.bytes() {
                let escape = random.chance(50) || matches!(byte, 0..=32 | b'#' | b'%' | 127..);
                let _ = match (escape, random.chance(50)) {
                    (false, _) => write!(text, "{}", char::from(byte)),
                    (true, false) => write!(text, "%{byte:02x}"),
                    (true, true) => write!(text, "%{byte:02X}"),
                };
            }
            pair.judge(&text);
        }
    }
}

/// Runs all comparisons for one standard.
fn agree(standard: Standard) {
    let grammar = grammar(standard.name());
    let mut pair = Pair::new(standard, &grammar, false);
    println!("{}", made(&mut pair, &grammar, GENERATED, MUTATED));
    all_short(&mut pair, "", 4);
    for before in BEFORE {
        all_short(&mut pair, before, 3);
    }
    addresses(&mut pair, 20_000);
    for text in references().iter().chain(rejects()) {
        pair.judge(text);
    }
    // Text generated from other standards' rules is nearly valid under this one.
    for other in Standard::ALL {
        let grammar = super::grammar(other.name());
        let mut generator = Generator::new(&grammar, seed(other) + 100);
        for _ in 0..10_000 {
            pair.judge(&generator.generate(grammar.start()));
        }
    }
    pair.assert_agreement();
    println!("{standard}: {} strings agree", pair.judged);
    if grammar.generic().is_some() {
        let mut pair = Pair::new(standard, &grammar, true);
        println!("{}", made(&mut pair, &grammar, GENERATED, MUTATED));
        all_short(&mut pair, "", 4);
        for before in BEFORE {
            all_short(&mut pair, before, 2);
        }
        pair.assert_agreement();
        println!("{standard} (generic): {} strings agree", pair.judged);
    }
}

#[test]
fn rfc1630() {
    agree(Standard::Rfc1630);
}

#[test]
fn rfc1738() {
    agree(Standard::Rfc1738);
}

#[test]
fn rfc1808() {
    agree(Standard::Rfc1808);
}

#[test]
fn rfc2396() {
    agree(Standard::Rfc2396);
}

#[test]
fn rfc2732() {
    agree(Standard::Rfc2732);
}

#[test]
fn rfc3986() {
    agree(Standard::Rfc3986);
}

#[test]
fn rfc3987() {
    agree(Standard::Rfc3987);
}
