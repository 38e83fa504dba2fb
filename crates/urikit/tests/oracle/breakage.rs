//! Each broken rule of `spec/abnf/` makes a test fail. For every rule of every file, the test
//! removes each alternative, makes the rule empty, or adds a character.

use super::agreement::{Pair, addresses, all_short, made};
use super::components::{broken_address, broken_claim};
use super::{classes, grammar, references, rejects};
use urikit::Standard;
use urikit_testkit::abnf::{Breakage, Grammar, Recogniser, difference};

/// Returns whether the quick checks notice a broken grammar: the constants, the rows of
/// `testdata/`, and a few generated strings.
fn is_noticed_quickly(standard: Standard, broken: &Grammar) -> bool {
    if !classes::differences(standard.name(), broken).is_empty() {
        return true;
    }
    let mut pair = Pair::until_disagreement(standard, broken, false);
    for text in references().iter().chain(rejects()) {
        pair.judge(text);
        if pair.disagreement.is_some() {
            return true;
        }
    }
    addresses(&mut pair, 300);
    made(&mut pair, broken, 500, 500);
    pair.disagreement.is_some() || broken_claim(standard, broken, 100).is_some()
}

/// Returns whether a tenth of the tests' comparisons notices a broken grammar.
fn is_noticed(standard: Standard, broken: &Grammar) -> bool {
    let mut pair = Pair::until_disagreement(standard, broken, false);
    made(&mut pair, broken, 12_000, 12_000);
    addresses(&mut pair, 2_000);
    all_short(&mut pair, "", 3);
    if pair.disagreement.is_some() {
        return true;
    }
    if broken.generic().is_some() {
        let mut pair = Pair::until_disagreement(standard, broken, true);
        made(&mut pair, broken, 12_000, 12_000);
        if pair.disagreement.is_some() {
            return true;
        }
    }
    broken_claim(standard, broken, 5_000).is_some()
}

/// Returns whether a breakage changes the language of the rule, the start rule or the generic one.
///
/// Removing an alternative has no visible effect if another alternative matches the same text, for
/// example if `-` is listed twice. (`reg_name` matches everything that `server` matches, but
/// `server` is checked separately.)
fn changes_something(sound: &Grammar, broken: &Grammar, rule: &str) -> bool {
    let mut starts = vec![rule, sound.start()];
    starts.extend(sound.generic());
    starts.into_iter().any(|start| {
        difference(
            &mut Recogniser::new(sound, start),
            &mut Recogniser::new(broken, start),
        )
        .is_some()
    })
}

/// Breaks every rule of one file in every way.
fn break_all(standard: Standard) {
    let sound = grammar(standard.name());
    assert!(
        !is_noticed_quickly(standard, &sound),
        "the sound grammar passes"
    );
    let (mut noticed, mut silent, mut missed) = (0, 0, Vec::new());
    for rule in sound.rules() {
        // Rules taken from another file are broken in that file.
        if rule
            .file
            .file_stem()
            .is_none_or(|stem| stem != standard.name())
        {
            continue;
        }
        for breakage in sound.breakages(&rule.name) {
            let broken = sound
                .broken(&rule.name, breakage)
                .expect("a breakage of the rule");
            if is_noticed_quickly(standard, &broken) {
                noticed += 1;
            } else if matches!(breakage, Breakage::WithoutAlternative(_))
                && !changes_something(&sound, &broken, &rule.name)
            {
                silent += 1;
            } else if is_noticed(standard, &broken) {
                noticed += 1;
            } else {
                missed.push(format!(
                    "{}: {breakage:?} ({:?})",
                    rule.name,
                    sound.ways(&rule.name)
                ));
            }
        }
    }
    println!("{standard}: {noticed} breakages noticed, {silent} change nothing");
    assert!(
        missed.is_empty(),
        "{standard}: not noticed:\n{}",
        missed.join("\n")
    );
}

#[test]
fn rfc1630() {
    break_all(Standard::Rfc1630);
}

#[test]
fn rfc1738() {
    break_all(Standard::Rfc1738);
}

#[test]
fn rfc1808() {
    break_all(Standard::Rfc1808);
}

#[test]
fn rfc2396() {
    break_all(Standard::Rfc2396);
}

#[test]
fn rfc2732() {
    break_all(Standard::Rfc2732);
}

#[test]
fn rfc3986() {
    break_all(Standard::Rfc3986);
}

#[test]
fn rfc3987() {
    break_all(Standard::Rfc3987);
}

#[test]
fn rfc822() {
    let sound = grammar("rfc822");
    for rule in sound.rules() {
        for breakage in sound.breakages(&rule.name) {
            let broken = sound
                .broken(&rule.name, breakage)
                .expect("a breakage of the rule");
            let is_noticed = !classes::differences("rfc822", &broken).is_empty()
                || broken_address(&broken, 5_000).is_some();
            let is_silent = matches!(breakage, Breakage::WithoutAlternative(_))
                && !changes_something(&sound, &broken, &rule.name);
            assert!(is_noticed || is_silent, "{}: {breakage:?}", rule.name);
        }
    }
}
