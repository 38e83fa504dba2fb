//! Usage errors, failures, and their messages.

use crate::support::{Folder, uri, uri_with};
use crate::{fetch, request};
use urikit_testkit::servers::Scripted;

#[test]
fn options_that_exclude_each_other_are_a_usage_error() {
    for arguments in [
        &["-o", "f", "a:b", "c:d"][..],
        &["--json", "a:b"],
        &["-C", "-", "a:b"],
        &["-C", "x", "a:b"],
        &["-o", "f", "-O", "a:b"],
        &["--plan", "-O", "a:b"],
        &["--gateway", "wais", "a:b"],
        &["--gateway", "wais=gopher", "a:b"],
        &["--standard", "whatwg", "http://h/"],
        &["--allow-port", "x", "a:b"],
        &["-m", "nan", "a:b"],
        &["-m", "-1", "a:b"],
        &["-m", "inf", "a:b"],
        &["-m", "-0.5", "a:b"],
        &["-m", "", "a:b"],
        &["-m", "1s", "a:b"],
        &["--connect-timeout", "nan", "a:b"],
        &["--connect-timeout", "-1", "a:b"],
        &["--idle-timeout", "NaN", "a:b"],
        &["--idle-timeout", "-1", "a:b"],
        &["--proto", "ht tp", "a:b"],
        &["--proto", "", "a:b"],
        &["--proto-redir", "=", "a:b"],
    ] {
        let outcome = uri(["fetch"].iter().chain(arguments));
        assert_eq!(
            (outcome.out.as_str(), outcome.status),
            ("", 2),
            "{arguments:?} {outcome:?}"
        );
    }
}

#[test]
fn each_failure_has_its_status() {
    let folder = Folder::new();
    let missing = format!("{}/none/file", folder.path().to_str().unwrap());
    for (arguments, status, message) in [
        (&["http://a b/"][..], 1, "found a space"),
        (
            &["../a"],
            1,
            "expected a scheme, found a relative reference",
        ),
        (&["ftp://h/a%0D%0ADELE%20b"], 1, "control character"),
        (&["magic:a"], 5, "the scheme `magic` is not supported"),
        (&["urn:ietf:rfc:1738"], 5, "--gateway urn=URL"),
        (&["-o", &missing, "data:,a"], 3, "No such file"),
        (&["-f", &missing, "-o", "/"], 3, "No such file"),
        (&["--meta", &missing, "data:,a"], 3, "No such file"),
        (
            &["http://127.0.0.1:1/"],
            4,
            "port 1 belongs to another protocol",
        ),
    ] {
        let outcome = fetch(arguments.iter().copied());
        assert_eq!(outcome.status, status, "{arguments:?} {outcome:?}");
        assert!(outcome.err.contains(message), "{arguments:?} {outcome:?}");
        let quiet = fetch(["-q"].iter().chain(arguments.iter()).copied());
        if status != 3 {
            assert_eq!(
                (quiet.err.as_str(), quiet.status),
                ("", status),
                "{arguments:?}"
            );
        }
    }
}

#[test]
fn one_failure_does_not_stop_the_others() {
    let folder = Folder::new();
    let to = format!("{}/", folder.path().to_str().unwrap());
    let input = b"data:,one\nhttp://a b/\n\xff\nmagic:x\ndata:,two\n";
    let outcome = uri_with(["fetch", "-o", &to], input);
    assert_eq!(outcome.status, 5, "{outcome:?}");
    let places: Vec<&str> = outcome
        .err
        .lines()
        .filter(|line| line.starts_with("uri: "))
        .map(|line| line.get(..8).unwrap())
        .collect();
    assert_eq!(places, ["uri: -:2", "uri: -:3", "uri: -:4"]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn bodies_can_go_to_standard_output() {
    let outcome = uri_with(["fetch"], b"data:,one%20line\n");
    assert_eq!((outcome.out.as_str(), outcome.status), ("one line", 0));
    let outcome = uri_with(["fetch"], b"data:,one\ndata:,two\n");
    assert_eq!((outcome.out.as_str(), outcome.status), ("onetwo", 0));
    let outcome = uri(["fetch", "-o", "file", "data:,one", "data:,two"]);
    assert!(
        outcome.err.contains("several references require -O"),
        "{}",
        outcome.err
    );
}

/// If a proxy requires a login, `-u` does not help, because that login is for the server in the
/// URL.
#[test]
fn the_login_of_a_proxy_is_in_its_url() {
    const ADVICE: &str =
        "  put the login in the proxy's URL (-x, or the environment): USER:PASSWORD@\n";
    let http = Scripted::start(|client| {
        if request(client).is_some() {
            client.say("HTTP/1.1 407 Login\r\nContent-Length: 0\r\n\r\n");
        }
    });
    let socks = Scripted::start(|client| {
        client.bytes(4);
        client.say([5, 2]);
        client.bytes(9);
        client.say([1, 1]);
    });
    for (proxy, says) in [
        (
            format!("http://u:wrong@127.0.0.1:{}", http.port),
            "refused the login",
        ),
        (
            format!("http://127.0.0.1:{}", http.port),
            "requires a login",
        ),
        (
            format!("socks5h://u:wrong@127.0.0.1:{}", socks.port),
            "refused the login",
        ),
    ] {
        let outcome = fetch(["-x", &proxy, "http://name.example/"]);
        assert_eq!(outcome.status, 5, "{outcome:?}");
        let message = format!("the proxy {says}");
        assert!(outcome.err.contains(&message), "{outcome:?}");
        assert!(outcome.err.ends_with(ADVICE), "{outcome:?}");
        assert!(
            !outcome.err.contains("wrong") && !outcome.err.contains("-u"),
            "{outcome:?}"
        );
    }
}

/// A compressed message may be the missing one.
#[test]
fn what_was_not_searched_is_said() {
    let folder = Folder::new();
    folder.file("mail.bz2", "BZh91AY&SY");
    let store = folder.path().join("mail.bz2");
    let store = store.to_str().unwrap();
    let outcome = fetch(["--mail", store, "mid:a@b.example"]);
    let expected = format!(
        "uri: argument 1: not found in 0 messages of {store}; not searched: 1 file, compressed with \
         bzip2, which is not supported\n"
    );
    assert_eq!((outcome.err, outcome.status), (expected, 5));
    let outcome = fetch(["-q", "--mail", store, "mid:a@b.example"]);
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 5));
}
