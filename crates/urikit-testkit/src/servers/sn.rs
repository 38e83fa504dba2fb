//! sn, a small news server of the RFC 977 era, under inetd, without `CAPABILITIES` and `OVER`.

use super::{Daemon, Folder, free_port, installed};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// A running sn, with its own groups.
#[derive(Debug)]
pub struct Sn {
    _daemon: Daemon,
    folder: Folder,
    /// The port on loopback.
    pub port: u16,
}

impl Sn {
    /// Starts a server with these groups and articles, whose lines end with LF. The first article
    /// of a group gets the number 10. `None` if sn is not installed.
    /// 10. `None` where it is not installed.
    ///
    /// # Panics
    ///
    /// If it does not start.
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
            input.write_all(wire.as_bytes()).expect("it takes articles");
            drop(input);
            assert!(sending.wait().is_ok_and(|status| status.success()));
        }
        // A copy of what clients send goes to the log.
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

    /// The lines that clients sent.
    pub fn commands(&self) -> Vec<String> {
        let lines = self.folder.read("commands");
        lines.lines().map(str::to_owned).collect()
    }
}
