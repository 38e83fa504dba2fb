//! Servers for the tests of `urikit-access`, on free loopback ports: real servers from Debian's
//! packages, and scripted ones. Each server stops when it is dropped.

use crate::data::project_root;
use std::path::PathBuf;
use std::process::{Command, Stdio};

mod daemon;
mod ftp;
mod gopher;
mod mail;
mod scripted;
mod small;
mod telnetd;
mod web;

pub use daemon::Folder;
pub use daemon::{Daemon, free_port, installed};
pub use ftp::Pyftpdlib;
pub use ftp::Twisted;
pub use ftp::Vsftpd;
pub use gopher::{Gophernicus, Pygopherd};
pub use mail::Aiosmtpd;
pub use mail::Exim;
pub use mail::Sn;
pub use scripted::Datagrams;
pub use scripted::{Conversation, Scripted};
pub use small::{Agate, CERTIFICATE, Fingerd, Jetforce, MollyBrown, Smolserve, certificate};
pub use telnetd::Telnetd;
pub use web::Apache;
pub use web::Squid;
pub use web::Tinyproxy;
pub use web::{Logged, Nginx};

/// Reports that a test is skipped because a server or another program is missing.
///
/// # Panics
///
/// Panics if `URIKIT_SERVERS=required` is set.
pub fn skip(test: &str, program: &str) {
    assert!(
        std::env::var_os("URIKIT_SERVERS").is_none_or(|value| value != "required"),
        "{test} needs {program}, which is not installed, or cannot be started without root"
    );
    println!("SKIPPED {test}: {program} is not installed; ./test --install installs it");
}

/// Returns the Python interpreter of the virtual environment in `target/` that `./test --install`
/// creates for this package. If the environment does not exist, prints that the test is skipped,
/// and returns `None`.
///
/// # Panics
///
/// Panics if `URIKIT_SERVERS=required` is set and the environment does not exist.
pub fn python_of(package: &str, environment: &str) -> Option<PathBuf> {
    let python = project_root().join(format!("target/{environment}/bin/python"));
    let is_found = !are_hidden() && python.exists();
    if !is_found {
        skip(package, &format!("the Python package {package}"));
    }
    is_found.then_some(python)
}

/// Returns true if `URIKIT_SERVERS=hidden` makes the tests run as if no servers were installed.
fn are_hidden() -> bool {
    std::env::var_os("URIKIT_SERVERS").is_some_and(|value| value == "hidden")
}

/// Returns Debian's Python if it can import `module`. Only Debian's Python finds the modules from
/// Debian's packages.
fn python_with(module: &str) -> Option<Command> {
    let python = || Command::new("/usr/bin/python3");
    let mut import = python();
    import.args(["-c", &format!("import {module}")]);
    let status = import.stderr(Stdio::null()).status();
    let is_installed = !are_hidden() && status.is_ok_and(|status| status.success());
    is_installed.then(python)
}
