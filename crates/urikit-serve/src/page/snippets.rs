//! Commands and programs that return the same results as the page.

use super::state::State;
use std::fmt::Write as _;
use urikit::visible::is_visible;
use urikit_report::Reader;

/// A command or program.
pub(super) struct Snippet {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) text: String,
}

/// Returns the snippets for a state.
pub(super) fn snippets(state: &State) -> [Snippet; 3] {
    let snippet = |id, name, text| Snippet { id, name, text };
    [
        snippet("as-command", "Command", command(state)),
        snippet("as-rust", "Rust", rust(state)),
        snippet("as-python", "Python", python(state)),
    ]
}

/// Quotes an argument for a POSIX shell. Octets of invisible characters are escaped.
fn quoted(text: &str) -> String {
    if text.chars().all(is_visible) {
        return format!("'{}'", text.replace('\'', r"'\''"));
    }
    let mut quoted = String::from("$'");
    for c in text.chars() {
        match c {
            '\'' | '\\' => quoted.extend(['\\', c]),
            _ if is_visible(c) => quoted.push(c),
            _ => {
                for octet in c.encode_utf8(&mut [0; 4]).bytes() {
                    let _ = write!(quoted, "\\{octet:03o}");
                }
            }
        }
    }
    quoted + "'"
}

/// Writes a string literal of Python.
fn literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            _ if is_visible(c) => literal.push(c),
            _ => {
                let _ = write!(literal, "\\U{:08x}", u32::from(c));
            }
        }
    }
    literal + "\""
}

fn command(state: &State) -> String {
    let standard = match state.standard {
        standard if standard == Reader::default() => String::new(),
        standard => format!(" --standard {}", standard.name()),
    };
    // An argument that begins with `-` would be an option.
    let end = if state.url.starts_with('-') {
        " --"
    } else {
        ""
    };
    let url = quoted(&state.url);
    let mut lines = vec![format!("uri explain{standard}{end} {url}\n")];
    if !state.base.is_empty() {
        let base = quoted(&state.base);
        lines.push(format!("uri resolve{standard} --base {base}{end} {url}\n"));
        lines.push(format!("uri audit --base {base}{end} {url}\n"));
    }
    if !state.and.is_empty() {
        let and = quoted(&state.and);
        lines.push(format!("uri compare{standard} -- {url} {and}\n"));
    }
    lines.concat()
}

fn rust(state: &State) -> String {
    let State { url, base, and, .. } = state;
    let mut lines = Vec::new();
    if state.standard == Reader::Whatwg {
        lines.push(format!("let url = url::Url::parse({url:?})?;\n"));
    } else {
        let name = state.standard.name();
        lines.push(format!(
            "let standard: urikit::Standard = {name:?}.parse()?;\n\
             let url = standard.parse({url:?})?;\n\
             println!(\"{{:?}} {{:?}}\", url.scheme(), url.host());\n"
        ));
        if !base.is_empty() {
            lines.push(format!(
                "let base = standard.parse({base:?})?;\n\
                 println!(\"{{}}\", url.resolve_against(base)?);\n"
            ));
        }
        if !and.is_empty() {
            lines.push(format!(
                "println!(\"{{:?}}\", url.compare(standard.parse({and:?})?));\n"
            ));
        }
    }
    lines.push(format!(
        "let report = urikit_audit::audit({url:?});\n\
         for finding in report.findings().iter() {{\n    \
             println!(\"{{}} at byte {{}}\", finding.code, finding.offset);\n\
         }}\n"
    ));
    lines.concat()
}

fn python(state: &State) -> String {
    let [url, base, and] = [&state.url, &state.base, &state.and].map(|text| literal(text));
    let standard = match state.standard {
        standard if standard == Reader::default() => String::new(),
        standard => format!(", \"{}\"", standard.name()),
    };
    let mut lines = vec![format!(
        "import urikit\n\nurl = urikit.parse({url}{standard})\nprint(url)\n"
    )];
    if !state.base.is_empty() {
        lines.push(format!(
            "print(urikit.parse({base}{standard}).join({url}))\n"
        ));
    }
    if !state.and.is_empty() && state.standard != Reader::Whatwg {
        lines.push(format!("print(url.compare({and}))\n"));
    }
    lines.push(format!("print(urikit.audit({url}))\n"));
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::{command, python, quoted, rust};
    use crate::page::state::State;

    #[test]
    fn arguments_are_quoted() {
        assert_eq!(quoted("a'b$(c)"), r"'a'\''b$(c)'");
        assert_eq!(quoted("a'\\\n\u{202e}"), r"$'a\'\\\012\342\200\256'");
        let state = State {
            url: "-a'".to_owned(),
            base: "http://b/".to_owned(),
            ..State::default()
        };
        let expected = "uri explain -- '-a'\\'''\nuri resolve --base 'http://b/' -- '-a'\\'''\n\
                        uri audit --base 'http://b/' -- '-a'\\'''\n";
        assert_eq!(command(&state), expected);
    }

    #[test]
    fn snippets_of_rust_compile() {
        fn run() -> Result<(), Box<dyn std::error::Error>> {
            include!("snippet.rs");
            Ok(())
        }
        run().unwrap();
        let state = State {
            url: "../g?%22".to_owned(),
            base: "http://a/b/c/d;p?q".to_owned(),
            and: "g".to_owned(),
            ..State::default()
        };
        let expected = format!("{{\n{}}}\n", rust(&state));
        assert_eq!(expected, include_str!("snippet.rs"));
    }

    #[test]
    fn literals_are_escaped() {
        let state = State {
            url: "\"\\\n\u{202e}".to_owned(),
            ..State::default()
        };
        assert!(rust(&state).contains(r#"standard.parse("\"\\\n\u{202e}")"#));
        assert!(python(&state).contains(r#"urikit.parse("\"\\\U0000000a\U0000202e")"#));
    }
}
