//! pyftpdlib: an FTP server with any users, and with `MLST`.

use super::{Daemon, Folder, free_port};
use std::process::Stdio;

/// A running pyftpdlib, and its log.
#[derive(Debug)]
pub struct Pyftpdlib {
    daemon: Daemon,
    folder: Folder,
}

/// Serves `anonymous`, and `alice` with an unusual password, and logs each command.
const SCRIPT: &str = r#"
import sys
from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import FTPHandler
from pyftpdlib.servers import FTPServer

root, port, log, more = sys.argv[1:5]

class Handler(FTPHandler):
    def pre_process_command(self, line, cmd, arg):
        with open(log, "a") as file:
            file.write(line + "\n")
        FTPHandler.pre_process_command(self, line, cmd, arg)

Handler.authorizer = DummyAuthorizer()
Handler.authorizer.add_anonymous(root)
Handler.authorizer.add_user("alice", "p@ss:w/d", root)
Handler.auth_failed_timeout = 0.1
exec(more)
FTPServer(("127.0.0.1", int(port)), Handler).serve_forever()
"#;

impl Pyftpdlib {
    /// Serves a folder to `anonymous`, and to `alice` with the password `p@ss:w/d`; `None` if
    /// pyftpdlib is not installed.
    pub fn start(root: &Folder) -> Option<Self> {
        Self::start_with(root, "")
    }

    /// The same, with more Python code that configures the `Handler`.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn start_with(root: &Folder, more: &str) -> Option<Self> {
        let mut command = super::python_with("pyftpdlib.servers")?;
        let (folder, port) = (Folder::new("pyftpdlib"), free_port());
        command.arg("-c").arg(SCRIPT).arg(root.path());
        command.arg(port.to_string()).arg(folder.path().join("log"));
        command.arg(more).stderr(Stdio::null());
        let daemon = Daemon::start(&mut command, port);
        Some(Self { daemon, folder })
    }

    /// The port on loopback.
    pub const fn port(&self) -> u16 {
        self.daemon.port
    }

    /// The received commands, without their line ends.
    pub fn commands(&self) -> Vec<String> {
        let log = self.folder.read("log");
        log.lines().map(str::to_owned).collect()
    }
}
