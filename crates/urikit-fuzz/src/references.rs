//! The checks for parsing, scanning, normalizing, resolving and converting references.

use crate::input;
use crate::input::components;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use urikit::internal::fast;
use urikit::op::repair::{Repaired, repair_for};
use urikit::op::{
    AboveRoot, Equivalence, Level, Options, RelativeOptions, RepairError, SameScheme, SlashRule,
};
use urikit::{
    AnyRef, Iri, IriRef, ParseError, Standard, Uri, UriRef, limit_scanner, repair as repair_text,
};
use urikit_testkit::abnf::{Grammar, Judgement, Recogniser, dir};

/// The maximum length of the input. The oracle needs microseconds per octet, and longer inputs
/// reveal nothing new.
const LONGEST: usize = 256;

thread_local! {
    static ORACLES: RefCell<HashMap<(Standard, bool), Recogniser>> = RefCell::default();
}

fn judge(standard: Standard, is_generic: bool, text: &str) -> Judgement {
    ORACLES.with_borrow_mut(|oracles| {
        let oracle = oracles.entry((standard, is_generic)).or_insert_with(|| {
            let grammar = Grammar::load(&dir(), standard.name()).unwrap();
            let start = if is_generic {
                grammar.generic().unwrap()
            } else {
                grammar.start()
            };
            Recogniser::new(&grammar, start)
        });
        oracle.judge(text)
    })
}

fn agree(text: &str, found: Result<AnyRef<'_>, ParseError>, oracle: Judgement) {
    match found {
        Ok(reference) => {
            assert!(
                oracle.valid,
                "{text:?}: valid, but the oracle returns {oracle:?}"
            );
            assert_eq!(reference.as_str(), text);
        }
        Err(error) => {
            assert!(
                !oracle.valid,
                "{text:?}: {error}, but the oracle accepts it"
            );
            assert_eq!(error.offset(), oracle.viable, "{text:?}: {error}");
            // The description of an error must not panic.
            assert!(!error.to_string().is_empty());
        }
    }
}

/// Checks parsing. The first octet selects a standard, and the rest is the text to parse.
pub(crate) fn parse(data: &[u8]) {
    let Some((standard, text)) = input::by_standard(data) else {
        return;
    };
    if text.len() > LONGEST {
        return;
    }
    let found = standard.parse(&text);
    assert_eq!(found.err(), standard.parse_const(&text).err(), "{text:?}");
    agree(&text, found, judge(standard, false, &text));
    if matches!(standard, Standard::Rfc1630 | Standard::Rfc1738) {
        let found = standard.parse_generic(&text);
        agree(&text, found, judge(standard, true, &text));
    }
}

/// The instruction sets that the scanner supports. The code for `portable` does not use masks.
const LEVELS: [&str; 6] = ["portable", "ssse3", "avx2", "avx512", "neon", "simd128"];

/// Checks the scanner. The first octet selects a standard, and the rest is text of any length.
pub(crate) fn scan(data: &[u8]) {
    // The selected instruction set applies to the entire process.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let Some((standard, text)) = input::by_standard(data) else {
        return;
    };
    let mut first = None;
    for level in LEVELS {
        if limit_scanner(level) {
            let found = all(standard, &text);
            let first = first.get_or_insert_with(|| found.clone());
            assert_eq!(*first, found, "{text:?} under {standard} at {level}");
        }
    }
    for level in LEVELS {
        limit_scanner(level);
    }
}

/// Returns all results that depend on the scanner.
fn all(standard: Standard, text: &str) -> Vec<String> {
    let repaired = urikit::repair(text).map(|repaired| (repaired.reference, repaired.changes));
    let mut found = vec![format!("{repaired:?}")];
    match standard.parse(text) {
        Err(error) => found.push(format!("{error:?}")),
        Ok(reference) => {
            found.push(format!(
                "{:?} {:?}",
                components(reference),
                reference.host_kind()
            ));
            for level in Level::ALL {
                let normal = reference.normalize_to(level);
                found.push(format!("{normal} {}", reference.is_normal(level)));
            }
            for pair in reference.query_pairs() {
                found.push(format!("{pair:?}"));
            }
            let parts = [
                reference.query(),
                reference.fragment(),
                reference.userinfo(),
            ];
            for part in parts.into_iter().flatten() {
                found.push(format!("{:?} {:?}", part.to_bytes(), part.decode_utf8()));
            }
        }
    }
    found
}

/// Checks normalizing. The first octet selects a standard, and the rest is the text to parse.
pub(crate) fn normalize(data: &[u8]) {
    let Some((standard, text)) = input::by_standard(data) else {
        return;
    };
    let both = [standard.parse(&text), standard.parse_generic(&text)];
    for reference in both.into_iter().flatten() {
        for level in Level::ALL {
            at(reference, level);
        }
    }
}

fn at(reference: AnyRef<'_>, level: Level) {
    let normal = reference.normalize_to(level);
    let place = format!("{reference:?} {level}: {normal:?}");
    let is_same = normal.as_str() == reference.as_str();
    assert_eq!(normal.is_borrowed(), is_same, "{place}");
    assert_eq!(reference.is_normal(level), is_same, "{place}");
    let mut without = String::new();
    fast::normalize_without(reference, level, &mut without);
    assert_eq!(normal.as_str(), without, "{place}");
    let again = if reference.is_generic() {
        reference.standard().parse_generic(normal.as_str())
    } else {
        reference.standard().parse(normal.as_str())
    };
    let again = again.unwrap_or_else(|error| panic!("{place}: {error}"));
    assert!(
        again.is_normal(level),
        "{place}, then {}",
        again.normalize_to(level)
    );
    for higher in Level::ALL.into_iter().filter(|higher| *higher > level) {
        let at_once = reference.normalize_to(higher);
        assert_eq!(
            again.normalize_to(higher),
            at_once,
            "{place}, then {higher}"
        );
    }
    let compared = reference.compare(again);
    assert!(
        compared.is_some_and(|by| by <= Equivalence::from(level)),
        "{place}: {compared:?}"
    );
}

/// The algorithms of the RFCs, written out step by step. The core's tests use the same file.
#[path = "../../urikit/tests/resolve/literal.rs"]
#[allow(unreachable_pub, dead_code)]
mod literal;

/// The maximum length of the input, because the literal algorithms take quadratic time.
const MAX_RESOLVED_INPUT: usize = 4096;

/// Checks resolving. The first octets select options and a standard; a base and a reference follow.
pub(crate) fn resolve(data: &[u8]) {
    let Some((choice, rest)) = input::choice(data) else {
        return;
    };
    let Some((standard, text)) = input::by_standard(rest) else {
        return;
    };
    let (base, reference) = input::two(&text);
    let (Ok(base), Ok(reference)) = (standard.parse(base), standard.parse(reference)) else {
        return;
    };
    // RFC 1738 does not define relative references.
    let is_rfc1738 = standard == Standard::Rfc1738;
    if base.scheme().is_none() || text.len() > MAX_RESOLVED_INPUT || is_rfc1738 {
        return;
    }
    let options = options(standard, choice);
    let mut target = String::from("before");
    let outcome = reference.resolve_into(base, options, &mut target);
    let target = target.strip_prefix("before").expect("appended");
    let Some((expected, meant)) = literal::resolve(base, reference, options) else {
        assert!(outcome.is_err(), "{base} {reference}: {target}");
        assert_eq!(target, "", "an error leaves the output unchanged");
        return;
    };
    assert!(
        outcome.is_ok(),
        "{base} {reference}: {outcome:?}, {expected}"
    );
    assert_eq!(target, expected, "{base} {reference} {options:?}");
    let parsed = standard.parse(target).expect("the target is valid");
    assert!(parsed.scheme().is_some());
    if let Some(meant) = meant {
        assert_eq!(literal::components(parsed), meant, "{base} {reference}");
    }
}

/// Returns options for the choices that a standard leaves open.
fn options(standard: Standard, choice: usize) -> Options {
    let above_root = match standard {
        Standard::Rfc1808 | Standard::Rfc2396 | Standard::Rfc2732 => choice & 3,
        _ => 0,
    };
    Options {
        above_root: [
            None,
            Some(AboveRoot::Keep),
            Some(AboveRoot::Drop),
            Some(AboveRoot::Refuse),
        ][above_root],
        same_scheme: [SameScheme::Strict, SameScheme::Inherit][choice >> 2 & 1],
        slash_rule: [SlashRule::Examples, SlashRule::Text][choice >> 3 & 1],
    }
}

/// Checks relativizing. The first octet selects options, and the second selects a standard; a base
/// and a target follow.
pub(crate) fn relativize(data: &[u8]) {
    let Some((choice, rest)) = input::choice(data) else {
        return;
    };
    let Some((standard, text)) = input::by_standard(rest) else {
        return;
    };
    let (base, target) = input::two(&text);
    let (Ok(base), Ok(target)) = (standard.parse(base), standard.parse(target)) else {
        return;
    };
    let mut options = RelativeOptions::default();
    if choice & 1 > 0 {
        options = options.no_parent();
    }
    if choice & 2 > 0 {
        options = options.no_absolute_path();
    }
    let mut found = String::from("before");
    let outcome = target.relative_to_into(base, options, &mut found);
    let found = found.strip_prefix("before").expect("appended");
    if outcome.is_err() {
        assert_eq!(found, "", "an error appends nothing");
        return;
    }
    let reference = standard.parse(found).expect("the reference is valid");
    assert!(
        found.len() <= target.as_str().len(),
        "{base} {target}: {found}"
    );
    let mut again = String::new();
    let outcome = reference.resolve_into(base, Options::default(), &mut again);
    assert!(outcome.is_ok(), "{base} {target}: {found}: {outcome:?}");
    assert_eq!(again, target.as_str(), "{base}: {found}");
}

/// Checks conversions between IRIs and URIs. The input is an IRI or a URI.
pub(crate) fn iri(data: &[u8]) {
    let text = input::text(data);
    if let Ok(iri) = IriRef::parse(&text) {
        to_uri(iri);
    }
    if let Ok(uri) = UriRef::parse(&text) {
        let iri = uri.to_iri();
        let place = format!("{uri} {iri}");
        assert_eq!(
            IriRef::parse(iri.as_str()).unwrap(),
            iri.as_iri_ref(),
            "{place}"
        );
        assert_eq!(uri.display_iri().to_string(), iri.as_str());
        let back = iri.to_uri();
        assert_eq!(back.to_iri(), iri, "{place} {back}");
        assert_eq!(back.form(), uri.form(), "{place} {back}");
    }
}

fn to_uri(iri: IriRef<'_>) {
    let uri = iri.to_uri();
    let place = format!("{iri} {uri}");
    assert_eq!(
        UriRef::parse(uri.as_str()).unwrap(),
        uri.as_uri_ref(),
        "{place}"
    );
    assert_eq!(IriRef::from(uri.as_uri_ref()).to_uri(), uri, "{place}");
    assert_eq!(iri.display_uri().to_string(), uri.as_str());
    assert_eq!(
        (uri.form(), uri.port(), uri.scheme()),
        (iri.form(), iri.port(), iri.scheme()),
        "{place}"
    );
    let decoded = crate::input::decoded;
    assert_eq!(decoded(uri.as_str()), decoded(iri.as_str()), "{place}");
    if let Ok(looked_up) = iri.to_uri_idna() {
        let again = UriRef::parse(looked_up.as_str()).unwrap();
        assert_eq!(again, looked_up.as_uri_ref(), "{place}");
        assert_eq!(again.path(), uri.path(), "{place}");
    }
    if let Ok(iri) = Iri::try_from(iri) {
        assert_eq!(iri.to_uri(), uri, "{place}");
    }
}

/// Checks repairs. The first line is a base, unless it is empty, and the rest is the text to
/// repair.
pub(crate) fn repair(data: &[u8]) {
    let text = input::text(data);
    let outcome = repair_text(&text);
    repaired(&text, &outcome);
    let (base, text) = input::two(&text);
    if let Ok(base) = Uri::parse(base) {
        repaired(text, &repair_for(text, base));
    }
}

fn repaired(text: &str, outcome: &Result<Repaired, RepairError>) {
    let valid = UriRef::parse(text);
    let repaired = match outcome {
        Ok(repaired) => repaired,
        Err(error) => {
            assert!(valid.is_err(), "{text:?}: {error}");
            let offset = match error {
                RepairError::Parse(error) => error.offset(),
                RepairError::NotADomainName { offset } => *offset,
                _ => 0,
            };
            assert!(text.is_char_boundary(offset), "{text:?}: {error}");
            return;
        }
    };
    let reference = repaired.reference.as_str();
    assert!(UriRef::parse(reference).is_ok(), "{text:?}: {reference}");
    if valid.is_ok() {
        assert!(repaired.changes.is_empty(), "{text:?}");
    }
    // Checks that applying the reported changes to the text produces the repaired reference.
    let (mut made, mut at) = (String::new(), 0);
    for change in &repaired.changes {
        made.push_str(&text[at..change.offset]);
        made.push_str(&change.became);
        at = change.offset + change.found.len();
        assert_eq!(text[change.offset..at], *change.found, "{text:?}");
    }
    made.push_str(&text[at..]);
    assert_eq!(made, reference, "{text:?}");
    let again = repair_text(reference).unwrap();
    assert!(again.changes.is_empty(), "{text:?}: {reference}");
}
