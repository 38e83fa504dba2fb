//! `https`: which servers are trusted.

use super::request;
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, fails, fetch, plan, policy};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use urikit_access::{Class, Client, ErrorKind};
use urikit_testkit::servers::{
    self, CERTIFICATE, Conversation, Folder, Nginx, Scripted, free_port, installed, skip,
};

/// Writes a self-signed certificate, `certificate.pem` and `key.pem`, to the folder, and returns
/// it.
pub(crate) fn certificate(test: &str, folder: &Folder) -> Option<Vec<u8>> {
    certificate_of(test, folder, CERTIFICATE)
}

fn certificate_of(test: &str, folder: &Folder, configuration: &str) -> Option<Vec<u8>> {
    let pem = servers::certificate(folder, configuration);
    if pem.is_none() {
        skip(test, "openssl");
    }
    pem
}

/// Starts nginx with a self-signed certificate. Returns the server, the certificate and the port
/// for https, which is the server's last port.
pub(super) fn secured(test: &str) -> Option<(Nginx, Vec<u8>, u16)> {
    let folder = Folder::new("tls");
    let pem = certificate(test, &folder)?;
    let port = free_port();
    let servers = format!(
        "server {{
            listen 127.0.0.1:{port} ssl;
            ssl_certificate {{dir}}/certificate.pem;
            ssl_certificate_key {{dir}}/key.pem;
            root {{dir}}/files;
            location = /down {{ return 302 http://127.0.0.1:{{port}}/a.txt; }}
        }}"
    );
    let locations = format!("location = /up {{ return 302 https://localhost:{port}/a.txt; }}");
    let Some(nginx) = Nginx::start(folder, &locations, &servers) else {
        skip(test, "nginx");
        return None;
    };
    std::fs::write(nginx.path().join("files/a.txt"), "secret").unwrap();
    Some((nginx, pem, port))
}

#[test]
fn unknown_issuers_are_not_trusted() {
    let test = "unknown_issuers_are_not_trusted";
    let Some((nginx, pem, port)) = secured(test) else {
        return;
    };
    for host in ["127.0.0.1", "localhost"] {
        let error = fails(&mut client(), &format!("https://{host}:{port}/a.txt"));
        let why = "the server's certificate is self-signed, and not trusted";
        let expected = format!("securing {host} by TLS: {why}");
        assert_eq!(error.to_string(), expected);
        assert_eq!(error.class(), Class::Failed);
    }
    let mut trusting = Client::new(policy()).root_certificates(&pem).unwrap();
    for from in [
        format!("https://127.0.0.1:{port}/a.txt"),
        format!("https://localhost:{port}/a.txt"),
        format!("http://127.0.0.1:{}/up", nginx.port()),
        format!("https://localhost:{port}/down"),
    ] {
        let (response, buffer) = fetch(&mut trusting, &from).unwrap();
        assert_eq!(buffer.bytes, b"secret", "{from}");
        if !from.contains("down") && !from.contains("up") {
            assert_as_planned(&plan(&trusting, &from).unwrap(), &response.rendered());
        }
        assert!(
            response
                .rendered()
                .iter()
                .any(|step| step == "secured by TLS" || step.starts_with("reusing")),
            "{:?}",
            response.rendered()
        );
    }
    // The certificate is trusted, but is for another host.
    let resolver = Localhost;
    let mut trusting = Client::new(policy())
        .root_certificates(&pem)
        .unwrap()
        .resolver(resolver);
    let error = fails(
        &mut trusting,
        &format!("https://www.example.org:{port}/a.txt"),
    );
    let expected = "securing www.example.org by TLS: invalid peer certificate: \
                    certificate not valid for name";
    assert!(error.to_string().contains(expected), "{error}");
    // No request was sent before the server was verified.
    assert!(nginx.log(6).iter().all(|it| !it.host.contains("example")));
}

/// By default, `openssl req -x509` creates the certificate of an authority.
#[test]
fn self_signed_authorities_are_not_trusted() {
    let test = "self_signed_authorities_are_not_trusted";
    let folder = Folder::new("tls");
    let configuration = CERTIFICATE.replace("CA:FALSE", "CA:TRUE");
    let Some(pem) = certificate_of(test, &folder, &configuration) else {
        return;
    };
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    let url = |port: u16| format!("https://127.0.0.1:{port}/");
    let error = fails(&mut client(), &url(cut_off(&folder, answer, |_| {})));
    let why = "the server's certificate is self-signed, and not trusted";
    assert_eq!(
        error.to_string(),
        format!("securing 127.0.0.1 by TLS: {why}")
    );
    assert!(matches!(error.kind(), ErrorKind::Untrusted(_)));
    assert_eq!(error.class(), Class::Failed);
    let mut trusting = Client::new(policy()).root_certificates(&pem).unwrap();
    let port = cut_off(&folder, answer, |_| {});
    assert_eq!(fetch(&mut trusting, &url(port)).unwrap().1.bytes, b"ok");
}

/// All names resolve to this machine.
struct Localhost;

impl urikit_access::Resolver for Localhost {
    fn resolve(&self, _: &str) -> std::io::Result<Vec<std::net::IpAddr>> {
        Ok(vec!["127.0.0.1".parse().unwrap()])
    }
}

#[test]
fn invalid_root_certificates_are_refused() {
    for pem in [
        "",
        "hello",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    ] {
        let error = Client::new(policy())
            .root_certificates(pem.as_bytes())
            .err()
            .unwrap();
        assert_eq!(error.class(), Class::Local, "{error}");
    }
}

#[test]
fn a_server_that_speaks_no_tls_is_an_error() {
    let plain = Scripted::start(|client| {
        client.say("HTTP/1.1 400 Bad Request\r\n\r\n");
        request(client);
    });
    let silent = Scripted::start(Conversation::close);
    for (port, is_known) in [(plain.port, true), (silent.port, false)] {
        let error = fails(&mut client(), &format!("https://127.0.0.1:{port}/"));
        assert!(
            error.to_string().starts_with("securing 127.0.0.1 by TLS: "),
            "{error}"
        );
        assert_eq!(
            matches!(error.kind(), ErrorKind::NoTls),
            is_known,
            "{error}"
        );
        assert!(
            !error.rendered().iter().any(|step| step.starts_with("> ")),
            "{error}"
        );
    }
}

/// A handshake times out too, even if the server sends a TLS record byte by byte.
#[test]
fn a_handshake_times_out() {
    let slow = Scripted::start(|client| {
        client.say([22, 3, 3, 0x40, 0]);
        client.drip([0], Duration::from_millis(50));
    });
    let silent = Scripted::start(Conversation::hang);
    for port in [slow.port, silent.port] {
        let policy = policy()
            .idle_timeout(Duration::from_millis(500))
            .total_timeout(Duration::from_secs(1));
        let begin = Instant::now();
        let error = fails(
            &mut Client::new(policy),
            &format!("https://127.0.0.1:{port}/"),
        );
        assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
        assert!(begin.elapsed() < Duration::from_secs(3), "{error}");
    }
}

/// The server's TLS configuration, with the certificate in the folder.
pub(crate) fn server_config(folder: &Folder) -> rustls::ServerConfig {
    let chain = CertificateDer::pem_file_iter(folder.path().join("certificate.pem")).unwrap();
    let chain = chain.collect::<Result<Vec<_>, _>>().unwrap();
    let key = PrivateKeyDer::from_pem_file(folder.path().join("key.pem")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap()
}

/// Starts a TLS server for one connection. The server answers the first request with `answer`, and
/// then calls `end` with the TCP connection, without sending a TLS close alert.
pub(crate) fn cut_off(folder: &Folder, answer: &'static str, end: fn(&mut TcpStream)) -> u16 {
    let config = server_config(folder);
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let connection = rustls::ServerConnection::new(Arc::new(config)).unwrap();
        let mut secured = rustls::StreamOwned::new(connection, stream);
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut octet = [0];
            if secured.read(&mut octet).unwrap_or(0) == 0 {
                return;
            }
            head.push(octet[0]);
        }
        secured.write_all(answer.as_bytes()).unwrap();
        secured.flush().unwrap();
        end(&mut secured.sock);
    });
    port
}

/// If the end of the connection ends the body, an attacker could truncate the body. So the server
/// must announce the end with a TLS alert.
#[test]
fn an_end_without_a_close_alert_is_an_error() {
    let test = "an_end_without_a_close_alert_is_an_error";
    let folder = Folder::new("tls");
    let Some(pem) = certificate(test, &folder) else {
        return;
    };
    let with_root = || Client::new(policy()).root_certificates(&pem).unwrap();
    for answer in [
        "HTTP/1.1 200 OK\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    ] {
        let port = cut_off(&folder, answer, |_| {});
        let error = fails(&mut with_root(), &format!("https://127.0.0.1:{port}/"));
        assert_eq!(error.class(), Class::Failed, "{answer:?}: {error}");
    }
    // A body with a length needs no alert.
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    let port = cut_off(&folder, answer, |_| {});
    let (_, buffer) = fetch(&mut with_root(), &format!("https://127.0.0.1:{port}/")).unwrap();
    assert_eq!(buffer.bytes, b"hello");
}

/// A TLS record that is sent byte by byte is subject to the timeout.
#[test]
fn a_record_times_out() {
    let folder = Folder::new("tls");
    let Some(pem) = certificate("a_record_times_out", &folder) else {
        return;
    };
    let port = cut_off(&folder, "HTTP/1.1 200 OK\r\n", |stream| {
        let _ = stream.write_all(&[23, 3, 3, 0x40, 0]);
        while stream.write_all(&[0]).is_ok() {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    let policy = policy()
        .idle_timeout(Duration::from_millis(500))
        .total_timeout(Duration::from_secs(1));
    let mut client = Client::new(policy).root_certificates(&pem).unwrap();
    let begin = Instant::now();
    let error = fails(&mut client, &format!("https://127.0.0.1:{port}/"));
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(3), "{error}");
}

/// A server may use a self-signed CA certificate, as `openssl req -x509` creates. Such a
/// certificate is trusted only if exactly this certificate was added, and only for the names that
/// it contains.
#[test]
fn a_certificate_that_was_added_is_trusted() {
    let test = "a_certificate_that_was_added_is_trusted";
    let (folder, other) = (Folder::new("tls"), Folder::new("tls"));
    let authority = CERTIFICATE.replace("critical,CA:FALSE", "critical,CA:TRUE");
    let (Some(pem), Some(wrong)) = (
        certificate_of(test, &folder, &authority),
        certificate_of(test, &other, &authority),
    ) else {
        return;
    };
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    let fetched = |pem: &[u8], host: &str| {
        let port = cut_off(&folder, answer, |_| {});
        let client = Client::new(policy()).root_certificates(pem).unwrap();
        fetch(
            &mut client.resolver(Localhost),
            &format!("https://{host}:{port}/"),
        )
    };
    for host in ["127.0.0.1", "localhost"] {
        assert_eq!(fetched(&pem, host).unwrap().1.bytes, b"hello");
        assert!(fetched(&wrong, host).is_err());
    }
    let error = fetched(&pem, "www.example.org").unwrap_err().to_string();
    assert!(error.contains("not valid for name"), "{error}");
}

/// Certificates are not verified if the caller disables verification, and an event reports this for
/// each connection.
#[test]
fn unverified_servers_are_reported() {
    let Some((_nginx, _, port)) = secured("unverified_servers_are_reported") else {
        return;
    };
    let mut client = Client::new(policy()).unverified();
    let (response, buffer) =
        fetch(&mut client, &format!("https://127.0.0.1:{port}/a.txt")).unwrap();
    assert_eq!(buffer.bytes, b"secret");
    let is_it = |step: &String| step.starts_with("the certificate of 127.0.0.1 is not verified");
    assert!(
        response.rendered().iter().any(is_it),
        "{:?}",
        response.rendered()
    );
}

#[test]
fn a_client_shows_its_certificate() {
    let test = "a_client_shows_its_certificate";
    let folder = Folder::new("tls");
    let Some(pem) = certificate(test, &folder) else {
        return;
    };
    let key = std::fs::read(folder.path().join("key.pem")).unwrap();
    let port = free_port();
    let servers = format!(
        "server {{
            listen 127.0.0.1:{port} ssl;
            ssl_certificate {{dir}}/certificate.pem;
            ssl_certificate_key {{dir}}/key.pem;
            ssl_verify_client on;
            ssl_client_certificate {{dir}}/certificate.pem;
            location / {{ return 200 $ssl_client_verify; }}
        }}"
    );
    let Some(_nginx) = Nginx::start(folder, "", &servers) else {
        return skip(test, "nginx");
    };
    let from = format!("https://127.0.0.1:{port}/");
    let trusting = || Client::new(policy()).root_certificates(&pem).unwrap();
    let mut known = trusting().client_certificate(&pem, &key).unwrap();
    assert_eq!(fetch(&mut known, &from).unwrap().1.bytes, b"SUCCESS");
    let error = fails(&mut trusting(), &from);
    assert!(error.kind().is_denial(), "{error}");
    assert!(trusting().client_certificate(&pem, b"").is_err());
    assert!(trusting().client_certificate(b"", &key).is_err());
}

/// If the variable `SSL_CERT_FILE` is set, its file is the system's trust store. This process
/// cannot set the variable, so the test runs itself again with the variable set.
#[test]
fn the_systems_trust_store_is_used() {
    const URL: &str = "URIKIT_TEST_OF_THE_TRUST_STORE";
    if let Ok(url) = std::env::var(URL) {
        match fetch(&mut client(), &url) {
            Ok((_, buffer)) => println!("body: {}", String::from_utf8(buffer.bytes).unwrap()),
            Err(error) => println!("error: {error}"),
        }
        return;
    }
    let Some(openssl) = installed("openssl") else {
        skip("the_systems_trust_store_is_used", "openssl");
        return;
    };
    let folder = Folder::new("store");
    // Creates the certificate of an authority, and a certificate for this machine that the
    // authority signs.
    let make = |subject: &str, out: &str, more: &[&str]| {
        let made = Command::new(&openssl)
            .current_dir(folder.path())
            .args([
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
            ])
            .args(["-subj", subject, "-out", out])
            .args(more)
            .stderr(Stdio::null())
            .status();
        assert!(made.unwrap().success());
    };
    make(
        "/CN=authority",
        "authority.pem",
        &["-keyout", "authority.key"],
    );
    make("/CN=another", "another.pem", &["-keyout", "another.key"]);
    let by_it = "-CA authority.pem -CAkey authority.key -keyout key.pem \
                 -addext subjectAltName=IP:127.0.0.1 -addext basicConstraints=critical,CA:FALSE";
    let by_it: Vec<_> = by_it.split_whitespace().collect();
    make("/CN=server", "certificate.pem", &by_it);
    for (store, expected) in [
        ("authority.pem", "body: ok"),
        (
            "another.pem",
            "the server's certificate is not signed by a trusted authority",
        ),
    ] {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        let port = cut_off(&folder, answer, |_| {});
        let again = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "http::tls::the_systems_trust_store_is_used"])
            .arg("--nocapture")
            .env(URL, format!("https://127.0.0.1:{port}/"))
            .env("SSL_CERT_FILE", folder.path().join(store))
            .env_remove("SSL_CERT_DIR")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&again.stdout);
        assert!(said.contains(expected), "{store}: {said}");
    }
}

/// `https` offers HTTP/1.1 with ALPN (RFC 7301). A server that only speaks HTTP/2 refuses HTTP/1.1,
/// or sends its settings immediately (RFC 9113, 3.4).
#[test]
fn a_server_of_http2_only_is_named() {
    let settings = Scripted::start(|client| {
        client.say([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]);
        request(client);
    });
    let error = fails(
        &mut client(),
        &format!("http://127.0.0.1:{}/", settings.port),
    );
    assert!(
        error.to_string().contains("does not speak HTTP/1.1"),
        "{error}"
    );
    // The server answers with a fatal alert: no_application_protocol.
    let hello = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&hello);
    let refusing = Scripted::start(move |client| {
        let head = client.bytes(5);
        let length = u64::from(head[3]) << 8 | u64::from(head[4]);
        *seen.lock().unwrap() = client.bytes(length);
        client.say([21, 3, 3, 0, 2, 2, 120]);
        client.close();
    });
    let error = fails(
        &mut client(),
        &format!("https://127.0.0.1:{}/", refusing.port),
    );
    assert!(
        error.to_string().contains("does not speak HTTP/1.1"),
        "{error}"
    );
    let hello = hello.lock().unwrap();
    assert!(hello.windows(9).any(|part| part == b"\x08http/1.1"));
}
