//! `ftp`: files and directories by the File Transfer Protocol (RFC 959; URLs by RFC 1738, 3.2).
//!
//! ```text
//! USER, PASS    RFC 1738, 3.2.1    login.rs       CWD of each segment    3.2.2    session.rs
//! TYPE, RETR    RFC 1738, 3.2.2    retrieve.rs    NLST, for `;type=d`    3.2.2    list.rs
//! ```
//!
//! Extensions: data connections are passive ([RFC 2428], RFC 959), in `passive.rs`. `SIZE`,
//! `MDTM`, `REST`, `MLST` and `MLSD` (RFC 3659), which servers need not support, are in
//! `attributes.rs`, `facts.rs` and `list.rs`. Replies are read as RFC 959, 4.2 defines them, in
//! `reply.rs`. The commands themselves are in `command.rs`.
//!
//! [RFC 2428]: https://www.rfc-editor.org/rfc/rfc2428

mod attributes;
mod command;
mod config;
mod details;
mod facts;
mod job;
mod list;
mod login;
mod names;
mod passive;
mod plan;
#[doc(hidden)]
pub mod replay;
mod reply;
mod retrieve;
mod session;
mod unix;

pub use command::{Command, Password, Type};
pub use config::Ftp;

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::Result;
use crate::output::Output;
use crate::plan::Plan;
use crate::request::{Request, Wanted};
use job::{Job, Transfer};
use session::Session;

impl Protocol for Ftp {
    fn schemes(&self) -> &[&'static str] {
        &["ftp"]
    }

    /// The commands on a new connection. On a pooled one, `NOOP` comes first, and login and
    /// directories are not repeated.
    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let job = Job::new(self, request)?;
        Ok(plan::plan(self, &job, request))
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let job = Job::new(self, request)?;
        let mut session = Session::open(&job, context)?;
        match (request.wanted, &job.transfer) {
            (Wanted::Metadata, _) => attributes::find(self, &job, &mut session, output)?,
            (Wanted::Body, Transfer::File(file)) => {
                let resume = request.resume;
                retrieve::retrieve(self, file, resume, &mut session, context, output)?;
            }
            (Wanted::Body, Transfer::List(name)) => {
                list::list(self, &job, name.as_ref(), &mut session, context, output)?;
            }
        }
        if self.keep && session.is_in_order() {
            context.pool(&job.origin, session);
        }
        Ok(Outcome::Done)
    }
}
