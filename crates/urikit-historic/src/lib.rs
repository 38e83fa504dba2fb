//! WAIS and Prospero, two protocols from before the web, for [`urikit_access`].
//!
//! | protocol | URLs | standard |
//! |---|---|---|
//! | [`WaisProtocol`] | `wais://host/database?words` | RFC 1625, RFC 1738, 3.9 |
//! | [`ProsperoProtocol`] | `prospero://host//object` | RFC 1738, 3.11 |
//!
//! A [`Client`](urikit_access::Client) does not support these protocols by default. Add the
//! protocols that you need:
//!
//! ```
//! use urikit::UriRef;
//! use urikit_access::{Client, Policy, Request};
//! use urikit_historic::{ProsperoProtocol, WaisProtocol};
//!
//! let client = Client::new(Policy::new())
//!     .protocol(ProsperoProtocol::new())
//!     .protocol(WaisProtocol::new());
//! // RFC 1630, References
//! let url = UriRef::parse("wais://quake.think.com/wais-discussion-archives?lynch")?;
//! let plan = client.plan(&Request::new(url))?;
//! assert!(plan.to_string().starts_with("connect  quake.think.com:210\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Both protocols use only the public interface of `urikit-access`, so they also serve as examples
//! of larger protocols: WAIS sends binary messages over TCP, and Prospero sends datagrams. Like
//! all protocols, they reach the network only through a [`Context`](urikit_access::Context), which
//! checks every connection and datagram against the policy.
//!
//! The codecs ([`wais::codec`], [`prospero::ardp`] and [`prospero::text`]) use no sockets, and can
//! be used without a client.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod prospero;
pub mod wais;

pub use prospero::ProsperoProtocol;
pub use wais::WaisProtocol;

/// Returns the default port of a scheme, or 0 if the scheme has no default port.
fn default_port(scheme: &str) -> u16 {
    let port = urikit::scheme::known(scheme).and_then(|facts| facts.port);
    port.unwrap_or_default()
}

/// The examples in the README, which are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
