//! Byte order marks, indexes of web archives, folders and patterns.

use crate::support::{Folder, uri, uri_with};

/// Encodes text as UTF-16 after a byte order mark.
fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    units.flat_map(to_bytes).collect()
}

#[test]
fn byte_order_marks_are_not_input() {
    let folder = Folder::new();
    for (name, content, arguments, expected) in [
        (
            "lines",
            "http://a/\r\nhttp://b/\r\n",
            &["{host}"][..],
            "a\nb\n",
        ),
        ("nul", "http://a/\0http://b/", &["{host}", "-0"], "a\nb\n"),
        (
            "csv",
            "url,n\nhttp://a/,é\n",
            &["{host}", "--column", "url"],
            "a\n",
        ),
        (
            "json",
            "{\"url\":\"http://a/\"}\n",
            &["{host}", "--field", "url"],
            "a\n",
        ),
        (
            "cdxj",
            "com,a)/ 20200101000000 {\"url\": \"http://a/\"}\n",
            &["{host}"],
            "a\n",
        ),
    ] {
        for bytes in [
            [b"\xEF\xBB\xBF", content.as_bytes()].concat(),
            utf16(content, u16::to_le_bytes),
            utf16(content, u16::to_be_bytes),
        ] {
            let file = folder.file(name, &bytes);
            let outcome = uri(["get"].iter().chain(arguments).chain(&["-f", &file]));
            assert_eq!(
                (outcome.out.as_str(), outcome.err.as_str()),
                (expected, ""),
                "{name}"
            );
            let piped = uri_with(["get"].iter().chain(arguments), &bytes);
            assert_eq!(piped.out, expected, "{name}");
        }
    }
    // Every subcommand that reads lines converts UTF-16.
    for arguments in [
        &["normalize"][..],
        &["resolve", "--base", "http://b/"],
        &["decode"],
        &["edit", "--sort-query"],
    ] {
        let outcome = uri_with(
            arguments,
            &utf16("http://a/é\n".trim_end(), u16::to_le_bytes),
        );
        let plain = uri_with(arguments, "http://a/é".as_bytes());
        assert_eq!(outcome, plain, "{arguments:?}");
    }
    // Half a character cannot be decoded. The error is reported, and no replacement character is
    // used.
    let mut half = utf16("http://a/", u16::to_le_bytes);
    half.extend([0, 0xD8, b'\n', 0]);
    let outcome = uri_with(["parse", "--json"], &half);
    assert_eq!(outcome.status, 1);
    assert_eq!(outcome.json()[0]["error"]["offset"], 9);
    half.pop();
    let outcome = uri_with(["get", "{host}"], &half);
    assert_eq!(outcome.status, 3, "{outcome:?}");
    let message = "not valid UTF-16: the file ends within a character";
    assert!(outcome.err.contains(message), "{outcome:?}");
}

#[test]
fn cdx_is_read_by_its_legend_or_its_form() {
    let entry = "com,a)/ 20200101000000 http://a/ text/html 200 ABC 12";
    let legend = format!(" CDX N b a m s k S\n{entry}\n");
    for cdx in [entry, &legend] {
        let outcome = uri_with(["get", "{url}"], cdx.as_bytes());
        assert_eq!(
            (outcome.out.as_str(), outcome.err.as_str()),
            ("http://a/\n", ""),
            "{cdx}"
        );
    }
    // The format of an index with other fields must be given.
    let odd = "com,a)/ 2020 http://a/ x\n";
    assert_eq!(uri_with(["get", "{url}"], odd.as_bytes()).status, 1);
    let outcome = uri_with(["get", "{url}", "--input-format", "cdx"], odd.as_bytes());
    assert_eq!(outcome.out, "http://a/\n");
    for (arguments, input, expected) in [
        (&["--input-format", "lines"][..], " CDX N b a\n", "\n"),
        (
            &["--input-format", "tsv", "--column", "u"],
            "u\tn,m\nx:a\t1\n",
            "x:a\n",
        ),
        (
            &["--input-format", "csv", "--column", "1"],
            "u\tx\nx:a,1\n",
            "x:a\n",
        ),
        (
            &["--input-format", "jsonl", "--field", "u"],
            "{\"u\":\"x:\"}\n",
            "x:\n",
        ),
        (
            &["--input-format", "cdxj", "--field", "u"],
            "a 1 {\"u\":\"x:\"}\n",
            "x:\n",
        ),
    ] {
        let all = ["get", "{url}", "-q"].iter().chain(arguments);
        assert_eq!(
            uri_with(all, input.as_bytes()).out,
            expected,
            "{arguments:?}"
        );
    }
    for arguments in [
        &["--input-format", "csv"][..],
        &["--input-format", "jsonl"],
        &["--input-format", "cdx", "--column", "u"],
        &["--input-format", "warc", "--field", "u"],
    ] {
        let outcome = uri_with(["get", "{url}"].iter().chain(arguments), b"x:\n");
        assert_eq!(outcome.status, 2, "{arguments:?}");
    }
}

#[test]
fn folders_and_patterns_name_files() {
    let folder = Folder::new();
    for name in ["b", "a/x=1", "a/_temporary", ".git"] {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    for (name, line) in [
        ("b/2.txt", "x:b2"),
        ("a/x=1/1.txt", "x:a1"),
        ("a/9.log", "x:a9"),
        ("a/_temporary/0.txt", "x:temporary"),
        ("_SUCCESS", "x:success"),
        (".git/c.txt", "x:git"),
        ("[z].txt", "x:z"),
    ] {
        folder.file(name, format!("{line}\n"));
    }
    let base = folder.path().to_str().unwrap();
    let get = |path: &str| uri(["get", "{path}", "-f", &format!("{base}/{path}")]);
    assert_eq!(get("").out, "z\na9\na1\nb2\n");
    assert_eq!(get("a").out, "a9\na1\n");
    assert_eq!(get("*.txt").out, "z\n");
    assert_eq!(get("**/*.txt").out, "z\na1\nb2\n");
    assert_eq!(get("?/[0-9].???").out, "a9\nb2\n");
    // A file of this name exists.
    assert_eq!(get("[z].txt").out, "z\n");
    for (path, message) in [
        ("*.csv", "no file matches the pattern"),
        (".git/none", "No such file"),
        ("a/[", "unclosed character class"),
    ] {
        let outcome = get(path);
        assert_eq!(outcome.status, 3, "{path}");
        assert!(outcome.err.contains(message), "{path} {}", outcome.err);
    }
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    assert!(get("empty").err.contains("the folder has no files"));
    let mut relative = crate::support::command();
    relative.current_dir(folder.path());
    let output = relative
        .args(["get", "{path}", "-f", "*/*.txt"])
        .output()
        .unwrap();
    assert_eq!(output.stdout, b"b2\n");
}

/// The line and column are positions in the file, even in quotes and after other cells.
#[test]
fn positions_in_csv_are_those_of_the_file() {
    let table = "n,u\n\"a\n\"\"é\",\"http://a b/\"\n\né,http://c d/\n\"\",\"x:\"\"\n^\"\r\nlast";
    let outcome = uri_with(["get", "{host}", "--column", "u"], table.as_bytes());
    let places: Vec<_> = outcome
        .err
        .lines()
        .filter_map(|it| it.strip_prefix("uri: -:"))
        .collect();
    let places: Vec<_> = places
        .iter()
        .map(|it| it.split(": ").next().unwrap())
        .collect();
    // `"` is the first character that a path excludes.
    assert_eq!(places, ["3:15", "5:11", "6:7"], "{}", outcome.err);
    let whatwg = uri_with(
        ["get", "{host}", "--column", "u", "--standard", "whatwg"],
        b"n,u\n1,\"x://a\"\"b\"\n",
    );
    assert!(whatwg.err.starts_with("uri: -:2:4: "), "{}", whatwg.err);
}
