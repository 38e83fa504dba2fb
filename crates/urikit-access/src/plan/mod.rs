//! What an access will do and send.

mod action;
mod condition;
mod local;
mod lookup;
mod user;

pub use action::Action;
pub use condition::Condition;
pub use local::{Compose, Local};
pub use lookup::Lookup;
pub use user::{Question, Show};

use crate::command::{AnyCommand, Command};
use crate::escape::escape_all;
use std::fmt;

/// The steps of an access, in order.
///
/// `Display` prints a line for each step, passwords masked: the output of `uri fetch --plan`.
///
/// ```
/// use urikit_access::{Action, Condition, Line, Plan};
/// let mut plan = Plan::new();
/// plan.push(Action::Connect("h.dom".to_owned(), 79));
/// plan.send(Line::new("/W"));
/// plan.push_if(Condition::NotKept, Action::send(Line::new("QUIT")));
/// assert_eq!(
///     plan.to_string(),
///     "connect  h.dom:79\n\
///      send     \"/W\"\n\
///      send     \"QUIT\"  (if the connection is not kept)\n"
/// );
/// ```
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
    /// When it is done. `None` if the step is always taken.
    pub when: Option<Condition>,
}

impl Plan {
    /// A plan without steps.
    pub const fn new() -> Self {
        Self { steps: Vec::new() }
    }

    /// Adds a step.
    pub fn push(&mut self, action: Action) {
        self.steps.push(Planned { action, when: None });
    }

    /// Adds a step with the condition under which it is taken.
    pub fn push_if(&mut self, when: Condition, action: Action) {
        let when = Some(when);
        self.steps.push(Planned { action, when });
    }

    /// Adds a command to send.
    pub fn send(&mut self, command: impl Command) {
        self.push(Action::send(command));
    }

    /// Adds a command with the condition under which it is sent.
    pub fn send_if(&mut self, when: Condition, command: impl Command) {
        self.push_if(when, Action::send(command));
    }

    /// Replaces each connection, except to proxies, by other steps under the same condition.
    /// Connections for data follow.
    pub(crate) fn replace_connections<E>(
        &mut self,
        mut by: impl FnMut(&str, u16) -> Result<Option<Vec<Action>>, E>,
    ) -> Result<(), E> {
        let mut steps = Vec::with_capacity(self.steps.len());
        let mut is_replaced = false;
        for step in self.steps.drain(..) {
            let replaced = match &step.action {
                Action::Connect(host, port) => {
                    let replaced = by(host, *port)?;
                    is_replaced = replaced.is_some();
                    replaced
                }
                Action::ConnectForData if is_replaced => Some(vec![Action::AskProxyForData]),
                _ => None,
            };
            match replaced {
                Some(actions) => steps.extend(actions.into_iter().map(|action| Planned {
                    action,
                    when: step.when,
                })),
                None => steps.push(step),
            }
        }
        self.steps = steps;
        Ok(())
    }

    /// The steps.
    pub fn steps(&self) -> &[Planned] {
        &self.steps
    }

    /// The commands that are sent, and whether each is always sent.
    pub fn commands(&self) -> impl Iterator<Item = (&AnyCommand, bool)> {
        self.steps.iter().filter_map(|step| match &step.action {
            Action::Send(command) => Some((command, step.when.is_none())),
            _ => None,
        })
    }
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
            Action::ConnectProxy(host, port) => write!(out, "connect  {host}:{port}, a proxy"),
            Action::Send(command) => match (command.words(), masks) {
                (Some(words), _) => write!(out, "send     {}", escape_all(words.as_bytes())),
                (None, true) => write!(out, "send     \"{}\"", escape_all(&command.masked())),
                (None, false) => write!(out, "send     \"{}\"", escape_all(&command.octets())),
            },
            action => match action.words() {
                (words, with) if with.is_empty() => write!(out, "then     {words}"),
                (words, with) => write!(out, "then     {words} \"{}\"", escape_all(&with)),
            },
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
