//! Squid: complete URIs and tunnels, with and without a login, for fetching and uploading.

use super::apache::{apache, urls};
use super::tunnels::through;
use super::upload::send;
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, fails, fetch, plan, policy};
use urikit_testkit::servers::{Folder, Pyftpdlib, Squid, skip};

#[test]
fn squid_leads_to_apache() {
    let test = "squid_leads_to_apache";
    let Some((apache, pem)) = apache(test) else {
        return;
    };
    std::fs::write(apache.path().join("files/a.txt"), "secret").unwrap();
    for has_login in [false, true] {
        let Some(squid) = Squid::start(has_login) else {
            return skip(test, "squid");
        };
        let login = if has_login { "http://tim:hunter2@" } else { "" };
        let mut client = through(policy(), login, squid.port())
            .root_certificates(&pem)
            .unwrap();
        for from in urls(&apache, "/a.txt") {
            for is_first in [true, false] {
                let (response, buffer) = fetch(&mut client, &from).unwrap();
                assert_eq!(buffer.bytes, b"secret", "{from}");
                if is_first {
                    assert_as_planned(&plan(&client, &from).unwrap(), &response.rendered());
                }
            }
        }
        // Squid 5.7 closes connections on which hundreds of megabytes are sent, including curl's.
        let content = vec![b'x'; 300_000];
        for (nth, to) in urls(&apache, "/dav/").into_iter().enumerate() {
            for size in [Some(300_000), None] {
                let name = format!("{nth} {has_login} {}", size.is_some());
                let to = format!("{to}{}", name.replace(' ', "%20"));
                send(&mut client, &to, &mut &*content, |it| it.size(size)).unwrap();
                let stored = std::fs::read(apache.path().join("files/dav").join(name));
                assert!(stored.unwrap() == content, "{to}");
            }
        }
        if has_login {
            for login in ["", "http://tim:wrong@"] {
                let mut stranger = through(policy(), login, squid.port());
                for from in urls(&apache, "/a.txt") {
                    let error = fails(&mut stranger, &from);
                    assert!(error.to_string().contains("407"), "{error}");
                    assert!(!format!("{error:?}").contains("wrong"), "{error:?}");
                }
                let to = &urls(&apache, "/dav/none")[0];
                let error = send(&mut stranger, to, &mut &*content, |it| it).unwrap_err();
                assert!(error.to_string().contains("407"), "{error}");
            }
            assert!(!apache.path().join("files/dav/none").exists());
        }
        drop(client);
        squid.log_with(" TCP_TUNNEL/200 ", 1);
    }
}

/// If the proxy cannot reach a server, the error states which server.
#[test]
fn a_server_that_squid_cannot_reach() {
    let Some(squid) = Squid::start(false) else {
        return skip("a_server_that_squid_cannot_reach", "squid");
    };
    let mut client = through(policy(), "", squid.port());
    for url in ["http://127.0.0.1:9999/", "https://127.0.0.1:9999/"] {
        let error = fails(&mut client, url);
        assert!(error.to_string().contains("503"), "{error}");
    }
}

/// Squid tunnels the control connection and the data connections.
#[test]
fn squid_leads_to_an_ftp_server() {
    let test = "squid_leads_to_an_ftp_server";
    let folder = Folder::new("through-squid");
    folder.write("pub/a.txt", "hello");
    let (Some(ftp), Some(squid)) = (Pyftpdlib::start(&folder), Squid::start(false)) else {
        return skip(test, "squid or python3-pyftpdlib");
    };
    let mut client = through(policy(), "", squid.port());
    let base = format!("ftp://127.0.0.1:{}", ftp.port());
    let (_, buffer) = fetch(&mut client, &format!("{base}/pub/a.txt")).unwrap();
    assert_eq!(buffer.bytes, b"hello");
    let (_, buffer) = fetch(&mut client, &format!("{base}/pub/")).unwrap();
    assert_eq!(buffer.entries.len(), 1);
    drop(client);
    squid.log_with(" CONNECT 127.0.0.1:", 3);
}
