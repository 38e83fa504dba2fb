//! Certificates, and https in place of http.

use crate::{check, network, network_of, one, policy, rules};
use std::io;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use urikit_access::{Client, Proxies};
use urikit_check::{Outcome, Reason, Rule};
use urikit_testkit::servers::{Daemon, Folder, free_port, installed, skip};

/// The configuration of a certificate authority with a single, self-signed certificate.
const AUTHORITY: &str = "\
[req]
distinguished_name = name
prompt = no
[name]
CN = test
[ca]
default_ca = own
[own]
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
x509_extensions = extensions
[any]
commonName = supplied
[extensions]
basicConstraints = critical,CA:FALSE
subjectAltName = DNS:a.test
";

/// Starts a TLS server with a self-signed certificate for `a.test` that is valid until `end`.
/// Returns its port, and the certificate.
fn tls_server(folder: &Folder, end: &str) -> Option<(Daemon, Vec<u8>)> {
    let openssl = installed("openssl")?;
    folder.write("openssl.conf", AUTHORITY);
    folder.write("index.txt", "");
    folder.write("serial", "01");
    let run = |arguments: &str| {
        let mut command = Command::new(&openssl);
        command
            .args(arguments.split(' '))
            .current_dir(folder.path());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let request = "req -new -newkey rsa:2048 -nodes -config openssl.conf -keyout key.pem -out csr";
    assert!(run(request).status().unwrap().success());
    let sign = format!(
        "ca -batch -selfsign -notext -config openssl.conf -keyfile key.pem -in csr \
         -startdate 20200101000000Z -enddate {end} -out certificate.pem"
    );
    assert!(run(&sign).status().unwrap().success());
    let port = free_port();
    let serve = format!("s_server -quiet -www -accept 127.0.0.1:{port} -key key.pem");
    let daemon = Daemon::start(run(&serve).args(["-cert", "certificate.pem"]), port);
    let pem = std::fs::read(folder.path().join("certificate.pem")).unwrap();
    Some((daemon, pem))
}

#[test]
fn certificates() {
    let (valid, old) = (Folder::new("valid"), Folder::new("old"));
    let valid = tls_server(&valid, "20991231000000Z");
    let old = tls_server(&old, "20200201000000Z");
    let (Some((server, pem)), Some((expired, old_pem))) = (valid, old) else {
        return skip("certificates", "openssl");
    };
    let trusting = |pem: &[u8]| network_of(Client::new(policy()).root_certificates(pem).unwrap());
    let a = |port| format!("https://a.test:{port}/");
    assert_eq!(one(a(server.port), &trusting(&pem)).outcome, Outcome::Ok);
    for (url, network, reason) in [
        (
            a(server.port),
            network(),
            "the server's certificate is self-signed, and not trusted",
        ),
        (
            format!("https://b.test:{}/", server.port),
            trusting(&pem),
            "b.test",
        ),
        (
            a(expired.port),
            trusting(&old_pem),
            "the certificate expired at 2020-02-01T00:00:00Z",
        ),
    ] {
        let checked = one(url, &network);
        let Outcome::Broken(Reason::Tls(why)) = &checked.outcome else {
            panic!("{reason}: {:?}", checked.outcome);
        };
        assert!(why.contains(reason), "{why}");
        assert_eq!(rules(&checked), [Rule::Tls]);
    }
}

/// Starts a proxy: it answers http requests itself, and connects every tunnel to one port.
fn proxy(to: u16) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || serve_proxy(stream, to));
        }
    });
    port
}

fn serve_proxy(mut stream: TcpStream, to: u16) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).unwrap_or(0) == 0 {
            return;
        }
        head.push(byte[0]);
    }
    if !head.starts_with(b"CONNECT") {
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/html\r\n\r\n";
        let _ = stream.write_all(format!("{head}<p id=top>").as_bytes());
        return;
    }
    let Ok(mut server) = TcpStream::connect(("127.0.0.1", to)) else {
        return;
    };
    let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
    let (mut from, mut back) = (server.try_clone().unwrap(), stream.try_clone().unwrap());
    std::thread::spawn(move || io::copy(&mut from, &mut back));
    let _ = io::copy(&mut stream, &mut server);
}

#[test]
fn https_in_place_of_http() {
    let folder = Folder::new("secure");
    let Some((server, pem)) = tls_server(&folder, "20991231000000Z") else {
        return skip("https_in_place_of_http", "openssl");
    };
    let client = |to| {
        let proxy = format!("127.0.0.1:{}", proxy(to)).parse().unwrap();
        let client = Client::new(policy()).proxies(Proxies::new().all(proxy));
        client.root_certificates(&pem).unwrap()
    };
    let urls = ["http://a.test/x", "http://a.test/y#top"].map(str::to_owned);
    let network = network_of(client(server.port)).https(true);
    let (checked, report) = check(&urls, &network);
    for (checked, to) in checked
        .iter()
        .zip(["https://a.test/x", "https://a.test/y#top"])
    {
        assert_eq!(checked.outcome, Outcome::Ok);
        assert_eq!(rules(checked), [Rule::Insecure]);
        let suggestion = checked.findings[0].suggestion.clone().unwrap();
        assert_eq!(
            (suggestion.reference.as_str(), suggestion.is_certain),
            (to, true)
        );
    }
    // The requests are for robots.txt, for two pages, and one over https.
    assert_eq!(report.hosts()[0].requests, 4);
    // Nothing is reported if the host does not answer over https, or if `https` is not enabled.
    for network in [
        network_of(client(free_port())).https(true),
        network_of(client(server.port)),
    ] {
        assert_eq!(rules(&one(urls[0].clone(), &network)), []);
    }
}
