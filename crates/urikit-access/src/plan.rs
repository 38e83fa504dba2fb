//! What an access will do and send.

use crate::escape::escape_all;
use std::fmt;
use urikit_schemes::{FilledForm, Line, Step};

/// The steps of an access, in order.
///
/// `Display` prints a line for each step, passwords masked: the output of `uri fetch --plan`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Plan {
    steps: Vec<Planned>,
}

/// A step, and when it is taken.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Planned {
    /// What is done.
    pub action: Action,
    /// The condition, such as `if EPSV is refused`. `None` if the step is always taken.
    pub when: Option<&'static str>,
}

/// What is done.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Action {
    /// Connects to a host, as written in the URL, and a port.
    Connect(String, u16),
    /// Sends a line.
    Send(Line),
    /// Sends a filled-in Gopher+ form.
    SendForm(FilledForm),
    /// Does something else: what, in words, and the octets that it is done with or to, if any.
    Act(&'static str, Vec<u8>),
}

impl Plan {
    /// A plan without steps.
    pub const fn new() -> Self {
        Self { steps: Vec::new() }
    }

    /// A plan of the steps that a URL's scheme gives.
    pub fn of(steps: Vec<Step<'_>>) -> Self {
        let mut plan = Self::new();
        for step in steps {
            plan.push(step);
        }
        plan
    }

    /// Adds a step.
    pub fn push(&mut self, step: Step<'_>) {
        self.steps.extend(planned(step, None));
    }

    /// Adds a step with the condition under which it is taken.
    pub fn push_if(&mut self, when: &'static str, step: Step<'_>) {
        self.steps.extend(planned(step, Some(when)));
    }

    /// The steps.
    pub fn steps(&self) -> &[Planned] {
        &self.steps
    }

    /// The lines that are sent, and whether each is always sent.
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
        // A kind of step that this version does not know.
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
    /// The step with passwords in plain text.
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
    /// Passwords are masked.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, true)
    }
}
