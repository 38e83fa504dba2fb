//! Fetches URLs of many schemes under one policy.
//!
//! ```
//! use urikit::Uri;
//! use urikit_access::{Buffer, Client, NoPrompt, Policy, Request};
//! // Safe for untrusted URLs: no local files, no private addresses, no redirects to
//! // them.
//! let client = Client::new(Policy::new().schemes(["http", "https"]));
//! let url = Uri::parse("http://169.254.169.254/latest/meta-data/")?;
//! let error = client
//!     .fetch(&Request::new(url), &mut NoPrompt, &mut Buffer::default())
//!     .unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "connecting to 169.254.169.254:80: refused: 169.254.169.254 is a link-local address"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Client`] executes a [`Request`] and writes to a [`Sink`]: first the [`Metadata`], then
//! either the bytes of the body or the [entries](listing::Entry) of a listing. The [`Response`]
//! contains the final URL and each [`Event`] of the access. A [`Plan`] lists in advance what a
//! request would send, and an [`Upload`] sends data to a URL. This interface is the same for all
//! schemes, such as `https`, `ftp` and `gopher`.
//!
//! ```text
//! Request ─→ Client ─→ Policy: scheme, redirects
//!              │
//!              └→ Protocol ─→ Context ─→ Policy: port, address ─→ Connection
//!                    │
//!                    └──────→ Output: sizes, completeness ─→ Sink
//! ```
//!
//! # Policy
//!
//! [`Policy::new`] is safe for references from untrusted sources. A policy limits
//! - the schemes of references and of redirects;
//! - the ports and the addresses of connections. The host name is resolved first, and the client
//!   connects to the address that was checked;
//! - the number of redirects, the length of a body, and the duration of an access.
//!
//! [`Policy::permissive`] allows every scheme, for URLs that the user typed.
//!
//! A protocol can use the network and start programs only through its [`Context`], which checks the
//! policy. The crate's `clippy.toml` forbids other modules from opening connections and starting
//! programs. Two protocols open files themselves: [`FileProtocol`](protocol::FileProtocol), and
//! [`MailProtocol`](protocol::MailProtocol), which opens only the mailboxes that the caller names.
//!
//! # Guarantees
//!
//! - The crate does not guess: a reference without a scheme is an error.
//! - Fragments are never sent, and cookies are stored only if the caller enables them.
//! - No part of a URL can become a second command. Every line that is sent is a [`Command`], whose
//!   [arguments](Argument) cannot contain control characters.
//! - Events, errors and plans mask passwords.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod cancel;
mod client;
mod command;
mod context;
mod deadline;
mod error;
mod event;
mod follow;
mod hop;
mod host;
mod http1;
mod known_hosts;
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
#[doc(hidden)]
pub mod replace;
mod request;
mod schedule;
mod upload;

pub use cancel::Cancel;
pub use client::Client;
pub use command::{AnyCommand, Argument, Command, Line, Secret, Wire};
pub use context::{Context, Pooled};
pub use deadline::Deadline;
pub use error::{Class, Error, ErrorKind, Result, UrlError};
pub use event::{Event, Observer};
pub use hop::Hop;
pub use known_hosts::KnownHosts;
pub use mask::escape_all;
pub use net::{Connection, Datagrams, ReadHalf, Resolver, SystemResolver, WriteHalf};
pub use output::{Buffer, Metadata, Output, Sink};
pub use plan::{Action, AnyCondition, AnyStep, Condition, Plan, Planned, Question, Step};
pub use policy::Policy;
pub use pool::PoolLimits;
pub use prompt::{NoPrompt, Prompt, Terminal};
pub use proxy::{Proxies, Proxy, ProxyError};
pub use request::{
    ByteRange, Credentials, ErrorBodies, RangeError, Redirects, Request, Response, Wanted,
};
pub use schedule::{Begun, HostLimits, NextTask, Schedule, Scheduler, Taken, Turn};
pub use upload::{Body, FileId, Mode, Upload, Uploaded};

/// Reply parsers for fuzz targets, which are not part of the public interface. Each function
/// accepts octets and the length of the pieces in which they arrive. The returned string must be
/// the same for every piece length.
#[doc(hidden)]
pub mod internal {
    pub use crate::protocol::{
        ftp::replay as ftp, gemini::replay as gemini, gopher::replay as gopher,
        http::replay as http, mail::replay as mail, news::replay as news, telnet::replay as telnet,
    };
}

/// The examples in the README, which are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
