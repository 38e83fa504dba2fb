//! The examples of the RFCs, with the verdicts that the RFCs give.
//!
//! The examples of an RFC about a single scheme are tested with the generic syntax.

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
                let decoded = reference.path().encoded().decode_utf8().expect("UTF-8");
                vec![Part::new(
                    "path decoded",
                    row.expect("decoded").clone(),
                    decoded,
                )]
            })
        }
        "valid" => verdict(true, None),
        // RFC 1738: a fragment may follow a URL but is not part of it.
        "url+fragment" => verdict(true, Some(true)),
        // The RFC prints this text as an example, but the RFC's grammar rejects it.
        "invalid" | "printed-as-example" => verdict(false, None),
        "wrong" => {
            Judged::NotThisKind("invalid under its scheme's rules but valid in the generic syntax")
        }
        "extension" => Judged::NotThisKind("an extension that the RFC does not claim to be valid"),
        verdict => panic!("{}: unknown verdict {verdict}", row.id),
    })
}
