//! The examples of the RFCs with the verdicts that their texts give.
//!
//! An RFC of a single scheme that is none of this library's standards has its examples judged by the
//! generic syntax alone.

use crate::judged::{Judged, Part};
use crate::row::Row;

pub(crate) fn judge(row: &Row) -> Option<Judged> {
    if row.op != "verdict" {
        return None;
    }
    let standards = row.standards(row.input());
    let verdict = |expected, fragment: Option<bool>| {
        Judged::by_each(&standards, |standard| {
            Judged::verdict(expected, standard.parse(row.input()), |reference| {
                fragment.is_none_or(|fragment| reference.fragment().is_some() == fragment)
            })
        })
    };
    Some(match row.expect("verdict").as_str()? {
        "valid" if row.expect("decoded").is_string() => {
            Judged::components(standards.first()?.parse(row.input()), |reference| {
                let decoded = reference.path().encoded().to_utf8().expect("UTF-8");
                vec![Part::new(
                    "path decoded",
                    row.expect("decoded").clone(),
                    decoded,
                )]
            })
        }
        "valid" => verdict(true, None),
        // RFC 1738: the fragment is no part of the URL, and may follow it.
        "url+fragment" => verdict(true, Some(true)),
        // Printed by a text of which it breaks the grammar.
        "invalid" | "printed-as-example" => verdict(false, None),
        "wrong" => {
            Judged::NotThisKind("wrong by its scheme's rules and right by the generic syntax")
        }
        "extension" => Judged::NotThisKind("an extension for which the text claims no validity"),
        verdict => panic!("{}: nobody decided on {verdict}", row.id),
    })
}
