//! The protocols of `uri`: those of `urikit-access`, and two from `urikit-historic`.

use urikit_access::{Client, Policy};
use urikit_historic::{ProsperoProtocol, WaisProtocol};

/// Creates a client with all protocols.
pub fn client(policy: Policy) -> Client {
    Client::new(policy)
        .protocol(ProsperoProtocol::new())
        .protocol(WaisProtocol::new())
}
