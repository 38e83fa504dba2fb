//! Gemini with jetforce, molly-brown and agate.

use super::folder;
use crate::http::tls::certificate;
use crate::support::{Rendered as _, assert_as_planned, fails, fetch, plan, policy};
use urikit_access::{Client, ErrorKind};
use urikit_testkit::servers::{Agate, Folder, Jetforce, MollyBrown, skip};

/// Returns a folder with a few files.
fn root() -> Folder {
    let root = Folder::new("gemini-root");
    root.write("index.gmi", "# Welcome\n=> more/ More\n");
    root.write("a b.txt", "hello\n");
    root.write("more/index.gmi", "## More\n");
    root
}

#[test]
fn jetforce() {
    let test = "jetforce";
    let Some(folder) = folder(test) else {
        return;
    };
    let root = root();
    root.program(
        "cgi-bin/echo",
        "#!/bin/sh\nif [ -z \"$QUERY_STRING\" ]; then printf '10 Say what?\\r\\n'; exit; fi\n\
         printf '20 text/plain\\r\\n%s by %s' \"$QUERY_STRING\" \"${TLS_CLIENT_HASH:-nobody}\"\n",
    );
    let Some(server) = Jetforce::start(&root, &folder) else {
        return skip(test, "jetforce");
    };
    let url = |path: &str| format!("gemini://127.0.0.1:{}{path}", server.port);
    let mut client = Client::new(policy());
    let planned = plan(&client, &url("")).unwrap();
    let (response, buffer) = fetch(&mut client, &url("")).unwrap();
    assert_as_planned(&planned, &response.rendered());
    assert_eq!(buffer.bytes, b"# Welcome\n=> more/ More\n");
    assert_eq!(
        response.metadata.media_type.as_deref(),
        Some("text/gemini; lang=en")
    );
    let (_, buffer) = fetch(&mut client, &url("/a%20b.txt")).unwrap();
    assert_eq!(buffer.bytes, b"hello\n");
    // The slash is missing.
    let (response, buffer) = fetch(&mut client, &url("/more")).unwrap();
    assert_eq!(
        (response.hops.len(), buffer.bytes.as_slice()),
        (2, &b"## More\n"[..])
    );
    let error = fails(&mut client, &url("/none"));
    assert!(matches!(error.kind(), ErrorKind::NotFound), "{error}");
    let error = fails(&mut client, &url("/cgi-bin/echo"));
    assert_eq!(error.status(), Some(10), "{error}");
    let (_, buffer) = fetch(&mut client, &url("/cgi-bin/echo?it")).unwrap();
    assert_eq!(buffer.bytes, b"it by nobody");
    // The server asks for a certificate, and the client presents it.
    let other = Folder::new("gemini-client");
    let pem = certificate(test, &other).unwrap();
    let key = std::fs::read(other.path().join("key.pem")).unwrap();
    let mut known = Client::new(policy())
        .client_certificate(&pem, &key)
        .unwrap();
    let (_, buffer) = fetch(&mut known, &url("/cgi-bin/echo?it")).unwrap();
    let output = String::from_utf8(buffer.bytes).unwrap();
    assert!(
        output.starts_with("it by ") && !output.ends_with("nobody"),
        "{output}"
    );
}

#[test]
fn molly_brown() {
    let test = "molly_brown";
    let Some(folder) = folder(test) else {
        return;
    };
    let root = root();
    root.write("private/secret.txt", "for me\n");
    let other = Folder::new("gemini-client");
    let Some(pem) = certificate(test, &other) else {
        return;
    };
    let key = std::fs::read(other.path().join("key.pem")).unwrap();
    let more = "[CertificateZones]\n\"^/private/\" = [\"0123\"]\n\
                [TempRedirects]\n\"^/old$\" = \"/more/\"\n";
    let Some(server) = MollyBrown::start(&root, &folder, more) else {
        return skip(test, "molly-brown");
    };
    let url = |path: &str| format!("gemini://127.0.0.1:{}{path}", server.port);
    let mut client = Client::new(policy());
    let (response, buffer) = fetch(&mut client, &url("/")).unwrap();
    assert_eq!(buffer.bytes, b"# Welcome\n=> more/ More\n");
    let media_type = response.metadata.media_type.unwrap_or_default();
    assert!(media_type.starts_with("text/gemini"), "{media_type}");
    let (response, buffer) = fetch(&mut client, &url("/old")).unwrap();
    assert_eq!(
        (response.hops.len(), buffer.bytes.as_slice()),
        (2, &b"## More\n"[..])
    );
    let error = fails(&mut client, &url("/none"));
    assert!(matches!(error.kind(), ErrorKind::NotFound), "{error}");
    // A certificate is required, and this one is not allowed.
    let error = fails(&mut client, &url("/private/secret.txt"));
    assert!(matches!(error.kind(), ErrorKind::LoginRequired), "{error}");
    let mut stranger = Client::new(policy())
        .client_certificate(&pem, &key)
        .unwrap();
    let error = fails(&mut stranger, &url("/private/secret.txt"));
    assert!(matches!(error.kind(), ErrorKind::Forbidden), "{error}");
    assert_eq!(error.status(), Some(61), "{error}");
}

#[test]
fn agate() {
    let (root, folder) = (root(), Folder::new("gemini"));
    root.write(".meta", "gone: 52 It left\n");
    let Some(server) = Agate::start(&root, &folder) else {
        return skip("agate", "agate");
    };
    let url = |path: &str| format!("gemini://localhost:{}{path}", server.port);
    let mut client = Client::new(policy());
    let planned = plan(&client, &url("/")).unwrap();
    let (response, buffer) = fetch(&mut client, &url("/")).unwrap();
    assert_as_planned(&planned, &response.rendered());
    assert_eq!(buffer.bytes, b"# Welcome\n=> more/ More\n");
    let media_type = response.metadata.media_type.as_deref();
    assert_eq!(media_type, Some("text/gemini;lang=en"));
    let (_, buffer) = fetch(&mut client, &url("/a%20b.txt")).unwrap();
    assert_eq!(buffer.bytes, b"hello\n");
    let (response, buffer) = fetch(&mut client, &url("/more")).unwrap();
    assert_eq!(
        (response.hops.len(), buffer.bytes.as_slice()),
        (2, &b"## More\n"[..])
    );
    for path in ["/none", "/gone"] {
        let error = fails(&mut client, &url(path));
        assert!(matches!(error.kind(), ErrorKind::NotFound), "{error}");
    }
    // It has no certificate for another host.
    let other = format!("gemini://127.0.0.1:{}/", server.port);
    let error = fails(&mut client, &other);
    assert!(error.to_string().contains("TLS"), "{error}");
}
