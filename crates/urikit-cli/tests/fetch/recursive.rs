//! `uri fetch --recursive`: trees of listings and pages, and names that must stay in the folder.

use crate::support::Folder;
use crate::{fetch, http, request};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use urikit_testkit::servers::{self, Gophernicus, Pyftpdlib, Scripted, skip};

/// Returns the files below a folder with their contents. The names of folders end in a slash.
fn tree(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for file in fs::read_dir(&next).unwrap() {
            let path = file.unwrap().path();
            let name = path
                .strip_prefix(folder)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            if path.is_dir() {
                found.insert(format!("{name}/"), String::new());
                folders.push(path);
            } else {
                let content = fs::read(&path).unwrap();
                found.insert(name, String::from_utf8_lossy(&content).into_owned());
            }
        }
    }
    found
}

fn names(folder: &Path) -> Vec<String> {
    tree(folder).into_keys().collect()
}

#[test]
fn over_ftp() {
    let folder = servers::Folder::new("tree");
    folder.write("pub/a.txt", "one");
    folder.write("pub/x/b;c d", "two");
    folder.write("pub/x/y/deep", "three");
    folder.write("other", "no");
    fs::create_dir(folder.path().join("pub/empty")).unwrap();
    std::os::unix::fs::symlink("..", folder.path().join("pub/x/loop")).unwrap();
    let Some(server) = Pyftpdlib::start(&folder) else {
        return skip("recursive: over_ftp", "python3-pyftpdlib");
    };
    let to = Folder::new();
    let at = |name: &str| format!("{}/", to.path().join(name).to_str().unwrap());
    let url = format!("ftp://127.0.0.1:{}/pub/", server.port());
    let outcome = fetch(["--recursive", "--depth", "3", "-o", &at("m"), &url]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let found = tree(&to.path().join("m"));
    assert_eq!(found["a.txt"], "one");
    assert_eq!(found["x/b;c d"], "two");
    assert_eq!(found["x/y/deep"], "three");
    assert!(
        found.contains_key("empty/") && !found.contains_key("other"),
        "{found:?}"
    );
    // One login serves all directories.
    let commands = server.commands();
    let logins = commands
        .iter()
        .filter(|line| line.starts_with("USER"))
        .count();
    assert_eq!(logins, 1, "{commands:?}");
    // `--depth` limits the depth.
    let outcome = fetch(["--recursive", "--depth", "1", "-o", &at("n"), &url]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    assert_eq!(names(&to.path().join("n")), ["a.txt", "empty/", "x/"]);
    let outcome = fetch(["--recursive", "--max-items", "3", "-o", &at("o"), &url]);
    assert_eq!(outcome.status, 3, "{outcome:?}");
}

#[test]
fn over_gopher() {
    let folder = servers::Folder::new("tree");
    folder.write("about.txt", "about\n");
    folder.write("more/deep.txt", "deep\n");
    let Some(server) = Gophernicus::start(&folder) else {
        return skip("recursive: over_gopher", "gophernicus");
    };
    let to = Folder::new();
    let at = format!("{}/", to.path().join("m").to_str().unwrap());
    let url = format!("gopher://127.0.0.1:{}/", server.port);
    let outcome = fetch(["--recursive", "-o", &at, &url]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let found = tree(&to.path().join("m"));
    assert!(found["about.txt"].contains("about"), "{found:?}");
    assert!(found["more/deep.txt"].contains("deep"), "{found:?}");
}

const PAGE: &str = "200 OK\r\nContent-Type: text/html; charset=utf-8";

#[test]
fn over_http() {
    let server = http(&[
        (
            "/d/",
            PAGE,
            b"<a href='a.html#top'>a</a> <a href=\"../up\">up</a> <a href=b.txt?x&amp;y>b</a> \
              <a href=#here>here</a> <img src=/d/c%20d.gif> <a href=http://other.example/?a&amp;b>",
        ),
        (
            "/d/a.html",
            PAGE,
            b"<a href='./'>index</a> <a href=sub/>sub</a> <a href=none>",
        ),
        (
            "/d/b.txt?x&y",
            "200 OK\r\nContent-Type: text/plain",
            b"text",
        ),
        (
            "/d/c%20d.gif",
            "200 OK\r\nContent-Type: image/gif",
            b"GIF89a",
        ),
        ("/d/sub/", PAGE, b"<a href=../a.html>a</a>"),
        ("/d/none", "404 Not Found", b"none"),
    ]);
    let to = Folder::new();
    let at = format!("{}/", to.path().join("m").to_str().unwrap());
    let url = format!("http://127.0.0.1:{}/d/", server.port);
    let outcome = fetch(["--recursive", "--convert-links", "-o", &at, &url]);
    // One of the links is broken.
    assert_eq!(outcome.status, 5, "{outcome:?}");
    let found = tree(&to.path().join("m"));
    let files: Vec<&String> = found.keys().collect();
    assert_eq!(
        files,
        [
            "a.html",
            "b.txt?x&y",
            "c d.gif",
            "index.html",
            "sub/",
            "sub/index.html"
        ]
    );
    let up = format!("http://127.0.0.1:{}/up", server.port);
    assert_eq!(
        found["index.html"],
        format!(
            "<a href='./a.html#top'>a</a> <a href=\"{up}\">up</a> <a href=./b.txt%3Fx%26y>b</a> \
             <a href=#here>here</a> <img src=./c%20d.gif> \
             <a href=http://other.example/?a&amp;b>"
        )
    );
    assert!(
        found["a.html"].contains("<a href='./index.html'>"),
        "{found:?}"
    );
    assert!(
        found["sub/index.html"].contains("<a href=../a.html>"),
        "{found:?}"
    );
}

/// Names from a server that point out of the folder.
#[test]
fn names_stay_in_the_folder() {
    let server = http(&[
        (
            "/d/",
            PAGE,
            b"<a href=%2e%2e%2f%2e%2e%2fescaped>a</a> <a href=.%2fx>b</a> <a href=link/y>c</a> \
              <a href=-rf>d</a> <a href=%2Fetc%2Fpasswd>e</a>",
        ),
        (
            "/d/%2e%2e%2f%2e%2e%2fescaped",
            "200 OK\r\nContent-Type: text/plain",
            b"1",
        ),
        ("/d/.%2fx", "200 OK\r\nContent-Type: text/plain", b"2"),
        ("/d/link/y", "200 OK\r\nContent-Type: text/plain", b"3"),
        ("/d/-rf", "200 OK\r\nContent-Type: text/plain", b"4"),
        (
            "/d/%2Fetc%2Fpasswd",
            "200 OK\r\nContent-Type: text/plain",
            b"5",
        ),
    ]);
    let to = Folder::new();
    let path = |name: &str| to.path().join(name);
    fs::create_dir_all(path("m")).unwrap();
    fs::create_dir(path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(path("elsewhere"), path("m/link")).unwrap();
    let at = format!("{}/", path("m").to_str().unwrap());
    let url = format!("http://127.0.0.1:{}/d/", server.port);
    let outcome = fetch(["--recursive", "-o", &at, &url]);
    // No file is written through a symbolic link.
    assert_eq!(outcome.status, 3, "{outcome:?}");
    assert!(outcome.err.contains("not a folder"), "{outcome:?}");
    assert_eq!(names(&path("elsewhere")), Vec::<String>::new());
    fs::remove_file(path("m/link")).unwrap();
    assert_eq!(
        names(&path("m")),
        [
            "_-rf",
            "_.._.._escaped",
            "_._x",
            "_etc_passwd",
            "index.html"
        ]
    );
    let left: Vec<String> = names(to.path())
        .into_iter()
        .filter(|it| !it.contains('/'))
        .collect();
    assert_eq!(left, Vec::<String>::new());
}

/// A server chooses the names in a copy, so it must not be able to write settings or to replace
/// unrelated files.
#[test]
fn a_copy_does_not_touch_other_files() {
    let server = http(&[
        (
            "/t/",
            PAGE,
            b"<a href=.profile>a</a> <a href=%2Essh/keys>b</a> <a href=Makefile>c</a>",
        ),
        ("/t/.profile", TEXT, b"1"),
        ("/t/%2Essh/keys", TEXT, b"2"),
        ("/t/Makefile", TEXT, b"3"),
    ]);
    let home = Folder::new();
    let own = [
        (".profile", "mine"),
        (".ssh/keys", "mine"),
        ("Makefile", "mine"),
    ];
    fs::create_dir(home.path().join(".ssh")).unwrap();
    for (name, content) in own {
        fs::write(home.path().join(name), content).unwrap();
    }
    let url = format!("http://127.0.0.1:{}/t/", server.port);
    let folder = format!("127.0.0.1_{}", server.port);
    let copy = |options: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_uri"))
            .args(["fetch", "--allow-private", "--recursive", &url])
            .args(options)
            .current_dir(home.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let messages = copy(&[]);
    let saved = format!("{url}.profile: saved as {folder}/_.profile\n");
    assert!(messages.contains(&saved), "{messages}");
    assert!(messages.ends_with("copied 4 files (74 B)\n"), "{messages}");
    let copied = [
        "Makefile",
        "_.profile",
        "_.ssh/",
        "_.ssh/keys",
        "index.html",
    ];
    assert_eq!(names(&home.path().join(&folder)), copied);
    for (name, content) in own {
        assert_eq!(fs::read_to_string(home.path().join(name)).unwrap(), content);
    }
    // In a folder that the user chose, files without a leading dot are replaced.
    let messages = copy(&["-o", "./"]);
    assert!(messages.ends_with(", 1 replaced\n"), "{messages}");
    let read = |name| fs::read_to_string(home.path().join(name)).unwrap();
    assert_eq!((&*read(".profile"), &*read("Makefile")), ("mine", "3"));
}

const TEXT: &str = "200 OK\r\nContent-Type: text/plain";

/// Returns the targets of the requests that a server received.
fn targets(server: &Scripted) -> Vec<String> {
    let log = server.log();
    let lines = log.iter().filter_map(|line| line.strip_suffix(" HTTP/1.1"));
    let target = |line: &str| line.split(' ').nth(1).map(str::to_owned);
    lines.filter_map(target).collect()
}

/// `%2e%2e` is `..` (RFC 3986, 6.2.2.2 and 6.2.2.3), so these links leave the folder.
#[test]
fn escaped_dot_segments_do_not_lead_out() {
    let server = http(&[
        (
            "/tree/",
            PAGE,
            b"<a href='%2e%2e/esc'>a</a> <a href='a/%2E%2e/%2e./up'>b</a> \
              <a href='a/%2E%2e/in'>c</a> <a href='%69n'>the same</a>",
        ),
        ("/tree/a/%2E%2e/in", TEXT, b"in"),
    ]);
    let to = Folder::new();
    let at = format!("{}/", to.path().join("m").to_str().unwrap());
    let url = format!("http://127.0.0.1:{}/tree/", server.port);
    let outcome = fetch(["--recursive", "--convert-links", "-o", &at, &url]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    assert_eq!(targets(&server), ["/tree/", "/tree/a/%2E%2e/in"]);
    let found = tree(&to.path().join("m"));
    assert_eq!(found["in"], "in");
    assert!(
        found["index.html"].ends_with("<a href='./in'>c</a> <a href='./in'>the same</a>"),
        "{found:?}"
    );
}

/// The target of each link repeats the page's base. All links together may have at most 64 times
/// the size of the page.
#[test]
fn a_long_base_and_many_links() {
    let base = "x".repeat(8000);
    let page = |name: &str, count: usize| -> &'static [u8] {
        let links = (0..count)
            .map(|link| format!("<a href={}>", link % 10))
            .collect::<Vec<_>>()
            .concat();
        let page = format!("<base href='/{name}/{base}/'>{links}");
        page.into_bytes().leak()
    };
    let few = ("/few/", PAGE, page("few", 20));
    let many = ("/many/", PAGE, page("many", 50_000));
    let server = http(vec![few, many].leak());
    let to = Folder::new();
    let at = format!("{}/", to.path().join("m").to_str().unwrap());
    for (name, is_complete) in [("few", true), ("many", false)] {
        let url = format!("http://127.0.0.1:{}/{name}/", server.port);
        let outcome = fetch(["--recursive", "--depth", "1", "-o", &at, &url]);
        let message = "links omitted, because together the links are more than 64 times as large";
        assert_eq!(
            !outcome.err.contains(message),
            is_complete,
            "{}",
            outcome.err
        );
        assert!(is_complete || outcome.status != 0, "{outcome:?}");
    }
}

/// URLs that are not below the first one are not fetched, not even after a redirect.
#[test]
fn redirects_do_not_lead_out() {
    let server = http(&[
        (
            "/tree/",
            PAGE,
            b"<a href=out>a</a> <a href=host>b</a> <a href=twice>c</a> <a href=in>d</a> \
              <a href=dots>e</a> <a href=dir>f</a>",
        ),
        ("/tree/out", "302 Found\r\nLocation: /outside/secret", b""),
        (
            "/tree/host",
            "301 Moved\r\nLocation: http://other.example/",
            b"",
        ),
        ("/tree/twice", "302 Found\r\nLocation: out", b""),
        (
            "/tree/dots",
            "302 Found\r\nLocation: /tree/%2e%2e/secret",
            b"",
        ),
        ("/tree/in", "302 Found\r\nLocation: /tree/x/y.txt", b""),
        ("/tree/x/y.txt", TEXT, b"y"),
        ("/tree/dir", "301 Moved\r\nLocation: /tree/dir/", b""),
        ("/tree/dir/", PAGE, b"<a href=../x/y.txt>y</a>"),
    ]);
    let to = Folder::new();
    let at = format!("{}/", to.path().join("m").to_str().unwrap());
    let url = format!("http://127.0.0.1:{}/tree/", server.port);
    let outcome = fetch(["--recursive", "--convert-links", "-o", &at, &url]);
    // These redirects leave the scope, although the links do not show that.
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let notice = format!(
        "/tree/out: not copied: redirected to http://127.0.0.1:{}/outside/secret\n",
        server.port
    );
    assert!(outcome.err.contains(&notice), "{outcome:?}");
    assert_eq!(outcome.err.matches("not copied").count(), 4, "{outcome:?}");
    let found = tree(&to.path().join("m"));
    let files: Vec<&String> = found.keys().collect();
    assert_eq!(
        files,
        ["dir/", "dir/index.html", "index.html", "x/", "x/y.txt"]
    );
    assert!(
        found["index.html"].contains("<a href=./x/y.txt>d</a>")
            && found["index.html"].ends_with("<a href=./dir/index.html>f</a>"),
        "{found:?}"
    );
    // The target of a redirect is not fetched again.
    let asked = targets(&server);
    let count = |target: &str| asked.iter().filter(|asked| *asked == target).count();
    assert_eq!(count("/tree/x/y.txt"), 1, "{asked:?}");
    assert!(!asked.iter().any(|target| target.contains("secret")));
    let outcome = fetch(["--recursive", "-q", "-o", &at, &url]);
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
}

/// Redirects of the first URL are followed, and the copy contains the files below their target.
#[test]
fn the_first_url_may_be_redirected() {
    let second = http(&[
        ("/docs/", PAGE, b"<a href=a>a</a> <a href=/up>up</a>"),
        ("/docs/a", TEXT, b"a"),
    ]);
    let location = format!("http://127.0.0.1:{}/docs/", second.port);
    let first = Scripted::start(move |client| {
        request(client);
        client.say(format!(
            "HTTP/1.1 301 Moved\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"
        ));
    });
    let to = Folder::new();
    let at = format!("{}/", to.path().join("m").to_str().unwrap());
    let url = format!("http://127.0.0.1:{}/start/here", first.port);
    let secrets = ["-u", "me:secret", "-H", "X-Api-Key: secret"];
    let outcome =
        fetch((secrets.into_iter()).chain(["--recursive", "--convert-links", "-o", &at, &url]));
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let note = format!(
        "{url}: redirected to http://127.0.0.1:{}/docs/: copying the files under that URL\n",
        second.port
    );
    assert!(outcome.err.contains(&note), "{outcome:?}");
    assert_eq!(targets(&second), ["/docs/", "/docs/a"]);
    let found = tree(&to.path().join("m"));
    assert_eq!(found["a"], "a");
    assert!(found["index.html"].starts_with("<a href=./a>"), "{found:?}");
    // No request sends the login or the other secrets to the second server.
    let log = second.log();
    let is_secret = |line: &String| line.contains("Authorization") || line.contains("Api-Key");
    assert!(!log.iter().any(is_secret), "{log:?}");
}

/// On http servers, a page and a folder often have the same name.
#[test]
fn a_name_of_a_file_and_a_folder() {
    let server = http(&[
        (
            "/d/",
            PAGE,
            b"<a href=n>n</a> <a href=n/m>m</a> <a href=o/p/q>q</a> <a href=o/p>p</a> \
              <a href=n/>n/</a> <a href=r%3As>r</a> <a href=r_s>s</a>",
        ),
        ("/d/n", PAGE, b"<a href=n/m>from n</a>"),
        ("/d/n/m", PAGE, b"<a href=../n>from m</a>"),
        ("/d/o/p/q", TEXT, b"q"),
        ("/d/o/p", PAGE, b"<a href=p/q>from p</a>"),
        ("/d/n/", PAGE, b"<a href=m>from n/</a>"),
        ("/d/r%3As", TEXT, b"r"),
        ("/d/r_s", TEXT, b"s"),
    ]);
    let to = Folder::new();
    let at = format!("{}/", to.path().join("m").to_str().unwrap());
    let url = format!("http://127.0.0.1:{}/d/", server.port);
    let copy = || {
        let outcome = fetch(["--recursive", "--convert-links", "-o", &at, &url]);
        assert_eq!(outcome.status, 0, "{outcome:?}");
        (tree(&to.path().join("m")), outcome.err)
    };
    let (found, messages) = copy();
    // Each name that differs from the one in the URL is reported, followed by the summary.
    let reported = |from: &str, text: &str| format!("uri: argument 1: {url}{from}: {text}\n");
    let saved = |from: &str, name: &str| reported(from, &format!("saved as {at}{name}"));
    let moved = format!("moved {at}n to {at}n/index.html, because a folder needs the name");
    let mut reports = vec![
        reported("n/m", &moved),
        saved("o/p", "o/p/index.html"),
        saved("n/", "n/index.html.1"),
        saved("r%3As", "r_s"),
        saved("r_s", "r_s.1"),
    ];
    reports.push("uri: argument 1: copied 8 files (218 B)\n".to_owned());
    assert_eq!(messages, reports.concat());
    let expected = [
        (
            "index.html",
            "<a href=./n/index.html>n</a> <a href=./n/m>m</a> <a href=./o/p/q>q</a> \
             <a href=./o/p/index.html>p</a> <a href=./n/index.html.1>n/</a> \
             <a href=./r_s>r</a> <a href=./r_s.1>s</a>",
        ),
        ("n/", ""),
        ("n/index.html", "<a href=./m>from n</a>"),
        ("n/index.html.1", "<a href=./m>from n/</a>"),
        ("n/m", "<a href=./index.html>from m</a>"),
        ("o/", ""),
        ("o/p/", ""),
        ("o/p/index.html", "<a href=./q>from p</a>"),
        ("o/p/q", "q"),
        ("r_s", "r"),
        ("r_s.1", "s"),
    ];
    let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(found, BTreeMap::from(expected));
    // Copying again into the same folder moves no file.
    let (again, messages) = copy();
    assert_eq!(again, found);
    reports[0] = saved("n", "n/index.html");
    let reports = reports.concat().replace("B)\n", "B), 8 replaced\n");
    assert_eq!(messages, reports);
    // The same applies to JSON.
    let fresh = format!("{}/", to.path().join("j").to_str().unwrap());
    let outcome = fetch(["--recursive", "--json", "-o", &fresh, &url]);
    assert_eq!(outcome.err, "");
    let records = outcome.json();
    let found_names: Vec<_> = records
        .iter()
        .map(|record| {
            let (uri, file) = (record["uri"].as_str(), record["file"].as_str());
            let from = uri.unwrap().strip_prefix(&*url).unwrap();
            let name = file.unwrap().strip_prefix(&*fresh).unwrap();
            (from, name, record["renamed"].as_bool().unwrap())
        })
        .collect();
    let expected = [
        ("", "index.html", false),
        ("n", "n", false),
        ("n/m", "n/m", false),
        ("o/p/q", "o/p/q", false),
        ("o/p", "o/p/index.html", true),
        ("n/", "n/index.html.1", true),
        ("r%3As", "r_s", true),
        ("r_s", "r_s.1", true),
    ];
    assert_eq!(found_names, expected);
    let moved = serde_json::json!([
        {"from": format!("{fresh}n"), "to": format!("{fresh}n/index.html")}
    ]);
    assert_eq!(records[2]["moved"], moved);
    assert!(records.iter().filter(|it| it["moved"].is_array()).count() == 1);
    // A symbolic link in place of the file or the folder is not followed.
    fs::create_dir_all(to.path().join("l")).unwrap();
    std::os::unix::fs::symlink(to.path().join("m"), to.path().join("l/n")).unwrap();
    let at = format!("{}/", to.path().join("l").to_str().unwrap());
    assert_eq!(fetch(["--recursive", "-o", &at, &url]).status, 0);
    assert!(
        fs::symlink_metadata(to.path().join("l/n"))
            .unwrap()
            .is_dir()
    );
    assert_eq!(tree(&to.path().join("m")), found);
}

/// The server chose the invalid name, so the reference of the user is reported as valid.
#[test]
fn errors_name_their_url() {
    let folder = servers::Folder::new("tree");
    folder.write("pub/e\u{1b}vil", "one");
    folder.write("pub/good", "two");
    let Some(server) = Pyftpdlib::start(&folder) else {
        return skip("recursive: errors_name_their_url", "python3-pyftpdlib");
    };
    let to = Folder::new();
    let at = format!("{}/", to.path().join("m").to_str().unwrap());
    let url = format!("ftp://127.0.0.1:{}/pub/", server.port());
    let outcome = fetch(["--recursive", "-o", &at, &url]);
    assert_eq!(outcome.status, 5, "{outcome:?}");
    let expected = format!(
        "uri: argument 1: {url}e%1Bvil: expected no control character in the name, found %1B\n\
         uri: argument 1: copied 1 file (3 B), 1 failed\n"
    );
    assert_eq!(outcome.err, expected);
    assert_eq!(names(&to.path().join("m")), ["good"]);
    let outcome = fetch(["--recursive", "--json", "-o", &at, &url]);
    let lines = outcome.json();
    let evil = lines.iter().find(|line| line["error"].is_object()).unwrap();
    assert_eq!(evil["valid"], true, "{evil}");
    assert_eq!(evil["error"]["class"], "protocol", "{evil}");
}

#[test]
fn mistakes() {
    let to = Folder::new();
    let at = format!("{}/", to.path().to_str().unwrap());
    for (arguments, status) in [
        (
            &["--recursive", "-o", "/tmp/file-not-folder", "ftp://h/"][..],
            2,
        ),
        (&["--recursive", "-O", "ftp://h/"], 2),
        (&["--recursive", "-C", "-", "ftp://h/"], 2),
        (&["--recursive", "--plan", "ftp://h/"], 2),
        (&["--convert-links", "ftp://h/"], 2),
        (&["--depth", "1", "ftp://h/"], 2),
        (&["--recursive", "-o", &at, "news:comp.test"], 5),
    ] {
        let outcome = fetch(arguments.iter().copied());
        assert_eq!(outcome.status, status, "{arguments:?} {outcome:?}");
    }
    assert_eq!(names(to.path()), Vec::<String>::new());
}

/// A site with a page, a style sheet and the files that the sheet links to.
fn styled(requests: &'static std::sync::Mutex<Vec<String>>) -> Scripted {
    const DATE: &str = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
    Scripted::start(move |client| {
        while let Some((first, _)) = request(client) {
            let (kind, date, body) = match first.split(' ').nth(1).unwrap_or_default() {
                "/s/" => ("text/html", "", "<link rel=stylesheet href=a.css>"),
                "/s/a.css" => (
                    "text/css",
                    DATE,
                    "@import 'b.css'; a { color: url(c.png?x&y) }",
                ),
                "/s/b.css" => ("text/css", DATE, "b { }"),
                _ => ("image/png", DATE, "image"),
            };
            client.say(format!(
                "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n{date}Content-Length: {}\r\n\r\n",
                body.len()
            ));
            if first.starts_with("GET") {
                client.say(body);
            }
            requests.lock().unwrap().push(first);
        }
    })
}

#[test]
fn a_copy_follows_css_and_ends_with_a_summary() {
    static REQUESTS: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());
    let (server, folder) = (styled(&REQUESTS), Folder::new());
    let url = format!("http://127.0.0.1:{}/s/", server.port);
    let to = format!("{}/", folder.path().display());
    let copy = |options: &[&str]| {
        REQUESTS.lock().unwrap().clear();
        let common = ["--recursive", "-o", &to, &url];
        fetch(options.iter().copied().chain(common))
    };
    let outcome = copy(&[]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    assert_eq!(
        names(folder.path()),
        ["a.css", "b.css", "c.png?x&y", "index.html"]
    );
    assert_eq!(outcome.err, "uri: argument 1: copied 4 files (86 B)\n");
    // Only changed files are fetched again, but all links are followed.
    fs::write(folder.path().join("b.css"), "other").unwrap();
    let outcome = copy(&["-N"]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    assert_eq!(
        outcome.err,
        "uri: argument 1: copied 2 files (37 B), 2 replaced, 2 unchanged\n"
    );
    let requests = REQUESTS.lock().unwrap().clone();
    let fetched: Vec<_> = requests.iter().filter(|it| it.starts_with("GET")).collect();
    assert_eq!(fetched, ["GET /s/ HTTP/1.1", "GET /s/b.css HTTP/1.1"]);
    assert_eq!(
        fs::read_to_string(folder.path().join("b.css")).unwrap(),
        "b { }"
    );
    let outcome = copy(&["--convert-links", "-q"]);
    assert_eq!((outcome.status, outcome.err.as_str()), (0, ""));
    let sheet = fs::read_to_string(folder.path().join("a.css")).unwrap();
    assert!(sheet.contains("@import './b.css'"), "{sheet}");
    assert!(sheet.contains("url(./c.png%3Fx%26y)"), "{sheet}");
}

/// A second copy with `-N` retrieves only the changed file.
#[test]
fn only_changed_files_are_copied_again_over_ftp() {
    let folder = servers::Folder::new("tree");
    folder.write("pub/a.txt", "one");
    folder.write("pub/x/b.txt", "two");
    let Some(server) = Pyftpdlib::start(&folder) else {
        return skip("recursive: only_changed_files", "python3-pyftpdlib");
    };
    let to = Folder::new();
    let at = format!("{}/", to.path().join("m").to_str().unwrap());
    let url = format!("ftp://127.0.0.1:{}/pub/", server.port());
    let retrieved = || {
        let commands = server.commands();
        let all = commands.iter().filter(|line| line.starts_with("RETR"));
        all.cloned().collect::<Vec<_>>()
    };
    let copy = || fetch(["--recursive", "-N", "-o", &at, &url]);
    let outcome = copy();
    assert_eq!(outcome.err, "uri: argument 1: copied 2 files (6 B)\n");
    assert_eq!(retrieved().len(), 2);
    let outcome = copy();
    assert_eq!(
        outcome.err,
        "uri: argument 1: copied 0 files (0 B), 2 unchanged\n"
    );
    assert_eq!(retrieved().len(), 2);
    folder.write("pub/x/b.txt", "other");
    let outcome = copy();
    assert_eq!(
        outcome.err,
        "uri: argument 1: copied 1 file (5 B), 1 replaced, 1 unchanged\n"
    );
    assert_eq!(retrieved().len(), 3);
    assert_eq!(tree(&to.path().join("m"))["x/b.txt"], "other");
}

/// Style sheets are followed in elements and attributes, and their links are converted under the
/// rules of their context: character references in attributes, none in `<style>`, no parenthesis in
/// `url()`.
#[test]
fn style_elements_and_attributes_are_followed() {
    let server = http(&[
        (
            "/d/",
            PAGE,
            b"<style>@import 'a.css'; @import url(b.css); p { background: url(\"c.png?x&y\") } \
              q { background: url(/up?x&y=%28) }</style><p style='background: url(d.png?x&amp;y)'> \
              <p style=\"background: url('e(1).png')\"> <p style='background: url(/up?x&amp;\\28 y)'> \
              <a href='/up?(x)&amp;y'>",
        ),
        ("/d/a.css", "200 OK\r\nContent-Type: text/css", b"@import 'sub/f.css' screen;"),
        ("/d/b.css", "200 OK\r\nContent-Type: text/css", b"a { src: url( f.png ) }"),
        ("/d/c.png?x&y", "200 OK\r\nContent-Type: image/png", b"c"),
        ("/d/d.png?x&y", "200 OK\r\nContent-Type: image/png", b"d"),
        ("/d/e(1).png", "200 OK\r\nContent-Type: image/png", b"e"),
        ("/d/f.png", "200 OK\r\nContent-Type: image/png", b"f"),
        ("/d/sub/f.css", "200 OK\r\nContent-Type: text/css", b"a { src: url('../f.png') }"),
    ]);
    let to = Folder::new();
    let at = format!("{}/", to.path().join("m").to_str().unwrap());
    let url = format!("http://127.0.0.1:{}/d/", server.port);
    let outcome = fetch(["--recursive", "--convert-links", "-o", &at, &url]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let found = tree(&to.path().join("m"));
    let files: Vec<_> = found.keys().map(String::as_str).collect();
    let expected = [
        "a.css",
        "b.css",
        "c.png?x&y",
        "d.png?x&y",
        "e(1).png",
        "f.png",
        "index.html",
        "sub/",
        "sub/f.css",
    ];
    assert_eq!(files, expected);
    let up = format!("http://127.0.0.1:{}/up", server.port);
    let expected = format!(
        "<style>@import './a.css'; @import url(./b.css); \
         p {{ background: url(\"./c.png%3Fx%26y\") }} q {{ background: url({up}?x&y=%28) }}</style>\
         <p style='background: url(./d.png%3Fx%26y)'> \
         <p style=\"background: url('./e%281%29.png')\"> \
         <p style='background: url({up}?x&amp;%28y)'> <a href='{up}?(x)&amp;y'>"
    );
    assert_eq!(found["index.html"], expected);
    assert_eq!(found["a.css"], "@import './sub/f.css' screen;");
    assert_eq!(found["b.css"], "a { src: url( ./f.png ) }");
    assert_eq!(found["sub/f.css"], "a { src: url('../f.png') }");
}
