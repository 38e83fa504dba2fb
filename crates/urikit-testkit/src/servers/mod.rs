//! Servers for the tests of access, on free loopback ports: real ones, as Debian has them, and ones that do as a test
//! says. Each is ended when it is dropped.

mod aiosmtpd;
mod daemon;
mod folder;
mod gopher;
mod nginx;
mod pyftpdlib;
mod scripted;
mod sn;
mod telnetd;
mod vsftpd;

pub use aiosmtpd::Aiosmtpd;
pub use daemon::{Daemon, free_port, installed};
pub use folder::Folder;
pub use gopher::{Gophernicus, Pygopherd};
pub use nginx::{Logged, Nginx};
pub use pyftpdlib::Pyftpdlib;
pub use scripted::{Conversation, Scripted};
pub use sn::Sn;
pub use telnetd::Telnetd;
pub use vsftpd::Vsftpd;

/// Says that a test is skipped for want of a server, or of the right to start it. Where servers are required, that is a failure.
///
/// # Panics
///
/// Where `URIKIT_SERVERS=required` is set.
pub fn skip(test: &str, server: &str) {
    let required = std::env::var_os("URIKIT_SERVERS").is_some_and(|value| value == "required");
    assert!(
        !required,
        "{test} needs {server}, which is not installed or cannot be started here (root)"
    );
    println!(
        "SKIPPED {test}: {server} is not installed or cannot be started here (root); see ./test --install"
    );
}
