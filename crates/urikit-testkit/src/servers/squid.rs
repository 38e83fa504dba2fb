//! Squid, an HTTP proxy.

use super::{Daemon, Folder, free_port, installed};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// A running Squid, which connects to any port of this machine, and keeps nothing.
#[derive(Debug)]
pub struct Squid {
    daemon: Daemon,
    folder: Folder,
}

/// The helper that compares passwords, where Debian has it.
const PASSWORDS: &str = "/usr/lib/squid/basic_ncsa_auth";

impl Squid {
    /// Starts Squid on a free loopback port; `None` if it is not installed. If it asks for a login, that
    /// is `tim` with the password `hunter2`.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn start(has_login: bool) -> Option<Self> {
        let program = installed("squid").filter(|_| Path::new(PASSWORDS).is_file())?;
        let (port, folder) = (free_port(), Folder::new("squid"));
        // As root, it works as another user.
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o777))
            .expect("its folder's mode");
        let users = folder.write("users", "tim:$apr1$urikit$GOqp3MYzD7RV7DteUYWEk0\n");
        let access = if has_login {
            format!(
                "auth_param basic program {PASSWORDS} {}\n\
                 auth_param basic children 1\n\
                 acl known proxy_auth REQUIRED\n\
                 http_access allow known\n",
                users.display()
            )
        } else {
            "http_access allow all\n".to_owned()
        };
        let configuration = CONFIGURATION
            .replace("{port}", &port.to_string())
            .replace("{dir}", &folder.path().display().to_string());
        let path = folder.write("squid.conf", format!("{configuration}{access}"));
        let daemon = Daemon::start(Command::new(program).arg("-N").arg("-f").arg(path), port);
        Some(Self { daemon, folder })
    }

    /// The port on loopback.
    pub const fn port(&self) -> u16 {
        self.daemon.port
    }

    /// The log of requests, which has this text so many times. Each request is logged when it ends, and
    /// a tunnel with its connection.
    ///
    /// # Panics
    ///
    /// If the log has it less often.
    pub fn log_with(&self, text: &str, times: usize) -> String {
        let begin = Instant::now();
        loop {
            let log = self.folder.read("access.log");
            if log.matches(text).count() >= times {
                return log;
            }
            assert!(begin.elapsed() < Duration::from_secs(5), "{text}: {log}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// In the foreground, as one process, with all files in its folder.
const CONFIGURATION: &str = "\
http_port 127.0.0.1:{port}
visible_hostname localhost
pid_filename none
cache_log {dir}/cache.log
access_log stdio:{dir}/access.log
logfile_rotate 0
coredump_dir {dir}
cache deny all
pinger_enable off
";
