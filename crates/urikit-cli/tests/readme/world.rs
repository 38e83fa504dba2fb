//! The servers for the sessions in `docs/protocols.md` and `docs/gateway.md`.

use std::fs::File;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};
use urikit_testkit::prospero::Prospero;
use urikit_testkit::servers::{
    Aiosmtpd, CERTIFICATE, Daemon, Fingerd, Folder, Gophernicus, Jetforce, Nginx, Pygopherd,
    Scripted, Sn, Telnetd, Vsftpd, certificate, free_port,
};
use urikit_testkit::wais;

const ARTICLE: &str = "\
From: timbl@info.cern.ch (Tim Berners-Lee)
Newsgroups: comp.test
Subject: Names and addresses
Date: Tue, 20 Dec 1994 10:00:00 GMT
Message-ID: <one@example.org>

Cool names do not change.
";

/// All servers, each on a free port.
pub(crate) struct World {
    ftp: Option<Vsftpd>,
    gopher: Option<Gophernicus>,
    gopher_plus: Option<Pygopherd>,
    gemini: Option<Jetforce>,
    finger: Option<Fingerd>,
    news: Option<Sn>,
    wais: Scripted,
    web: Option<Nginx>,
    telnet: Option<Telnetd>,
    mail: Option<Aiosmtpd>,
    prospero: Prospero,
    /// A Prospero server with an object on the FTP server. This server is started only if the FTP
    /// server is running.
    prospero_to_ftp: Option<Prospero>,
    /// The port of the gateway of `uri serve`.
    gateway: u16,
    _gateway: Daemon,
    _folders: [Folder; 4],
}

impl World {
    pub(crate) fn start() -> Self {
        let ftp = Folder::new("readme-ftp");
        for (name, text) in [
            ("pub/README", "Welcome to the archive.\n"),
            ("pub/rfc1738.txt", "Uniform Resource Locators (URL)\n"),
        ] {
            age(&ftp.write(name, text));
        }
        let gopher = Folder::new("readme-gopher");
        age(&gopher.write("about.txt", "Gopher is older than the Web's fame.\n"));
        gopher.write(
            "gophermap",
            "Welcome to gopherspace\n0About this\tabout.txt\n1More\tmore\n7Find\t/find\n",
        );
        let (gemini, tls) = (Folder::new("readme-gemini"), Folder::new("readme-tls"));
        gemini.write("index.gmi", "# A capsule\n=> about.gmi About this\n");
        gemini.write("about.gmi", "Gemini is younger than the Web.\n=> / Home\n");
        let is_certified = certificate(&tls, CERTIFICATE).is_some();
        let web = Folder::new("readme-web");
        web.write(
            "files/new",
            "This page has moved, and its name still leads here.\n",
        );
        let vsftpd = Vsftpd::start(&ftp);
        let prospero_to_ftp = vsftpd.as_ref().map(|ftp| {
            Prospero::with(vec![(
                "GET-OBJECT-INFO '#ALL' ASCII /pros/name 0".to_owned(),
                format!(
                    "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE AFTP INTERNET-D \
                     '127.0.0.1({})' ASCII /pub/README BINARY\n",
                    ftp.port()
                ),
            )])
        });
        let port = free_port();
        let mut gateway = Command::new(env!("CARGO_BIN_EXE_uri"));
        gateway
            .args([
                "serve",
                "--quiet",
                "--allow-private",
                "--listen",
                "127.0.0.1:0",
            ])
            .args(["--gateway-listen", &format!("127.0.0.1:{port}")])
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        Self {
            gateway: port,
            _gateway: Daemon::start(&mut gateway, port),
            ftp: vsftpd,
            gopher: Gophernicus::start(&gopher),
            gopher_plus: Pygopherd::start(&gopher),
            gemini: is_certified
                .then(|| Jetforce::start(&gemini, &tls))
                .flatten(),
            finger: Fingerd::start(
                "#!/bin/sh\necho 'Login: timbl'; echo 'Name: Tim Berners-Lee'\n",
            ),
            news: Sn::start(&["comp.test"], &[ARTICLE]),
            wais: wais::replay(wais::exchanges()),
            web: Nginx::start(
                web,
                "location = /old { return 301 /new; } \
                 location = /ask { default_type text/plain; \
                 return 200 \"asked for $arg_uri\\n\"; }",
                "",
            ),
            telnet: Telnetd::start("echo Hello; exit"),
            mail: Aiosmtpd::start(),
            prospero: Prospero::with(Vec::new()),
            prospero_to_ftp,
            _folders: [ftp, gopher, gemini, tls],
        }
    }

    /// Each port of the page, its server, and the real port: `None` if the server is not installed.
    pub(crate) fn ports(&self) -> [(&'static str, &'static str, Option<u16>); 13] {
        [
            ("2121", "vsftpd", self.ftp.as_ref().map(Vsftpd::port)),
            (
                "7070",
                "gophernicus",
                self.gopher.as_ref().map(|server| server.port),
            ),
            (
                "7071",
                "pygopherd",
                self.gopher_plus.as_ref().map(|server| server.port),
            ),
            (
                "1966",
                "jetforce",
                self.gemini.as_ref().map(|server| server.port),
            ),
            (
                "7979",
                "fingerd",
                self.finger.as_ref().map(|server| server.port),
            ),
            ("1119", "sn", self.news.as_ref().map(|server| server.port)),
            ("2210", "WAIS", Some(self.wais.port)),
            ("8080", "nginx", self.web.as_ref().map(Nginx::port)),
            (
                "2323",
                "telnetd",
                self.telnet.as_ref().map(|server| server.port),
            ),
            ("8739", "uri serve", Some(self.gateway)),
            ("1526", "Prospero", Some(self.prospero.0.port)),
            (
                "1527",
                "vsftpd",
                self.prospero_to_ftp.as_ref().map(|server| server.0.port),
            ),
            (
                "2525",
                "aiosmtpd",
                self.mail.as_ref().map(|server| server.port),
            ),
        ]
    }
}

/// Gives a file the date of RFC 1738.
fn age(path: &std::path::Path) {
    let date = SystemTime::UNIX_EPOCH + Duration::from_secs(787_917_600);
    File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_modified(date)
        .unwrap();
}
