//! Normal forms and equivalence.
//!
//! The suites normalize to different levels. A row passes if its result is the normal form at some
//! level. A row about a single step, such as decoding escapes, passes if its result is equivalent
//! at the level of that step.

use crate::judged::{Judged, recompose};
use crate::row::Row;
use urikit::Standard;
use urikit::op::Level;

pub(crate) fn judge(row: &Row) -> Option<Judged> {
    let step = match row.op.as_str() {
        "equal" | "equal-after-normalize" => return Some(equal(row)),
        "rfc3986py:normalize" => return Some(python(row)),
        "normalize" => return Some(some_level(row)),
        "perl:canonical" => return Some(perl(row)),
        "perl:eq" => return Some(perl_equal(row)),
        "normalize_scheme"
        | "normalize_authority"
        | "normalize_path"
        | "normalize_query"
        | "normalize_fragment"
        | "normalizePathSegments" => Level::Path,
        "normalizeCase" => Level::Case,
        "normalizeEscape" => Level::Escapes,
        _ => return None,
    };
    let result = row.expect("result").as_str()?;
    Some(Judged::by_each(&row.standards(row.input()), |standard| {
        equivalent(standard, row.input(), result, step)
    }))
}

/// Checks whether the two references of a row are equivalent at the last level.
fn equal(row: &Row) -> Judged {
    let text = |name| row.field(name).as_str().expect("a text");
    let (a, b) = (text("a"), text("b"));
    let expected = row.expect("equal") == true;
    Judged::by_each(&row.standards(a), |standard| {
        is_equal(standard, a, b, expected)
    })
}

fn is_equal(standard: Standard, a: &str, b: &str, expected: bool) -> Judged {
    let (Ok(first), Ok(second)) = (standard.parse(a), standard.parse(b)) else {
        return differs("two references", format!("at least one is not: {a} {b}"));
    };
    let by = first.compare(second);
    if by.is_some() == expected {
        Judged::Same
    } else {
        differs(&format!("equal: {expected}"), format!("by {by:?}: {a} {b}"))
    }
}

fn some_level(row: &Row) -> Judged {
    // A non-ASCII result is an IRI.
    let both = [
        row.input(),
        row.expect("result").as_str().unwrap_or_default(),
    ]
    .concat();
    Judged::by_each(&row.standards(&both), |standard| {
        // One row has two results, one for each standard.
        let name = if standard == Standard::Rfc3987 {
            "result_iri"
        } else {
            "result_uri"
        };
        let result = row.expect("result").as_str().or(row.expect(name).as_str());
        normal_form(standard, row.input(), result.expect("a result"))
    })
}

/// Checks whether `result` is the normal form of `text` at some level.
fn normal_form(standard: Standard, text: &str, result: &str) -> Judged {
    let reference = match standard.parse(text) {
        Ok(reference) => reference,
        Err(error) => return differs(result, error.to_string()),
    };
    let forms = Level::ALL.map(|level| String::from(reference.normalize_to(level)));
    if forms.iter().any(|form| form == result) {
        Judged::Same
    } else {
        differs(result, format!("{standard}: {}", forms.join(" ")))
    }
}

/// `URI->canonical` returns a string, or in list context a list with this string.
fn perl(row: &Row) -> Judged {
    let stated = row.expect("result");
    let Some(result) = stated[0].as_str().or(stated.as_str()) else {
        return Judged::NotThisKind("called without a result");
    };
    Judged::by_each(&row.standards(row.input()), |standard| {
        normal_form(standard, row.input(), result)
    })
}

/// `URI::eq`, with 1 for true.
fn perl_equal(row: &Row) -> Judged {
    let other = row.field("args")[0].as_str().expect("a text");
    let expected = row.expect("result") == "1";
    Judged::by_each(&row.standards(row.input()), |standard| {
        is_equal(standard, row.input(), other, expected)
    })
}

/// The row contains components before and after normalization. Only the digits of escapes change.
fn python(row: &Row) -> Judged {
    let compose = |components: &serde_json::Value| {
        recompose(|name| components[name].as_str().map(str::to_owned))
    };
    let input = compose(&row.field("args")["self"]);
    let result = compose(row.expect("result"));
    equivalent(Standard::Rfc3986, &input, &result, Level::Path)
}

fn equivalent(standard: Standard, input: &str, result: &str, level: Level) -> Judged {
    match (standard.parse(input), standard.parse(result)) {
        (Ok(a), Ok(b)) if a.is_equivalent(b, level) => Judged::Same,
        (Ok(a), _) => differs(result, a.normalize_to(level).into()),
        (Err(error), _) => differs(result, error.to_string()),
    }
}

fn differs(expected: &str, actual: String) -> Judged {
    Judged::Differs {
        expected: expected.to_owned(),
        actual,
    }
}
