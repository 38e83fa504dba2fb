//! The commands that will be sent, in order.

use super::command::{Command, Type};
use super::config::Ftp;
use super::job::{File, Job, Transfer};
use super::security::Security;
use crate::command::Argument;
use crate::plan::{self, Action, Plan, Question};
use crate::request::{Request, Wanted};
use std::borrow::Cow;

/// A condition of FTP.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// The connection is not kept for later requests.
    NotKept,
    /// The server asks for a password.
    PasswordAsked,
    /// The size and date are those of the file that is resumed.
    SameVersion,
    /// The server refuses `EPSV` (RFC 2428).
    NoEpsv,
    /// The server supports `MLST` (RFC 3659, 7).
    Mlst,
    /// The server does not support `MLST`.
    NoMlst,
    /// No reply has shown yet whether the name is a file or a directory.
    KindUnknown,
    /// The list has no names.
    ListEmpty,
    /// The server supports `MLSD` (RFC 3659, 7).
    Mlsd,
    /// The server does not support `MLSD`, or refuses it.
    NoMlsd,
    /// The server supports `MLSD`, but refuses it.
    MlsdRefused,
    /// `LIST` is refused, or its lines have an unknown form.
    ListUnknown,
    /// The server refuses `NLST`.
    NlstRefused,
    /// The name is not that of a directory.
    NoDirectory,
    /// The server refuses to send the file, as it does for a directory.
    NoFile,
    /// The name turns out to be a directory.
    IsDirectory,
    /// The name is not found with its octet 255 doubled (RFC 959, 4.1).
    NotFoundDoubled,
    /// The server has a part of the file.
    PartThere,
    /// The server has no part of the file.
    PartMissing,
}

impl plan::Condition for Condition {
    fn words(&self) -> &'static str {
        match self {
            Self::NotKept => "the connection is not kept",
            Self::PasswordAsked => "the server asks for a password",
            Self::SameVersion => "size and date are the same as before",
            Self::NoEpsv => "EPSV is refused",
            Self::Mlst => "the server has MLST",
            Self::NoMlst => "MLST is not supported",
            Self::KindUnknown => "the kind is still unknown",
            Self::ListEmpty => "the list is empty",
            Self::Mlsd => "the server has MLSD",
            Self::NoMlsd => "MLSD is not supported, or is refused",
            Self::MlsdRefused => "MLSD is refused",
            Self::ListUnknown => "LIST is refused, or has an unknown form",
            Self::NlstRefused => "NLST is refused",
            Self::NoDirectory => "it is not a directory",
            Self::NoFile => "it is not a file",
            Self::IsDirectory => "it is a directory",
            Self::NotFoundDoubled => "it is not found: with the octet 255 once",
            Self::PartThere => "a part of it is there",
            Self::PartMissing => "nothing of it is there",
        }
    }
}

/// A step of FTP, other than its commands.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Lists the current directory, as for a URL that ends in a slash.
    ListDirectory,
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        match self {
            Self::ListDirectory => (
                "lists it, as the URL with a slash at its end does",
                b"".into(),
            ),
        }
    }
}

pub(super) fn plan(ftp: &Ftp, job: &Job<'_>, request: &Request<'_>) -> Plan {
    let mut plan = Plan::new();
    session(job, &mut plan);
    match (request.wanted, &job.transfer) {
        (Wanted::Metadata, transfer) => attributes(ftp, transfer, &mut plan),
        (Wanted::Body, Transfer::File(file)) => {
            retrieval(ftp, file, request, &mut plan);
        }
        (Wanted::Body, Transfer::List(None)) if ftp.details => detailed(&mut plan),
        (Wanted::Body, Transfer::List(Some(name))) if ftp.details => {
            plan.send(Command::Cwd(name.clone()));
            detailed(&mut plan);
            data_connection_if(Condition::NoDirectory, &mut plan);
            plan.send_if(Condition::NoDirectory, Command::List(Some(name.clone())));
            data_connection_if(Condition::ListUnknown, &mut plan);
            plan.send_if(Condition::ListUnknown, Command::Nlst(Some(name.clone())));
        }
        (Wanted::Body, Transfer::List(name)) => names(name.as_ref(), &mut plan),
    }
    plan.send_if(Condition::NotKept, Command::Quit);
    plan
}

/// Connects, logs in, and changes to the directory.
pub(super) fn session(job: &Job<'_>, plan: &mut Plan) {
    plan.push(Action::Connect(job.host.clone(), job.port));
    match job.security {
        Security::None => {}
        Security::Implicit => plan.push(Action::StartTls),
        Security::Explicit => {
            plan.send(Command::Auth);
            plan.push(Action::StartTls);
        }
    }
    plan.send(Command::User(job.login.user.clone()));
    plan.push_if(
        Condition::PasswordAsked,
        match job.login.password.command() {
            Some(command) => Action::send(command),
            None => Action::Ask(Question::Password),
        },
    );
    if job.security != Security::None {
        plan.send(Command::Pbsz);
        plan.send(Command::Prot);
    }
    if job.asks_for_first {
        plan.send(Command::Pwd);
    }
    for directory in &job.directories {
        plan.send(Command::Cwd(directory.clone()));
        // Nothing is repeated to write.
        if job.may_undouble {
            undoubled(Command::Cwd(directory.clone()), plan);
        }
    }
}

/// A command that is repeated with the octet 255 as it is, if the name is not found.
fn undoubled(command: Command, plan: &mut Plan) {
    if command.may_be_undoubled() {
        plan.send_if(Condition::NotFoundDoubled, command);
    }
}

pub(super) fn data_connection(plan: &mut Plan) {
    plan.send(Command::Epsv);
    plan.send_if(Condition::NoEpsv, Command::Pasv);
    plan.push(Action::ConnectForData);
}

fn data_connection_if(condition: Condition, plan: &mut Plan) {
    plan.send_if(condition, Command::Epsv);
    plan.send_if(Condition::NoEpsv, Command::Pasv);
    plan.push_if(condition, Action::ConnectForData);
}

fn retrieval(ftp: &Ftp, file: &File, request: &Request<'_>, plan: &mut Plan) {
    plan.send(Command::Type(file.kind.clone()));
    if ftp.details {
        if file.is_image() {
            plan.send(Command::Size(file.name.clone()));
            undoubled(Command::Size(file.name.clone()), plan);
        }
        plan.send(Command::Mdtm(file.name.clone()));
        undoubled(Command::Mdtm(file.name.clone()), plan);
    }
    data_connection(plan);
    let rest = Command::Rest(request.resume);
    match request.validator {
        _ if request.resume == 0 => {}
        None => plan.send(rest),
        Some(_) if !file.is_image() => {}
        Some(_) => plan.send_if(Condition::SameVersion, rest),
    }
    let command = Command::Retr(file.name.clone());
    plan.send(command.clone());
    if command.may_be_undoubled() {
        data_connection_if(Condition::NotFoundDoubled, plan);
        undoubled(command, plan);
    }
    if ftp.details && request.resume == 0 {
        plan.send_if(Condition::NoFile, Command::Cwd(file.name.clone()));
        plan.step_if(Condition::IsDirectory, Step::ListDirectory);
    }
}

fn attributes(ftp: &Ftp, transfer: &Transfer, plan: &mut Plan) {
    let name = transfer.name();
    if ftp.details {
        plan.send(Command::Feat);
        plan.send_if(Condition::Mlst, Command::Mlst(name.cloned()));
    }
    let Some(name) = name else {
        return;
    };
    if let Transfer::File(_) = transfer {
        plan.send_if(Condition::NoMlst, Command::Type(Type::Image));
        plan.send_if(Condition::NoMlst, Command::Size(name.clone()));
        plan.send_if(Condition::NoMlst, Command::Mdtm(name.clone()));
    }
    plan.send_if(Condition::KindUnknown, Command::Cwd(name.clone()));
}

/// The current directory, with details.
fn detailed(plan: &mut Plan) {
    plan.send(Command::Feat);
    data_connection(plan);
    plan.send_if(Condition::Mlsd, Command::Mlsd(None));
    data_connection_if(Condition::MlsdRefused, plan);
    plan.send_if(Condition::NoMlsd, Command::List(None));
    data_connection_if(Condition::ListUnknown, plan);
    plan.send_if(Condition::ListUnknown, Command::Nlst(None));
}

/// Names, without details.
fn names(name: Option<&Argument>, plan: &mut Plan) {
    data_connection(plan);
    plan.send(Command::Nlst(name.cloned()));
    data_connection_if(Condition::NlstRefused, plan);
    plan.send_if(Condition::NlstRefused, Command::List(name.cloned()));
    if let Some(name) = name {
        plan.send_if(Condition::ListEmpty, Command::Cwd(name.clone()));
    }
}
