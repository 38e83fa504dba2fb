//! Rows about making a target relative to a base.
//!
//! No standard defines an algorithm for relativizing, and several references may resolve to a
//! target. A row passes if our reference resolves to its target and is not longer than the stated
//! one.

use crate::judged::Judged;
use crate::resolution::{parse, standards, target};
use crate::row::Row;
use serde_json::Value;
use urikit::Standard;
use urikit::op::{Options, RelativeOptions};

pub(crate) fn judge(row: &Row) -> Option<Judged> {
    let args = row.field("args");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let [base, target, stated] = match row.op.as_str() {
        "relativize" | "resolve/route" => {
            [row.field("base"), row.field("input"), row.expect("result")]
        }
        "oxiri:test_relativize_iri" => [&args[1], &args[0], &args[2]],
        "perl:rel" => [&args[0], row.field("input"), row.expect("result")],
        _ => return None,
    }
    .map(text);
    Some(Judged::by_each(
        &standards(row, &[&base, &target]),
        |standard| relativize(standard, &base, &target, &stated),
    ))
}

fn relativize(standard: Standard, base: &str, wanted: &str, stated: &str) -> Judged {
    let answer = reference(standard, base, wanted);
    let back = |reference: &str| {
        target(standard, base, reference, Options::default()).map(|(target, _)| target)
    };
    match answer {
        Ok(reference)
            if reference.len() <= stated.len() && back(&reference).as_deref() == Ok(wanted) =>
        {
            Judged::Same
        }
        answer => Judged::Differs {
            expected: format!("{stated:?}, which resolves back to {:?}", back(stated)),
            actual: format!("{standard}: {answer:?}"),
        },
    }
}

/// Our reference to a target.
fn reference(standard: Standard, base: &str, target: &str) -> Result<String, String> {
    let base = parse(standard, "base", base)?;
    let target = parse(standard, "target", target)?;
    let mut reference = String::new();
    target
        .relative_to_into(base, RelativeOptions::default(), &mut reference)
        .map_err(|error| error.to_string())?;
    Ok(reference)
}
