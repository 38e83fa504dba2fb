//! The generator takes every alternative, the oracle agrees with it, and each broken rule shows.

use std::path::PathBuf;

use urikit_testkit::abnf::{Breakage, Generator, Grammar, Mutator, Recogniser, difference};

const STANDARDS: [&str; 8] = [
    "rfc1630", "rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986", "rfc3987", "rfc822",
];

fn grammar(name: &str) -> Grammar {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../spec/abnf");
    Grammar::load(&dir, name).unwrap_or_else(|error| panic!("{error}"))
}

/// Generates so many strings, and gives the count of the rarest alternative.
fn rarest(name: &str, strings: u64, report: bool) -> u64 {
    let grammar = grammar(name);
    let mut generator = Generator::new(&grammar, 3986);
    let mut recogniser = Recogniser::new(&grammar, grammar.start());
    let mut mutator = Mutator::new(3986);
    let (mut last, mut bytes, mut longest, mut still_valid) = (String::new(), 0, 0, 0);
    for _ in 0..strings {
        let made = generator.generate(grammar.start());
        assert!(recogniser.judge(&made).valid, "{name}: {made:?}");
        bytes += made.len();
        longest = longest.max(made.len());
        let near = mutator.mutate(&made, &last);
        still_valid += u64::from(recogniser.judge(&near).valid);
        last = made;
    }
    let coverage = generator.coverage();
    let rules = grammar.reachable(grammar.start());
    for rule in &rules {
        assert!(
            coverage.iter().any(|row| row.rule == *rule),
            "{name}: no row for {rule}"
        );
    }
    let row = coverage
        .iter()
        .min_by_key(|row| row.count)
        .expect("every grammar has alternatives");
    if report {
        println!(
            "{name}: {} rules, {} ways, rarest {} ({}: {}), mean length {}, longest {longest}, {}% valid when changed, {} states",
            rules.len(),
            coverage.len(),
            row.count,
            row.rule,
            row.alternative,
            bytes as u64 / strings,
            still_valid * 100 / strings,
            recogniser.states(),
        );
    }
    row.count
}

#[test]
fn every_alternative_is_taken() {
    for name in STANDARDS {
        let count = rarest(name, 5000, false);
        assert!(count >= 3, "{name}: {count}");
    }
}

#[test]
#[ignore = "200,000 strings a standard: run with --release -- --ignored --nocapture"]
fn every_alternative_is_taken_a_hundred_times() {
    for name in STANDARDS {
        let count = rarest(name, 200_000, true);
        assert!(count >= 100, "{name}: {count}");
    }
}

/// For each rule that the start rule needs, some breakage changes the language; the shortest string that shows it is judged
/// differently by the broken grammar. Where alternatives overlap, some breakages change nothing.
#[test]
#[ignore = "compares some two thousand pairs of automata: run with --release -- --ignored --nocapture"]
fn each_broken_rule_shows() {
    for name in STANDARDS {
        let grammar = grammar(name);
        let mut sound = Recogniser::new(&grammar, grammar.start());
        let (mut shown, mut silent) = (0, Vec::new());
        for rule in grammar.reachable(grammar.start()) {
            let before = shown;
            for breakage in grammar.breakages(rule) {
                let broken = grammar
                    .broken(rule, breakage)
                    .expect("it is one of the rule's breakages");
                let mut broken = Recogniser::new(&broken, grammar.start());
                match difference(&mut sound, &mut broken) {
                    Some(witness) => {
                        assert_ne!(
                            sound.judge(&witness).valid,
                            broken.judge(&witness).valid,
                            "{name} {rule} {breakage:?}"
                        );
                        shown += 1;
                    }
                    None => {
                        assert!(
                            !matches!(breakage, Breakage::AlsoMatches(_)),
                            "{name} {rule} {breakage:?}"
                        );
                        silent.push((rule, breakage));
                    }
                }
            }
            assert!(
                shown > before,
                "{name}: nothing shows that {rule} is broken"
            );
        }
        println!(
            "{name}: {shown} breakages show, {} change no verdict",
            silent.len()
        );
    }
}
