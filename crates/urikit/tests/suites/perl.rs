//! Perl's `URI`, which follows RFC 2396 and RFC 2732: references that its constructor does not
//! change, and its accessors.

use crate::judged::{Judged, Part, component, recompose, round_trip, without_brackets};
use crate::row::Row;
use serde_json::Value;
use urikit::component::Encoded;
use urikit::{AnyRef, Standard};

pub(crate) fn judge(row: &Row) -> Option<Judged> {
    let accessor = row.op.strip_prefix("perl:")?;
    if accessor == "new" {
        return Some(new(row));
    }
    let read: fn(AnyRef<'_>) -> Value = match accessor {
        // The scheme is in lower case.
        "scheme" => |reference| reference.scheme().map(str::to_ascii_lowercase).into(),
        "opaque" => |reference| scheme_specific_part(reference).into(),
        "authority" => |reference| component(reference, "authority").into(),
        "userinfo" => |reference| component(reference, "userinfo").into(),
        "user" => |reference| reference.user().map(decoded).into(),
        "password" => |reference| reference.password().map(decoded).into(),
        // An IP literal has no brackets.
        "host" => |reference| {
            reference
                .host()
                .map(|host| without_brackets(host.as_str()))
                .into()
        },
        "port" => |reference| component(reference, "port").into(),
        "path" => |reference| component(reference, "path").into(),
        "path_query" => |reference| path_and_query(reference).into(),
        "query" => |reference| component(reference, "query").into(),
        "fragment" => |reference| component(reference, "fragment").into(),
        // In scalar context, the path as written.
        "path_segments" if row.expect("result").is_string() => {
            |reference| component(reference, "path").into()
        }
        "path_segments" => |reference| segments(reference).into(),
        _ => return None,
    };
    if row
        .field("args")
        .as_array()
        .is_some_and(|args| !args.is_empty())
    {
        return Some(Judged::NotThisKind("sets a component"));
    }
    Some(Judged::by_each(&row.standards(row.input()), |standard| {
        let outcome = standard.parse(row.input());
        let no_port = |reference: AnyRef<'_>| reference.port().is_none_or(str::is_empty);
        if accessor == "port" && outcome.is_ok_and(no_port) {
            return Judged::NotThisKind("the scheme's default port, because no port is written");
        }
        Judged::components(outcome, |reference| {
            vec![Part::new(
                "result",
                row.expect("result").clone(),
                read(reference),
            )]
        })
    }))
}

/// `URI->new` never fails: it removes or escapes characters that are not allowed. A row in which
/// `URI->new` leaves the text unchanged means that Perl accepts the text.
fn new(row: &Row) -> Judged {
    let text = match row.expect("as_string") {
        // In list context, the object is in a list.
        Value::Array(list) => list[0].as_str(),
        text => text.as_str(),
    };
    let Some(text) = text else {
        return Judged::NotThisKind("no object: the class of the scheme has its own rules");
    };
    if row.field("args")[0] != text {
        return Judged::NotThisKind("strips, escapes or composes before parsing");
    }
    if row.field("class") == "URI::IRI" {
        return round_trip(&[Standard::Rfc3987], text, text);
    }
    round_trip(&row.standards(text), text, text)
}

/// The text between the colon of the scheme and the fragment (RFC 2396, 3: `hier_part` or
/// `opaque_part`).
fn scheme_specific_part(reference: AnyRef<'_>) -> String {
    recompose(|name| match name {
        "scheme" | "fragment" => None,
        _ => component(reference, name),
    })
}

fn path_and_query(reference: AnyRef<'_>) -> String {
    recompose(|name| match name {
        "path" | "query" => component(reference, name),
        _ => None,
    })
}

/// The decoded segments without their parameters. If the path begins with a slash, an empty segment
/// comes first.
fn segments(reference: AnyRef<'_>) -> Vec<String> {
    let before = reference.path().is_absolute().then(String::new);
    let names = reference
        .path()
        .segments()
        .map(|segment| decoded(segment.name()));
    before.into_iter().chain(names).collect()
}

/// The decoded bytes, each as a character, as in Perl's strings.
fn decoded(part: Encoded<'_>) -> String {
    part.decode().octets().map(char::from).collect()
}
