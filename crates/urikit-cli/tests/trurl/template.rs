//! A template of trurl as one of `uri get`.
//!
//! trurl decodes unless a colon comes first, takes brackets for braces, and a `+` in a query for a space.

/// The template; decoding nothing when `as_written`.
pub(crate) fn translate(template: &str, as_written: bool) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(c) = rest.chars().next() {
        let (one, behind) = rest.split_at(c.len_utf8());
        rest = behind;
        let inner = match c {
            '\\' => {
                let next = rest.chars().next().map_or(0, char::len_utf8);
                let (escaped, behind) = rest.split_at(next);
                rest = behind;
                // A bracket is itself here, without a backslash.
                out += if escaped == "[" { "" } else { one };
                out += escaped;
                continue;
            }
            '{' => rest.split_once('}'),
            '[' => rest.split_once(']'),
            _ => None,
        };
        match inner {
            Some((inner, behind)) => {
                out += &field(inner, as_written);
                rest = behind;
            }
            None => out += one,
        }
    }
    out
}

fn field(field: &str, as_written: bool) -> String {
    let (field, as_written) = match field.strip_prefix(':').or(field.strip_prefix("url:")) {
        Some(field) => (field, true),
        None => (field, as_written),
    };
    let modifiers = ["must:", "default:", "puny:", "idn:", "strict:"];
    let mut component = field;
    while let Some(rest) = modifiers
        .iter()
        .find_map(|modifier| component.strip_prefix(modifier))
    {
        component = rest;
    }
    let decode = match component {
        _ if as_written => "",
        "url" => "",
        _ if component.starts_with("query") => "form:",
        _ => "decode:",
    };
    format!("{{{decode}{field}}}")
}
