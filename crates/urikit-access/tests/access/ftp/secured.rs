//! FTPS, explicit and implicit, with vsftpd and with scripted servers.

use super::{entries, fake, fetch_as_planned};
use crate::http::tls::certificate;
use crate::support::Rendered as _;
use crate::support::{client, fails, policy};
use std::io::Write as _;
use urikit_access::Client;
use urikit_access::protocol::{FtpProtocol, FtpsProtocol};
use urikit_testkit::servers::{Folder, Vsftpd, skip};

fn vsftpd(test: &str, more: &[&str]) -> Option<(Folder, Vsftpd, Vec<u8>)> {
    let folder = Folder::new("ftps");
    folder.write("pub/a.bin", vec![7; 300_000]);
    let keys = Folder::new("ftps-keys");
    let pem = certificate(test, &keys)?;
    let file = |name: &str| keys.path().join(name).display().to_string();
    let certificate = format!("rsa_cert_file={}", file("certificate.pem"));
    let key = format!("rsa_private_key_file={}", file("key.pem"));
    let mut lines = vec![
        "ssl_enable=YES",
        "allow_anon_ssl=YES",
        "force_anon_logins_ssl=YES",
        "force_anon_data_ssl=YES",
        "debug_ssl=YES",
        &certificate,
        &key,
    ];
    lines.extend(more);
    let Some(server) = Vsftpd::start_with(&folder, &lines) else {
        skip(test, "vsftpd");
        return None;
    };
    Some((folder, server, pem))
}

fn trusting(pem: &[u8]) -> Client {
    let client = Client::new(policy()).protocol(FtpProtocol::new().tls(true));
    client.root_certificates(pem).unwrap()
}

#[test]
fn explicit() {
    let Some((_folder, server, pem)) = vsftpd("explicit", &[]) else {
        return;
    };
    let at = format!("ftp://localhost:{}", server.port());
    let mut client = trusting(&pem);
    let (response, buffer) = fetch_as_planned(&mut client, &format!("{at}/pub/a.bin"));
    assert_eq!(buffer.bytes, vec![7; 300_000]);
    let steps = response.rendered();
    let secured = steps
        .iter()
        .filter(|step| *step == "secured by TLS")
        .count();
    assert_eq!(secured, 2, "control and data: {steps:?}");
    let user = steps.iter().position(|step| step.starts_with("> USER"));
    let tls = steps.iter().position(|step| step == "secured by TLS");
    assert!(tls < user, "{steps:?}");
    // The connection is reused, and still uses TLS.
    let (_, buffer) = super::fetch_with(&mut client, &format!("{at}/pub/"), |it| it).unwrap();
    assert_eq!(entries(&buffer), ["file a.bin 300000 /pub/a.bin"]);
    // If the certificate is not trusted, nothing is sent.
    let mut other = Client::new(policy()).protocol(FtpProtocol::new().tls(true));
    let error = fails(&mut other, &format!("{at}/pub/a.bin"));
    let steps = error.rendered();
    assert!(
        !steps.iter().any(|step| step.starts_with("> USER")),
        "{steps:?}"
    );
    // The client did not ask for TLS, but the server requires it.
    let error = fails(
        &mut super::with(FtpProtocol::new()),
        &format!("{at}/pub/a.bin"),
    );
    assert!(error.kind().is_denial(), "{error}");
}

#[test]
fn implicit() {
    let Some((_folder, server, pem)) = vsftpd("implicit", &["implicit_ssl=YES"]) else {
        return;
    };
    let at = format!("localhost:{}", server.port());
    let mut client = Client::new(policy())
        .protocol(FtpsProtocol::new())
        .root_certificates(&pem)
        .unwrap();
    let (response, buffer) = fetch_as_planned(&mut client, &format!("ftps://{at}/pub/a.bin"));
    assert_eq!((buffer.bytes.len(), &*response.scheme), (300_000, "ftps"));
    let (_, buffer) = super::fetch_with(&mut client, &format!("ftps://{at}/"), |it| it).unwrap();
    let reference = buffer.entries[0].reference.as_deref();
    assert_eq!(reference, Some(&*format!("ftps://{at}/pub/")));
}

/// If the server refuses TLS at any step, nothing is sent unencrypted.
#[test]
fn never_in_clear_text() {
    for (at, reply) in [
        ("AUTH", "500 what?"),
        ("AUTH", "534 no"),
        ("AUTH", "421 bye"),
        ("AUTH", "200 as you like"),
        ("AUTH", "334 more"),
        // Anyone could have sent the data that arrives before the handshake.
        ("AUTH", "234 go\r\n230 logged in"),
    ] {
        let server = fake::start(move |control, line| {
            let is_it = line.starts_with(at);
            if is_it {
                control.say(reply);
            }
            is_it
        });
        let url = format!("ftp://u:hunter2@127.0.0.1:{}/a", server.port);
        let error = fails(&mut super::with(FtpProtocol::new().tls(true)), &url);
        let begin = "asking for TLS, which is required: ";
        assert!(error.to_string().starts_with(begin), "{error}");
        let log = server.log();
        let clear = |line: &&String| !line.starts_with("AUTH") && *line != "QUIT";
        assert_eq!(log.iter().find(clear), None, "{reply}: {log:?}");
    }
    // Implicit TLS fails if the server does not speak TLS.
    let server = fake::start(|_, _| false);
    let error = fails(
        &mut client(),
        &format!("ftps://127.0.0.1:{}/a", server.port),
    );
    let log = server.log();
    assert!(
        !log.iter().any(|line| line.contains("USER")),
        "{error} {log:?}"
    );
}

/// Data connections without TLS are also refused.
#[test]
fn data_in_clear_text() {
    use crate::http::tls::server_config;
    use rustls::{ServerConnection, StreamOwned};
    use std::io::{BufRead as _, BufReader};
    use std::net::TcpListener;
    use std::sync::Arc;
    let folder = Folder::new("ftps-fake");
    let Some(pem) = certificate("data_in_clear_text", &folder) else {
        return;
    };
    for refuses in [true, false] {
        let config = Arc::new(server_config(&folder));
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let served = std::thread::spawn(move || {
            let mut commands = Vec::new();
            let mut plain = BufReader::new(listener.accept().unwrap().0);
            plain.get_mut().write_all(b"220 hello\r\n").unwrap();
            plain.read_line(&mut String::new()).unwrap();
            plain.get_mut().write_all(b"234 go\r\n").unwrap();
            let connection = ServerConnection::new(config).unwrap();
            let mut control = BufReader::new(StreamOwned::new(connection, plain.into_inner()));
            let data = TcpListener::bind(("127.0.0.1", 0)).unwrap();
            let mut line = String::new();
            while control.read_line(&mut line).is_ok_and(|count| count > 0) {
                let reply = match line.split_whitespace().next().unwrap_or_default() {
                    "USER" => "230 in\r\n".to_owned(),
                    "PROT" if refuses => "534 no\r\n".to_owned(),
                    "PBSZ" | "PROT" | "TYPE" => "200 yes\r\n".to_owned(),
                    "EPSV" => format!("229 (|||{}|)\r\n", data.local_addr().unwrap().port()),
                    "RETR" => {
                        let _ = data.accept().unwrap().0.write_all(b"in clear text");
                        "150 now\r\n226 done\r\n".to_owned()
                    }
                    _ => "500 what?\r\n".to_owned(),
                };
                commands.push(std::mem::take(&mut line).trim_end().to_owned());
                if control.get_mut().write_all(reply.as_bytes()).is_err() {
                    break;
                }
            }
            commands
        });
        let mut client = trusting(&pem);
        let error = fails(&mut client, &format!("ftp://localhost:{port}/a"));
        drop(client);
        let commands = served.join().unwrap();
        let asked = commands.iter().any(|line| line.starts_with("RETR"));
        assert_eq!(asked, !refuses, "{error} {commands:?}");
        if refuses {
            let begin = "asking for TLS on data connections: ";
            assert!(error.to_string().starts_with(begin), "{error}");
        }
    }
}

/// Data sent over TLS arrives completely, because the client announces its end and waits for the
/// server to close the connection.
#[test]
fn sending() {
    use std::os::unix::fs::PermissionsExt as _;
    use urikit::Standard;
    use urikit_access::{Buffer, NoPrompt, Upload};
    let more = [
        "write_enable=YES",
        "anon_upload_enable=YES",
        "anon_umask=022",
        "strict_ssl_read_eof=YES",
    ];
    let Some((folder, server, pem)) = vsftpd("sending", &more) else {
        return;
    };
    folder.write("in/.keep", "");
    let incoming = folder.path().join("in");
    std::fs::set_permissions(&incoming, std::fs::Permissions::from_mode(0o777)).unwrap();
    let url = format!("ftp://localhost:{}/in/a.bin", server.port());
    let upload = Upload::new(Standard::Rfc3986.parse(&url).unwrap());
    let body: Vec<u8> = (0..=255).cycle().take(3_000_000).collect();
    let client = trusting(&pem);
    let sent = client.upload(
        &upload,
        &mut NoPrompt,
        &mut &body[..],
        &mut Buffer::default(),
    );
    let sent = sent.unwrap_or_else(|error| panic!("{error} {:?}", error.rendered()));
    assert_eq!(sent.sent, 3_000_000);
    assert_eq!(std::fs::read(incoming.join("a.bin")).unwrap(), body);
}
