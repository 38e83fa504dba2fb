//! Which files `uri extract` reads, and how it prints their references: as ripgrep does.

use crate::support::{Folder, Outcome, command, run_with, uri};
use std::fs;

/// Runs the command in a folder.
fn within(folder: &Folder, arguments: &[&str], input: &[u8]) -> Outcome {
    let mut uri = command();
    uri.current_dir(folder.path())
        .arg("extract")
        .args(arguments);
    run_with(uri, input)
}

/// A folder with files of many kinds, some of which git would ignore.
fn tree() -> Folder {
    let folder = Folder::new();
    for name in [".git", "docs", "target", ".cache"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    folder.file(".gitignore", "target/\n*.log\n");
    folder.file(".ignore", "secret.txt\n");
    folder.file("a.txt", "http://a/");
    folder.file("docs/b.html", "<a href='http://b/'>");
    folder.file("docs/c.md", "<http://c/>");
    folder.file("d.log", "http://d/");
    folder.file("secret.txt", "http://e/");
    folder.file("target/f.txt", "http://f/");
    folder.file(".cache/g.txt", "http://g/");
    folder.file(".h.txt", "http://h/");
    folder
}

/// Returns the letters of the hosts found.
fn hosts(folder: &Folder, arguments: &[&str]) -> String {
    let outcome = within(folder, arguments, b"");
    assert_eq!(outcome.err, "", "{arguments:?}");
    let hosts = outcome.out.lines().filter_map(|line| line.chars().nth(7));
    hosts.collect()
}

#[test]
fn folders_are_walked_as_ripgrep_does() {
    let folder = tree();
    for (arguments, expected) in [
        (&["."][..], "abc"),
        (&["--no-ignore", "."], "adbcef"),
        // `.git` contains no files.
        (&["--hidden", "."], "ghabc"),
        (&["-g", "*.md", "."], "c"),
        (&["-g", "!*.md", "."], "ab"),
        (&["-g", "docs/**", "."], "bc"),
        // A file that a glob matches is searched even if it is hidden or ignored.
        (&["-g", "*.txt", "-g", "*.html", "."], "habe"),
        (&["-t", "html", "."], "b"),
        (&["-t", "html", "-t", "md", "."], "bc"),
        (&["-T", "html", "."], "ac"),
        // Files named as arguments are read.
        (&["d.log", "target"], "df"),
        (&[".h.txt"], "h"),
    ] {
        assert_eq!(hosts(&folder, arguments), expected, "{arguments:?}");
    }
    let types = within(&folder, &["--type-list"], b"");
    assert!(
        types.out.contains("\nhtml: *.ejs, *.htm, *.html\n"),
        "{}",
        types.out
    );
    let unknown = within(&folder, &["-t", "nope", "."], b"");
    assert_eq!(unknown.status, 2);
    assert!(
        unknown.err.starts_with("uri: unknown type `nope`: "),
        "{}",
        unknown.err
    );
    assert_eq!(within(&folder, &["-g", "a[", "."], b"").status, 2);
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_followed_on_request() {
    let folder = tree();
    std::os::unix::fs::symlink("../a.txt", folder.path().join("docs/link.txt")).unwrap();
    std::os::unix::fs::symlink(".", folder.path().join("docs/loop")).unwrap();
    assert_eq!(hosts(&folder, &["docs"]), "bc");
    let followed = within(&folder, &["-L", "docs"], b"");
    assert_eq!(followed.out, "http://b/\nhttp://c/\nhttp://a/\n");
    assert_eq!(followed.err, "uri: docs/loop: a loop of symbolic links\n");
    assert_eq!(followed.status, 3);
}

#[test]
fn lists_name_files_and_folders() {
    let folder = tree();
    let list = folder.file("list", "d.log\r\n\ndocs\nmissing\na.txt");
    let outcome = within(&folder, &["--files-from", &list], b"");
    assert_eq!(outcome.out, "http://d/\nhttp://b/\nhttp://c/\nhttp://a/\n");
    assert_eq!(outcome.err, "uri: missing: No such file or directory\n");
    assert_eq!(outcome.status, 3);
    let stdin = within(
        &folder,
        &["-n", "-0", "--files-from", "-"],
        b"a.txt\0d.log\0",
    );
    assert_eq!(stdin.out, "a.txt\u{0}1:http://a/\nd.log\u{0}1:http://d/\n");
    let long = folder.file("long", "a".repeat(100_000));
    let outcome = within(&folder, &["--files-from", &long, "a.txt"], b"");
    assert_eq!(outcome.out, "http://a/\n");
    assert!(
        outcome
            .err
            .ends_with("long: a name in this list is too long\n"),
        "{}",
        outcome.err
    );
}

/// File names need not be UTF-8. Each list of names can be read again.
#[cfg(unix)]
#[test]
fn names_are_printed_exactly() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Folder::new();
    let name = std::ffi::OsStr::from_bytes(b"\xFF\xFE.txt");
    fs::write(folder.path().join(name), "http://a.example/").unwrap();
    let printed = |arguments: &[&str]| {
        let mut uri = command();
        uri.current_dir(folder.path()).arg("extract");
        uri.args(arguments).output().unwrap().stdout
    };
    let names = printed(&["-l", "-0", "."]);
    assert_eq!(names, b"./\xFF\xFE.txt\0");
    let outcome = within(&folder, &["-0", "--files-from", "-", "-Ic"], &names);
    assert_eq!((&*outcome.out, &*outcome.err), ("1\n", ""));
    assert_eq!(printed(&["-l", "."]), b"./\xFF\xFE.txt\n");
    assert_eq!(printed(&["-Hc", "."]), b"./\xFF\xFE.txt:1\n");
    let line = b"./\xFF\xFE.txt:1:http://a.example/\n";
    assert_eq!(printed(&["-nH", "."]), line);
    // Strings in JSON are Unicode.
    let json = String::from_utf8(printed(&["--json", "."])).unwrap();
    assert!(json.contains("./\u{FFFD}\u{FFFD}.txt"), "{json}");
}

#[test]
fn binary_files_are_summarised_in_one_line() {
    let folder = Folder::new();
    for name in ["a", "b", "c"] {
        folder.file(name, b"\0");
    }
    folder.file("d", "http://d/");
    let outcome = within(&folder, &["."], b"");
    assert_eq!(outcome.out, "http://d/\n");
    assert_eq!(
        outcome.err,
        "uri: ./a: skipped: it is binary, as are 2 other files (--as sets the format)\n"
    );
    assert_eq!(outcome.status, 0);
}

#[test]
fn names_lines_and_columns() {
    let folder = Folder::new();
    folder.file("a", "x\n\u{e9} http://a/ http://b/\n");
    folder.file("b", "http://c/");
    folder.file("c", "nothing");
    for (arguments, expected) in [
        (&["a", "b"][..], "http://a/\nhttp://b/\nhttp://c/\n"),
        (&["-n", "a"], "2:http://a/\n2:http://b/\n"),
        (&["--column", "a"], "2:3:http://a/\n2:13:http://b/\n"),
        (
            &["-n", "a", "b"],
            "a:2:http://a/\na:2:http://b/\nb:1:http://c/\n",
        ),
        (
            &["-nI", "a", "b"],
            "2:http://a/\n2:http://b/\n1:http://c/\n",
        ),
        (&["-H", "b"], "b:http://c/\n"),
        (&["-HI", "b"], "http://c/\n"),
        (&["-H0", "b"], "b\0http://c/\n"),
        (&["-l", "a", "b", "c"], "a\nb\n"),
        (&["-l0", "."], "./a\0./b\0"),
        (&["-l", "--unique", "a", "b"], "a\nb\n"),
        (&["--count", "a", "b", "c"], "a:2\nb:1\n"),
        (&["-c0", "a", "b"], "a\x002\nb\x001\n"),
        (&["-cI", "a", "b"], "2\n1\n"),
        (&["-c", "a"], "2\n"),
    ] {
        let outcome = within(&folder, arguments, b"");
        assert_eq!(outcome.out, expected, "{arguments:?}");
    }
    assert_eq!(within(&folder, &["-l", "--json", "a"], b"").status, 2);
}

#[test]
fn context_lines_as_in_ripgrep() {
    let folder = Folder::new();
    folder.file("a", "1\n2 http://a/ <http://\nb/>\n4\n5\n6\n7 http://c/\n");
    folder.file("b", "http://d/");
    for (arguments, expected) in [
        (
            &["-C0", "a"][..],
            "2-2 http://a/ <http://\n2:http://a/\n3-b/>\n2:http://b/\n--\n7-7 http://c/\n\
             7:http://c/\n",
        ),
        (
            &["-A1", "a", "b"],
            "a-2-2 http://a/ <http://\na:2:http://a/\na-3-b/>\na:2:http://b/\na-4-4\n--\n\
             a-7-7 http://c/\na:7:http://c/\n--\nb-1-http://d/\nb:1:http://d/\n",
        ),
        (
            &["-B1", "-I", "--scheme", "http", "--where", "host=c", "a"],
            "6-6\n7-7 http://c/\n7:http://c/\n",
        ),
        (&["-C9", "--column", "b"], "1-http://d/\n1:1:http://d/\n"),
    ] {
        let outcome = within(&folder, arguments, b"");
        assert_eq!(outcome.out, expected, "{arguments:?}");
    }
    assert_eq!(within(&folder, &["-C1", "--json", "a"], b"").status, 2);
}

/// Context keeps the order of files, even with many threads.
#[test]
fn context_keeps_the_order() {
    let folder = Folder::new();
    for nth in 0..30 {
        let text = format!("http://h{nth}/\nx\n\n\n").repeat(if nth % 7 == 0 { 3_000 } else { 3 });
        folder.file(&format!("{nth:02}"), text);
    }
    let path = folder.path().to_str().unwrap();
    let one = uri(["extract", "-A1", "-j1", path]);
    assert!(uri(["extract", "-A1", "-j5", path]) == one);
    assert_eq!(one.out.matches("--\n").count(), 5 * 3_000 + 25 * 3 - 1);
}
