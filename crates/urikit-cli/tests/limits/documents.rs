//! Documents that expand when they are read, and documents that exceed a limit.

use crate::peak::run;
use crate::support::{Folder, uri};
use serde_json::Value;

/// Returns a string of this length.
fn long(length: usize) -> String {
    "x".repeat(length)
}

/// Documents of about a megabyte that repeat a long text for each link.
fn documents() -> Vec<(&'static str, String)> {
    let links = "<a href=y>".repeat(6000);
    let base = |length| format!("http://a.example/{}", long(length));
    let mega = base(1_000_000);
    let allowed = base(8000) + "/";
    let many = "<a href=y>".repeat(30_000);
    let list = "y ".repeat(150_000);
    let spaces = "a\u{7} ".repeat(300_000);
    let definition = "[d] ".repeat(20_000);
    vec![
        ("base.html", format!("<base href='{mega}'>{links}")),
        ("late.html", format!("<p><base href='{mega}'>{links}")),
        ("allowed.html", format!("<base href='{allowed}'>{many}")),
        ("after.html", format!("{many}<base href='{allowed}'>")),
        (
            "repeated.html",
            format!("<base href='{mega}'>").repeat(3) + &links,
        ),
        (
            "codebase.html",
            format!("<svg><object codebase='{mega}' archive='{list}'>"),
        ),
        (
            "codebases.html",
            format!("<svg><object codebase='{allowed}' archive='{list}'>"),
        ),
        (
            "ping.html",
            format!("<base href='{allowed}'><a ping='{list}'>"),
        ),
        ("spaces.html", format!("<a href='{spaces}'>")),
        ("spaces.md", format!("[a](<{spaces}>)")),
        (
            "codebase.md",
            format!("<object codebase='{mega}' archive='{list}'>"),
        ),
        (
            "definitions.md",
            format!("{definition}\n\n[d]: <{}>\n", "a b\u{7}".repeat(20_000)),
        ),
        (
            "short.md",
            format!(
                "{}\n\n[d]: <{}>\n",
                "[d] ".repeat(100),
                "é b\u{7}".repeat(1000)
            ),
        ),
        (
            "base.eml",
            format!("Content-Base: {mega}\nContent-Type: text/html\n\n{links}"),
        ),
        (
            "location.eml",
            format!("Content-Location: {mega}\nContent-Type: text/html\n\n{links}"),
        ),
        (
            "allowed.eml",
            format!(
                "Content-Base: {allowed}\nList-Help: {}\n\n",
                "<y>".repeat(300_000)
            ),
        ),
        (
            "latin1.eml",
            format!(
                "Content-Type: text/html; charset=windows-1252\n\
                 Content-Transfer-Encoding: quoted-printable\n\n<a href=3D'{}'>",
                "=80 a".repeat(100_000)
            ),
        ),
        ("text.txt", "http://a.example/\u{e9} ".repeat(50_000)),
        ("wrapped.txt", "<URL:http://a.example/\n b>".repeat(40_000)),
    ]
}

/// JSON output has at most 64 times the size of the input, plus 1 MiB, plus 512 bytes for each
/// link. Memory does not grow with the output.
#[test]
fn output_and_memory_are_bounded() {
    let folder = Folder::new();
    for (name, document) in documents() {
        let file = folder.file(name, &document);
        for arguments in [
            &["extract", "--json", &file][..],
            &["extract", "--unique", &file],
        ] {
            let run = run(arguments, None);
            let most = 64 * document.len() + (1 << 20) + 512 * run.lines;
            let (printed, lines) = (run.printed, run.lines);
            assert!(printed <= most, "{name}: {printed} bytes, {lines} lines");
            assert!(
                lines > 0 || run.err.contains("references omitted"),
                "{name}: {}",
                run.err
            );
            println!(
                "{name}: {} kB of input, {} kB of memory, {lines} links, {} kB of output",
                document.len() >> 10,
                run.peak >> 10,
                printed >> 10,
            );
            assert!(run.peak < 96 << 20, "{name}: {} kB", run.peak >> 10);
        }
    }
}

#[test]
fn an_exceeded_limit_is_reported() {
    let folder = Folder::new();
    let base = format!("http://a.example/{}", long(8192));
    let parts = (0..40).fold(String::new(), |all, _| {
        all + "Content-Type: message/rfc822\n\n"
    });
    let head = format!("<title>{}</title>", " ".repeat(1 << 20));
    let uses = "[d]".repeat(200);
    let definition = format!("[d]: http://a.example/{}", long(1000));
    let rows = [
        (
            "a.html",
            format!("<base href='{base}'><a href=b><a href='http://c.example/'>"),
            "base URIs longer than 8 KiB, ignored together with the references relative to them: 1",
        ),
        (
            "b.html",
            format!("<object codebase='{base}' data=b>"),
            "base URIs longer than 8 KiB, ignored together with the references relative to them: 1",
        ),
        (
            "a.eml",
            format!("Content-Base: {base}\nContent-Type: text/html\n\n<a href=b>"),
            "base URIs longer than 8 KiB, ignored together with the references relative to them: 1",
        ),
        (
            "c.html",
            format!("{head}<link href=a><base href='http://c/'>"),
            "base URIs after the first mebibyte, which do not apply to earlier references: 1",
        ),
        (
            "e.html",
            format!("<a href=b><p title='{}'>", long(17 << 20)),
            "tags longer than 16 MiB, read as text: 1",
        ),
        (
            "b.eml",
            format!("{parts}http://a.example/"),
            "parts nested more than 32 levels deep, read as text: 1",
        ),
        (
            "a.md",
            format!("{uses}\n\n{definition}\n"),
            // Two adjacent uses form one link of six bytes, so 99 of them are almost 100,000 bytes.
            "definitions used too often: further uses are ignored from byte 594 on",
        ),
    ];
    for (name, document, message) in rows {
        let file = folder.file(name, document);
        let outcome = uri(["extract", "--json", &file]);
        assert!(outcome.err.contains(message), "{name}: {}", outcome.err);
    }
    // A relative reference with an unknown base has no target. An absolute reference needs no base.
    let page = folder.file("f.html", format!("<base href='{base}'><a href=b>"));
    let outcome = uri([
        "extract",
        "--json",
        "--base",
        "http://other.example/",
        &page,
    ]);
    assert_eq!(outcome.json()[1]["target"], Value::Null);
    let plain = uri(["extract", "--base", "http://other.example/", &page]);
    assert!(plain.out.ends_with("\nb\n"), "{}", plain.out);
    let long_base = uri(["extract", "--base", &base, &page]);
    assert_eq!(long_base.status, 2);
    assert!(
        long_base
            .err
            .contains("expected a base of at most 8192 bytes")
    );
}

/// A base of exactly 8 KiB is used.
#[test]
fn a_base_of_8_kib_is_used() {
    let folder = Folder::new();
    let base = format!("http://a.example/{}/", long(8192 - 18));
    assert_eq!(base.len(), 8192);
    let page = folder.file("a.html", format!("<base href='{base}'><a href=b>"));
    let outcome = uri(["extract", &page]);
    assert_eq!(outcome.out, format!("{base}\n{base}b\n"));
    assert_eq!(outcome.err, "");
    assert_eq!(uri(["extract", "--base", &base, &page]).status, 0);
}

/// A long link with too many changes is printed without the list of changes.
#[test]
fn what_would_exceed_the_bound_is_left_out() {
    let folder = Folder::new();
    let text = format!(
        "{}\n\n[d]: <{}>\n",
        "[d] ".repeat(100),
        "b\u{80}".repeat(3000)
    );
    let file = folder.file("a.md", &text);
    let outcome = uri(["extract", "--json", &file]);
    let most = 64 * text.len() + (1 << 20) + 512 * outcome.out.lines().count();
    assert!(outcome.out.len() <= most);
    let without = |row: &Value| row["repaired"]["changes"] == Value::Array(Vec::new());
    let rows = outcome.json();
    let cut = rows.iter().filter(|row| without(row)).count();
    assert!(
        cut > 0 || outcome.err.contains("references omitted"),
        "{}",
        outcome.err
    );
}
