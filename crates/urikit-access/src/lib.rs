//! Fetches what a URL names, by the protocol of its scheme, under a policy.
//!
//! ```text
//! Request ─→ Client ─→ Policy: scheme, redirects
//!              │
//!              └→ Protocol ─→ Context ─→ Policy: port, address ─→ Connection
//!                    │
//!                    └──────→ Output: sizes, completeness ─→ Sink
//! ```
//!
//! A [`Client`] takes a [`Request`] and writes to a [`Sink`]: first the [`Metadata`], then either
//! the bytes of the body or the [entries](listing::Entry) of a listing. The [`Response`] reports
//! where it came from, and each [`Event`] on the way. A [`Plan`] lists beforehand what would be
//! sent. All schemes work in this way, `gopher` and `ftp` as well as `https`. An [`Upload`] is sent
//! to a URL under the same policy.
//!
//! # Policy
//!
//! The defaults of [`Policy`] are safe for references from untrusted sources. It decides which
//! schemes may be used, and which may be redirected to; which ports may be connected to; which
//! addresses, after the name was resolved, and the connection goes to the address that was
//! checked; how many redirects are followed; and how many bytes and how much time an access may
//! take.
//!
//! A protocol reaches the network, and programs, only through its [`Context`], which asks the
//! policy. The crate's `clippy.toml` forbids connecting, and starting programs, anywhere else. Two
//! protocols open files: [`File`](protocol::File), and [`Mail`](protocol::Mail) in the mailboxes
//! that the caller names.
//!
//! # Guarantees
//!
//! Nothing is guessed: a reference without a scheme is an error. Fragments are never sent. Cookies
//! are stored only where the caller says so. No part of a URL can become a second command: everything that is sent as a line
//! is a [`Command`], whose [arguments](Argument) cannot contain control characters.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod client;
mod command;
mod context;
mod credentials;
mod error;
mod escape;
mod event;
mod follow;
mod http1;
pub mod listing;
pub mod mask;
mod net;
mod output;
mod plan;
pub mod policy;
mod pool;
mod prompt;
pub mod protocol;
mod proxy;
mod rate;
mod redirects;
mod request;
mod response;
mod route;
mod send;
mod sink;
mod trace;
mod upload;
mod url_error;

pub use client::Client;
pub use command::{AnyCommand, Argument, Command, Line, Secret, Wire};
pub use context::Context;
pub use credentials::Credentials;
pub use error::{Class, Error, ErrorKind, Result};
pub use escape::escape_all;
pub use event::Event;
pub use net::{Connection, Datagrams, Deadline, ReadHalf, Resolver, SystemResolver, WriteHalf};
pub use output::Output;
pub use plan::{Action, AnyCondition, AnyStep, Condition, Plan, Planned, Question, Step};
pub use policy::Policy;
pub use pool::Pooled;
pub use prompt::{NoPrompt, Prompt, Terminal};
pub use proxy::{Proxies, Proxy, ProxyError};
pub use redirects::Redirects;
pub use request::{ByteRange, RangeError, Request, Wanted};
pub use response::Response;
pub use sink::{Buffer, Metadata, Sink};
pub use upload::{Body, Mode, Upload, Uploaded};
pub use url_error::UrlError;

/// Not part of the public interface: codecs that the project's own tests hold against recorded
/// exchanges, and the readers of what servers send, for fuzz targets. Each reader takes octets and
/// the length of the pieces in which they arrive, and returns what was read as text, which does
/// not depend on the pieces.
#[doc(hidden)]
pub mod internal {
    pub use crate::protocol::prospero::{ardp, text};
    pub use crate::protocol::{
        ftp::replay as ftp, gopher::replay as gopher, http::replay as http, mail::replay as mail,
        news::replay as news, telnet::replay as telnet,
    };

    /// The messages of WAIS.
    pub mod wais {
        pub use crate::protocol::wais::codec::*;
        pub use crate::protocol::wais::replay::answers;
    }
}

/// The examples of the README, which are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
