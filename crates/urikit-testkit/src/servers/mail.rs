//! Mail servers (Exim and aiosmtpd) and a news server (sn).

use super::{Daemon, Folder, free_port, installed};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A running Exim server.
#[derive(Debug)]
pub struct Exim {
    daemon: Daemon,
    folder: Folder,
}

/// The part of Exim's configuration that follows the settings that depend on the folder.
const CONFIGURATION: &str = r"
local_interfaces = <; 127.0.0.1
primary_hostname = localhost
tls_advertise_hosts = *
auth_advertise_hosts = ${if def:tls_in_cipher {*}{}}
queue_only = true
host_lookup =
keep_environment =
rfc1413_query_timeout = 0s
acl_smtp_rcpt = check
acl_smtp_data = accepted
message_logs = false
begin acl
check:
  accept authenticated = *
  deny
accepted:
  accept
begin authenticators
MECHANISM
";

const PLAIN: &str = "plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = ${if and{{eq{$auth2}{tim}}{eq{$auth3}{open sesame}}}}
  server_set_id = $auth2
";

const LOGIN: &str = "login:
  driver = plaintext
  public_name = LOGIN
  server_prompts = Username:: : Password::
  server_condition = ${if and{{eq{$auth1}{tim}}{eq{$auth2}{open sesame}}}}
  server_set_id = $auth1
";

impl Exim {
    /// Starts a server with `certificate.pem` and `key.pem` from a folder, and with the login
    /// mechanism PLAIN or LOGIN. Returns `None` if Exim is not installed, or if this process is not
    /// root, which Exim requires.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start(keys: &Folder, is_login: bool) -> Option<Self> {
        let program = installed("exim4")?;
        if !rustix::process::geteuid().is_root() {
            return None;
        }
        let (folder, port) = (Folder::new("exim"), free_port());
        let path = |name: &str| folder.path().join(name).display().to_string();
        let open = |path: &Path, mode| {
            let mode = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(path, mode).expect("its permissions");
        };
        // Exim runs as another user, who needs access to these folders.
        open(folder.path(), 0o755);
        for name in ["spool", "log"] {
            std::fs::create_dir(path(name)).expect("a folder");
            open(Path::new(&path(name)), 0o777);
        }
        let mut settings = format!(
            "spool_directory = {}\nlog_file_path = {}/%s\npid_file_path = {}/pid\n",
            path("spool"),
            path("log"),
            path("spool")
        );
        for (setting, name) in [
            ("tls_certificate", "certificate.pem"),
            ("tls_privatekey", "key.pem"),
        ] {
            let copy = folder.write(name, std::fs::read(keys.path().join(name)).expect("a key"));
            open(&copy, 0o644);
            let _ = writeln!(settings, "{setting} = {}", copy.display());
        }
        let mechanism = if is_login { LOGIN } else { PLAIN };
        settings.push_str(&CONFIGURATION.replace("MECHANISM", mechanism));
        let conf = folder.write("conf", settings);
        let mut command = Command::new(program);
        command.arg("-C").arg(conf).arg("-bdf");
        command.args(["-oX", &format!("127.0.0.1:{port}")]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let daemon = Daemon::start(&mut command, port);
        Some(Self { daemon, folder })
    }

    /// The loopback port.
    pub const fn port(&self) -> u16 {
        self.daemon.port
    }

    /// Returns the log of messages.
    pub fn log(&self) -> String {
        self.folder.read("log/main")
    }

    /// Returns the queued messages: their envelopes and header fields, and their bodies.
    pub fn messages(&self) -> String {
        let input = self.folder.path().join("spool/input");
        let files = std::fs::read_dir(input).into_iter().flatten();
        let mut paths: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
        paths.sort();
        let read = |path: &PathBuf| std::fs::read(path).unwrap_or_default();
        let text: Vec<u8> = paths.iter().flat_map(read).collect();
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// A running aiosmtpd server, which prints messages instead of delivering them.
#[derive(Debug)]
pub struct Aiosmtpd {
    _daemon: Daemon,
    folder: Folder,
    /// The loopback port.
    pub port: u16,
}

impl Aiosmtpd {
    /// Starts a server. Returns `None` if aiosmtpd is not installed.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start() -> Option<Self> {
        let program = installed("aiosmtpd")?;
        let folder = Folder::new("smtp");
        let file = |name: &str| File::create(folder.path().join(name)).expect("a file");
        let port = free_port();
        let mut command = Command::new(program);
        command
            .args(["-n", "-d", "-d", "-l"])
            .arg(format!("127.0.0.1:{port}"))
            .args(["-c", "aiosmtpd.handlers.Debugging", "stdout"])
            .env("PYTHONUNBUFFERED", "1")
            .stdout(file("messages"))
            .stderr(file("log"));
        Some(Self {
            _daemon: Daemon::start(&mut command, port),
            folder,
            port,
        })
    }

    /// Returns the received messages, as aiosmtpd prints them.
    pub fn messages(&self) -> String {
        self.folder.read("messages")
    }

    /// Returns the connection log, which includes each command.
    pub fn log(&self) -> String {
        self.folder.read("log")
    }
}

/// A running sn news server, which has only the groups of the test.
#[derive(Debug)]
pub struct Sn {
    _daemon: Daemon,
    folder: Folder,
    /// The loopback port.
    pub port: u16,
}

impl Sn {
    /// Starts a server with the given groups and articles. The lines of articles end with LF. The
    /// first article in each group has the number 10. Returns `None` if sn is not installed.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start(groups: &[&str], articles: &[&str]) -> Option<Self> {
        let inetd = installed("inetd")?;
        let server = installed("snntpd.bin")?;
        let (new_group, send) = (installed("snnewgroup")?, installed("snsend")?);
        let folder = Folder::new("sn");
        folder.write("spool/.keep", "");
        let root = folder.path().join("spool");
        for group in groups {
            let made = Command::new(&new_group)
                .arg(group)
                .env("SNROOT", &root)
                .stderr(Stdio::null())
                .status();
            assert!(made.is_ok_and(|status| status.success()), "{group}");
        }
        for article in articles {
            let mut sending = Command::new(&send)
                .env("SNROOT", &root)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .spawn()
                .expect("snsend");
            let mut wire = String::new();
            for line in article.lines() {
                wire.push_str(if line.starts_with('.') { "." } else { "" });
                wire.push_str(line);
                wire.push_str("\r\n");
            }
            wire.push_str(".\r\n");
            let mut input = sending.stdin.take().expect("its input");
            input
                .write_all(wire.as_bytes())
                .expect("sn accepts articles");
            drop(input);
            assert!(sending.wait().is_ok_and(|status| status.success()));
        }
        // The script copies the input from clients to the log.
        let (root, log) = (root.display(), folder.path().join("commands"));
        let script = folder.write(
            "serve",
            format!(
                "#!/bin/sh\nexport SNROOT={root}\ntee -a {} | {} 2>/dev/null\n",
                log.display(),
                server.display()
            ),
        );
        let port = free_port();
        let line = format!(
            "127.0.0.1:{port} stream tcp nowait.1000 root /bin/sh sh {}\n",
            script.display()
        );
        let conf = folder.write("inetd.conf", line);
        let mut command = Command::new(inetd);
        command
            .arg("-d")
            .arg(conf)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Some(Self {
            _daemon: Daemon::start(&mut command, port),
            folder,
            port,
        })
    }

    /// Returns the lines that clients sent.
    pub fn commands(&self) -> Vec<String> {
        let lines = self.folder.read("commands");
        lines.lines().map(str::to_owned).collect()
    }
}
