//! Apache: ranges, gzip and Digest over http and https, and uploads.

use super::tls::certificate;
use super::upload::send;
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, fails, fetch, fetch_with, plan, policy};
use std::fs::File;
use std::io::Read as _;
use std::time::{Duration, SystemTime};
use urikit::Standard;
use urikit_access::protocol::HttpProtocol;
use urikit_access::{Buffer, Class, Client, Credentials, NoPrompt, Request, Upload};
use urikit_testkit::servers::{Apache, Folder, skip};

/// Starts Apache with a certificate, and returns both.
pub(super) fn apache(test: &str) -> Option<(Apache, Vec<u8>)> {
    let folder = Folder::new("apache");
    let pem = certificate(test, &folder)?;
    let apache = Apache::start(folder);
    if apache.is_none() {
        skip(test, "apache2");
    }
    Some((apache?, pem))
}

/// Returns the URLs of a path: for http and for https.
pub(super) fn urls(apache: &Apache, path: &str) -> [String; 2] {
    [
        format!("http://127.0.0.1:{}{path}", apache.port()),
        format!("https://localhost:{}{path}", apache.secure_port()),
    ]
}

fn trusting(pem: &[u8]) -> Client {
    Client::new(policy()).root_certificates(pem).unwrap()
}

fn tim(password: &str) -> &'static Credentials {
    Box::leak(Box::new(Credentials {
        user: "tim".to_owned(),
        password: password.to_owned(),
    }))
}

#[test]
fn files_and_ranges() {
    let Some((apache, pem)) = apache("files_and_ranges") else {
        return;
    };
    let text = (0..100_000).map(|number| format!("{number}\n"));
    let text = text.collect::<Vec<_>>().concat();
    let path = apache.path().join("files/a b.txt");
    std::fs::write(&path, &text).unwrap();
    // A file that changed within the last second has no strong validator.
    let file = File::options().append(true).open(path).unwrap();
    let hour = Duration::from_secs(3600);
    file.set_modified(SystemTime::now() - hour).unwrap();
    let mut count = 0;
    for url in urls(&apache, "/a%20b.txt") {
        let mut client = trusting(&pem);
        let (response, buffer) = fetch(&mut client, &url).unwrap();
        assert!(buffer.bytes == text.as_bytes(), "{url}");
        assert_as_planned(&plan(&client, &url).unwrap(), &response.rendered());
        let validator = buffer.metadata.validator.clone().unwrap();
        assert_eq!(buffer.metadata.media_type.as_deref(), Some("text/plain"));
        assert!(buffer.metadata.modified.is_some());
        for (range, expected) in [
            ("0-4", &text[..5]),
            ("588886-", &text[588_886..]),
            ("-3", &text[text.len() - 3..]),
        ] {
            let range = range.parse().unwrap();
            let (_, buffer) = fetch_with(&mut client, &url, |it| it.range(range)).unwrap();
            assert_eq!(buffer.bytes, expected.as_bytes(), "{url}");
        }
        // If the version is the same, only the rest of the file is fetched. If the version has
        // changed, the complete file is fetched.
        let rest = |validator: &str| {
            let reference = Standard::Rfc3986.parse(&url).unwrap();
            let request = Request::new(reference).resume_version(10, validator);
            let mut buffer = Buffer::default();
            let fetched = trusting(&pem).fetch(&request, &mut NoPrompt, &mut buffer);
            fetched.unwrap();
            String::from_utf8(buffer.bytes).unwrap()
        };
        assert_eq!(rest(&validator), text[10..], "{url}");
        assert_eq!(rest("\"another\""), text, "{url}");
        count += 6;
    }
    let log = apache.log(count);
    let statuses = log.iter().map(|line| line.split('\t').nth(1).unwrap());
    // Apache's threads log when they are done, in any order.
    let mut statuses: Vec<_> = statuses.collect();
    statuses.sort_unstable();
    assert_eq!(
        statuses,
        [vec!["200"; 4], vec!["206"; 8]].concat(),
        "{log:#?}"
    );
    assert_eq!(
        log.iter().filter(|line| line.contains("\tTLSv1.")).count(),
        6
    );
    // The first path does not exist, and the second is forbidden.
    let error = fails(&mut client(), &urls(&apache, "/none")[0]);
    assert!(error.to_string().contains("404 Not Found"), "{error}");
}

#[test]
fn bodies_by_mod_deflate() {
    let Some((apache, pem)) = apache("bodies_by_mod_deflate") else {
        return;
    };
    let text = "all work and no play\n".repeat(10_000);
    std::fs::write(apache.path().join("files/zip/a.txt"), &text).unwrap();
    for url in urls(&apache, "/zip/a.txt") {
        for is_compressed in [false, true] {
            let http = HttpProtocol::new().compressed(is_compressed);
            let (response, buffer) = fetch(&mut trusting(&pem).protocol(http), &url).unwrap();
            assert!(buffer.bytes == text.as_bytes(), "{url}");
            let shown = response.rendered();
            let is_encoded = shown.iter().any(|line| line == "< Content-Encoding: gzip");
            assert_eq!(is_encoded, is_compressed, "{shown:#?}");
        }
    }
}

#[test]
fn logins_of_mod_auth_digest() {
    let Some((apache, pem)) = apache("logins_of_mod_auth_digest") else {
        return;
    };
    std::fs::write(apache.path().join("files/private/a.txt"), "secret").unwrap();
    for url in urls(&apache, "/private/a.txt") {
        let mut client = trusting(&pem).protocol(HttpProtocol::new().digest(true));
        for query in ["", "?a=b%20c"] {
            let url = format!("{url}{query}");
            let known = fetch_with(&mut client, &url, |it| it.credentials(tim("open sesame")));
            let (response, buffer) = known.unwrap();
            assert_eq!(buffer.bytes, b"secret");
            let shown = response.rendered();
            assert!(
                shown.contains(&"> Authorization: Digest ***".to_owned()),
                "{shown:#?}"
            );
        }
        let error = fetch_with(&mut client, &url, |it| it.credentials(tim("wrong"))).unwrap_err();
        assert!(error.to_string().contains("401"), "{error}");
        let error = fails(&mut trusting(&pem), &url);
        assert!(error.to_string().contains("401"), "{error}");
    }
}

/// `PUT` stores bodies of known size, and bodies in chunks.
#[test]
fn bodies_are_stored_by_mod_dav() {
    let Some((apache, pem)) = apache("bodies_are_stored_by_mod_dav") else {
        return;
    };
    let large: Vec<u8> = (0..=250).cycle().take(5_000_000).collect();
    let stored = |name: &str| std::fs::read(apache.path().join("files/dav").join(name)).unwrap();
    for (nth, url) in urls(&apache, "/dav/").into_iter().enumerate() {
        let name = format!("{nth} a.bin");
        let url = format!("{url}{nth}%20a.bin");
        let mut client = trusting(&pem);
        for (content, size, status) in [
            (&b"first"[..], Some(5), "< HTTP/1.1 201 Created"),
            (&large, Some(5_000_000), "< HTTP/1.1 204 No Content"),
            (b"", Some(0), "< HTTP/1.1 204 No Content"),
            (&large, None, "< HTTP/1.1 204 No Content"),
        ] {
            let mut source = content;
            let (sent, _) = send(&mut client, &url, &mut source, |it| it.size(size)).unwrap();
            let shown = sent.rendered();
            assert!(shown.contains(&status.to_owned()), "{shown:#?}");
            assert!(stored(&name) == content, "{url}");
        }
        let (_, buffer) = fetch(&mut client, &url).unwrap();
        assert!(buffer.bytes == large, "{url}");
    }
}

/// Refusals are errors that quote the server, even if they arrive before the end of the body.
#[test]
fn bodies_that_apache_refuses() {
    let Some((apache, pem)) = apache("bodies_that_apache_refuses") else {
        return;
    };
    for (path, expected) in [
        ("/a.txt", "405 Method Not Allowed"),
        ("/dav/none/a.txt", "409 Conflict"),
        ("/dav/private/a.txt", "401 Unauthorized"),
        ("/dav/private", "409 Conflict"),
        (
            "/moved/a.txt",
            "308 Permanent Redirect, to http://localhost/dav/a.txt",
        ),
    ] {
        for url in urls(&apache, path) {
            for length in [5, 20_000_000] {
                let mut source = std::io::repeat(b'x').take(length);
                let size = Some(length);
                let error = send(&mut trusting(&pem), &url, &mut source, |it| it.size(size));
                let error = error.unwrap_err();
                assert!(error.to_string().contains(expected), "{url}: {error}");
                assert_eq!(error.class(), Class::Failed, "{url}: {error}");
            }
        }
    }
    let dav = apache.path().join("files/dav");
    let names: Vec<_> = std::fs::read_dir(&dav).unwrap().flatten().collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

#[test]
fn a_body_with_a_login_of_mod_auth_digest() {
    let Some((apache, pem)) = apache("a_body_with_a_login_of_mod_auth_digest") else {
        return;
    };
    let stored = || std::fs::read(apache.path().join("files/dav/private/a.txt"));
    for (nth, url) in urls(&apache, "/dav/private/a.txt").iter().enumerate() {
        let client = trusting(&pem).protocol(HttpProtocol::new().digest(true));
        let put = |password, content: &str| {
            let mut upload = Upload::new(Standard::Rfc3986.parse(url).unwrap());
            upload.request.credentials = Some(tim(password));
            let mut source = content.as_bytes();
            client.upload(&upload, &mut NoPrompt, &mut source, &mut Buffer::default())
        };
        put("open sesame", &format!("content {nth}")).unwrap();
        assert_eq!(stored().unwrap(), format!("content {nth}").as_bytes());
        let error = put("wrong", "x").unwrap_err();
        assert!(error.to_string().contains("401"), "{error}");
        assert_eq!(stored().unwrap(), format!("content {nth}").as_bytes());
    }
}
