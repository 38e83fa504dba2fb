//! What is told of a reference that could not be followed: what would help, and the exit status.

use crate::exit::Exit;
use urikit_access::policy::Refusal;
use urikit_access::{Class, Error, ErrorKind};

/// What would help.
pub(super) fn advice(error: &Error) -> String {
    match error.kind() {
        ErrorKind::Refused(Refusal::Address { .. }) => {
            "--allow-private allows this machine and private networks".to_owned()
        }
        ErrorKind::Refused(Refusal::Port { port }) if *port != 0 => {
            format!("--allow-port {port} allows it")
        }
        ErrorKind::Refused(Refusal::Bytes { .. }) => "--max-filesize BYTES allows more".to_owned(),
        ErrorKind::NoPassword => "-u USER:PASSWORD gives one".to_owned(),
        ErrorKind::NoProtocol { scheme } => {
            format!("--gateway {scheme}=URL names a server that gives what such URLs name")
        }
        ErrorKind::Relative => "write it in full, such as http://example.org/".to_owned(),
        ErrorKind::CannotResume => "without -C, the whole is fetched".to_owned(),
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
