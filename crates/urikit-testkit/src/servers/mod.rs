//! Servers for the tests of `urikit-access`, on free loopback ports: real ones, as packaged by
//! Debian, and scripted ones. Each stops when it is dropped.

use std::process::{Command, Stdio};

mod aiosmtpd;
mod apache;
mod daemon;
mod datagrams;
mod exim;
mod folder;
mod gopher;
mod nginx;
mod pyftpdlib;
mod scripted;
mod sn;
mod squid;
mod telnetd;
mod tinyproxy;
mod twisted;
mod vsftpd;

pub use aiosmtpd::Aiosmtpd;
pub use apache::Apache;
pub use daemon::{Daemon, free_port, installed};
pub use datagrams::Datagrams;
pub use exim::Exim;
pub use folder::Folder;
pub use gopher::{Gophernicus, Pygopherd};
pub use nginx::{Logged, Nginx};
pub use pyftpdlib::Pyftpdlib;
pub use scripted::{Conversation, Scripted};
pub use sn::Sn;
pub use squid::Squid;
pub use telnetd::Telnetd;
pub use tinyproxy::Tinyproxy;
pub use twisted::Twisted;
pub use vsftpd::Vsftpd;

/// Reports that a test is skipped because a server or another program is missing.
///
/// # Panics
///
/// If `URIKIT_SERVERS=required` is set.
pub fn skip(test: &str, program: &str) {
    assert!(
        std::env::var_os("URIKIT_SERVERS").is_none_or(|value| value != "required"),
        "{test} needs {program}, which is not installed or cannot be started here (root)"
    );
    println!("SKIPPED {test}: {program} is not installed; ./test --install installs it");
}

/// Whether `URIKIT_SERVERS=hidden` asks the tests to behave as on a machine without servers.
fn are_hidden() -> bool {
    std::env::var_os("URIKIT_SERVERS").is_some_and(|value| value == "hidden")
}

/// Debian's Python, if it can import `module`. Debian's packages are for Debian's Python.
fn python_with(module: &str) -> Option<Command> {
    let python = || Command::new("/usr/bin/python3");
    let mut import = python();
    import.args(["-c", &format!("import {module}")]);
    let status = import.stderr(Stdio::null()).status();
    let is_installed = !are_hidden() && status.is_ok_and(|status| status.success());
    is_installed.then(python)
}
