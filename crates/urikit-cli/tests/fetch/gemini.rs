//! Gemini: the file of known hosts, input and client certificates.

use crate::fetch;
use crate::support::{command, run_with};
use urikit_testkit::servers::{CERTIFICATE, Folder, MollyBrown, certificate, skip};

/// Starts a server with these lines in its configuration, and a new certificate in the folder.
fn server(test: &str, root: &Folder, folder: &Folder, more: &str) -> Option<MollyBrown> {
    if certificate(folder, CERTIFICATE).is_none() {
        skip(test, "openssl");
        return None;
    }
    let server = MollyBrown::start(root, folder, more);
    if server.is_none() {
        skip(test, "molly-brown");
    }
    server
}

#[test]
fn a_changed_certificate_is_refused_with_advice() {
    let test = "a_changed_certificate_is_refused_with_advice";
    let (root, folder) = (Folder::new("gemini-root"), Folder::new("gemini-tls"));
    root.write("index.gmi", "# Hello\n");
    let Some(server) = server(test, &root, &folder, "") else {
        return;
    };
    let url = format!("gemini://127.0.0.1:{}/", server.port);
    // By default, the file of known certificates is in the XDG state folder.
    let state = |name: &str| {
        let mut fetch = command();
        let folder = folder.path().join(name);
        fetch
            .env("XDG_STATE_HOME", folder)
            .args(["fetch", "--allow-private", &url]);
        run_with(fetch, b"")
    };
    assert_eq!(
        (state("state").out.as_str(), state("state").status),
        ("# Hello\n", 0)
    );
    let path = folder.path().join("state/urikit/known_hosts");
    let known = std::fs::read_to_string(&path).unwrap();
    assert!(
        known.starts_with(&format!("127.0.0.1 {} sha256:", server.port)),
        "{known}"
    );
    // Another certificate is known for this server.
    let (before, after) = known.split_at(known.find("sha256:").unwrap() + 7);
    let other = format!("{before}{}{}", "0".repeat(64), &after[64..]);
    let file = folder.write("other", &other);
    let file = file.to_str().unwrap();
    let outcome = fetch(["--known-hosts", file, &url]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("", 5),
        "{outcome:?}"
    );
    let advice = format!("if the owner confirms the change, remove the server's line from {file}");
    assert!(outcome.err.contains(&advice), "{}", outcome.err);
    assert_eq!(std::fs::read_to_string(file).unwrap(), other);
    // Nothing is known, and nothing is stored.
    let outcome = fetch(["--known-hosts", "", &url]);
    assert_eq!(
        (outcome.out.as_str(), outcome.status),
        ("# Hello\n", 0),
        "{outcome:?}"
    );
}

#[test]
fn a_missing_client_certificate_is_named() {
    let test = "a_missing_client_certificate_is_named";
    let (root, folder) = (Folder::new("gemini-root"), Folder::new("gemini-tls"));
    root.write("private/a.txt", "secret\n");
    let more = "[CertificateZones]\n\"^/private/\" = [\"0123\"]\n";
    let Some(server) = server(test, &root, &folder, more) else {
        return;
    };
    let url = format!("gemini://127.0.0.1:{}/private/a.txt", server.port);
    let outcome = fetch(["--known-hosts", "", &url]);
    assert_eq!(outcome.status, 5, "{outcome:?}");
    let advice = "\n  --cert FILE presents a client certificate\n";
    assert!(outcome.err.ends_with(advice), "{}", outcome.err);
    // The server does not accept this client certificate.
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (certificate, key) = (path("certificate.pem"), path("key.pem"));
    let options = [
        "--known-hosts",
        "",
        "--cert",
        &certificate,
        "--key",
        &key,
        &url,
    ];
    let outcome = fetch(options);
    assert!(outcome.err.starts_with("uri: 61 "), "{}", outcome.err);
}
