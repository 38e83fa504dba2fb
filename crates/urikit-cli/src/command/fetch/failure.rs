//! What to do about a failed access, and its exit status.

use crate::exit::Exit;
use urikit_access::policy::{AddressKind, Refusal};
use urikit_access::{Class, Error, ErrorKind};

/// The option that may help.
pub(super) fn advice(error: &Error) -> String {
    match error.kind() {
        // No option allows link-local addresses and others.
        ErrorKind::Refused(Refusal::Address {
            kind: AddressKind::Loopback | AddressKind::Private,
            ..
        }) => "--allow-private allows this machine and private networks".to_owned(),
        ErrorKind::Refused(Refusal::Redirect { to, .. }) => {
            format!("`+{to}` in --proto-redir allows it")
        }
        ErrorKind::Refused(Refusal::Port { port } | Refusal::DatagramPort { port })
            if *port != 0 =>
        {
            format!("--allow-port {port} allows it")
        }
        ErrorKind::Refused(Refusal::Bytes { .. }) => "--max-filesize BYTES allows more".to_owned(),
        ErrorKind::Untrusted(_) => {
            "--cacert FILE trusts it, or the authority that signed it".to_owned()
        }
        ErrorKind::NoPassword => "-u USER:PASSWORD supplies one".to_owned(),
        ErrorKind::NoProtocol { scheme } => {
            format!("--gateway {scheme}=URL sets a server that fetches such URLs")
        }
        ErrorKind::Relative => "write the complete URL, such as http://example.org/".to_owned(),
        ErrorKind::ProxyLogin { .. } => {
            "USER:PASSWORD@ in the proxy's URL (-x, or the environment) is its login".to_owned()
        }
        ErrorKind::CannotResume => "omit -C to transfer all of it".to_owned(),
        ErrorKind::LongerThere { .. } => "omit -C to replace it".to_owned(),
        _ => String::new(),
    }
}

/// The exit status of an error.
pub(super) fn exit(error: &Error) -> Exit {
    match error.class() {
        Class::Invalid => Exit::No,
        Class::Local => Exit::Io,
        Class::Refused => Exit::Refused,
        Class::Failed => Exit::Failed,
    }
}
