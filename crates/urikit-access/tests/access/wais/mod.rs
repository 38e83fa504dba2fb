//! WAIS: the codec against recorded exchanges, and the client against a server that replays them,
//! against generated servers, and against hostile ones.

mod codec;

mod mutated;

use crate::support::{client, fails, fetch};
use urikit_access::{Buffer, Error, Response};
use urikit_testkit::servers::Scripted;

fn url(server: &Scripted, rest: &str) -> String {
    format!("wais://127.0.0.1:{}/{rest}", server.port)
}

fn get(server: &Scripted, rest: &str) -> (Response, Buffer) {
    let url = url(server, rest);
    match fetch(&mut client(), &url) {
        Ok(fetched) => fetched,
        Err(error) => panic!("{url}: {error}"),
    }
}

fn get_fails(server: &Scripted, rest: &str) -> Error {
    fails(&mut client(), &url(server, rest))
}
