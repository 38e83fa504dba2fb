//! aiosmtpd, an SMTP server that prints what it receives.

use super::{Daemon, Folder, free_port, installed};
use std::fs::File;
use std::process::Command;

/// A running aiosmtpd, which delivers nothing.
#[derive(Debug)]
pub struct Aiosmtpd {
    _daemon: Daemon,
    folder: Folder,
    /// The port on loopback.
    pub port: u16,
}

impl Aiosmtpd {
    /// Starts a server; `None` if aiosmtpd is not installed.
    ///
    /// # Panics
    ///
    /// If it does not start.
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

    /// The messages received, as aiosmtpd prints them.
    pub fn messages(&self) -> String {
        self.folder.read("messages")
    }

    /// The log of its connections, which includes each command.
    pub fn log(&self) -> String {
        self.folder.read("log")
    }
}
