//! Follows a URL to what it names, by the protocol of its scheme, under a policy.
//!
//! ```text
//! Request ─→ Client ─→ Policy: scheme, hops
//!              │
//!              └→ Protocol ─→ Context ─→ Policy: port, address ─→ Connection
//!                    │
//!                    └──────→ Delivery: sizes, whole or not ─→ Sink
//! ```
//!
//! A [`Request`] goes in, and what it names comes out of a [`Sink`]: what is [`Known`] of it, and then bytes, or the
//! [entries](listing::Entry) of a listing. The [`Plan`] says beforehand what would be sent. Old schemes and new ones
//! take the same road.
//!
//! # What may be done
//!
//! A [`Policy`] says it, with safe defaults for references that anyone may have written: which schemes, by whom; which
//! ports; which addresses, once a name was looked up, and then connected to as judged; how far the network leads on;
//! how many bytes, how long.
//!
//! A protocol has no other way to the network or to a program than its [`Context`], which asks the policy; the crate's
//! `clippy.toml` forbids to connect or to start a program anywhere else. Files are opened by two protocols alone:
//! [`File`](protocol::File), and [`Mail`](protocol::Mail) in the mail that the caller names.
//!
//! # What is never done
//!
//! Nothing is guessed: a reference without a scheme is an error. A fragment is never sent. Cookies are not kept. What
//! a URL decodes to never becomes a second command: all lines pass the gate of
//! [`Line`](urikit::scheme::Line).

mod client;
mod context;
mod delivery;
mod error;
mod follow;
mod kept;
pub mod listing;
mod meta;
mod net;
mod person;
mod plan;
pub mod policy;
pub mod protocol;
mod request;
mod route;
mod show;
mod sink;
mod trace;

pub use client::Client;
pub use context::Context;
pub use delivery::Delivery;
pub use error::{Class, Error, ErrorKind, Result};
pub use kept::Keep;
pub use meta::Meta;
pub use net::{Connection, Deadline, Receiving, Resolver, Sending, SystemResolver};
pub use person::{Nobody, Person, Terminal};
pub use plan::{Action, Plan, Planned};
pub use policy::Policy;
pub use request::{Credentials, Request, Wanted};
pub use sink::{Held, Known, Sink};
