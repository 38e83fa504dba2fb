//! Ruby's `URI`: the values that its tests read from a parsed reference.
//!
//! The rows record the method and the input, but some tests change the object first. Each of these
//! rows is a known difference.

use crate::judged::{Judged, Part, component, round_trip, without_brackets};
use crate::row::Row;

pub(crate) fn judge(row: &Row) -> Option<Judged> {
    let judged = match row.op.as_str() {
        "parse" => parse(row),
        "ruby:user" => part(row, "user", str::to_owned),
        "ruby:password" => part(row, "password", str::to_owned),
        "ruby:userinfo" => part(row, "userinfo", str::to_owned),
        "ruby:host" => part(row, "host", str::to_owned),
        "ruby:hostname" => part(row, "host", |host| without_brackets(host).to_owned()),
        "ruby:to_s" => {
            if row.expect("result") != row.input() {
                return Some(Judged::NotThisKind(
                    "the text of another object, or after a change",
                ));
            }
            round_trip(&row.standards(row.input()), row.input(), row.input())
        }
        _ => return None,
    };
    Some(judged)
}

/// A reference that Ruby rejects.
fn parse(row: &Row) -> Judged {
    if row.expect("error") == "BadURIError" {
        return Judged::NotThisKind("Ruby's error when it fails to resolve, not to parse");
    }
    Judged::by_each(&row.standards(row.input()), |standard| {
        Judged::verdict(row.valid(), standard.parse(row.input()), |_| true)
    })
}

/// A component, converted by `adapt`.
fn part(row: &Row, name: &'static str, adapt: fn(&str) -> String) -> Judged {
    Judged::by_each(&row.standards(row.input()), |standard| {
        Judged::components(standard.parse(row.input()), |reference| {
            let actual = component(reference, name).map(|text| adapt(&text));
            vec![Part::new(name, row.expect("result").clone(), actual)]
        })
    })
}
