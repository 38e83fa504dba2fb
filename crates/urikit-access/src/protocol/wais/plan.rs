//! What will be sent.

use super::codec::Unit;
use super::describe;
use super::job::{Document, Job, Target};
use super::session::{INIT, MAX_MESSAGE};
use crate::error::Result;
use crate::plan::{Action, Condition, Plan, Question};

pub(super) fn plan(job: &Job) -> Result<Plan> {
    let mut plan = Plan::new();
    plan.push(Action::Connect(job.host.clone(), job.port));
    plan.send(INIT);
    match &job.target {
        Target::Search(words) => plan.send(job.search(words)),
        Target::Document(document) => fetch(job, document, &mut plan),
        Target::Catalogue => {
            plan.send(describe::search_catalogue(job)?);
            plan.push_if(Condition::NoResult, Action::FetchFound);
        }
        Target::Database => {
            for (index, search) in describe::searches(job)?.into_iter().enumerate() {
                match index {
                    0 => plan.send(search),
                    _ => plan.send_if(Condition::NotDescribed, search),
                }
                plan.push_if(Condition::Described, Action::FetchFound);
            }
            let ask = Action::Ask(Question::SearchWords);
            plan.push_if(Condition::NotDescribed, ask);
            let names: Vec<_> = job.databases.names().collect();
            let search = Action::SendWords(names.join(&b", "[..]));
            plan.push_if(Condition::NotDescribed, search);
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
        plan.push_if(Condition::MoreToFetch, Action::FetchPages);
    }
}
