//! FTP servers: vsftpd, pyftpdlib and Twisted.

use super::{Daemon, Folder, free_port, installed};
use std::process::{Command, Stdio};

/// A running vsftpd, and its log.
#[derive(Debug)]
pub struct Vsftpd {
    daemon: Daemon,
    folder: Folder,
}

impl Vsftpd {
    /// Serves a folder to `anonymous`. Returns `None` if vsftpd is not installed, or if this
    /// process is not root, which vsftpd requires.
    pub fn start(root: &Folder) -> Option<Self> {
        Self::start_with(root, &[])
    }

    /// Starts a server as `start` does, with additional lines of configuration.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start_with(root: &Folder, more: &[&str]) -> Option<Self> {
        let program = installed("vsftpd")?;
        // vsftpd changes its root directory and its user, which only root may do.
        if !rustix::process::geteuid().is_root() {
            return None;
        }
        std::fs::create_dir_all("/var/run/vsftpd/empty").expect("an empty folder for vsftpd");
        let (folder, port) = (Folder::new("vsftpd"), free_port());
        // By default, vsftpd may offer ports that the policy refuses because other protocols use
        // them.
        let conf = format!(
            "pasv_min_port=33000\npasv_max_port=60000\nlisten=YES\nlisten_address=127.0.0.1\nlisten_port={port}\n\
             background=NO\nanonymous_enable=YES\n\
             anon_root={}\nlocal_enable=NO\nsecure_chroot_dir=/var/run/vsftpd/empty\n\
             seccomp_sandbox=NO\n\
             isolate_network=NO\nxferlog_enable=YES\nlog_ftp_protocol=YES\n\
             vsftpd_log_file={}\n{}\n",
            root.path().display(),
            folder.path().join("log").display(),
            more.join("\n")
        );
        let conf = folder.write("conf", conf);
        let daemon = Daemon::start(Command::new(program).arg(conf), port);
        Some(Self { daemon, folder })
    }

    /// The loopback port.
    pub const fn port(&self) -> u16 {
        self.daemon.port
    }

    /// Returns the received commands from the server's log, without line endings.
    pub fn commands(&self) -> Vec<String> {
        let log = self.folder.read("log");
        let command = |line: &str| {
            let (_, rest) = line.split_once("FTP command: Client \"")?;
            let (_, command) = rest.split_once("\", \"")?;
            Some(command.strip_suffix('"')?.to_owned())
        };
        log.lines().filter_map(command).collect()
    }
}

/// A running pyftpdlib, and its log.
#[derive(Debug)]
pub struct Pyftpdlib {
    daemon: Daemon,
    folder: Folder,
}

/// A script that serves the user `anonymous`, and the user `alice` with an unusual password, and
/// logs each command.
const PYFTPDLIB_SCRIPT: &str = r#"
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
    /// Serves a folder to the user `anonymous`, and to the user `alice` with the password
    /// `p@ss:w/d`. Returns `None` if pyftpdlib is not installed.
    pub fn start(root: &Folder) -> Option<Self> {
        Self::start_with(root, "")
    }

    /// Starts a server as `start` does, with additional Python code that configures the `Handler`.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start_with(root: &Folder, more: &str) -> Option<Self> {
        let mut command = super::python_with("pyftpdlib.servers")?;
        let (folder, port) = (Folder::new("pyftpdlib"), free_port());
        command.arg("-c").arg(PYFTPDLIB_SCRIPT).arg(root.path());
        command.arg(port.to_string()).arg(folder.path().join("log"));
        command.arg(more).stderr(Stdio::null());
        let daemon = Daemon::start(&mut command, port);
        Some(Self { daemon, folder })
    }

    /// The loopback port.
    pub const fn port(&self) -> u16 {
        self.daemon.port
    }

    /// Returns the received commands, without line endings.
    pub fn commands(&self) -> Vec<String> {
        let log = self.folder.read("log");
        log.lines().map(str::to_owned).collect()
    }
}

/// A running Twisted FTP server.
#[derive(Debug)]
pub struct Twisted {
    daemon: Daemon,
}

const TWISTED_SCRIPT: &str = r#"
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
    /// Serves a folder. Returns `None` if Twisted is not installed.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start(root: &Folder) -> Option<Self> {
        let mut command = super::python_with("twisted.protocols.ftp")?;
        let port = free_port();
        command.arg("-c").arg(TWISTED_SCRIPT).arg(root.path());
        command.arg(port.to_string()).stderr(Stdio::null());
        let daemon = Daemon::start(&mut command, port);
        Some(Self { daemon })
    }

    /// The loopback port.
    pub const fn port(&self) -> u16 {
        self.daemon.port
    }
}
