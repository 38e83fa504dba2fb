//! Tests of Prospero: the client with servers that replay recordings of a real one, with generated
//! servers, and with hostile ones.

mod codecs;
mod generated;
mod hops;
mod hostile;
mod recorded;

use crate::support::{self, policy};
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;
use urikit_access::{Client, Policy, Resolver};
use urikit_historic::ProsperoProtocol;

/// Resolves all names to this machine.
pub(crate) struct Here;

impl Resolver for Here {
    fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        Ok(vec![Ipv4Addr::LOCALHOST.into()])
    }
}

/// Makes a client that may send datagrams to a port, and repeats them soon.
fn client(port: u16) -> Client {
    client_with(policy().allow_port(port))
}

fn client_with(policy: Policy) -> Client {
    support::client_with(policy)
        .protocol(
            ProsperoProtocol::new()
                .wait(Duration::from_millis(50))
                .tries(4),
        )
        .resolver(Here)
}

/// Starts a server that sends the same response to every request.
fn always(answer: &str) -> urikit_testkit::servers::Datagrams {
    let answer = answer.as_bytes().to_vec();
    urikit_testkit::servers::Datagrams::start(move |datagram, _| {
        vec![[&[3, datagram[1], datagram[2]], &answer[..]].concat()]
    })
}
