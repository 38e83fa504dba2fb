//! Tests the reader, the oracle and the generator on small grammars, for which the results can be
//! worked out by hand.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use urikit_oracle::*;

fn grammar(rules: &str) -> Grammar {
    Grammar::from_text("tiny", &format!("; @start s\n{rules}\n")).unwrap()
}

fn load_error(rules: &str) -> String {
    Grammar::from_text("tiny", &format!("; @start s\n{rules}\n"))
        .unwrap_err()
        .to_string()
}

/// Judges `input` by the rule `s`. Returns `Ok` if the input is valid, and otherwise the length of
/// its viable prefix.
fn judge(rules: &str, input: &str) -> Result<(), usize> {
    let Judgement { valid, viable } = Recogniser::new(&grammar(rules), "s").judge(input);
    if valid { Ok(()) } else { Err(viable) }
}

#[test]
fn strings_are_case_insensitive_and_values_are_not() {
    assert_eq!(judge("s = \"aB1\"", "Ab1"), Ok(()));
    assert_eq!(judge("s = %x61.42.31", "aB1"), Ok(()));
    assert_eq!(judge("s = %x61.42.31", "ab1"), Err(1));
    assert_eq!(judge("s = %d97-99 %b110001", "c1"), Ok(()));
}

#[test]
fn repetitions_respect_their_bounds() {
    for (rules, shortest, longest) in [
        ("s = *\"a\" \"b\"", 0, 9),
        ("s = 1*\"a\" \"b\"", 1, 9),
        ("s = 2*3\"a\" \"b\"", 2, 3),
        ("s = *2\"a\" \"b\"", 0, 2),
        ("s = 2\"a\" \"b\"", 2, 2),
        ("s = 0\"a\" \"b\"", 0, 0),
        ("s = [ \"a\" ] \"b\"", 0, 1),
    ] {
        for times in 0..=9 {
            let expected = match times {
                few if few < shortest => Err(few),
                many if many > longest => Err(longest),
                _ => Ok(()),
            };
            assert_eq!(
                judge(rules, &("a".repeat(times) + "b")),
                expected,
                "{rules} {times}"
            );
        }
    }
}

#[test]
fn concatenation_binds_tighter_than_alternation_and_comments_are_ignored() {
    let rules = "s = \"a\" \"b\" ; first\n  / \"c\" ( \"d\" / \"e;\" ) ; \"second\"\n";
    for valid in ["ab", "cd", "ce;"] {
        assert_eq!(judge(rules, valid), Ok(()), "{valid}");
    }
    assert_eq!(judge(rules, "ad"), Err(1));
    assert_eq!(judge(rules, "c"), Err(1));
    assert_eq!(judge(rules, "cd;"), Err(2));
}

#[test]
fn names_are_case_insensitive_and_incremental_alternatives_are_added() {
    let rules = "s = Gopher+_String\ngopher+_string = \"a\"\nGOPHER+_STRING =/ \"b\"";
    assert_eq!(judge(rules, "b"), Ok(()));
    assert_eq!(judge(rules, "a"), Ok(()));
}

#[test]
fn right_recursion_does_not_grow() {
    let rules = "s = x [ s ]\nx = \"a\" / \"b\"";
    let mut recogniser = Recogniser::new(&grammar(rules), "s");
    assert!(recogniser.judge(&"ab".repeat(10_000)).valid);
    assert!(recogniser.states() < 5, "{} states", recogniser.states());
}

#[test]
fn offsets_count_bytes_and_terminals_are_characters() {
    let rules = "s = *%xE9-EF \"a\"";
    assert_eq!(judge(rules, "éêa"), Ok(()));
    assert_eq!(judge(rules, "éêb"), Err(4));
    assert_eq!(judge(rules, "é\u{10FFFF}"), Err(2));
}

#[test]
fn elements_that_match_nothing_are_not_viable() {
    let grammar = grammar("s = \"a\" ( x / \"b\" )\nx = \"c\" nothing\nnothing = \"d\" nothing");
    assert_eq!(grammar.unproductive(), ["x", "nothing"]);
    let mut recogniser = Recogniser::new(&grammar, "s");
    assert_eq!(
        recogniser.judge("acd"),
        Judgement {
            valid: false,
            viable: 1
        }
    );
    assert_eq!(
        recogniser.judge("ab"),
        Judgement {
            valid: true,
            viable: 2
        }
    );
    assert_eq!(
        Recogniser::new(&grammar, "x").judge("c"),
        Judgement {
            valid: false,
            viable: 0
        }
    );
}

#[test]
fn an_exception_excludes_complete_strings() {
    let rules = "s = <name except \"ab\" / \"abcd\"> \":\" [ \"x\" ]\nname = 1*%x61-7A";
    for valid in ["a:", "abc:x", "abcde:", "b:"] {
        assert_eq!(judge(rules, valid), Ok(()), "{valid}");
    }
    assert_eq!(judge(rules, "ab:"), Err(2));
    assert_eq!(judge(rules, "abcd:x"), Err(4));
    let caseless = "s = <name except \"ab\">\nname = 1*( %x61-7A / %x41-5A )";
    let by_case = "s = <name except by case \"ab\">\nname = 1*( %x61-7A / %x41-5A )";
    assert_eq!(
        (judge(caseless, "aB"), judge(by_case, "aB")),
        (Err(2), Ok(()))
    );
    assert_eq!(
        (judge(caseless, "aBc"), judge(by_case, "ab")),
        (Ok(()), Err(2))
    );
}

#[test]
fn an_exception_that_leaves_nothing_is_not_viable() {
    let rules = "s = <name except \"ab\" / \"cd\"> / \"x\"\nname = \"a\" \"b\" / \"cd\" / \"ce\"";
    assert_eq!(judge(rules, "ab"), Err(0));
    assert_eq!(judge(rules, "cd"), Err(1));
    assert_eq!(judge(rules, "ce"), Ok(()));
}

#[test]
fn errors_name_file_and_line() {
    for (rules, expected) in [
        ("s = a", "tiny:2: s uses a, which is not defined"),
        ("\ns = \"a", "tiny:3: s: expected '\"' before the end"),
        ("s = ( \"a\"", "tiny:2: s: expected ')' but found \"\""),
        (
            "s = \"a\" )",
            "tiny:2: s: expected an element but found \")\"",
        ),
        ("s = \"a\"\ns = \"b\"", "tiny:3: s is defined twice"),
        (
            "s = t \"a\"\nt = [ \"x\" ] s",
            "tiny:2: s is left-recursive",
        ),
        ("s = <some prose>", "tiny:2: s: unknown prose: <some prose>"),
        ("9s = \"a\"", "tiny:2: \"9s\" is not a valid rule name"),
        ("; @stop s\ns = \"a\"", "tiny:2: unknown directive @stop s"),
        ("t = \"a\"", "tiny:0: the start rule s is not defined"),
        (
            "; @extends other\ns = \"a\"",
            "other:0: the file does not exist",
        ),
    ] {
        assert_eq!(load_error(rules), expected);
    }
}

#[test]
fn the_section_is_in_the_line_above() {
    let grammar = grammar(
        "; [RFC 3986, 3.1]\ns = a ; a comment\n  b\n; [RFC 3986, 3.2]\n\na = \"a\"\n\
         ; NOTE: x\n; [RFC 1630, FTP]\nb = \"b\"",
    );
    assert_eq!(grammar.section("s"), Some("RFC 3986, 3.1"));
    assert_eq!(grammar.section("a"), None);
    assert_eq!(grammar.section("b"), Some("RFC 1630, FTP"));
    assert_eq!(grammar.rule("S").unwrap().text, "a b");
}

#[test]
fn sets_consist_of_single_characters() {
    let grammar = grammar(
        "s = a / \"b\" / %x80-FF\na = \"c\" / %x41-43\n\
         t = a / \"de\"\nu = \"d\" *a\nv = v2 / \"a\"\nv2 = \"b\" / \"x\" v",
    );
    assert_eq!(
        grammar.characters("s"),
        Some(vec![(0x41, 0x43), (0x62, 0x63), (0x80, 0xFF)])
    );
    assert!(!grammar.accepts_only_single_bytes("s") && grammar.accepts_only_single_bytes("a"));
    let bytes = grammar.byte_set("s").unwrap();
    assert!(bytes[0x42] && bytes[0x63] && !bytes[0x44] && !bytes[0x80]);
    assert_eq!(
        ["t", "u", "v"].map(|rule| grammar.byte_set(rule)),
        [None, None, None]
    );
    let alone = grammar.single_bytes("u");
    assert!(alone[0x64] && alone[0x44] && alone.iter().filter(|set| **set).count() == 2);
}

#[test]
fn every_way_is_numbered_and_can_be_broken() {
    let grammar = grammar("s = \"a\" / [ \"b\" ] 1*\"c\"\nt = *3( \"d\" / %x45 )");
    assert_eq!(
        grammar.ways("s"),
        [
            "\"a\"",
            "[ \"b\" ] 1*\"c\"",
            "[ \"b\" ]: taken",
            "[ \"b\" ]: not taken",
            "1*\"c\": 1",
            "1*\"c\": more"
        ]
    );
    let repeat = "*3( \"d\" / %x45 )";
    assert_eq!(
        grammar.ways("t"),
        [
            repeat,
            &format!("{repeat}: 0"),
            &format!("{repeat}: 1"),
            &format!("{repeat}: more"),
            "\"d\"",
            "%x45"
        ]
    );
    let differ = |rule: &str, breakage| {
        let broken = grammar.broken(rule, breakage).unwrap();
        difference(
            &mut Recogniser::new(&grammar, rule),
            &mut Recogniser::new(&broken, rule),
        )
        .unwrap()
    };
    let shortest = ["a", "c", "bc", "c", "c", "cc"];
    for (way, shortest) in shortest.into_iter().enumerate() {
        let witness = differ("s", Breakage::WithoutAlternative(way));
        assert_eq!(witness.to_lowercase(), shortest, "way {way}");
    }
    for (way, shortest) in ["", "", "E", "EE", "d", "E"].into_iter().enumerate() {
        let witness = differ("t", Breakage::WithoutAlternative(way));
        assert_eq!(witness.len(), shortest.len(), "way {way}");
    }
    assert_eq!(differ("s", Breakage::AlsoMatches('^')), "^");
    assert_eq!(differ("t", Breakage::MatchesNothing), "");
    assert!(
        grammar
            .broken("s", Breakage::WithoutAlternative(6))
            .is_none()
    );
    assert!(
        grammar.broken("no", Breakage::MatchesNothing).is_none()
            && grammar.breakages("no").is_empty()
    );
    assert_eq!(grammar.breakages("s").len(), 8);
}

#[test]
fn equal_languages_have_no_difference() {
    let one = grammar("s = *( \"a\" / \"b\" )");
    let other = grammar("s = [ x s ]\nx = \"a\" / \"b\" / \"a\"");
    assert_eq!(
        difference(
            &mut Recogniser::new(&one, "s"),
            &mut Recogniser::new(&other, "s")
        ),
        None
    );
}

#[test]
fn the_generator_reaches_rare_alternatives() {
    let mut rules = String::from("s = \"x\" *s / r0\n");
    for at in 0..20 {
        let rule = format!("r{at} = \"y\" / \"(\" r{} \")\"\n", at + 1);
        rules += &rule;
    }
    rules += "r20 = \"a\" / [ \"b\" ] 2*4\"c\"\nunused = \"u\"\n";
    let grammar = grammar(&rules);
    let mut generator = Generator::new(&grammar, 1);
    let mut recogniser = Recogniser::new(&grammar, "s");
    for _ in 0..2000 {
        let made = generator.generate("s");
        assert!(recogniser.judge(&made).valid, "{made}");
    }
    let coverage = generator.coverage();
    assert!(coverage.iter().all(|row| row.rule != "unused"));
    let rarest = coverage.iter().min_by_key(|row| row.count).unwrap();
    assert!(rarest.count >= 20, "{rarest:?}");
}

#[test]
fn the_same_seed_makes_the_same_strings() {
    let grammar = grammar("s = *( \"a\" / \"b\" / %x63-7A ) [ \"0\" ]");
    let run = |seed| {
        let (mut generator, mut mutator) = (Generator::new(&grammar, seed), Mutator::new(seed));
        let strings: Vec<String> = (0..50)
            .map(|_| mutator.mutate(&generator.generate("s"), "http://a/b"))
            .collect();
        strings
    };
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}

#[test]
fn broken_grammars_and_empty_strings_are_handled() {
    let grammar = grammar("s = [ \"a\" ] ( x / \"b\" )\nx = \"c\"");
    let broken = grammar.broken("x", Breakage::MatchesNothing).unwrap();
    let mut generator = Generator::new(&broken, 3);
    for _ in 0..100 {
        let made = generator.generate("s").to_lowercase();
        assert!(made == "b" || made == "ab", "{made}");
    }
    assert_eq!(generator.generate("x"), "");
    assert!(
        generator.coverage().iter().all(|row| row.count > 0),
        "{:?}",
        generator.coverage()
    );
    let mut mutator = Mutator::new(5);
    for _ in 0..1000 {
        mutator.mutate("", "");
    }
}
