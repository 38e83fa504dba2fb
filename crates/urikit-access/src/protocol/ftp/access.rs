//! From the URL to its session and transfer.

use super::config::Ftp;
use super::job::{Job, Transfer};
use super::security::Security;
use super::session::Session;
use super::{attributes, list, plan, retrieve};
use crate::context::Context;
use crate::error::Result;
use crate::output::Output;
use crate::plan::Plan;
use crate::protocol::Outcome;
use crate::request::{Request, Wanted};

/// What [`access`] would send.
pub(super) fn plan_as(ftp: &Ftp, request: &Request<'_>, security: Security) -> Result<Plan> {
    let job = Job::new(ftp, request, security)?;
    Ok(plan::plan(ftp, &job, request))
}

/// Fetches what the URL of a request names.
pub(super) fn access(
    ftp: &Ftp,
    request: &Request<'_>,
    security: Security,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<Outcome> {
    let job = Job::new(ftp, request, security)?;
    let mut session = Session::open(&job, context)?;
    let done = match (request.wanted, &job.transfer) {
        (Wanted::Metadata, _) => attributes::find(ftp, &job, &mut session, output),
        (Wanted::Body, Transfer::File(file)) => {
            retrieve::retrieve(ftp, &job, file, request, &mut session, context, output)
        }
        (Wanted::Body, Transfer::List(name)) => {
            list::list(ftp, &job, name.as_ref(), &mut session, context, output)
        }
    };
    let is_usable = match &done {
        Ok(()) => session.is_in_order(),
        // The next file need not be missing too.
        Err(error) => session.is_refused(error),
    };
    if ftp.keep && is_usable {
        context.pool(&job.origin, session);
    }
    done.map(|()| Outcome::Done)
}
