//! What will be done and sent, before any of it is.

use crate::escape::escape_all;
use std::fmt;
use urikit::scheme::{FilledForm, Line, Step};

/// The steps of an access, in order.
///
/// `Display` prints a line each, secrets masked; it is what `uri fetch --plan` prints.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Plan {
    steps: Vec<Planned>,
}

/// A step, and when it is done.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Planned {
    /// What is done.
    pub action: Action,
    /// When, such as `if EPSV is refused`; always, where nothing stands here.
    pub when: Option<&'static str>,
}

/// What is done.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Action {
    /// Connects to a host as written, and a port.
    Connect(String, u16),
    /// Sends a line.
    Send(Line),
    /// Sends a filled-in Gopher+ form.
    SendForm(FilledForm),
    /// Does something else, in words, with these octets.
    Act(&'static str, Vec<u8>),
}

impl Plan {
    /// No step yet.
    pub const fn new() -> Self {
        Self { steps: Vec::new() }
    }

    /// The steps that a URL's scheme gives.
    pub fn of(steps: Vec<Step<'_>>) -> Self {
        let mut plan = Self::new();
        for step in steps {
            plan.push(step);
        }
        plan
    }

    /// One more step.
    pub fn push(&mut self, step: Step<'_>) {
        self.steps.extend(planned(step, None));
    }

    /// One more step, of which `when` says when it is done.
    pub fn push_if(&mut self, when: &'static str, step: Step<'_>) {
        self.steps.extend(planned(step, Some(when)));
    }

    /// The steps.
    pub fn steps(&self) -> &[Planned] {
        &self.steps
    }

    /// The lines that are sent, as octets, and whether each is always sent.
    pub fn lines(&self) -> impl Iterator<Item = (&Line, bool)> {
        self.steps.iter().filter_map(|step| match &step.action {
            Action::Send(line) => Some((line, step.when.is_none())),
            _ => None,
        })
    }
}

fn planned(step: Step<'_>, when: Option<&'static str>) -> Option<Planned> {
    let action = match step {
        Step::Connect { host, port } => Action::Connect(host.into_owned(), port),
        Step::Send(line) => Action::Send(line),
        Step::SendForm(form) => Action::SendForm(form),
        Step::Act { what, with } => Action::Act(what, with.into_owned()),
        // Steps that are not known yet.
        _ => return None,
    };
    Some(Planned { action, when })
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            writeln!(f, "{step}")?;
        }
        Ok(())
    }
}

impl Planned {
    /// The step with its secrets.
    pub fn unmasked(&self) -> impl fmt::Display {
        let (mut text, masks) = (String::new(), false);
        let _ = self.write(&mut text, masks);
        text
    }

    fn write(&self, out: &mut impl fmt::Write, masks: bool) -> fmt::Result {
        match &self.action {
            Action::Connect(host, port) => write!(out, "connect  {host}:{port}"),
            Action::Send(line) => {
                let octets = if masks {
                    line.masked()
                } else {
                    line.octets().into()
                };
                write!(out, "send     \"{}\"", escape_all(&octets))
            }
            Action::SendForm(form) => {
                let octets = if masks { form.masked() } else { form.octets() };
                write!(out, "send     \"{}\"", escape_all(&octets))
            }
            Action::Act(what, with) if with.is_empty() => write!(out, "then     {what}"),
            Action::Act(what, with) => write!(out, "then     {what} \"{}\"", escape_all(with)),
        }?;
        match self.when {
            Some(when) => write!(out, "  ({when})"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Planned {
    /// Secrets are masked.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, true)
    }
}
