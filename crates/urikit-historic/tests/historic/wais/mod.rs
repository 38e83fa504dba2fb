//! Tests of WAIS: the codec with recorded exchanges, and the client with servers that replay them,
//! with generated servers, and with hostile ones.

mod codec;
mod document;
mod generated;
mod hostile;
mod replayed;
mod search;

use crate::support::{client, fails, fetch};
use urikit_access::{Buffer, Error, Response};
use urikit_testkit::servers::Scripted;
use urikit_testkit::wais::{Request, field, init_response, number, receive};

fn url(server: &Scripted, rest: &str) -> String {
    format!("wais://127.0.0.1:{}/{rest}", server.port)
}

fn get(server: &Scripted, rest: &str) -> (Response, Buffer) {
    let url = url(server, rest);
    match fetch(&mut client(), &url) {
        Ok(fetched) => fetched,
        Err(error) => panic!("{url}: {error} {:?}", error.events()),
    }
}

fn get_fails(server: &Scripted, rest: &str) -> Error {
    fails(&mut client(), &url(server, rest))
}

/// Starts a server that agrees on the maximum size of messages, and responds to searches with the
/// result of a function. The server closes the connection if the result is `None`.
fn server(answer: impl Fn(&Request) -> Option<Vec<u8>> + Send + Sync + 'static) -> Scripted {
    Scripted::start(move |client| {
        while let Some(request) = receive(client) {
            let answer = match request {
                Request::Init(max) => {
                    let size = usize::try_from(max).unwrap();
                    let sizes = [number(5, size), number(6, size)].concat();
                    Some(init_response(&sizes))
                }
                request => answer(&request),
            };
            let is_sent = answer.is_some_and(|answer| client.say(answer));
            if !is_sent {
                return client.close();
            }
        }
    })
}

/// Makes the header record of a document.
fn header(headline: &str, wtype: &str, id: &[u8], length: usize) -> Vec<u8> {
    scored(1000, headline, wtype, id, length)
}

fn scored(score: usize, headline: &str, wtype: &str, id: &[u8], length: usize) -> Vec<u8> {
    let types = field(132, &field(133, wtype.as_bytes()));
    let fields = [
        field(116, id),
        number(118, score),
        number(120, length),
        types,
        field(123, headline.as_bytes()),
    ];
    field(150, &fields.concat())
}

/// Makes a text record.
fn text(text: &[u8]) -> Vec<u8> {
    let fields = [field(116, b"\x03\x01a"), number(117, 0), field(127, text)];
    field(153, &fields.concat())
}
