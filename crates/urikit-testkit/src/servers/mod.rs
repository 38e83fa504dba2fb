//! Servers for the tests of `urikit-access`, on free loopback ports: real ones, as packaged by
//! Debian, and scripted ones. Each stops when it is dropped.

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

/// Reports that a test is skipped because a server is missing or cannot be started. If servers are
/// required, this fails the test.
///
/// # Panics
///
/// If `URIKIT_SERVERS=required` is set.
pub fn skip(test: &str, server: &str) {
    let required = std::env::var_os("URIKIT_SERVERS").is_some_and(|value| value == "required");
    assert!(
        !required,
        "{test} needs {server}, which is not installed or cannot be started here (root)"
    );
    println!(
        "SKIPPED {test}: {server} is not installed or cannot be started here (root); \
         see ./test --install"
    );
}
