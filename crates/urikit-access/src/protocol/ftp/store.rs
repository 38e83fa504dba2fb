//! Sending files: `STOR` and `APPE`, optionally under another name until they are complete.

use super::command::{Command, Type};
use super::config::Ftp;
use super::job::{File, Job, Transfer};
use super::plan::{self, Condition};
use super::security::Security;
use super::session::Session;
use super::text::NetworkLines;
use crate::command::Argument;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::net::Connection;
use crate::plan::{Action, Plan};
use crate::upload::{Body, Mode, Upload};

/// What follows the name of a file until it is complete.
const SUFFIX: &[u8] = b".part";

/// The file, and the name under which it is written.
struct Target {
    file: File,
    written: Argument,
}

fn read<'a>(ftp: &Ftp, upload: &Upload<'a>, security: Security) -> Result<(Job<'a>, Target)> {
    let unsupported = |what| Err(Error::new(ErrorKind::Unsupported(what)));
    let mut job = Job::new(ftp, &upload.request, security)?;
    // A name that is found in another spelling may be that of another file.
    job.may_undouble = false;
    let Transfer::File(file) = &job.transfer else {
        return unsupported("the URL names a directory: a file needs a name");
    };
    let file = file.clone();
    if upload.mode == Mode::Post {
        return unsupported("nothing can be posted by FTP");
    }
    let appends = upload.mode == Mode::Append;
    if appends && (upload.resumes || upload.via_temporary) {
        return unsupported("what is appended to can be neither resumed nor renamed");
    }
    if upload.resumes && !file.is_image() {
        let step = "resuming a transfer that is not of TYPE I (`;type=i`)";
        return Err(Error::new(ErrorKind::CannotResume).at(step));
    }
    let written = if upload.via_temporary {
        let name = file.name.octets().iter().chain(SUFFIX);
        Argument::new(name.copied(), "name")?
    } else {
        file.name.clone()
    };
    Ok((job, Target { file, written }))
}

/// The commands of [`store`].
pub(super) fn planned(ftp: &Ftp, upload: &Upload<'_>, security: Security) -> Result<Plan> {
    let (job, target) = read(ftp, upload, security)?;
    let mut plan = Plan::new();
    plan::session(&job, &mut plan);
    plan.send(Command::Type(target.file.kind));
    if upload.resumes {
        plan.send(Command::Size(target.written.clone()));
    }
    plan::data_connection(&mut plan);
    if upload.mode == Mode::Append {
        plan.send(Command::Appe(target.written.clone()));
    } else if upload.resumes {
        plan.send_if(Condition::PartThere, Command::Appe(target.written.clone()));
        plan.send_if(
            Condition::PartMissing,
            Command::Stor(target.written.clone()),
        );
    } else {
        plan.send(Command::Stor(target.written.clone()));
    }
    plan.push(Action::SendBody);
    if upload.via_temporary {
        plan.send(Command::Rnfr(target.written));
        plan.send(Command::Rnto(target.file.name));
    }
    plan.send_if(Condition::NotKept, Command::Quit);
    Ok(plan)
}

/// Stores the body under the name in the URL, or appends it to what is there.
pub(super) fn store(
    ftp: &Ftp,
    upload: &Upload<'_>,
    security: Security,
    context: &mut Context<'_>,
    body: &mut Body<'_>,
) -> Result<()> {
    let (job, target) = read(ftp, upload, security)?;
    let mut session = Session::open(&job, context)?;
    session.set_type(&target.file.kind)?;
    let mut appends = upload.mode == Mode::Append;
    if upload.resumes
        && let Some(size) = session.size(&target.written)?
    {
        body.skip(size)?;
        appends = size > 0;
        context.note(format!("resuming at byte {size}"));
    }
    let command = if appends {
        Command::Appe(target.written.clone())
    } else {
        Command::Stor(target.written.clone())
    };
    let begun = session.begin_transfer(0, &command, context);
    let mut data = begun.map_err(|error| error.at("storing the file"))?;
    let sent = send(&mut data, &target.file.kind, body);
    let sent = sent.map_err(|error| error.at("sending the file"));
    let is_complete = sent.is_ok();
    if is_complete {
        end(&mut data);
    }
    drop(data);
    if let Err(error) = sent {
        // If the server gave up, its reply says why.
        return Err(match session.end_transfer(0) {
            Err(reason) if is_network(&error) && session.is_refused(&reason) => reason,
            _ => error,
        });
    }
    session.end_transfer(body.sent())?;
    if upload.via_temporary {
        let renamed = rename(&mut session, target.written, target.file.name);
        renamed.map_err(|error| error.at("giving the file its name"))?;
    }
    if ftp.keep && session.is_in_order() {
        context.pool(&job.origin, session);
    }
    Ok(())
}

fn send(data: &mut Connection, kind: &Type, body: &mut Body<'_>) -> Result<()> {
    let mut lines = matches!(kind, Type::Ascii(_)).then(NetworkLines::default);
    loop {
        let bytes = body.read()?;
        if bytes.is_empty() {
            return Ok(());
        }
        match &mut lines {
            Some(lines) => data.send_bytes(lines.write(bytes))?,
            None => data.send_bytes(bytes)?,
        }
    }
}

/// Ends the data, and waits until the server has received it: what is closed while something
/// unread arrives, such as a session ticket of TLS, is lost.
fn end(data: &mut Connection) {
    data.finish_sending();
    for _ in 0..64 {
        match data.peek() {
            Ok([]) | Err(_) => return,
            Ok(bytes) => {
                let count = bytes.len();
                data.consume(count);
            }
        }
    }
}

fn is_network(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Network(_))
}

fn rename(session: &mut Session, from: Argument, to: Argument) -> Result<()> {
    let reply = session.command(&Command::Rnfr(from))?;
    if reply.code != 350 {
        let expected = "a reply to RNFR: 350 or a refusal";
        return Err(reply.error(&session.connection, expected));
    }
    session.done(&Command::Rnto(to)).map(drop)
}
