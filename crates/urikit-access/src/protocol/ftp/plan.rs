//! The commands that will be sent, in order.

use super::command::{Command, Type};
use super::config::Ftp;
use super::job::{Job, Transfer};
use crate::command::Argument;
use crate::plan::{Action, Condition, Plan, Question};
use crate::request::{Request, Wanted};

pub(super) fn plan(ftp: &Ftp, job: &Job<'_>, request: &Request<'_>) -> Plan {
    let mut plan = Plan::new();
    plan.push(Action::Connect(job.host.clone(), job.port));
    plan.send(Command::User(job.login.user.clone()));
    plan.push_if(
        Condition::PasswordAsked,
        match job.login.password.command() {
            Some(command) => Action::send(command),
            None => Action::Ask(Question::Password),
        },
    );
    for directory in &job.directories {
        plan.send(Command::Cwd(directory.clone()));
    }
    match (request.wanted, &job.transfer) {
        (Wanted::Metadata, transfer) => attributes(ftp, transfer, &mut plan),
        (Wanted::Body, Transfer::File(file)) => {
            plan.send(Command::Type(file.kind.clone()));
            if ftp.details {
                if file.is_image() {
                    plan.send(Command::Size(file.name.clone()));
                }
                plan.send(Command::Mdtm(file.name.clone()));
            }
            data_connection(&mut plan);
            let rest = Command::Rest(request.resume);
            match request.validator {
                _ if request.resume == 0 => {}
                None => plan.send(rest),
                Some(_) if !file.is_image() => {}
                Some(_) => plan.send_if(Condition::SameVersion, rest),
            }
            plan.send(Command::Retr(file.name.clone()));
        }
        (Wanted::Body, Transfer::List(name)) => listing(ftp, name.as_ref(), &mut plan),
    }
    plan.send_if(Condition::NotKept, Command::Quit);
    plan
}

fn data_connection(plan: &mut Plan) {
    plan.send(Command::Epsv);
    plan.send_if(Condition::NoEpsv, Command::Pasv);
    plan.push(Action::ConnectForData);
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

fn listing(ftp: &Ftp, name: Option<&Argument>, plan: &mut Plan) {
    data_connection(plan);
    plan.send(Command::Nlst(name.cloned()));
    if let Some(name) = name {
        plan.send_if(Condition::ListEmpty, Command::Cwd(name.clone()));
    }
    if ftp.details {
        plan.send_if(Condition::ListDetails, Command::Feat);
        plan.send_if(Condition::ListDetails, Command::Epsv);
        plan.send_if(Condition::NoEpsv, Command::Pasv);
        plan.send_if(Condition::Mlsd, Command::Mlsd(name.cloned()));
        plan.send_if(Condition::NoMlsd, Command::List(name.cloned()));
    }
}
