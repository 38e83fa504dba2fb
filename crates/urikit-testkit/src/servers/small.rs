//! Gemini servers (jetforce, molly-brown and agate) with their certificates; smolserve for Spartan
//! and Nex; and fingerd under inetd.

use super::{Daemon, Folder, are_hidden, free_port, installed};
use crate::data::project_root;
use std::fs::File;
use std::process::{Command, Stdio};

/// The configuration of a self-signed certificate for this machine. The certificate does not belong
/// to a certificate authority.
pub const CERTIFICATE: &str = "\
[req]
distinguished_name = name
x509_extensions = extensions
prompt = no
[name]
CN = a server for tests
[extensions]
basicConstraints = critical,CA:FALSE
subjectAltName = IP:127.0.0.1,DNS:localhost
";

/// Writes a self-signed certificate and its key to a folder, as `certificate.pem` and `key.pem`,
/// and returns the certificate. Returns `None` if openssl is not installed.
///
/// # Panics
///
/// Panics if openssl fails.
pub fn certificate(folder: &Folder, configuration: &str) -> Option<Vec<u8>> {
    let openssl = installed("openssl")?;
    let configuration = folder.write("openssl.conf", configuration);
    let (key, certificate) = (
        folder.path().join("key.pem"),
        folder.path().join("certificate.pem"),
    );
    let made = Command::new(openssl)
        .args([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
        ])
        .arg("-config")
        .arg(configuration)
        .arg("-keyout")
        .arg(key)
        .arg("-out")
        .arg(&certificate)
        .stderr(Stdio::null())
        .status();
    assert!(made.expect("openssl").success(), "openssl fails");
    Some(std::fs::read(certificate).expect("the certificate"))
}

/// A running jetforce, which reads `certificate.pem` and `key.pem` from a folder.
#[derive(Debug)]
pub struct Jetforce {
    /// The port on loopback.
    pub port: u16,
    _daemon: Daemon,
}

impl Jetforce {
    /// Serves a folder under the host name `127.0.0.1`. Returns `None` if jetforce is not
    /// installed.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start(root: &Folder, certificate: &Folder) -> Option<Self> {
        let python = project_root().join("target/jetforce/bin/python");
        if are_hidden() || !python.is_file() {
            return None;
        }
        let port = free_port();
        let log = File::create(certificate.path().join("jetforce.log")).expect("its log");
        let mut command = Command::new(python);
        command
            .args([
                "-m",
                "jetforce",
                "--host",
                "127.0.0.1",
                "--hostname",
                "127.0.0.1",
            ])
            .args(["--port", &port.to_string(), "--default-lang", "en"])
            .arg("--dir")
            .arg(root.path())
            .arg("--tls-certfile")
            .arg(certificate.path().join("certificate.pem"))
            .arg("--tls-keyfile")
            .arg(certificate.path().join("key.pem"))
            .stdout(log.try_clone().expect("its log"))
            .stderr(log);
        Some(Self {
            port,
            _daemon: Daemon::start(&mut command, port),
        })
    }
}

/// A running molly-brown, which reads `certificate.pem` and `key.pem` from a folder.
#[derive(Debug)]
pub struct MollyBrown {
    /// The port on loopback.
    pub port: u16,
    _daemon: Daemon,
}

impl MollyBrown {
    /// Serves a folder under the host name `127.0.0.1`, with the lines in `more` added to the
    /// configuration. Returns `None` if molly-brown is not installed.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start(root: &Folder, certificate: &Folder, more: &str) -> Option<Self> {
        let (server, port) = (installed("molly-brown")?, free_port());
        let (root, folder) = (root.path().display(), certificate.path().display());
        let configuration = certificate.write(
            "molly.conf",
            format!(
                "Port = {port}\nHostname = \"127.0.0.1\"\nDocBase = \"{root}\"\n\
                 CertPath = \"{folder}/certificate.pem\"\nKeyPath = \"{folder}/key.pem\"\n\
                 AccessLog = \"{folder}/molly-access.log\"\n\
                 ErrorLog = \"{folder}/molly-error.log\"\n{more}"
            ),
        );
        let mut command = Command::new(server);
        command.arg("-c").arg(configuration);
        Some(Self {
            port,
            _daemon: Daemon::start(&mut command, port),
        })
    }
}

/// A running agate, which makes its own certificate.
#[derive(Debug)]
pub struct Agate {
    /// The port on loopback.
    pub port: u16,
    _daemon: Daemon,
}

impl Agate {
    /// Serves a folder as the host `localhost`, and writes a certificate for this host to another
    /// folder. Returns `None` if agate is not installed.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start(root: &Folder, certificate: &Folder) -> Option<Self> {
        let program = project_root().join("target/agate/bin/agate");
        if are_hidden() || !program.is_file() {
            return None;
        }
        let port = free_port();
        let log = File::create(certificate.path().join("agate.log")).expect("its log");
        let mut command = Command::new(program);
        command
            .args(["--hostname", "localhost", "--lang", "en"])
            .args(["--addr", &format!("127.0.0.1:{port}")])
            .arg("--content")
            .arg(root.path())
            .arg("--certs")
            .arg(certificate.path().join("agate"))
            .stdout(Stdio::null())
            .stderr(log);
        Some(Self {
            port,
            _daemon: Daemon::start(&mut command, port),
        })
    }
}

/// A running smolserve, for Spartan and Nex.
#[derive(Debug)]
pub struct Smolserve {
    /// The port for Spartan on loopback.
    pub spartan_port: u16,
    /// The port for Nex on loopback.
    pub nex_port: u16,
    _daemon: Daemon,
    _folder: Folder,
}

impl Smolserve {
    /// Serves a folder. Returns `None` if smolserve is not installed.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start(root: &Folder) -> Option<Self> {
        let python = project_root().join("target/smolserve/bin/python");
        if are_hidden() || !python.is_file() {
            return None;
        }
        let folder = Folder::new("smolserve");
        let log = File::create(folder.path().join("log")).expect("its log");
        let (spartan_port, nex_port) = (free_port(), free_port());
        let mut command = Command::new(python);
        command
            .args(["-m", "smolserve", "--host", "127.0.0.1"])
            .args(["--no-gemini", "--no-gopher", "--no-finger"])
            .args(["--spartan-port", &spartan_port.to_string()])
            .args(["--nex-port", &nex_port.to_string()])
            .arg("--spartan-root")
            .arg(root.path())
            .arg("--nex-root")
            .arg(root.path())
            .current_dir(folder.path())
            .stdout(log.try_clone().expect("its log"))
            .stderr(log);
        // smolserve listens for Spartan before it listens for Nex.
        Some(Self {
            spartan_port,
            nex_port,
            _daemon: Daemon::start(&mut command, nex_port),
            _folder: folder,
        })
    }
}

/// A running fingerd, which inetd starts for each connection. Instead of `finger`, fingerd runs a
/// program supplied by the test.
#[derive(Debug)]
pub struct Fingerd {
    /// The port on loopback.
    pub port: u16,
    _folder: Folder,
    _daemon: Daemon,
}

impl Fingerd {
    /// Starts the server. Returns `None` if fingerd or inetd is not installed. The script receives
    /// the words of the request as its arguments.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start(script: &str) -> Option<Self> {
        let (server, inetd) = (installed("in.fingerd")?, installed("inetd")?);
        let (folder, port) = (Folder::new("fingerd"), free_port());
        let program = folder.program("finger", script);
        let user = if rustix::process::geteuid().is_root() {
            "nobody".to_owned()
        } else {
            std::env::var("USER").unwrap_or_else(|_| "nobody".to_owned())
        };
        let (server, program) = (server.display(), program.display());
        let line =
            format!("127.0.0.1:{port} stream tcp nowait {user} {server} in.fingerd -p {program}\n");
        let configuration = folder.write("inetd.conf", line);
        let output = File::create(folder.path().join("output")).expect("its output");
        let mut command = Command::new(inetd);
        command.arg("-d").arg(configuration).stderr(output);
        Some(Self {
            port,
            _daemon: Daemon::start(&mut command, port),
            _folder: folder,
        })
    }
}
