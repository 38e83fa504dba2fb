//! Twisted: an FTP server for `anonymous`, which has neither `MLST` nor `EPSV`, and refuses `NLST`
//! where the others list names.

use super::{Daemon, Folder, free_port};
use std::process::Stdio;

/// A running Twisted FTP server.
#[derive(Debug)]
pub struct Twisted {
    daemon: Daemon,
}

const SCRIPT: &str = r#"
import sys
from twisted.cred.checkers import AllowAnonymousAccess
from twisted.cred.portal import Portal
from twisted.internet import reactor
from twisted.protocols.ftp import FTPFactory, FTPRealm

root, port = sys.argv[1:3]
portal = Portal(FTPRealm(root), [AllowAnonymousAccess()])
reactor.listenTCP(int(port), FTPFactory(portal), interface="127.0.0.1")
reactor.run()
"#;

impl Twisted {
    /// Serves a folder; `None` if Twisted is not installed.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn start(root: &Folder) -> Option<Self> {
        let mut command = super::python_with("twisted.protocols.ftp")?;
        let port = free_port();
        command.arg("-c").arg(SCRIPT).arg(root.path());
        command.arg(port.to_string()).stderr(Stdio::null());
        let daemon = Daemon::start(&mut command, port);
        Some(Self { daemon })
    }

    /// The port on loopback.
    pub const fn port(&self) -> u16 {
        self.daemon.port
    }
}
