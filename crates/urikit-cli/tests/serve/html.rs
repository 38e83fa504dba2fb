//! `uri explain --html`: the page as a file.

use std::process::{Command, Output};

fn explain(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_uri"));
    command.arg("explain").args(arguments).output().unwrap()
}

#[test]
fn a_file_needs_no_server() {
    let url = "http://me:sesame@good.example\\@evil.example/?a=<script>b</script>#<b>";
    let output = explain(&["--html", url]);
    assert_eq!(output.status.code(), Some(1), "the reference is not valid");
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("host-disagreement"));
    for absent in [
        "sesame", "<script", "<b>b", "<link", "<form", "src=", "url(", "href=",
    ] {
        assert!(!page.contains(absent), "{absent}");
    }
    assert!(
        page.contains("default-src 'none'"),
        "the file forbids all loading"
    );
}

#[test]
fn the_page_is_written_to_a_file() {
    let file = std::env::temp_dir().join(format!("urikit-html-{}", std::process::id()));
    let argument = format!("--html={}", file.display());
    let output = explain(&[&argument, "http://a/"]);
    let page = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    assert_eq!(page.as_bytes(), explain(&["--html", "http://a/"]).stdout);
}

#[test]
fn wrong_uses_are_errors() {
    // The second one forgets the `=`.
    for arguments in [
        ["--html", "http://a/", "http://b/"],
        ["--html", "page.html", "http://a/"],
    ] {
        let output = explain(&arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("use --html=FILE"), "{message}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    }
    let output = explain(&["--html=/nonexistent/a", "http://a/"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("/nonexistent/a"), "{message}");
    assert_eq!(explain(&["--html", "--json", "a"]).status.code(), Some(2));
}
