//! The options of curl: requests, cookies, logins, proxies, retries, simultaneous transfers.

use crate::support::{Folder, uri, uri_with};
use crate::terminal::on_terminal;
use crate::{fetch, http, request};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use urikit_testkit::servers::Scripted;

/// A server that returns the lines and the data of each request.
fn echo() -> Scripted {
    Scripted::start(|client| {
        while let Some((first, fields)) = request(client) {
            let length = fields
                .iter()
                .find_map(|line| line.strip_prefix("Content-Length: "));
            let length = length.map_or(0, |length| length.parse().unwrap());
            let data = client.bytes(length);
            let text = format!(
                "{first}\n{}\n{}\n",
                fields.join("\n"),
                String::from_utf8_lossy(&data)
            );
            client.say(format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{text}",
                text.len()
            ));
        }
    })
}

fn url(server: &Scripted, rest: &str) -> String {
    format!("http://127.0.0.1:{}{rest}", server.port)
}

/// The cookie jar is atomically replaced with a file that only the user can read, even if other
/// users could read the old one. A symbolic link is kept.
#[test]
fn a_cookie_jar_is_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    let server = http(&[(
        "/set",
        "200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0",
        b"",
    )]);
    let (jar, link) = (folder.path().join("jar"), folder.path().join("link"));
    std::fs::write(&jar, "# old\n").unwrap();
    std::fs::set_permissions(&jar, std::fs::Permissions::from_mode(0o644)).unwrap();
    std::os::unix::fs::symlink(&jar, &link).unwrap();
    let mut old = std::fs::File::open(&jar).unwrap();
    let outcome = fetch(["-c", link.to_str().unwrap(), &url(&server, "/set")]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    assert_eq!(
        std::fs::metadata(&jar).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(std::fs::read_to_string(&jar).unwrap().ends_with("\ta\tb\n"));
    assert!(link.is_symlink());
    let mut content = String::new();
    std::io::Read::read_to_string(&mut old, &mut content).unwrap();
    assert_eq!(content, "# old\n", "an open file keeps its content");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    let outcome = fetch(["-c", "/dev/null", &url(&server, "/set")]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
}

/// Files that are held in memory have a maximum size.
#[test]
fn files_of_options_are_limited() {
    let folder = Folder::new();
    let large = folder.path().join("large");
    std::fs::File::create(&large)
        .unwrap()
        .set_len(300 << 20)
        .unwrap();
    let large = large.to_str().unwrap();
    let data = format!("@{large}");
    for arguments in [
        ["fetch", "-b", large, "http://a.example/"],
        ["fetch", "-d", &data, "http://a.example/"],
        ["fetch", "--netrc-file", large, "http://a.example/"],
        ["fetch", "--cacert", large, "http://a.example/"],
        ["get", "--suffix-list", large, "{domain}"],
    ] {
        let outcome = uri(arguments);
        assert_eq!(outcome.status, 2, "{arguments:?}: {outcome:?}");
        assert!(
            outcome.err.contains("MiB, but must fit in memory"),
            "{outcome:?}"
        );
    }
    let outcome = uri(["send", large, large, "mailto:a@b.example"]);
    assert_eq!(outcome.status, 3, "{outcome:?}");
}

#[test]
fn requests_are_as_the_options_say() {
    let (server, folder) = (echo(), Folder::new());
    let from = url(&server, "/a");
    let file = folder.path().join("data");
    std::fs::write(&file, "b=c\r\n").unwrap();
    let at = |name: &str| format!("@{}", folder.path().join(name).display());
    let data = at("data");
    for (options, expected) in [
        (&["-d", "a=b", "-d", &data][..], "a=b&b=c"),
        (&["--data-binary", &data], "b=c\r\n"),
        (&["--data-raw", "@a"], "@a"),
        (&["-X", "DELETE"], "DELETE /a HTTP/1.1\n"),
        (
            &["-H", "X-A: b", "-H", "Accept:", "-H", "X-E;"],
            "\nX-A: b\nX-E: \n",
        ),
        (&["-b", "a=b", "-b", "c=d"], "\nCookie: a=b; c=d\n"),
        (
            &["-u", "Aladdin:open sesame"],
            "\nAuthorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\n",
        ),
        (&["--compressed"], "\nAccept-Encoding: gzip, br, zstd\n"),
        (&["-A", "x/1"], "\nUser-Agent: x/1\n"),
    ] {
        let outcome = fetch(options.iter().copied().chain([from.as_str()]));
        assert_eq!(outcome.status, 0, "{outcome:?}");
        assert!(
            outcome.out.contains(expected),
            "{options:?}: {}",
            outcome.out
        );
    }
    for wrong in [
        &["-H", "no colon"][..],
        &["-H", "Content-Length: 5"],
        &["-X", "A B"],
        &["-d", "@/nowhere/at/all"],
        &["-d", "a", "-I"],
        &["-x", "ftp://proxy.example"],
        &["--limit-rate", "fast"],
        &["-r", "5-4"],
        &["--netrc-file", "/nowhere/at/all"],
    ] {
        let outcome = fetch(wrong.iter().copied().chain([from.as_str()]));
        assert_eq!(outcome.status, 2, "{wrong:?}: {outcome:?}");
    }
}

#[test]
fn cookies_are_kept_in_a_file() {
    let server = http(&[(
        "/set",
        "200 OK\r\nSet-Cookie: id=31d4d96e; Path=/\r\nContent-Length: 0",
        b"",
    )]);
    let folder = Folder::new();
    let jar = folder.path().join("jar").display().to_string();
    let outcome = fetch(["-c", &jar, &url(&server, "/set")]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let text = std::fs::read_to_string(&jar).unwrap();
    assert!(text.starts_with("# Netscape HTTP Cookie File\n"), "{text}");
    let echo = echo();
    let outcome = fetch(["-b", &jar, &url(&echo, "/")]);
    assert!(
        outcome.out.contains("\nCookie: id=31d4d96e\n"),
        "{outcome:?}"
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&jar).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0);
    }
}

#[test]
fn logins_come_from_netrc_for_their_host() {
    let (server, folder) = (echo(), Folder::new());
    let netrc = folder.path().join("netrc");
    std::fs::write(
        &netrc,
        "machine 127.0.0.1 login Aladdin password \"open sesame\"\n",
    )
    .unwrap();
    let netrc = netrc.display().to_string();
    let outcome = fetch(["--netrc-file", &netrc, &url(&server, "/")]);
    assert!(
        outcome.out.contains("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        "{outcome:?}"
    );
    let other = format!("http://localhost:{}/", server.port);
    let outcome = fetch(["--netrc-file", &netrc, &other]);
    assert!(!outcome.out.contains("Authorization"), "{outcome:?}");
}

#[test]
fn failed_accesses_are_tried_again() {
    let busy = || {
        Scripted::start(|client| {
            request(client);
            client.say(if client.number < 2 {
                "HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n"
            } else {
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
            });
        })
    };
    let outcome = fetch(["--retry", "2", &url(&busy(), "/")]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("hello", 0),
        "{outcome:?}"
    );
    assert!(outcome.err.contains("trying again in 0 s"), "{outcome:?}");
    assert_eq!(fetch(["--retry", "1", &url(&busy(), "/")]).status, 5);
    let missing = http(&[("/", "404 No\r\nContent-Length: 0", b"")]);
    let outcome = fetch(["--retry", "3", &url(&missing, "/")]);
    assert!(!outcome.err.contains("trying again"), "{outcome:?}");
    // An interrupted transfer is resumed.
    let broken = Scripted::start(|client| {
        let (_, fields) = request(client).unwrap_or_default();
        let tag = "ETag: \"a\"\r\n";
        client.say(if fields.contains(&"Range: bytes=2-".to_owned()) {
            format!(
                "HTTP/1.1 206 P\r\n{tag}Content-Range: bytes 2-4/5\r\nContent-Length: 3\r\n\r\nllo"
            )
        } else {
            format!("HTTP/1.1 200 OK\r\n{tag}Content-Length: 5\r\n\r\nhe")
        });
        client.close();
    });
    let folder = Folder::new();
    let file = folder.path().join("file").display().to_string();
    let outcome = fetch([
        "--retry",
        "1",
        "--retry-delay",
        "0.1",
        "-o",
        &file,
        &url(&broken, "/"),
    ]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    assert_eq!(std::fs::read(&file).unwrap(), b"hello");
}

/// While references wait because their host asked for a delay, they occupy no worker, and those of
/// other hosts are fetched. The results keep the order of the references.
#[test]
fn a_host_that_asks_to_wait_does_not_stop_others() {
    let is_first = AtomicBool::new(true);
    let server = Scripted::start(move |client| {
        while let Some((first, _)) = request(client) {
            if first.contains("/busy") && is_first.swap(false, Ordering::SeqCst) {
                client.say("HTTP/1.1 429 No\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n");
                continue;
            }
            if first.contains("/slow") {
                // Occupies the second worker until the first one has read the 429.
                while is_first.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(10));
                }
                std::thread::sleep(Duration::from_millis(400));
            }
            client.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
        }
    });
    let folder = Folder::new();
    let to = format!("{}/", folder.path().display());
    let at = |host: &str, path: &str| format!("http://{host}:{}/{path}", server.port);
    let urls = [
        at("127.0.0.1", "busy"),
        at("localhost", "slow"),
        at("127.0.0.1", "next"),
        at("localhost", "a"),
        at("localhost", "b"),
        at("localhost", "c"),
    ];
    let begun = Instant::now();
    let options = [
        "-j",
        "2",
        "--retry",
        "1",
        "-w",
        "%{url} %{http_code}\n",
        "-o",
        &to,
    ];
    let outcome = fetch(options.into_iter().chain(urls.iter().map(String::as_str)));
    assert_eq!(outcome.status, 0, "{outcome:?}");
    assert!(begun.elapsed() >= Duration::from_secs(2));
    let expected: Vec<_> = urls.iter().map(|url| format!("{url} 200")).collect();
    assert_eq!(outcome.out.lines().collect::<Vec<_>>(), expected);
    let log = server.log();
    let requests = log.iter().filter_map(|line| line.strip_prefix("GET /"));
    let paths: Vec<_> = requests
        .map(|line| &line[..line.len() - " HTTP/1.1".len()])
        .collect();
    assert_eq!(paths.len(), 7);
    let mut others = paths[..5].to_vec();
    others.sort_unstable();
    assert_eq!(others, ["a", "b", "busy", "c", "slow"], "{paths:?}");
    // Both workers are free after the wait, so the last two requests may arrive in either order.
    let mut last = paths[5..].to_vec();
    last.sort_unstable();
    assert_eq!(last, ["busy", "next"], "{paths:?}");
    assert_eq!(std::fs::read(folder.path().join("busy")).unwrap(), b"hello");
}

/// A server that waits before each response. The body repeats the path.
fn slow(time: Duration) -> Scripted {
    Scripted::start(move |client| {
        while let Some((first, _)) = request(client) {
            let path = first.split(' ').nth(1).unwrap().to_owned();
            std::thread::sleep(time);
            let body = path.repeat(50_000);
            client.say(format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            ));
        }
    })
}

#[test]
fn several_are_fetched_at_once_and_printed_in_order() {
    let server = slow(Duration::from_millis(500));
    let urls: Vec<String> = (0..8)
        .map(|number| url(&server, &format!("/{number}")))
        .collect();
    let expected: String = (0..8)
        .map(|number| format!("/{number}").repeat(50_000))
        .collect();
    let begun = Instant::now();
    let outcome = fetch(["-j8"].into_iter().chain(urls.iter().map(String::as_str)));
    let time = begun.elapsed();
    assert_eq!(outcome.status, 0, "{}", outcome.err);
    assert!(outcome.out == expected, "{} bytes", outcome.out.len());
    assert!(time < Duration::from_secs(3), "{time:?}");
    // A failed transfer does not stop the others, with any number of jobs.
    let wrong = ["data:,a", "nonsense:", "data:,b"];
    for jobs in ["-j1", "-j4"] {
        let outcome = uri(["fetch", jobs].into_iter().chain(wrong));
        assert_eq!(
            (outcome.out.as_str(), outcome.status),
            ("ab", 5),
            "{outcome:?}"
        );
    }
    let lines = uri_with(["fetch", "-j3"], b"data:,one\ndata:,two\n^\ndata:,three\n");
    assert_eq!(
        (lines.out.as_str(), lines.status),
        ("onetwothree", 1),
        "{lines:?}"
    );
}

#[test]
fn files_have_the_modification_time_of_the_server() {
    let head = "200 OK\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 2";
    let server = http(Box::leak(Box::new([("/a.txt", head, &b"hi"[..])])));
    let folder = Folder::new();
    let into = format!("{}/", folder.path().display());
    let from = url(&server, "/a.txt");
    assert_eq!(fetch(["-o", &into, &from]).status, 0);
    let modified = |name: &str| {
        let metadata = std::fs::metadata(folder.path().join(name)).unwrap();
        metadata.modified().unwrap()
    };
    let expected = std::time::UNIX_EPOCH + Duration::from_secs(784_111_777);
    assert_eq!(modified("a.txt"), expected);
    let file = folder.path().join("b").display().to_string();
    assert_eq!(fetch(["-o", &file, &from]).status, 0);
    assert_ne!(modified("b"), expected, "the user chose the file");
}

#[test]
fn proxies_come_from_options_and_the_environment() {
    let proxy = Scripted::start(|client| {
        while request(client).is_some() {
            client.say("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nby proxy\n");
        }
    });
    let at = format!("http://127.0.0.1:{}", proxy.port);
    let from = "http://name.example/";
    let run = |options: &[&str], variables: &[(&str, &str)]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_uri"));
        command.arg("fetch").args(options).arg(from);
        for name in [
            "http_proxy",
            "all_proxy",
            "no_proxy",
            "ALL_PROXY",
            "NO_PROXY",
        ] {
            command.env_remove(name);
        }
        command
            .args(["--max-time", "3"])
            .envs(variables.iter().copied());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert_eq!(run(&["-x", &at], &[]), "by proxy\n");
    assert_eq!(run(&[], &[("http_proxy", &at)]), "by proxy\n");
    assert_eq!(run(&[], &[("ALL_PROXY", &at)]), "by proxy\n");
    assert_eq!(run(&[], &[("HTTP_PROXY", &at)]), "");
    assert_eq!(run(&["-x", ""], &[("http_proxy", &at)]), "");
    assert_eq!(
        run(&["--noproxy", "name.example"], &[("http_proxy", &at)]),
        ""
    );
    for bad in ["10.0.0.0/33", "a,fd00::/129", "10.0.0.0/x"] {
        for (options, variable) in [(&["--noproxy", bad][..], "x"), (&[], "no_proxy")] {
            let name = options.first().unwrap_or(&variable);
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_uri"));
            command
                .args(["fetch", "--max-time", "3", from])
                .args(options);
            let output = command.env(variable, bad).output().unwrap();
            let err = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{bad}: {err}");
            assert!(
                err.contains(&format!("{name}: expected networks as")),
                "{err}"
            );
        }
    }
    assert_eq!(
        run(&[], &[("all_proxy", &at), ("no_proxy", ".example")]),
        ""
    );
}

#[test]
fn a_rate_is_kept() {
    let server = http(Box::leak(Box::new([(
        "/",
        "200 OK\r\nContent-Length: 30000",
        &*Box::leak(vec![b'a'; 30_000].into_boxed_slice()),
    )])));
    let begun = Instant::now();
    let outcome = fetch(["--limit-rate", "30k", &url(&server, "/")]);
    assert_eq!(outcome.out.len(), 30_000);
    assert!(
        begun.elapsed() >= Duration::from_millis(900),
        "{:?}",
        begun.elapsed()
    );
}

/// Simultaneous transfers that take more than a second have one labelled bar each.
#[test]
fn several_have_a_bar_each() {
    let server = Scripted::start(|client| {
        while request(client).is_some() {
            client.say("HTTP/1.1 200 OK\r\nContent-Length: 1500\r\n\r\n");
            for _ in 0..15 {
                client.say("x".repeat(100));
                std::thread::sleep(Duration::from_millis(150));
            }
        }
    });
    let folder = Folder::new();
    let to = format!("{}/", folder.path().display());
    let urls = ["one.bin", "two.bin"].map(|name| url(&server, &format!("/{name}")));
    let shown = |options: &[&str]| {
        let all = ["fetch", "--allow-private", "-j", "2", "-o", &to];
        on_terminal(
            80,
            false,
            &[&all[..], options, &[&urls[0], &urls[1]]].concat(),
        )
    };
    let screen = shown(&[]);
    assert_eq!(screen.status, 0, "{screen:?}");
    for name in ["one.bin", "two.bin"] {
        let is_bar = |part: &str| part.contains(name) && part.contains("/1.46 KiB");
        assert!(screen.text.split(['\r', '\n']).any(is_bar), "{screen:?}");
    }
    assert!(!shown(&["-q"]).text.contains("KiB"));
}
