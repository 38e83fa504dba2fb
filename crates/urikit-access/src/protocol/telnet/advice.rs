//! What all sessions share: they need a terminal, and show user and password, which are not sent.

use super::plan::Step;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::mask::escape;
use crate::plan::Plan;
use crate::prompt::Prompt;
use crate::request::Request;
use urikit_schemes::Session;

/// Checks that the body is requested, from its beginning, and that there is a terminal.
pub(super) fn begin(request: &Request<'_>, context: &mut Context<'_>) -> Result<()> {
    if !request.wants_body() {
        let what = "the URL names a session, which has no metadata";
        return Err(Error::new(ErrorKind::Unsupported(what)));
    }
    if request.resume > 0 {
        return Err(Error::new(ErrorKind::CannotResume));
    }
    if context.prompt().has_terminal() {
        Ok(())
    } else {
        Err(no_terminal())
    }
}

pub(super) fn no_terminal() -> Error {
    let what = "the URL names a session, which needs a terminal";
    Error::new(ErrorKind::Unsupported(what))
}

/// The steps that show user and password.
pub(super) fn advice(url: &Session<'_>) -> Plan {
    let mut plan = Plan::new();
    if let Some(user) = url.user() {
        let user = user.to_bytes().into_owned();
        plan.step(Step::ShowUser(user));
    }
    if url.password().is_some() {
        plan.step(Step::ShowPassword);
    }
    plan
}

/// Shows the user name and the password in the URL, which are never sent (RFC 1738, 3.8).
pub(super) fn advise(url: &Session<'_>, prompt: &mut dyn Prompt) {
    if let Some(user) = url.user() {
        prompt.notify(&format!(
            "The user to log in as: {}",
            escape(&user.to_bytes())
        ));
    }
    if let Some(password) = url.password() {
        prompt.notify(&format!("The password: {}", escape(&password.to_bytes())));
    }
}
