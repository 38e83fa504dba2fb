//! Translates a template of trurl into one of `uri get`.
//!
//! trurl decodes unless a field begins with a colon, accepts brackets like braces, and decodes `+`
//! in a query as a space.

/// The translated template, without decoding if `as_written` is set.
pub(crate) fn translate(template: &str, as_written: bool) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(c) = rest.chars().next() {
        let (one, after) = rest.split_at(c.len_utf8());
        rest = after;
        let inner = match c {
            '\\' => {
                let next = rest.chars().next().map_or(0, char::len_utf8);
                let (escaped, after) = rest.split_at(next);
                rest = after;
                // In our templates a bracket is literal without a backslash.
                out += if escaped == "[" { "" } else { one };
                out += escaped;
                continue;
            }
            '{' => rest.split_once('}'),
            '[' => rest.split_once(']'),
            _ => None,
        };
        match inner {
            Some((inner, after)) => {
                out += &field(inner, as_written);
                rest = after;
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
