//! tinyproxy, an HTTP proxy.

use super::{Daemon, Folder, free_port, installed};
use std::process::Command;

/// A running tinyproxy, which connects to any port of this machine.
#[derive(Debug)]
pub struct Tinyproxy {
    daemon: Daemon,
    _folder: Folder,
}

impl Tinyproxy {
    /// Starts tinyproxy on a free loopback port; `None` if it is not installed. With `login`, it
    /// asks for this user and password, separated by a space.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn start(login: Option<&str>) -> Option<Self> {
        let program = installed("tinyproxy")?;
        let (port, folder) = (free_port(), Folder::new("tinyproxy"));
        let login = login.map_or_else(String::new, |login| format!("BasicAuth {login}\n"));
        let configuration = format!(
            "Port {port}\nListen 127.0.0.1\nAllow 127.0.0.1\nMaxClients 20\nTimeout 60\n{login}"
        );
        let path = folder.write("tinyproxy.conf", configuration);
        let daemon = Daemon::start(Command::new(program).arg("-d").arg("-c").arg(path), port);
        Some(Self {
            daemon,
            _folder: folder,
        })
    }

    /// The port on loopback.
    pub const fn port(&self) -> u16 {
        self.daemon.port
    }
}
