//! The rows of the suites, and the folder that contains them.

use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{env, fs};
use urikit::Standard;

/// A row of a suite.
pub(crate) struct Row {
    pub(crate) file: &'static str,
    /// The id in the suite, or the number of the line or element.
    pub(crate) id: String,
    pub(crate) op: String,
    json: Value,
}

impl Row {
    /// Returns a field, or `Value::Null` if it is absent.
    pub(crate) fn field(&self, name: &str) -> &Value {
        &self.json[name]
    }

    /// Returns a field of `expect`, or `Value::Null` if it is absent.
    pub(crate) fn expect(&self, name: &str) -> &Value {
        &self.json["expect"][name]
    }

    /// The input.
    pub(crate) fn input(&self) -> &str {
        self.json["input"]
            .as_str()
            .expect("a row of this kind has an input")
    }

    /// Returns `expect.valid`.
    pub(crate) fn valid(&self) -> bool {
        self.expect("valid")
            .as_bool()
            .expect("a row of this kind has a verdict")
    }

    /// The standards that `spec` names, to each of which the row applies. If a row names RFC 2396,
    /// brackets are those of RFC 2732. If a row names RFC 3986 and RFC 3987, only RFC 3987 applies
    /// to non-ASCII characters.
    ///
    /// The rows of Perl and Java name the library, which follows RFC 2396 and RFC 2732.
    pub(crate) fn standards(&self, text: &str) -> Vec<Standard> {
        let rfc2396 = if text.contains(['[', ']']) {
            Standard::Rfc2732
        } else {
            Standard::Rfc2396
        };
        match self.json["spec"].as_str().expect("a row has a spec") {
            "RFC 2396/3986" => vec![rfc2396, Standard::Rfc3986],
            "RFC 2396"
            | "RFC 2141"
            | "mixed (URI.pm behaviour)"
            | "RFC 1738/2396 (java.net.URL)" => vec![rfc2396],
            "RFC 3986/3987" if text.is_ascii() => vec![Standard::Rfc3986, Standard::Rfc3987],
            "RFC 3986/3987" | "RFC 3987" => vec![Standard::Rfc3987],
            "RFC 1630" => vec![Standard::Rfc1630],
            "RFC 1738" => vec![Standard::Rfc1738],
            "RFC 1808" => vec![Standard::Rfc1808],
            "RFC 2732" => vec![Standard::Rfc2732],
            spec if spec.starts_with("RFC 3986") => vec![Standard::Rfc3986],
            // Later RFCs about single schemes, which use the generic syntax of RFC 3986.
            "RFC 2368" | "RFC 2392" | "RFC 2397" | "RFC 4157" | "RFC 5538" | "RFC 6068"
            | "RFC 8089" | "RFC 8141" => vec![Standard::Rfc3986],
            spec => panic!("{} {}: unknown spec {spec}", self.file, self.id),
        }
    }
}

/// Reads the rows of a file.
pub(crate) fn load(vectors: &Path, file: &'static str) -> Vec<Row> {
    let text = fs::read_to_string(vectors.join(file)).expect("a suite can be read");
    let values: Vec<Value> = if has_lines(file) {
        text.lines()
            .map(|line| serde_json::from_str(line).expect("a line is JSON"))
            .collect()
    } else if file.starts_with("wpt/") {
        let op = if file.contains("length") {
            "wpt:dns-length"
        } else {
            "wpt:to-ascii"
        };
        let elements: Vec<Value> =
            serde_json::from_str(&without_lone_surrogates(&text)).expect("a list");
        // The strings between the rows are comments.
        let rows = elements.into_iter().filter(Value::is_object);
        rows.map(|mut row| {
            row["op"] = op.into();
            row
        })
        .collect()
    } else {
        let pairs: Vec<[Value; 2]> = serde_json::from_str(&text).expect("a list of pairs");
        let op = if file.contains("serialize") {
            "serialize"
        } else {
            "parse"
        };
        let row = |[input, expect]: [Value; 2]| json!({"op": format!("fast-uri:{op}"), "spec": "RFC 3986", "input": input, "expect": expect});
        pairs.into_iter().map(row).collect()
    };
    let ids: HashSet<&str> = values
        .iter()
        .filter_map(|value| value["id"].as_str())
        .collect();
    let unique = ids.len() == values.len();
    let id = |number: usize, value: &Value| match value["id"].as_str() {
        Some(id) if unique => id.to_owned(),
        _ => (number + 1).to_string(),
    };
    let ids: Vec<String> = values
        .iter()
        .enumerate()
        .map(|(n, value)| id(n, value))
        .collect();
    let rows = ids.into_iter().zip(values).flat_map(in_rows);
    rows.map(|(id, json)| Row {
        file,
        id,
        op: json["op"]
            .as_str()
            .expect("a row has an operation")
            .to_owned(),
        json,
    })
    .collect()
}

/// Replaces unpaired surrogates in JSON with U+FFFD, as browsers do (WHATWG Infra, 4.7).
fn without_lone_surrogates(json: &str) -> String {
    let unit = |rest: &str| {
        let digits = rest.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let is_high = |unit: u16| (0xD800..=0xDBFF).contains(&unit);
    let is_low = |unit: u16| (0xDC00..=0xDFFF).contains(&unit);
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let length = match unit(after) {
            Some(first) if is_high(first) && after.get(6..).and_then(unit).is_some_and(is_low) => {
                12
            }
            Some(first) if is_high(first) || is_low(first) => {
                out.push_str("\\ufffd");
                rest = after.split_at(6).1;
                continue;
            }
            // Any other escape is one character long.
            _ => 2,
        };
        let (escape, after) = after.split_at(length);
        out.push_str(escape);
        rest = after;
    }
    out + rest
}

/// Splits the JDK's lists of contexts, references and results into rows of three lines, named by
/// list and number. Keeps all other rows.
fn in_rows((id, value): (String, Value)) -> Vec<(String, Value)> {
    let Some(lines) = value["lines"].as_array() else {
        return vec![(id, value)];
    };
    let after = |line: &Value, name: &str| {
        let text = line.as_str().and_then(|line| line.strip_prefix(name));
        text.expect("a line has a name").to_owned()
    };
    let row = |(number, lines): (usize, &[Value])| {
        let base = Some(after(&lines[0], "URL: ")).filter(|base| base != "null");
        let input = after(&lines[1], "spec: ");
        let result = after(&lines[2], "expected: ");
        let row = json!({"op": "resolve", "spec": value["spec"], "base": base, "input": input, "expect": {"result": result}});
        (format!("{id}/{}", number + 1), row)
    };
    lines.chunks(3).enumerate().map(row).collect()
}

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of the suites, if it exists.
///
/// # Panics
///
/// Panics if `URIKIT_SHARED` names a folder without `vectors/`: the variable asks to run them.
pub(crate) fn vectors() -> Option<PathBuf> {
    if let Some(shared) = env::var_os("URIKIT_SHARED") {
        let vectors = PathBuf::from(shared).join("vectors");
        assert!(
            vectors.is_dir(),
            "URIKIT_SHARED: no folder {}",
            vectors.display()
        );
        return Some(vectors);
    }
    let vectors = root().join("../shared/vectors");
    vectors.is_dir().then_some(vectors)
}

/// Returns true if a file has a row on each line, as the converted suites do.
pub(crate) fn has_lines(file: &str) -> bool {
    Path::new(file).extension() == Some("jsonl".as_ref())
}

/// The files in a folder of `vectors` and its subfolders, as `folder/file`.
pub(crate) fn files_in(vectors: &Path, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(vectors.join(folder)).expect("a folder of suites");
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.expect("an entry of a folder");
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().expect("the type of an entry").is_dir() {
            files.extend(files_in(vectors, &name));
        } else {
            files.push(name);
        }
    }
    files
}

/// The folders of the suites. The RFCs and a page about the suites are in the same place.
pub(crate) fn folders(vectors: &Path) -> Vec<String> {
    let entries = fs::read_dir(vectors).expect("the folder of suites");
    let mut folders = Vec::new();
    for entry in entries {
        let entry = entry.expect("an entry of a folder");
        if entry.file_type().expect("the type of an entry").is_dir() {
            folders.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    folders.retain(|folder| folder != "rfc");
    folders
}
