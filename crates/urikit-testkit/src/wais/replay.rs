//! A server that answers as freeWAIS was recorded to answer.

use super::{Exchange, Request, receive};
use crate::servers::Scripted;

/// Starts the server. A request gets the recorded answer to the same question, whatever sizes and
/// limits the client asks for, and whatever its name is. To a question that was not recorded, the
/// connection is closed without an answer.
///
/// # Panics
///
/// If it cannot listen.
pub fn replay(exchanges: Vec<Exchange>) -> Scripted {
    let mut answers = Vec::new();
    for exchange in exchanges.into_iter().filter(is_question) {
        for (request, response) in exchange.requests.iter().zip(exchange.responses) {
            answers.push((simplified(Request::read(&request[25..])), response));
        }
    }
    Scripted::start(move |client| {
        while let Some(request) = receive(client) {
            let asked = simplified(request);
            match answers.iter().find(|(question, _)| *question == asked) {
                Some((_, answer)) => {
                    client.say(answer);
                }
                None => return client.close(),
            }
        }
    })
}

/// Whether it can be replayed: not with an Init first, after which large documents got other
/// answers, nor with limits, nor what no client of RFC 1625 sends here.
fn is_question(exchange: &Exchange) -> bool {
    let is_paged = exchange.name == "fetch-large-in-pages";
    let is_other = [
        "search-limited",
        "search-relevance",
        "fetch-docid-term-only",
    ];
    (exchange.requests.len() == 1 || is_paged)
        && !is_other.iter().any(|name| exchange.name.starts_with(name))
}

/// The request without what does not change the answer.
fn simplified(request: Request) -> Request {
    match request {
        Request::Init(_) => Request::Init(0),
        Request::Words {
            databases, words, ..
        } => Request::Words {
            databases,
            words,
            max_documents: 0,
        },
        document @ Request::Document { .. } => document,
    }
}
