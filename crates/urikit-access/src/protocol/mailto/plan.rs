//! The plan for composing a message (RFC 6068, 3 to 5 and 7).

use crate::command::Argument;
use crate::deadline::Deadline;
use crate::error::{Result, UrlError};
use crate::plan::{self, Plan};
use std::borrow::Cow;
use urikit::component::Encoded;
use urikit_schemes::{Caution, HeaderField, Mailto as Url};

/// A condition in the plan for a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// The user agrees.
    UserAgrees,
    /// The server does not support `EHLO` (RFC 5321, 3.2).
    NoEhlo,
}

impl plan::Condition for Condition {
    fn words(&self) -> &'static str {
        match self {
            Self::UserAgrees => "the user agrees",
            Self::NoEhlo => "EHLO is not supported",
        }
    }
}

/// A step in the plan for a message, other than an SMTP command.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Starts a message.
    Compose,
    /// Starts a message to the given address.
    ComposeTo(Vec<u8>),
    /// Adds another recipient.
    AddRecipient(Vec<u8>),
    /// Adds a header field, in the form `name: value`.
    AddField(Vec<u8>),
    /// Leaves out the header field with the given name (RFC 6068, 4).
    LeaveOut(Vec<u8>),
    /// Adds the body.
    AddBody(Vec<u8>),
    /// Attaches the file with the given name.
    Attach(Vec<u8>),
    /// Shows the composed message to the user.
    ShowMessage,
    /// Sends the composed message, after the SMTP command `DATA`.
    SendMessage,
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        match self {
            Self::Compose => ("composes a message", b"".into()),
            Self::ComposeTo(address) => ("composes a message to", address.into()),
            Self::AddRecipient(address) => ("adds the recipient", address.into()),
            Self::AddField(field) => ("adds the header field", field.into()),
            Self::LeaveOut(name) => ("leaves out the header field", name.into()),
            Self::AddBody(text) => ("adds the text", text.into()),
            Self::Attach(name) => ("attaches the file", name.into()),
            Self::ShowMessage => (
                "shows the message to the user, who decides whether to send it",
                b"".into(),
            ),
            Self::SendMessage => ("sends the message", b"".into()),
        }
    }
}

/// Returns the steps that compose the message for a URL. If `sends` is true, `cc` and `bcc` need
/// no consent.
///
/// # Errors
///
/// Fails if an address or a header field contains an escaped control character, if the body
/// contains a control character other than TAB and CR LF, or if the deadline passes.
pub(super) fn compose(url: &Url<'_>, deadline: &Deadline, sends: bool) -> Result<Plan> {
    let mut plan = Plan::new();
    for address in url.addresses() {
        let address = Argument::new(address.encoded().decode(), "address")?;
        let address = address.octets().to_vec();
        plan.step(if plan.steps().is_empty() {
            Step::ComposeTo(address)
        } else {
            Step::AddRecipient(address)
        });
    }
    if plan.steps().is_empty() {
        plan.step(Step::Compose);
    }
    for header in url.headers() {
        deadline.check()?;
        add_field(header, sends, &mut plan)?;
    }
    plan.step(Step::ShowMessage);
    Ok(plan)
}

/// Adds the step for a header field or the body.
fn add_field(
    header: HeaderField<'_>,
    sends: bool,
    plan: &mut Plan,
) -> std::result::Result<(), UrlError> {
    let caution = header.caution();
    if caution == Caution::Ignored {
        let name = header.name().to_bytes().into_owned();
        plan.step(Step::LeaveOut(name));
        return Ok(());
    }
    if header.is_body() {
        check_body(header.value())?;
        let text = header.value().to_bytes().into_owned();
        plan.step(Step::AddBody(text));
        return Ok(());
    }
    let name = Argument::new(header.name().decode(), "header field")?;
    let value = Argument::new(header.value().decode(), "header field")?;
    let field = Step::AddField([name.octets(), b": ", value.octets()].concat());
    let is_copy = header.is_named("cc") || header.is_named("bcc");
    if caution == Caution::Safe || sends && is_copy {
        plan.step(field);
    } else {
        plan.step_if(Condition::UserAgrees, field);
    }
    Ok(())
}

/// Checks the characters in the body, whose line breaks are `%0D%0A` (RFC 6068, 5).
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
