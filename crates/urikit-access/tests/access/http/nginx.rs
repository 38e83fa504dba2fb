//! HTTP with nginx.

use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, fails, fetch, fetch_with, plan};
use std::fmt::Write as _;
use urikit_access::Event;
use urikit_access::policy::Refusal;
use urikit_access::{Buffer, Class, Client, Credentials, ErrorKind, NoPrompt, Request, Wanted};
use urikit_testkit::servers::{Folder, Nginx, free_port, skip};

fn start(test: &str, locations: &str, servers: &str) -> Option<Nginx> {
    let folder = Folder::new("nginx");
    let started = Nginx::start(folder, locations, servers);
    if started.is_none() {
        skip(test, "nginx");
    }
    started
}

fn url(nginx: &Nginx, rest: &str) -> String {
    format!("http://127.0.0.1:{}{rest}", nginx.port())
}

#[test]
fn files_metadata_and_ranges() {
    let Some(nginx) = start("files_metadata_and_ranges", "", "") else {
        return;
    };
    let text: String = (0..20_000).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "line {number}");
        text
    });
    std::fs::write(nginx.path().join("files/a b.txt"), &text).unwrap();
    let size = u64::try_from(text.len()).unwrap();
    let mut client = client();
    let from = url(&nginx, "/a%20b.txt?c#d");
    let (response, buffer) = fetch(&mut client, &from).unwrap();
    assert_eq!(buffer.bytes, text.as_bytes());
    assert_as_planned(&plan(&client, &from).unwrap(), &response.rendered());
    assert_eq!(
        (
            response.metadata.media_type.as_deref(),
            response.metadata.size
        ),
        (Some("text/plain"), Some(size))
    );
    assert!(response.metadata.modified.is_some());
    let (response, buffer) =
        fetch_with(&mut client, &from, |it| it.wanted(Wanted::Metadata)).unwrap();
    assert_eq!(
        (response.metadata.size, buffer.bytes.len()),
        (Some(size), 0)
    );
    assert!(
        response
            .metadata
            .attributes
            .iter()
            .any(|(name, _)| name == "ETag")
    );
    let (response, buffer) = fetch_with(&mut client, &from, |it| it.resume(100_000)).unwrap();
    assert_eq!(buffer.bytes, &text.as_bytes()[100_000..]);
    assert_eq!(response.received, size);
    let (response, buffer) = fetch_with(&mut client, &from, |it| it.resume(size)).unwrap();
    assert_eq!((response.received, buffer.bytes.len()), (size, 0));
    let error = fetch_with(&mut client, &from, |it| it.resume(size + 1)).unwrap_err();
    assert!(error.kind().is_denial(), "{error}");
    let error = fails(&mut client, &url(&nginx, "/none"));
    assert!(
        error
            .to_string()
            .ends_with("received \"HTTP/1.1 404 Not Found\""),
        "{error}"
    );

    let log = nginx.log(6);
    let asked: Vec<_> = log
        .iter()
        .map(|it| (it.request.as_str(), it.status.as_str(), it.range.as_str()))
        .collect();
    let (rest, all, more) = (
        "bytes=100000-".to_owned(),
        format!("bytes={size}-"),
        format!("bytes={}-", size + 1),
    );
    let get = "GET /a%20b.txt?c HTTP/1.1";
    let none = "";
    assert_eq!(
        asked,
        [
            (get, "200", none),
            ("HEAD /a%20b.txt?c HTTP/1.1", "200", none),
            (get, "206", rest.as_str()),
            (get, "416", all.as_str()),
            (get, "416", more.as_str()),
            ("GET /none HTTP/1.1", "404", none),
        ]
    );
    assert_eq!(log[0].host, format!("127.0.0.1:{}", nginx.port()));
    assert_eq!(
        log[0].user_agent,
        concat!("urikit/", env!("CARGO_PKG_VERSION"))
    );
    // All successful requests use one connection.
    assert!(
        log.iter()
            .take(4)
            .all(|it| it.connection == log[0].connection),
        "{log:#?}"
    );
}

/// nginx returns the request line as received.
#[test]
fn targets_reach_nginx_unchanged() {
    let Some(nginx) = start(
        "targets_reach_nginx_unchanged",
        "location / { return 204; }",
        "",
    ) else {
        return;
    };
    let long = format!("/{}", "a".repeat(100_000));
    let targets = [
        "//a//b",
        "/%7E%2f",
        "/?a?b",
        "/a/../b",
        "/;p",
        "/!$&'()*+,;=:@?!$&'()*+,;=:@/?",
        &long,
    ];
    let mut client = client();
    for target in targets {
        fetch(&mut client, &url(&nginx, target)).unwrap();
    }
    for (target, logged) in targets.iter().zip(nginx.log(targets.len())) {
        assert!(
            logged.request == format!("GET {target} HTTP/1.1"),
            "{}",
            &target[..target.len().min(50)]
        );
    }
}

/// At most ten redirects are followed, and an event reports each of them.
#[test]
fn ten_redirects_are_followed_and_eleven_are_not() {
    let mut locations = String::from("location = /0 { return 200 here; }\n");
    for (hop, status) in (1..=11).zip([301, 302, 303, 307, 308].into_iter().cycle()) {
        let _ = writeln!(
            locations,
            "location = /{hop} {{ return {status} http://127.0.0.1:{{port}}/{}; }}",
            hop - 1
        );
    }
    for (name, target) in [
        ("file", "file:///etc/passwd"),
        ("telnet", "telnet://127.0.0.1/"),
        ("mailto", "mailto:a@b"),
        ("ftp", "ftp://127.0.0.1:1/"),
        ("metadata", "http://169.254.169.254/"),
        ("smtp", "http://127.0.0.1:25/"),
    ] {
        let _ = writeln!(locations, "location = /{name} {{ return 302 {target}; }}");
    }
    let Some(nginx) = start(
        "ten_redirects_are_followed_and_eleven_are_not",
        &locations,
        "",
    ) else {
        return;
    };
    let (response, buffer) = fetch(&mut client(), &url(&nginx, "/10#top")).unwrap();
    assert_eq!(buffer.bytes, b"here");
    assert_eq!(
        (&*response.final_uri, response.fragment.as_deref()),
        (&*url(&nginx, "/0"), Some("top"))
    );
    let is_redirect = |event: &&Event| matches!(event, Event::Redirected { .. });
    let redirects = response.events.iter().filter(is_redirect).count();
    assert_eq!(redirects, 10);
    let error = fails(&mut client(), &url(&nginx, "/11"));
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Refused(Refusal::Redirects { max: 10 })
        ),
        "{error}"
    );
    for name in ["file", "telnet", "mailto", "ftp", "metadata", "smtp"] {
        let error = fails(&mut client(), &url(&nginx, &format!("/{name}")));
        // Redirects to ftp are allowed, but not to a port of another protocol.
        let is_ftp = name == "ftp";
        assert!(error.class() == Class::Refused || is_ftp, "{name}: {error}");
    }
    assert_eq!(nginx.log(11 + 11 + 6).len(), 28);
}

/// Credentials are dropped when a redirect leaves their origin, and not sent again when another one
/// leads back.
#[test]
fn credentials_stay_with_their_origin() {
    let other = free_port();
    let locations = format!(
        "location = /same {{ return 302 http://127.0.0.1:{{port}}/after-same; }}
        location = /away {{ return 302 http://127.0.0.1:{other}/back; }}
        location / {{ return 200 here; }}"
    );
    let servers = format!(
        "server {{ listen 127.0.0.1:{other}; location = /back {{ return 302 \
         http://127.0.0.1:{{port}}/after-back; }} }}"
    );
    let Some(nginx) = start("credentials_stay_with_their_origin", &locations, &servers) else {
        return;
    };
    let credentials = Credentials {
        user: "Aladdin".to_owned(),
        password: "open sesame".to_owned(),
    };
    let client: Client = client();
    for path in ["/same", "/away"] {
        let url = url(&nginx, path);
        let reference = urikit::Standard::Rfc3986.parse(&url).unwrap();
        let request = Request::new(reference).credentials(&credentials);
        let response = client
            .fetch(&request, &mut NoPrompt, &mut Buffer::default())
            .unwrap();
        assert!(
            !format!("{:?}", response.rendered()).contains("QWxh"),
            "{:?}",
            response.rendered()
        );
    }
    let log = nginx.log(5);
    let sent: Vec<_> = log
        .iter()
        .map(|it| {
            (
                it.request.split(' ').nth(1).unwrap(),
                it.authorization
                    .starts_with("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            )
        })
        .collect();
    assert_eq!(
        sent,
        [
            ("/same", true),
            ("/after-same", true),
            ("/away", true),
            ("/back", false),
            ("/after-back", false),
        ]
    );
}

#[test]
fn a_password_protects_a_place() {
    let locations = "location / { auth_basic realm; auth_basic_user_file {dir}/users; }";
    let Some(nginx) = start("a_password_protects_a_place", locations, "") else {
        return;
    };
    std::fs::write(nginx.path().join("users"), "Aladdin:{PLAIN}open sesame\n").unwrap();
    std::fs::write(nginx.path().join("files/a.txt"), "inside").unwrap();
    let from = url(&nginx, "/a.txt");
    let error = fails(&mut client(), &from);
    assert!(
        error
            .to_string()
            .ends_with("received \"HTTP/1.1 401 Unauthorized\""),
        "{error}"
    );
    for (password, is_right) in [("open sesame", true), ("open", false)] {
        let credentials: &'static Credentials = Box::leak(Box::new(Credentials {
            user: "Aladdin".to_owned(),
            password: password.to_owned(),
        }));
        let fetched = fetch_with(&mut client(), &from, |it| it.credentials(credentials));
        assert_eq!(
            fetched.is_ok_and(|(_, buffer)| buffer.bytes == b"inside"),
            is_right
        );
    }
    // The URL may also contain the login.
    let login = format!(
        "http://Aladdin:open%20sesame@127.0.0.1:{}/a.txt",
        nginx.port()
    );
    assert_eq!(fetch(&mut client(), &login).unwrap().1.bytes, b"inside");
}
