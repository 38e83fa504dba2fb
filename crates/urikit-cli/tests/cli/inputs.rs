//! The sources of references.

use crate::support::{Folder, Outcome, command, run_with, uri, uri_with};
use serde_json::json;
use std::fs::OpenOptions;
use std::io::{Read as _, Write as _};
use std::process::Stdio;

/// The inputs that `--json` echoes.
fn inputs(outcome: &Outcome) -> Vec<String> {
    let input = |value: serde_json::Value| value["input"].as_str().unwrap().to_owned();
    outcome.json().into_iter().map(input).collect()
}

#[test]
fn arguments_leave_standard_input_alone() {
    let outcome = uri_with(["parse", "--json", "a:b", "", "c"], b"http://d/\n");
    assert_eq!(inputs(&outcome), ["a:b", "", "c"]);
    assert_eq!(outcome.status, 0);
}

#[test]
fn standard_input_is_the_default() {
    let outcome = uri_with(["parse", "--json"], b"a:b\nc");
    assert_eq!(inputs(&outcome), ["a:b", "c"]);
}

#[test]
fn files_and_standard_input_come_in_the_order_given() {
    let folder = Folder::new();
    let (a, b) = (folder.file("a", "1\n2\n"), folder.file("b", "5"));
    let outcome = uri_with(
        ["parse", "--json", "-f", &a, "-f", "-", "--url-file", &b],
        b"3\n4\n",
    );
    assert_eq!(inputs(&outcome), ["1", "2", "3", "4", "5"]);
}

/// Results would become input, endlessly.
#[test]
fn an_input_is_not_the_output() {
    let folder = Folder::new();
    let list = folder.file("list", "http://a.example/\n");
    let other = folder.file("other", "");
    let append = || {
        std::fs::OpenOptions::new()
            .append(true)
            .open(&list)
            .unwrap()
    };
    for (arguments, reads_stdin) in [
        (&["get", "{url}", "-f", &list][..], false),
        (&["get", "{url}"], true),
        (&["normalize", "-f", "-"], true),
        (&["extract", &list], false),
        (&["extract", &other, &list], false),
        (&["extract", "-"], true),
    ] {
        let mut command = command();
        command.args(arguments).stdout(append());
        if reads_stdin {
            command.stdin(std::fs::File::open(&list).unwrap());
        }
        let output = command.output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {message}");
        let reason = "this input file is also the output";
        assert!(message.contains(reason), "{arguments:?}: {message}");
        assert_eq!(std::fs::read(&list).unwrap(), b"http://a.example/\n");
    }
}

/// Results of a mixture of two versions would be wrong.
#[test]
fn a_file_that_changes_while_it_is_read_is_an_error() {
    let folder = Folder::new();
    // The command stops reading when the pipe and its queue of results are full.
    let file = folder.file("file", "http://a.example/\n".repeat(2 << 20));
    let mut command = command();
    command.args(["extract", &file]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0]).unwrap();
    let open = OpenOptions::new().append(true).open(&file);
    open.unwrap().write_all(b"http://b.example/\n").unwrap();
    std::io::copy(&mut out, &mut std::io::sink()).unwrap();
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    let reason = "the file changed while it was being read";
    assert!(message.contains(reason), "{message}");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn lines_end_in_lf_or_crlf_and_nothing_else_is_trimmed() {
    for (input, expected) in [
        (&b""[..], &[][..]),
        (b"\n", &[""]),
        (b"a\n", &["a"]),
        (b"a", &["a"]),
        (b"a\n\nb\n", &["a", "", "b"]),
        (b"a\r\n\r\nb\r\n", &["a", "", "b"]),
        (b"a\r", &["a\r"]),
        (b"a\r\r\n", &["a\r"]),
        (b" a \t\n", &[" a \t"]),
        (b"\xEF\xBB\xBFa\n\xEF\xBB\xBFb\n", &["a", "\u{FEFF}b"]),
    ] {
        assert_eq!(
            inputs(&uri_with(["parse", "--json"], input)),
            expected,
            "{input:?}"
        );
    }
}

#[test]
fn nul_separates_with_0() {
    let outcome = uri_with(["parse", "--json", "-0"], b"a\0b\nc\0\0d\r\n\0");
    assert_eq!(inputs(&outcome), ["a", "b\nc", "", "d\r\n"]);
    assert_eq!(
        inputs(&uri_with(["parse", "--json", "--null"], b"a\0b")),
        ["a", "b"]
    );
}

#[test]
fn an_empty_line_is_the_empty_reference() {
    let outcome = uri_with(["parse"], b"\n");
    assert_eq!(outcome.out, "form\tempty\npath\t\n");
    assert_eq!(outcome.status, 0);
}

#[test]
fn an_input_that_is_not_utf8_is_invalid() {
    let outcome = uri_with(["parse", "--json"], b"http://a/\xff\xfe\nb\n");
    let json = outcome.json();
    assert_eq!(json[0]["input"], json!("http://a/\u{FFFD}\u{FFFD}"));
    assert_eq!(json[0]["input_base64"], json!("aHR0cDovL2Ev//4="));
    assert_eq!(json[0]["valid"], json!(false));
    assert_eq!(json[0]["error"]["offset"], json!(9));
    assert_eq!(json[0]["error"]["found"], json!("\u{FFFD}"));
    assert_eq!(json[1]["input"], json!("b"));
    assert!(json[1].get("input_base64").is_none());
    assert_eq!(outcome.status, 1);
    for standard in ["rfc1630", "rfc1738", "rfc3987", "whatwg"] {
        let outcome = uri_with(["parse", "--json", "--standard", standard], b"\xff\n");
        assert_eq!(outcome.json()[0]["valid"], json!(false), "{standard}");
        assert_eq!(
            outcome.json()[0]["generic_valid"],
            json!(false),
            "{standard}"
        );
    }
}

#[cfg(unix)]
#[test]
fn arguments_need_not_be_utf8() {
    use std::os::unix::ffi::OsStrExt as _;
    let mut command = command();
    command.args(["parse", "--json"]);
    command.arg(std::ffi::OsStr::from_bytes(b"\xff"));
    assert_eq!(
        run_with(command, b"").json()[0]["input_base64"],
        json!("/w==")
    );
}

#[test]
fn an_unreadable_file_is_reported_and_the_others_are_read() {
    let folder = Folder::new();
    let a = folder.file("a", "x:y\n");
    let directory = folder.path().join("empty");
    std::fs::create_dir(&directory).unwrap();
    let directory = directory.to_str().unwrap();
    let missing = folder.path().join("missing");
    let missing = missing.to_str().unwrap();
    let outcome = uri(["parse", "--json", "-f", missing, "-f", directory, "-f", &a]);
    assert_eq!(inputs(&outcome), ["x:y"]);
    assert_eq!(outcome.status, 3);
    let lines: Vec<_> = outcome.err.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[0].starts_with(&format!("uri: {missing}: ")),
        "{lines:?}"
    );
    assert!(
        lines[1].starts_with(&format!("uri: {directory}: ")),
        "{lines:?}"
    );
    assert!(!outcome.err.contains("os error"));
    assert_eq!(uri(["parse", "-q", "-f", missing]).err, "");
}

#[test]
fn arguments_and_files_exclude_each_other() {
    assert_eq!(uri(["parse", "-f", "a", "b"]).status, 2);
}
