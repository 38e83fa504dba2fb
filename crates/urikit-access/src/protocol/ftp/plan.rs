//! The commands that will be sent, in order.

use super::config::Ftp;
use super::job::{Job, Password, Transfer};
use super::retrieve::rest;
use crate::error::Result;
use crate::plan::Plan;
use crate::request::{Request, Wanted};
use urikit_schemes::{Line, Step};

pub(super) fn plan(ftp: &Ftp, job: &Job<'_>, request: &Request<'_>) -> Result<Plan> {
    let mut plan = Plan::new();
    plan.push(Step::Connect {
        host: job.host.as_str().into(),
        port: job.port,
    });
    plan.push(Step::Send(job.login.user.clone()));
    plan.push_if(
        "if the server asks for a password",
        match &job.login.password {
            Password::Given(line) => Step::Send(line.clone()),
            Password::Asked(_) => Step::say("asks the user for the password, and sends it"),
        },
    );
    for line in &job.directories {
        plan.push(Step::Send(line.clone()));
    }
    match (request.wanted, &job.transfer) {
        (Wanted::Metadata, transfer) => attributes(ftp, job, transfer, &mut plan)?,
        (Wanted::Body, Transfer::File(file)) => {
            plan.push(Step::Send(file.kind.clone()));
            if ftp.details {
                if file.is_image() {
                    plan.push(Step::Send(job.about("SIZE")?));
                }
                plan.push(Step::Send(job.about("MDTM")?));
            }
            plan.push(command("EPSV"));
            plan.push_if(NO_EPSV, command("PASV"));
            plan.push(DATA);
            if request.resume > 0 {
                plan.push(Step::Send(rest(request.resume)?));
            }
            plan.push(Step::Send(file.command.clone()));
        }
        (Wanted::Body, Transfer::List(names)) => listing(ftp, job, names, &mut plan)?,
    }
    plan.push_if("if the connection is not kept", command("QUIT"));
    Ok(plan)
}

const NO_EPSV: &str = "if EPSV is refused";
const DATA: Step<'static> =
    Step::say("connects to the port that the server names, at the same address");

fn command(command: &'static str) -> Step<'static> {
    Step::Send(Line::command(command))
}

fn attributes(ftp: &Ftp, job: &Job<'_>, transfer: &Transfer, plan: &mut Plan) -> Result<()> {
    if ftp.details {
        plan.push(command("FEAT"));
        plan.push_if("if the server has MLST", Step::Send(job.about("MLST")?));
    }
    if job.url.name().is_empty() {
        return Ok(());
    }
    if let Transfer::File(_) = transfer {
        const NO_MLST: &str = "if MLST is not supported";
        plan.push_if(NO_MLST, command("TYPE I"));
        plan.push_if(NO_MLST, Step::Send(job.about("SIZE")?));
        plan.push_if(NO_MLST, Step::Send(job.about("MDTM")?));
    }
    plan.push_if(
        "if the kind is still unknown",
        Step::Send(job.about("CWD")?),
    );
    Ok(())
}

fn listing(ftp: &Ftp, job: &Job<'_>, names: &Line, plan: &mut Plan) -> Result<()> {
    plan.push(command("EPSV"));
    plan.push_if(NO_EPSV, command("PASV"));
    plan.push(DATA);
    plan.push(Step::Send(names.clone()));
    if !job.url.name().is_empty() {
        plan.push_if("if the list is empty", Step::Send(job.about("CWD")?));
    }
    if ftp.details {
        const DETAILS: &str = "for the details, unless there are too many names";
        plan.push_if(DETAILS, command("FEAT"));
        plan.push_if(DETAILS, command("EPSV"));
        plan.push_if("if EPSV was refused", command("PASV"));
        plan.push_if("if the server has MLSD", Step::Send(job.about("MLSD")?));
        plan.push_if("otherwise", Step::Send(job.about("LIST")?));
    }
    Ok(())
}
