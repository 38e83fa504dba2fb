//! What will be sent.

use super::codec::Unit;
use super::describe;
use super::job::{Document, Job, Target};
use super::session::{INIT, MAX_MESSAGE};
use crate::error::Result;
use crate::plan::{self, Action, Plan, Question};
use std::borrow::Cow;

/// A condition of WAIS.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// The server has a description of the database.
    Described,
    /// The server has no description of the database.
    NotDescribed,
    /// The search has no result.
    NoResult,
    /// The document is longer than its first part.
    MoreToFetch,
}

impl plan::Condition for Condition {
    fn words(&self) -> &'static str {
        match self {
            Self::Described => "the server has a description",
            Self::NotDescribed => "the server has no description",
            Self::NoResult => "nothing is found",
            Self::MoreToFetch => "there is more",
        }
    }
}

/// A step of WAIS, other than its messages.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Sends a search for the words that the user typed, in this database.
    SendWords(Vec<u8>),
    /// Fetches the rest of the document in the same way, up to its end.
    FetchPages,
    /// Fetches the document that was found.
    FetchFound,
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        match self {
            Self::SendWords(database) => {
                ("searches for the words in the database", database.into())
            }
            Self::FetchPages => (
                "fetches the rest of the document in the same way",
                b"".into(),
            ),
            Self::FetchFound => ("fetches the document that was found", b"".into()),
        }
    }
}

pub(super) fn plan(job: &Job) -> Result<Plan> {
    let mut plan = Plan::new();
    plan.push(Action::Connect(job.host.clone(), job.port));
    plan.send(INIT);
    match &job.target {
        Target::Search(words) => plan.send(job.search(words)),
        Target::Document(document) => fetch(job, document, &mut plan),
        Target::Catalogue => {
            plan.send(describe::search_catalogue(job)?);
            plan.step_if(Condition::NoResult, Step::FetchFound);
        }
        Target::Database => {
            for (index, search) in describe::searches(job)?.into_iter().enumerate() {
                match index {
                    0 => plan.send(search),
                    _ => plan.send_if(Condition::NotDescribed, search),
                }
                plan.step_if(Condition::Described, Step::FetchFound);
            }
            let ask = Action::Ask(Question::SearchWords);
            plan.push_if(Condition::NotDescribed, ask);
            let names: Vec<_> = job.databases.names().collect();
            let search = Step::SendWords(names.join(&b", "[..]));
            plan.step_if(Condition::NotDescribed, search);
        }
    }
    Ok(plan)
}

/// The first part of a document, and that there may be others.
fn fetch(job: &Job, document: &Document, plan: &mut Plan) {
    let (unit, range) = job.first_part(document, MAX_MESSAGE.into());
    let is_all = match (unit, document.length()) {
        (Unit::Bytes, Some(length)) => range.end >= length,
        _ => false,
    };
    plan.send(document.part(unit, range));
    if job.wants_body && !is_all {
        plan.step_if(Condition::MoreToFetch, Step::FetchPages);
    }
}
