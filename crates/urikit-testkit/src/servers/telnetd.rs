//! A Telnet server: inetutils' telnetd, which openbsd-inetd starts for each connection.

use super::{Daemon, Folder, free_port, installed};
use std::process::{Command, Stdio};

/// A running telnetd that starts a script in place of `login`.
#[derive(Debug)]
pub struct Telnetd {
    /// The loopback port.
    pub port: u16,
    folder: Folder,
    _daemon: Daemon,
}

impl Telnetd {
    /// Starts a server that runs a shell script on a new terminal for each connection. The script
    /// may write to the file `"$log"`. Returns `None` if telnetd or inetd is not installed.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start(script: &str) -> Option<Self> {
        let (server, inetd) = (installed("telnetd")?, installed("inetd")?);
        let (folder, port) = (Folder::new("telnetd"), free_port());
        let log = folder.path().join("log");
        let script = format!("#!/bin/sh\nlog={}\n{script}", log.display());
        let login = folder.program("login", script);
        let user = if rustix::process::geteuid().is_root() {
            "root".to_owned()
        } else {
            std::env::var("USER").unwrap_or_else(|_| "nobody".to_owned())
        };
        let line = format!(
            "127.0.0.1:{port} stream tcp nowait {user} {} telnetd -h -E {}\n",
            server.display(),
            login.display(),
        );
        let conf = folder.write("inetd.conf", line);
        let mut command = Command::new(inetd);
        command
            .arg("-d")
            .arg(conf)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Some(Self {
            port,
            _daemon: Daemon::start(&mut command, port),
            folder,
        })
    }

    /// Returns what the script has written to `"$log"`.
    pub fn log(&self) -> String {
        self.folder.read("log")
    }
}
