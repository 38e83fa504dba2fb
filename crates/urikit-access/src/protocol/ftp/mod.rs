//! The `ftp` scheme and the File Transfer Protocol (RFC 959; for URLs, RFC 1738, 3.2).
//!
//! ```text
//! USER, PASS    RFC 1738, 3.2.1    session.rs     CWD of each segment    3.2.2    session.rs
//! TYPE, RETR    RFC 1738, 3.2.2    files.rs       NLST, for `;type=d`    3.2.2    list.rs
//! STOR, APPE    RFC 959, 4.1.3     files.rs       RNFR, RNTO             4.1.3    files.rs
//! ```
//!
//! Data connections are passive ([RFC 2428], RFC 959). Servers need not support the extensions
//! `SIZE`, `MDTM`, `REST`, `MLST` and `MLSD` (RFC 3659). Without these commands, the client learns
//! less about a file, or uses other commands. `access.rs` asks for metadata, `facts.rs` parses the
//! lines from `MLST` and `MLSD`, and `lines.rs` the lines from `LIST`. `session.rs` starts TLS (RFC
//! 4217). `reply.rs` reads replies (RFC 959, 4.2). `command.rs` defines the commands, and `plan.rs`
//! their order in a plan.
//!
//! [RFC 2428]: https://www.rfc-editor.org/rfc/rfc2428

mod access;
mod command;
mod facts;
mod files;
mod job;
mod lines;
mod list;
mod names;
mod plan;
#[doc(hidden)]
pub mod replay;
mod reply;
mod session;
mod settings;

pub use command::{Command, Password, Type};
pub use plan::{Condition, Step};
pub use settings::{FtpProtocol, FtpsProtocol};

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::output::Output;
use crate::plan::Plan;
use crate::request::Request;
use crate::upload::{Body, Upload};
use access::Access;
use files::Store;
use job::Job;

impl Protocol for FtpProtocol {
    fn schemes(&self) -> &[&'static str] {
        &["ftp"]
    }

    /// Returns the commands for a new connection. On a pooled connection, the client sends `NOOP`
    /// first, and omits the login and the `CWD` commands that were already sent on this
    /// connection. If the connection is in another directory, a `CWD` first returns to the initial
    /// directory.
    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        Ok(Job::new(self, request)?.plan())
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let job = Job::new(self, request)?;
        Access::open(job, context, output)?.fetch()
    }

    fn plan_upload(&self, upload: &Upload<'_>) -> Result<Plan> {
        Ok(Store::new(self, upload)?.plan())
    }

    fn upload(
        &self,
        upload: &Upload<'_>,
        context: &mut Context<'_>,
        body: &mut Body<'_>,
        output: &mut Output<'_>,
    ) -> Result<()> {
        Store::new(self, upload)?.run(context, body, output)
    }
}

impl Protocol for FtpsProtocol {
    fn schemes(&self) -> &[&'static str] {
        &["ftps"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        as_ftp(request, |request| self.0.plan(request))
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        as_ftp(request, |request| self.0.access(request, context, output))
    }

    fn plan_upload(&self, upload: &Upload<'_>) -> Result<Plan> {
        as_ftp(&upload.request, |request| {
            self.0.plan_upload(&Upload {
                request: *request,
                ..*upload
            })
        })
    }

    fn upload(
        &self,
        upload: &Upload<'_>,
        context: &mut Context<'_>,
        body: &mut Body<'_>,
        output: &mut Output<'_>,
    ) -> Result<()> {
        as_ftp(&upload.request, |request| {
            let upload = Upload {
                request: *request,
                ..*upload
            };
            self.0.upload(&upload, context, body, output)
        })
    }
}

/// Converts a request for an `ftps` URL to a request for an `ftp` URL, which has the same syntax.
fn as_ftp<T>(request: &Request<'_>, work: impl FnOnce(&Request<'_>) -> Result<T>) -> Result<T> {
    let text = request.reference.as_str();
    let rest = text.split_once(':').map_or("", |(_, rest)| rest);
    let text = format!("ftp:{rest}");
    let reference = request.reference.standard().parse(&text);
    let reference = reference.map_err(Error::from)?;
    work(&Request {
        reference,
        ..*request
    })
}
