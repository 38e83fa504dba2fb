//! Plans, which list the commands that an access will send, in order.

use super::command::{Command, Type};
use super::files::Store;
use super::job::{File, Job, Transfer};
use super::settings::Security;
use crate::command::Argument;
use crate::plan::{self, Action, Plan, Question};
use crate::request::Wanted;
use crate::upload::Mode;
use std::borrow::Cow;

/// A condition in an FTP plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// The connection is not kept open for later accesses.
    NotKept,
    /// The server asks for a password.
    PasswordAsked,
    /// The size and the date of the file have not changed since the earlier transfer.
    SameVersion,
    /// The server refuses `EPSV` (RFC 2428).
    NoEpsv,
    /// The server supports `MLST` (RFC 3659, 7).
    Mlst,
    /// The server does not support `MLST`.
    NoMlst,
    /// The replies so far do not show whether the name refers to a file or a directory.
    KindUnknown,
    /// The listing is empty.
    ListEmpty,
    /// The server supports `MLSD` (RFC 3659, 7).
    Mlsd,
    /// The server does not support `MLSD`, or refuses it.
    NoMlsd,
    /// The server supports `MLSD`, but refuses the command.
    MlsdRefused,
    /// The server refuses `LIST`, or sends lines in an unknown format.
    ListUnknown,
    /// The server refuses `NLST`.
    NlstRefused,
    /// The name does not refer to a directory.
    NoDirectory,
    /// The server refuses to send the file, as it does for a directory.
    NoFile,
    /// The name turns out to refer to a directory.
    IsDirectory,
    /// The server does not find a file with the name in which the octet 255 is doubled (RFC 959,
    /// 4.1).
    NotFoundDoubled,
    /// `SIZE` reports that the file does not exist.
    NoSize,
    /// The server already has part of the file to send.
    PartThere,
    /// The server does not yet have any part of the file to send.
    PartMissing,
}

impl plan::Condition for Condition {
    fn words(&self) -> &'static str {
        match self {
            Self::NotKept => "the connection is not kept",
            Self::PasswordAsked => "the server asks for a password",
            Self::SameVersion => "the file has the same size and date as before",
            Self::NoEpsv => "EPSV is refused",
            Self::Mlst => "MLST is supported",
            Self::NoMlst => "MLST is not supported",
            Self::KindUnknown => "the name may be a file or a directory",
            Self::ListEmpty => "the list is empty",
            Self::Mlsd => "MLSD is supported",
            Self::NoMlsd => "MLSD is not supported, or is refused",
            Self::MlsdRefused => "MLSD is refused",
            Self::ListUnknown => "LIST is refused, or its lines have an unknown format",
            Self::NlstRefused => "NLST is refused",
            Self::NoDirectory => "the name is not a directory",
            Self::NoFile => "the name is not a file",
            Self::IsDirectory => "the name is a directory",
            Self::NotFoundDoubled => "the server does not find the name with the octet 255 doubled",
            Self::NoSize => "SIZE does not find the file",
            Self::PartThere => "the server already has part of the file",
            Self::PartMissing => "the server has no part of the file",
        }
    }
}

/// A step in an FTP plan, other than a command.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Lists the current directory, as if the URL ended in a slash.
    ListDirectory,
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        match self {
            Self::ListDirectory => (
                "lists the directory, as if the URL ended in a slash",
                b"".into(),
            ),
        }
    }
}

impl Job<'_> {
    /// Plans a fetch.
    pub(super) fn plan(&self) -> Plan {
        let mut plan = Plan::new();
        self.plan_session(&mut plan);
        let has_details = self.settings.details;
        match (self.request.wanted, &self.transfer) {
            (Wanted::Metadata, _) => self.plan_metadata(&mut plan),
            (Wanted::Body, Transfer::File(file)) => self.plan_retrieval(file, &mut plan),
            (Wanted::Body, Transfer::List(None)) if has_details => plan_detailed_list(&mut plan),
            (Wanted::Body, Transfer::List(Some(name))) if has_details => {
                plan.send(Command::Cwd(name.clone()));
                plan_detailed_list(&mut plan);
                plan_data_if(Condition::NoDirectory, &mut plan);
                plan.send_if(Condition::NoDirectory, Command::List(Some(name.clone())));
                plan_data_if(Condition::ListUnknown, &mut plan);
                plan.send_if(Condition::ListUnknown, Command::Nlst(Some(name.clone())));
            }
            (Wanted::Body, Transfer::List(name)) => plan_names(name.as_ref(), &mut plan),
        }
        plan.send_if(Condition::NotKept, Command::Quit);
        plan
    }

    /// Plans the connection, the login, and the changes of directory.
    fn plan_session(&self, plan: &mut Plan) {
        let security = self.settings.security;
        plan.push(Action::Connect(self.host.clone(), self.port));
        match security {
            Security::None => {}
            Security::Implicit => plan.push(Action::StartTls),
            Security::Explicit => {
                plan.send(Command::Auth);
                plan.push(Action::StartTls);
            }
        }
        plan.send(Command::User(self.login.user.clone()));
        plan.push_if(
            Condition::PasswordAsked,
            match self.login.password.command() {
                Some(command) => Action::send(command),
                None => Action::Ask(Question::Password),
            },
        );
        if security != Security::None {
            plan.send(Command::Pbsz);
            plan.send(Command::Prot);
        }
        if self.asks_for_initial {
            plan.send(Command::Pwd);
        }
        for directory in &self.directories {
            plan.send(Command::Cwd(directory.clone()));
            if self.may_undouble {
                plan_undoubled(Command::Cwd(directory.clone()), plan);
            }
        }
    }

    /// Plans the retrieval of a file.
    fn plan_retrieval(&self, file: &File, plan: &mut Plan) {
        let (settings, request) = (self.settings, &self.request);
        plan.send(Command::Type(file.kind.clone()));
        if settings.details {
            if file.is_image() {
                plan.send(Command::Size(file.name.clone()));
                plan_undoubled(Command::Size(file.name.clone()), plan);
            }
            plan.send(Command::Mdtm(file.name.clone()));
            plan_undoubled(Command::Mdtm(file.name.clone()), plan);
        }
        plan_data(plan);
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
            plan_data_if(Condition::NotFoundDoubled, plan);
            plan_undoubled(command, plan);
        }
        if settings.details && request.resume == 0 {
            plan.send_if(Condition::NoFile, Command::Cwd(file.name.clone()));
            plan.step_if(Condition::IsDirectory, Step::ListDirectory);
        }
    }

    /// Plans the commands that ask for metadata.
    fn plan_metadata(&self, plan: &mut Plan) {
        let name = self.transfer.name();
        if self.settings.details {
            plan.send(Command::Feat);
            plan.send_if(Condition::Mlst, Command::Mlst(name.cloned()));
        }
        let Some(name) = name else {
            return;
        };
        if let Transfer::File(_) = self.transfer {
            plan.send_if(Condition::NoMlst, Command::Type(Type::Image));
            plan.send_if(Condition::NoMlst, Command::Size(name.clone()));
            plan.send_if(Condition::NoMlst, Command::Mdtm(name.clone()));
        }
        plan.send_if(Condition::KindUnknown, Command::Cwd(name.clone()));
    }
}

impl Store<'_> {
    /// Plans an upload.
    pub(super) fn plan(&self) -> Plan {
        let upload = self.upload;
        let (append, replace) = (
            Command::Appe(self.written.clone()),
            Command::Stor(self.written.clone()),
        );
        let mut plan = Plan::new();
        self.job.plan_session(&mut plan);
        plan.send(Command::Type(self.file.kind.clone()));
        if upload.resumes {
            plan.send(Command::Size(self.written.clone()));
            plan.send_if(Condition::NoSize, Command::Mdtm(self.written.clone()));
        }
        plan_data(&mut plan);
        if upload.mode == Mode::Append {
            plan.send(append);
        } else if upload.resumes {
            plan.send_if(Condition::PartThere, append);
            plan.send_if(Condition::PartMissing, replace);
        } else {
            plan.send(replace);
        }
        plan.push(Action::SendBody);
        if upload.via_temporary {
            plan.send(Command::Rnfr(self.written.clone()));
            plan.send(Command::Rnto(self.file.name.clone()));
        }
        plan.send_if(Condition::NotKept, Command::Quit);
        plan
    }
}

/// Plans the second attempt at a command whose file name contains the octet 255.
fn plan_undoubled(command: Command, plan: &mut Plan) {
    if command.may_be_undoubled() {
        plan.send_if(Condition::NotFoundDoubled, command);
    }
}

/// Plans a data connection.
fn plan_data(plan: &mut Plan) {
    plan.send(Command::Epsv);
    plan.send_if(Condition::NoEpsv, Command::Pasv);
    plan.push(Action::ConnectForData);
}

/// Plans a data connection that is opened only under a condition.
fn plan_data_if(condition: Condition, plan: &mut Plan) {
    plan.send_if(condition, Command::Epsv);
    plan.send_if(Condition::NoEpsv, Command::Pasv);
    plan.push_if(condition, Action::ConnectForData);
}

/// Plans the listing of the current directory, with details.
fn plan_detailed_list(plan: &mut Plan) {
    plan.send(Command::Feat);
    plan_data(plan);
    plan.send_if(Condition::Mlsd, Command::Mlsd(None));
    plan_data_if(Condition::MlsdRefused, plan);
    plan.send_if(Condition::NoMlsd, Command::List(None));
    plan_data_if(Condition::ListUnknown, plan);
    plan.send_if(Condition::ListUnknown, Command::Nlst(None));
}

/// Plans the listing of names without details.
fn plan_names(name: Option<&Argument>, plan: &mut Plan) {
    plan_data(plan);
    plan.send(Command::Nlst(name.cloned()));
    plan_data_if(Condition::NlstRefused, plan);
    plan.send_if(Condition::NlstRefused, Command::List(name.cloned()));
    if let Some(name) = name {
        plan.send_if(Condition::ListEmpty, Command::Cwd(name.clone()));
    }
}
