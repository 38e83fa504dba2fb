//! Every constant of the grammar equals its rule.

use super::grammar;
use urikit::grammar::{self as constants, Beyond, Class, Rule};
use urikit_testkit::abnf::{Grammar, Recogniser};

/// The constants for one file: its name, the prefix of rule names in it, the classes and the
/// rules.
type Constants = (
    &'static str,
    &'static str,
    &'static [&'static Class],
    &'static [&'static Rule],
);

macro_rules! constants {
    ($file:ident) => {
        constants!($file, "", $file)
    };
    ($file:ident, $prefix:literal, $($path:ident)::+) => {
        (
            stringify!($file),
            $prefix,
            constants::$($path)::+::CLASSES,
            constants::$($path)::+::RULES,
        )
    };
}

const ALL: [Constants; 10] = [
    constants!(rfc822),
    constants!(rfc1630),
    constants!(rfc1630, "generic-", rfc1630::generic),
    constants!(rfc1738),
    constants!(rfc1808),
    constants!(rfc2396),
    constants!(rfc2732),
    constants!(rfc3986),
    constants!(rfc3987),
    // RFC 3987 repeats rules of RFC 3986, which its file imports.
    ("rfc3986", "", &[], constants::rfc3987::REPEATED_RULES),
];

/// The first and last characters of each range of RFC 3987, 2.2, and their neighbours.
fn edges() -> impl Iterator<Item = char> {
    const FIRST_PLANE: [u32; 17] = [
        0x80, 0x9F, 0xA0, 0xA1, 0xD7FE, 0xD7FF, 0xE000, 0xE001, 0xF8FF, 0xF900, 0xFDCF, 0xFDD0,
        0xFDEF, 0xFDF0, 0xFFEF, 0xFFF0, 0xFFFF,
    ];
    let others = (1..=16).flat_map(|plane: u32| {
        [0, 1, 0x0FFF, 0x1000, 0xFFFD, 0xFFFE, 0xFFFF].map(|code| plane << 16 | code)
    });
    FIRST_PLANE
        .into_iter()
        .chain(others)
        .filter_map(char::from_u32)
}

/// Returns the name of a rule in the file, which distinguishes the two parts of RFC 1630.
fn name_in(grammar: &Grammar, prefix: &str, name: &str) -> Option<String> {
    [format!("{prefix}{name}"), name.to_owned()]
        .into_iter()
        .find(|name| grammar.rule(name).is_some())
}

/// Returns the differences between the constants and the rules of one file.
pub(super) fn differences(file: &str, grammar: &Grammar) -> Vec<String> {
    let mut found = Vec::new();
    for (_, prefix, classes, rules) in ALL.iter().filter(|constants| constants.0 == file) {
        for class in *classes {
            found.extend(class_differs(grammar, prefix, class));
        }
        for rule in *rules {
            if name_in(grammar, prefix, rule.name()).is_none() {
                found.push(format!("{file}: no rule {}", rule.name()));
            }
        }
    }
    found
}

/// Returns whether a class differs from its rule in any of the 256 bytes, in escapes, or in
/// non-ASCII characters.
fn class_differs(grammar: &Grammar, prefix: &str, class: &Class) -> Option<String> {
    let name = class.rule().name();
    let Some(rule) = name_in(grammar, prefix, name) else {
        return Some(format!("no rule {name}"));
    };
    let mut recogniser = Recogniser::new(grammar, &rule);
    let mut is_match = |character: &str| {
        let text = format!("{}{character}{}", class.after(), class.before());
        recogniser.judge(&text).valid
    };
    for byte in 0..=u8::MAX {
        // A non-ASCII byte is not a character by itself and matches nothing.
        let expected = byte.is_ascii() && is_match(&char::from(byte).to_string());
        if class.set().contains(byte) != expected {
            return Some(format!(
                "{name}: byte {byte:#04x} is {expected} in the rule"
            ));
        }
    }
    // Where `%` is an ordinary character, as in RFC 822, `%4f` is three characters.
    let has_escapes = !class.set().contains(b'%') && is_match("%4f");
    if class.has_escapes() != has_escapes {
        return Some(format!("{name}: escapes differ"));
    }
    let beyond = class.beyond();
    for c in edges() {
        if beyond.contains(c) != is_match(c.encode_utf8(&mut [0; 4])) {
            return Some(format!("{name}: U+{:04X} differs", u32::from(c)));
        }
    }
    None
}

#[test]
fn every_constant_equals_its_rule() {
    let mut sets = 0;
    for file in [
        "rfc822", "rfc1630", "rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986", "rfc3987",
    ] {
        let found = differences(file, &grammar(file));
        assert!(found.is_empty(), "{file}:\n{}", found.join("\n"));
        sets += ALL
            .iter()
            .filter(|all| all.0 == file)
            .map(|all| all.2.len())
            .sum::<usize>();
    }
    println!("{sets} sets equal their rules for all 256 bytes");
}

#[test]
fn every_rule_has_its_section() {
    for (file, prefix, classes, rules) in ALL {
        let grammar = grammar(file);
        let all = classes
            .iter()
            .map(|class| class.rule())
            .chain(rules.iter().copied());
        for rule in all {
            let name = name_in(&grammar, prefix, rule.name()).expect("it is in the file");
            let section = grammar.section(&name).expect("every rule has its section");
            let is_same = section == rule.section()
                // The generic part and RFC 3987 share rules that the file defines only once.
                || (prefix == "generic-" && !name.starts_with(prefix))
                || rule.section().starts_with("RFC 3987");
            assert!(
                is_same,
                "{file}: {} is in {section}, not {}",
                rule.name(),
                rule.section()
            );
        }
    }
}

#[test]
fn characters_beyond_ascii_are_the_rfc_s() {
    // The first and last characters of the ranges in RFC 3987, 2.2, copied by hand.
    for (first, last) in [
        (0xA0, 0xD7FF),
        (0xF900, 0xFDCF),
        (0xFDF0, 0xFFEF),
        (0xE_1000, 0xE_FFFD),
    ] {
        assert!(Beyond::Ucschar.contains(char::from_u32(first).unwrap()));
        assert!(Beyond::Ucschar.contains(char::from_u32(last).unwrap()));
        for outside in [first - 1, last + 1] {
            let is_in = char::from_u32(outside).is_some_and(|c| Beyond::Ucschar.contains(c));
            assert!(!is_in, "{outside:04X}");
        }
    }
}
