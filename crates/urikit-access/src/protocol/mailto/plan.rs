//! How a message is composed, as steps (RFC 6068, 3 to 5 and 7).

use crate::command::Argument;
use crate::error::Result;
use crate::net::Deadline;
use crate::plan::{Action, Compose, Condition, Plan, Show};
use crate::url_error::UrlError;
use urikit::component::Encoded;
use urikit_schemes::{Caution, HeaderField, Mailto as Url};

/// The steps for a link. If the message is sent, its copies need no consent.
///
/// # Errors
///
/// If an address or a header field decodes to a control character, or the body to one that is
/// neither a TAB nor part of CR LF; and if the deadline passes.
pub(super) fn plan(url: &Url<'_>, deadline: Deadline, sends: bool) -> Result<Plan> {
    let mut plan = Plan::new();
    for address in url.addresses() {
        let address = Argument::new(address.encoded().decode(), "address")?;
        let address = address.octets().to_vec();
        plan.push(Action::Compose(if plan.steps().is_empty() {
            Compose::MessageTo(address)
        } else {
            Compose::AndTo(address)
        }));
    }
    if plan.steps().is_empty() {
        plan.push(Action::Compose(Compose::Message));
    }
    for header in url.headers() {
        deadline.check()?;
        take(header, sends, &mut plan)?;
    }
    plan.push(Action::Show(Show::Message));
    Ok(plan)
}

/// Adds the step for a header field or the body.
fn take(
    header: HeaderField<'_>,
    sends: bool,
    plan: &mut Plan,
) -> std::result::Result<(), UrlError> {
    let caution = header.caution();
    if caution == Caution::Ignored {
        let name = header.name().to_bytes().into_owned();
        plan.push(Action::Compose(Compose::LeaveOut(name)));
        return Ok(());
    }
    if header.is_body() {
        check_body(header.value())?;
        let text = header.value().to_bytes().into_owned();
        plan.push(Action::Compose(Compose::Body(text)));
        return Ok(());
    }
    let name = Argument::new(header.name().decode(), "header field")?;
    let value = Argument::new(header.value().decode(), "header field")?;
    let field = Compose::Field([name.octets(), b": ", value.octets()].concat());
    let is_recipient = header.is_named("cc") || header.is_named("bcc");
    if caution == Caution::Safe || sends && is_recipient {
        plan.push(Action::Compose(field));
    } else {
        plan.push_if(Condition::UserAgrees, Action::Compose(field));
    }
    Ok(())
}

/// RFC 6068, 5: line breaks in the body are `%0D%0A`.
fn check_body(body: Encoded<'_>) -> std::result::Result<(), UrlError> {
    let mut octets = body.decode().octets().peekable();
    while let Some(octet) = octets.next() {
        let is_text = match octet {
            b'\r' => octets.next_if_eq(&b'\n').is_some(),
            b'\t' => true,
            _ => octet >= b' ' && octet != 0x7F,
        };
        if !is_text {
            let part = "body";
            return Err(UrlError::Control { octet, part });
        }
    }
    Ok(())
}
