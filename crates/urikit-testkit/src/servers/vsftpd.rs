//! vsftpd: a strict FTP server, for `anonymous` only. It supports `EPSV`, `SIZE` and `MDTM`, but
//! not `MLST`.

use super::{Daemon, Folder, free_port, installed};
use std::process::Command;

/// A running vsftpd, and its log.
#[derive(Debug)]
pub struct Vsftpd {
    daemon: Daemon,
    folder: Folder,
}

impl Vsftpd {
    /// Serves a folder to `anonymous`; `None` if vsftpd is not installed, or if this process is
    /// not root, which vsftpd requires.
    pub fn start(root: &Folder) -> Option<Self> {
        Self::start_with(root, &[])
    }

    /// The same, with more lines in its configuration.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn start_with(root: &Folder, more: &[&str]) -> Option<Self> {
        let program = installed("vsftpd")?;
        // It changes its root directory and its user.
        if !rustix::process::geteuid().is_root() {
            return None;
        }
        std::fs::create_dir_all("/var/run/vsftpd/empty").expect("an empty folder for vsftpd");
        let (folder, port) = (Folder::new("vsftpd"), free_port());
        // Of all ports, it would offer some that the policy refuses as those of other protocols.
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

    /// The port on loopback.
    pub const fn port(&self) -> u16 {
        self.daemon.port
    }

    /// The received commands according to the server's log, without their line ends.
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
