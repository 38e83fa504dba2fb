//! `ftp`: files and directories by the File Transfer Protocol (RFC 959; URLs by RFC 1738, 3.2).
//!
//! ```text
//! USER, PASS    RFC 1738, 3.2.1    login.rs       CWD of each segment    3.2.2    session.rs
//! TYPE, RETR    RFC 1738, 3.2.2    retrieve.rs    NLST, for `;type=d`    3.2.2    list.rs
//! STOR, APPE    RFC 959, 4.1.3     store.rs       RNFR, RNTO             4.1.3    store.rs
//! ```
//!
//! Extensions: data connections are passive ([RFC 2428], RFC 959), in `passive.rs`. `SIZE`,
//! `MDTM`, `REST`, `MLST` and `MLSD` (RFC 3659), which servers need not support, are in
//! `attributes.rs`, `facts.rs` and `details.rs`; the lines of `LIST` are in `lines.rs`. TLS (RFC
//! 4217) is in `session.rs` and `secured.rs`. Replies are read as RFC 959, 4.2 defines them, in
//! `reply.rs`. The commands themselves are in `command.rs`.
//!
//! [RFC 2428]: https://www.rfc-editor.org/rfc/rfc2428

mod access;
mod attributes;
mod command;
mod config;
mod details;
mod facts;
mod job;
mod lines;
mod list;
mod login;
mod names;
mod passive;
mod plan;
#[doc(hidden)]
pub mod replay;
mod reply;
mod retrieve;
mod secured;
mod security;
mod session;
mod store;
mod text;
mod words;

pub use command::{Command, Password, Type};
pub use config::Ftp;
pub use plan::{Condition, Step};
pub use secured::Ftps;

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::Result;
use crate::output::Output;
use crate::plan::Plan;
use crate::request::Request;
use crate::upload::{Body, Upload};
use access::{access, plan_as};

impl Protocol for Ftp {
    fn schemes(&self) -> &[&'static str] {
        &["ftp"]
    }

    /// The commands on a new connection. On a pooled one, `NOOP` comes first, the login is not
    /// repeated, and a `CWD` to the directory of the login precedes those of the URL, unless they
    /// were sent already.
    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        plan_as(self, request, self.security())
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        access(self, request, self.security(), context, output)
    }

    fn plan_upload(&self, upload: &Upload<'_>) -> Result<Plan> {
        store::planned(self, upload, self.security())
    }

    fn upload(
        &self,
        upload: &Upload<'_>,
        context: &mut Context<'_>,
        body: &mut Body<'_>,
        _: &mut Output<'_>,
    ) -> Result<()> {
        store::store(self, upload, self.security(), context, body)
    }
}
