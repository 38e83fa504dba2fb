//! The grammars under `spec/abnf` are complete and sound, and agree with each other.

#![allow(clippy::panic)] // a test fails by panicking

use urikit_oracle::{Generator, Grammar, Mutator, Random, Recogniser, dir, names};

fn grammar(name: &str) -> Grammar {
    Grammar::load(&dir(), name).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_rule_is_defined_productive_and_has_its_section() {
    let names = names();
    assert!(names.len() > 8, "{names:?}");
    for name in names {
        let grammar = grammar(&name);
        assert_eq!(grammar.unproductive(), [""; 0], "{name}");
        for rule in grammar.rules() {
            assert!(
                rule.section.is_some(),
                "{}:{}: {} cites no section",
                rule.file.display(),
                rule.line,
                rule.name
            );
        }
        assert!(
            grammar.generic().is_some() == ["rfc1630", "rfc1738"].contains(&name.as_str()),
            "{name}"
        );
    }
}

#[test]
fn rfc2732_changes_rfc2396() {
    let grammar = grammar("rfc2732");
    let own: Vec<&str> = grammar
        .rules()
        .iter()
        .filter(|rule| rule.file.ends_with("rfc2732.abnf"))
        .map(|rule| rule.name.as_str())
        .collect();
    assert_eq!(own.len(), 6, "{own:?}");
    assert_eq!(grammar.section("pchar"), Some("RFC 2396, 3.3"));
    assert_eq!(grammar.section("rfc3986-ls32"), Some("RFC 3986, 3.2.2"));
    assert_eq!(grammar.section("host"), Some("RFC 2732, 3"));
}

#[test]
fn character_classes_agree_with_the_rfcs() {
    let rfc822 = grammar("rfc822");
    let set = |rule: &str| {
        rfc822
            .byte_set(rule)
            .unwrap_or_else(|| panic!("{rule} is not a set"))
    };
    let (chars, specials, space, controls, atoms) = (
        set("CHAR"),
        set("specials"),
        set("SPACE"),
        set("CTL"),
        set("atom-char"),
    );
    for byte in 0..256 {
        assert_eq!(
            atoms[byte],
            chars[byte] && !specials[byte] && !space[byte] && !controls[byte],
            "{byte}"
        );
    }
    let old = grammar("rfc2396");
    let new = grammar("rfc2732");
    for byte in 0..=255_u8 {
        let moved = matches!(byte, b'[' | b']');
        let at = usize::from(byte);
        assert_eq!(
            new.byte_set("reserved").unwrap()[at],
            old.byte_set("reserved").unwrap()[at] || moved
        );
        assert_eq!(
            new.byte_set("unwise").unwrap()[at],
            old.byte_set("unwise").unwrap()[at] && !moved
        );
    }
    assert!(new.byte_set("pchar").is_none() && new.single_bytes("pchar")[usize::from(b'@')]);
}

/// Percent-decodes a string. Returns `None` if the result is not US-ASCII.
fn decoded(encoded: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = encoded.chars();
    while let Some(c) = rest.next() {
        if c == '%' {
            let digits: String = rest.by_ref().take(2).collect();
            text.push(char::from(u8::from_str_radix(&digits, 16).ok()?));
        } else {
            text.push(c);
        }
    }
    text.is_ascii().then_some(text)
}

/// Two files define the encoded addr-spec. The encoded addr-spec must be RFC 822's addr-spec in
/// percent-encoded form: a string of allowed characters and percent-encoded octets matches exactly
/// if its decoded form is an addr-spec.
#[test]
fn the_encoded_addr_spec_is_that_of_rfc822() {
    let rfc822 = grammar("rfc822");
    let mut plain = Recogniser::new(&rfc822, rfc822.start());
    for name in ["rfc1630", "rfc1738"] {
        let grammar = grammar(name);
        let mut encoded = Recogniser::new(&grammar, "e-addr-spec");
        let literals = grammar.single_bytes("e-char");
        let mut random = Random::new(822);
        let mut generator = Generator::new(&rfc822, 822);
        let mut changes = Mutator::new(822);
        let (mut good, mut bad) = (0, 0);
        for _ in 0..40_000 {
            let mut address = generator.generate("addr-spec");
            if random.chance(60) {
                address = changes.mutate(&address, "\"x\"@[y]");
            }
            let mut text = String::new();
            for c in address.chars() {
                let fits = u8::try_from(c).is_ok_and(|byte| literals[usize::from(byte)]);
                if fits && random.chance(70) {
                    text.push(c);
                } else {
                    let byte = u8::try_from(c).unwrap_or(0xFF);
                    let escape = format!("%{byte:02X}");
                    text += &if random.chance(50) {
                        escape
                    } else {
                        escape.to_lowercase()
                    };
                }
            }
            let expected = decoded(&text).is_some_and(|text| plain.judge(&text).valid);
            assert_eq!(encoded.judge(&text).valid, expected, "{name}: {text}");
            if expected { good += 1 } else { bad += 1 }
        }
        assert!(good > 10_000 && bad > 10_000, "{good} {bad}");
    }
}
