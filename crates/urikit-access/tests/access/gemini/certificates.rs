//! Trust on first use.

use super::{Server, folder};
use crate::http::tls::certificate;
use crate::support::{Rendered as _, fails, fetch, policy};
use std::fs;
use urikit_access::protocol::GeminiProtocol;
use urikit_access::{Class, Client, ErrorKind, KnownHosts};
use urikit_testkit::servers::Folder;

const OK: &str = "20 text/plain\r\nok";

/// Returns a client that remembers certificates in the file.
fn client(path: &std::path::Path) -> Client {
    let gemini = GeminiProtocol::new().known_hosts(KnownHosts::file(path));
    Client::new(policy()).protocol(gemini)
}

/// Returns the notes about trust.
fn notes(events: &[String]) -> Vec<&str> {
    let notes = events.iter().map(String::as_str);
    notes
        .filter(|event| event.starts_with("trusting"))
        .collect()
}

#[test]
fn a_changed_certificate_is_refused() {
    let test = "a_changed_certificate_is_refused";
    let (Some(folder), Some(other)) = (folder(test), folder(test)) else {
        return;
    };
    let server = Server::replies(&folder, OK);
    let path = folder.path().join("new/known_hosts");
    let (response, _) = fetch(&mut client(&path), &server.url("/")).unwrap();
    let events = response.rendered();
    let begin = "trusting the certificate of 127.0.0.1 on first use: sha256:";
    assert!(notes(&events)[0].starts_with(begin), "{events:?}");
    let file = fs::read_to_string(&path).unwrap();
    let line = format!("127.0.0.1 {} sha256:", server.port);
    assert!(
        file.starts_with(&line) && file.lines().count() == 1,
        "{file}"
    );
    // The certificate is valid for two days.
    let expires = file.trim_end().rsplit(' ').next().unwrap();
    let expires: jiff::Timestamp = expires.parse().unwrap();
    let left = expires.duration_since(jiff::Timestamp::now()).as_hours();
    assert!((46..=48).contains(&left), "{file}");
    let (response, _) = fetch(&mut client(&path), &server.url("/")).unwrap();
    assert!(notes(&response.rendered()).is_empty());
    assert_eq!(server.log().len(), 2);

    // Another server at the same port has another certificate.
    let replaced = Server::replies(&other, OK);
    let known = file.replace(&server.port.to_string(), &replaced.port.to_string());
    fs::write(&path, &known).unwrap();
    let error = fails(&mut client(&path), &replaced.url("/"));
    let ErrorKind::CertificateChanged {
        known: old, found, ..
    } = error.kind()
    else {
        panic!("{error}");
    };
    assert!(known.contains(old.as_str()) && old != found);
    assert_eq!(error.class(), Class::Failed);
    let message = error.to_string();
    let advice = format!(
        "; if the owner confirms the change, remove the server's line from {}",
        path.display()
    );
    assert!(
        message.contains(found) && message.ends_with(&advice),
        "{message}"
    );
    // Nothing was sent, and the file is unchanged.
    assert!(replaced.log().is_empty());
    assert_eq!(fs::read_to_string(&path).unwrap(), known);
    // Without the line, the server is unknown.
    fs::write(&path, "").unwrap();
    fetch(&mut client(&path), &replaced.url("/")).unwrap();
    let file = fs::read_to_string(&path).unwrap();
    assert!(file.contains(found.as_str()), "{file}");
}

#[test]
fn an_expired_certificate_may_be_replaced() {
    let Some(folder) = folder("an_expired_certificate_may_be_replaced") else {
        return;
    };
    let server = Server::replies(&folder, OK);
    let digits = "0".repeat(64);
    let port = server.port;
    let line = |date: &str| format!("127.0.0.1 {port} sha256:{digits} {date}\n");
    let path = folder.write("known_hosts", line("2099-01-01T00:00:00Z"));
    let error = fails(&mut client(&path), &server.url("/"));
    assert!(
        matches!(error.kind(), ErrorKind::CertificateChanged { .. }),
        "{error}"
    );
    fs::write(&path, line("2020-01-01T00:00:00Z")).unwrap();
    let (response, _) = fetch(&mut client(&path), &server.url("/")).unwrap();
    let events = response.rendered();
    assert!(
        notes(&events)[0].contains("because the known certificate has expired"),
        "{events:?}"
    );
    assert!(!fs::read_to_string(&path).unwrap().contains(&digits));
}

#[test]
fn a_certificate_of_a_trusted_authority_may_replace_another() {
    let test = "a_certificate_of_a_trusted_authority_may_replace_another";
    let folder = Folder::new("gemini");
    let Some(pem) = certificate(test, &folder) else {
        return;
    };
    let server = Server::replies(&folder, OK);
    let digits = "0".repeat(64);
    let line = format!(
        "127.0.0.1 {} sha256:{digits} 2099-01-01T00:00:00Z\n",
        server.port
    );
    let path = folder.write("known_hosts", line);
    let error = fails(&mut client(&path), &server.url("/"));
    assert!(
        matches!(error.kind(), ErrorKind::CertificateChanged { .. }),
        "{error}"
    );
    let mut trusting = client(&path).root_certificates(&pem).unwrap();
    let (response, _) = fetch(&mut trusting, &server.url("/")).unwrap();
    let events = response.rendered();
    assert!(
        notes(&events)[0].contains("a trusted authority has signed it"),
        "{events:?}"
    );
}

#[test]
fn a_file_that_cannot_be_used_is_an_error() {
    let Some(folder) = folder("a_file_that_cannot_be_used_is_an_error") else {
        return;
    };
    let server = Server::replies(&folder, OK);
    let damaged = folder.write("damaged", "127.0.0.1\n");
    for path in [
        folder.path().join("key.pem/known_hosts"),
        folder.path().to_owned(),
        damaged,
    ] {
        let error = fails(&mut client(&path), &server.url("/"));
        assert_eq!(error.class(), Class::Local, "{}: {error}", path.display());
    }
    assert!(server.log().is_empty());
}

#[test]
fn unverified_certificates_are_neither_compared_nor_stored() {
    let test = "unverified_certificates_are_neither_compared_nor_stored";
    let Some(folder) = folder(test) else {
        return;
    };
    let server = Server::replies(&folder, OK);
    let path = folder.path().join("known_hosts");
    let (response, _) = fetch(&mut client(&path).unverified(), &server.url("/")).unwrap();
    let events = response.rendered();
    assert!(
        events.iter().any(|event| event.contains("is not verified")),
        "{events:?}"
    );
    assert!(!path.exists());
}

#[test]
fn clones_share_certificates_in_memory() {
    let test = "clones_share_certificates_in_memory";
    let Some(folder) = folder(test) else {
        return;
    };
    let server = Server::replies(&folder, OK);
    let client = Client::new(policy());
    let (first, _) = fetch(&mut client.clone(), &server.url("/")).unwrap();
    let (second, _) = fetch(&mut client.clone(), &server.url("/")).unwrap();
    assert_eq!(notes(&first.rendered()).len(), 1);
    assert!(notes(&second.rendered()).is_empty());
}
