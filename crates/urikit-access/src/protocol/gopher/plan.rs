//! Plans: the steps of each operation.

use super::phone_book::PhoneBook;
use super::target::{Operation, Target};
use crate::error::Result;
use crate::plan::{self, Action, Plan, Question};
use std::borrow::Cow;

/// A condition in the plan of an access by Gopher.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// The server does not support Gopher+.
    NoGopherPlus,
}

impl plan::Condition for Condition {
    fn words(&self) -> &'static str {
        match self {
            Self::NoGopherPlus => "the server does not support Gopher+",
        }
    }
}

/// A step in the plan of an access by Gopher, other than its requests.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Sends this selector, and the words that the user typed.
    SendSearch(Vec<u8>),
    /// Sends the form that the user filled in.
    SendForm,
    /// Shows the host of a session of another protocol, and how to log in.
    ShowSession(String),
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        match self {
            Self::SendSearch(selector) => (
                "sends the words after a TAB and the selector",
                selector.into(),
            ),
            Self::SendForm => ("sends the form", b"".into()),
            Self::ShowSession(text) => ("tells the user", text.as_bytes().into()),
        }
    }
}

impl Target<'_> {
    /// Plans the operation.
    pub(super) fn plan(&self) -> Result<Plan> {
        let mut plan = Plan::new();
        let (host, port) = self.server()?;
        let connect = || Action::Connect(host.clone(), port);
        match self.operation() {
            Operation::Link(url) => {
                // Nothing is sent, but a control character in the selector is an error.
                self.command()?;
                plan.push(Action::Redirect(url));
            }
            Operation::Session => plan.step(Step::ShowSession(self.session()?.text)),
            Operation::Words => {
                self.command()?;
                plan.push(Action::Ask(Question::SearchWords));
                plan.push(connect());
                let selector = self.url.selector().to_bytes().into_owned();
                plan.step(Step::SendSearch(selector));
            }
            Operation::PhoneBook => {
                plan.push(connect());
                plan.send(PhoneBook::Query(self.words()?));
                plan.send(PhoneBook::Quit);
            }
            Operation::Form => {
                plan.push(connect());
                plan.send(self.command()?);
                self.plan_fallback(&mut plan, connect())?;
                plan.push(Action::Ask(Question::Form));
                plan.push(connect());
                plan.step(Step::SendForm);
            }
            Operation::Attributes { is_all, .. } => {
                plan.push(connect());
                plan.send(self.command()?);
                if !is_all {
                    self.plan_fallback(&mut plan, connect())?;
                }
            }
            Operation::Directory | Operation::Data => {
                plan.push(connect());
                plan.send(self.command()?);
            }
            Operation::Metadata => {
                self.command()?;
                let url = self.with_attributes()?;
                plan.push(connect());
                plan.send(Target::of_url(&url)?.command()?);
            }
        }
        Ok(plan)
    }

    /// Plans the request for all attributes, for a server that cannot select some of them.
    fn plan_fallback(&self, plan: &mut Plan, connect: Action) -> Result<()> {
        let url = self.with_attributes()?;
        plan.push_if(Condition::NoGopherPlus, connect);
        plan.send_if(Condition::NoGopherPlus, Target::of_url(&url)?.command()?);
        Ok(())
    }
}
