//! WAIS for the tests of `urikit-access`: exchanges with a real server, recorded byte for byte, and
//! what a server needs. Written from the protocol documents, and independent of the client.

mod exchange;
mod replay;
mod request;
mod write;

pub use exchange::{Exchange, exchanges};
pub use replay::replay;
pub use request::{Request, receive};
pub use serde_json::Value;
pub use write::{compressed, diagnostic, field, init_response, message, number, search_response};
