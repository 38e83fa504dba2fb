//! Reads URLs according to their scheme's specification, with one type per scheme, and builds
//! URLs.
//!
//! [`urikit`] checks a reference against its standard and finds its components. The specification
//! of the scheme defines the meaning of the components. For example, [`Ftp`] treats the segments
//! of a path as arguments of `CWD`. Each scheme has a type that reads its URLs, and most have a
//! builder.
//!
//! # Read
//!
//! ```
//! use urikit::Uri;
//! use urikit_schemes::{Ftp, Mailto};
//! let url = Uri::parse("ftp://myname@host.dom/%2Fetc/motd")?; // RFC 1738, 3.2.2
//! let ftp = Ftp::read(url)?;
//! assert_eq!(ftp.cwd().next().unwrap().decode(), "/etc");
//! assert_eq!(ftp.name(), "motd");
//!
//! let url = Uri::parse("mailto:infobot@example.com?subject=current-issue")?; // RFC 6068, 6.1
//! let mailto = Mailto::read(url)?;
//! assert_eq!(mailto.addresses().next().unwrap().domain(), "example.com");
//! assert_eq!(mailto.subject().unwrap(), "current-issue");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - **Reading checks the URL** against the scheme's specification. RFC 1630 and RFC 1738 have a
//!   production for each scheme. The later standards have one syntax for all schemes, so the
//!   components are checked against the scheme's specification. A [`ReadError`] contains the
//!   offset, the expected text, and the section.
//! - **[`Edition`]** selects which specification applies if a scheme has several.
//! - **Parts are not decoded.** They are [`Encoded`](urikit::component::Encoded), which decodes on
//!   request. Schemes do not define the fragment (RFC 1738, Appendix; RFC 2396, 4.1).
//!
//! # Build
//!
//! A builder accepts data and escapes it. The builder returns a URL only if parsing the URL yields
//! the same data.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use urikit_schemes::{Data, Ftp};
//! let url = Ftp::builder("host.dom").cwd("/etc").file("motd").build()?;
//! assert_eq!(url, "ftp://host.dom/%2Fetc/motd");
//! assert_eq!(Data::builder("A brief note").build()?, "data:,A%20brief%20note"); // RFC 2397, 4
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Find by name
//!
//! [`find`] returns a [`Scheme`] at run time, and its `details` method returns the same results as
//! named values. [`known`] also returns the [`Facts`] of schemes that this crate does not read.
//!
//! ```
//! use urikit_schemes::{find, known};
//! assert_eq!(find("Gopher").unwrap().facts().port, Some(70));
//! assert!(find("nfs").is_none()); // known, but not read
//! assert_eq!(known("nfs").unwrap().port, Some(2049));
//! ```
//!
//! # Custom schemes and gateways
//!
//! Programs can implement [`Scheme`] for their own schemes. A `SchemeRegistry` contains custom
//! schemes and the built-in ones. The registry also contains gateways, through which a client can
//! access the URLs of a scheme (RFC 1630).
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use urikit::Uri;
//! use urikit_schemes::{Gateway, SchemeRegistry};
//! let mut registry = SchemeRegistry::new();
//! registry.set_gateway("wais", Gateway::proxy("http://gateway.example")?)?;
//! let url = Uri::parse("wais://host.dom/database")?;
//! assert!(registry.gateway_for(url).is_some());
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Warnings
//!
//! [`warnings`] finds risks in a valid URL, such as a password (RFC 1738, 6).
//!
//! ```
//! use urikit::Uri;
//! use urikit_schemes::{Warning, warnings};
//! let url = Uri::parse("gopher://host.dom:25/1HELO")?; // port 25 is SMTP's
//! assert_eq!(warnings(url).next(), Some(Warning::OtherPort { port: 25, default: 70 }));
//! # Ok::<(), urikit::ParseError>(())
//! ```
//!
//! # The schemes
//!
//! | type | schemes | specifications |
//! |---|---|---|
//! | [`Cid`], [`Mid`] | cid, mid | RFC 1630; RFC 2392 |
//! | [`Data`] | data | RFC 2397 |
//! | [`Experimental`] | x-… | RFC 1630; RFC 1738 |
//! | [`File`] | file | RFC 1630; RFC 1738; RFC 8089 |
//! | [`Finger`] | finger | draft-ietf-uri-url-finger-02; RFC 1288 |
//! | [`Ftp`] | ftp | RFC 1630; RFC 1738 |
//! | [`Gemini`] | gemini | Gemini 0.24.1 |
//! | [`Gopher`] | gopher | RFC 1630; RFC 1738; RFC 4266 |
//! | [`Http`] | http, https | RFC 1630; RFC 1738; RFC 2818; RFC 9110 |
//! | [`Mailto`] | mailto | RFC 1630; RFC 1738; RFC 6068 |
//! | [`News`], [`Nntp`] | news, snews, nntp | RFC 1630; RFC 1738; RFC 5538 |
//! | [`Nex`] | nex | The Nex Protocol |
//! | [`Prospero`] | prospero | RFC 1738; RFC 4157 |
//! | [`Session`] | telnet, rlogin, tn3270 | RFC 1630; RFC 1738; RFC 4248 |
//! | [`Spartan`] | spartan | Spartan |
//! | [`Tel`] | tel | RFC 3966 |
//! | [`Urn`] | urn | RFC 1630; RFC 2141; RFC 8141 |
//! | [`Wais`] | wais | RFC 1630; RFC 1738; RFC 4156 |
//! | [`WebSocket`] | ws, wss | RFC 6455 |
//!
//! # Features
//!
//! All features are additive. Reading works without `std` (enabled by default) or `alloc`. The
//! builders, `details` and the registry need `alloc`. [`File::to_path`] and [`File::from_path`]
//! need `std` and exist only on Unix; the conversions to and from Unix and Windows paths as bytes
//! exist on every system.
//!
//! # What this crate does not do
//!
//! This crate does not connect to servers, and does not define the commands that a client sends.
//! The `urikit-access` crate plans the commands for a URL, and fetches its resource.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "alloc")]
mod build;
mod data;
#[cfg(feature = "alloc")]
mod details;
mod error;
mod file;
mod finger;
mod ftp;
#[cfg(feature = "alloc")]
mod gateway;
mod gemini;
mod gopher;
mod http;
mod mailto;
mod mid;
mod news;
mod nex;
mod nntp;
mod prospero;
#[cfg(feature = "alloc")]
mod registry;
mod reserved;
mod scheme;
mod session;
mod shape;
mod tel;
mod urn;
mod wais;
mod warning;
mod ws;

#[cfg(feature = "alloc")]
pub use build::BuildError;
#[cfg(feature = "alloc")]
pub use data::DataBuilder;
pub use data::{Data, DataOctets};
#[cfg(feature = "alloc")]
pub use details::{Detail, Details, Fields};
pub use error::{Mismatch, ReadError};
pub use file::File;
#[cfg(feature = "alloc")]
pub use file::{FileBuilder, PathError};
pub use finger::Finger;
#[cfg(feature = "alloc")]
pub use finger::FingerBuilder;
#[cfg(feature = "alloc")]
pub use ftp::FtpBuilder;
pub use ftp::{FormatCode, Ftp, Typecode};
#[cfg(feature = "alloc")]
pub use gateway::{Gateway, GatewayError, GatewayRule};
pub use gemini::{Gemini, Spartan};
#[cfg(feature = "alloc")]
pub use gemini::{GeminiBuilder, SpartanBuilder};
#[cfg(feature = "alloc")]
pub use gopher::GopherBuilder;
pub use gopher::{Gopher, GopherAttributes, GopherForm, GopherPlus, ItemType};
pub use http::Http;
#[cfg(feature = "alloc")]
pub use http::HttpBuilder;
#[cfg(feature = "alloc")]
pub use mailto::MailtoBuilder;
pub use mailto::{Address, Caution, HeaderField, Mailto};
pub use mid::{Cid, Mid};
#[cfg(feature = "alloc")]
pub use mid::{CidBuilder, MidBuilder};
#[cfg(feature = "alloc")]
pub use news::NewsBuilder;
pub use news::{News, Newsgroups};
pub use nex::Nex;
#[cfg(feature = "alloc")]
pub use nex::NexBuilder;
pub use nntp::Nntp;
#[cfg(feature = "alloc")]
pub use nntp::NntpBuilder;
#[cfg(feature = "alloc")]
pub use prospero::ProsperoBuilder;
pub use prospero::{Prospero, ProsperoField};
#[cfg(feature = "alloc")]
pub use registry::{NameError, NameRule, SchemeRegistry};
pub use reserved::Experimental;
pub use scheme::{Edition, Scheme};
pub use session::Session;
#[cfg(feature = "alloc")]
pub use session::SessionBuilder;
pub use tel::Tel;
#[cfg(feature = "alloc")]
pub use tel::TelBuilder;
pub use urikit::scheme::{Denotes, Facts, Status, Userinfo, all_known, known};
pub use urn::Urn;
#[cfg(feature = "alloc")]
pub use urn::UrnBuilder;
#[cfg(feature = "alloc")]
pub use wais::WaisBuilder;
pub use wais::{Wais, WaisDocument, WaisField, WaisTarget};
pub use warning::{Warning, warnings};
pub use ws::WebSocket;
#[cfg(feature = "alloc")]
pub use ws::WebSocketBuilder;

use scheme::Builtin;

/// The built-in schemes, sorted by name.
static BUILTIN: &[&Builtin] = &[
    &reserved::AFS,
    &mid::CID,
    &data::DATA,
    &reserved::EXPERIMENTAL,
    &file::FILE,
    &finger::FINGER,
    &ftp::FTP,
    &gemini::GEMINI,
    &gopher::GOPHER,
    &http::HTTP,
    &http::HTTPS,
    &mailto::MAILTO,
    &mid::MID,
    &news::NEWS,
    &news::SNEWS,
    &nex::NEX,
    &nntp::NNTP,
    &prospero::PROSPERO,
    &session::RLOGIN,
    &gemini::SPARTAN,
    &session::TELNET,
    &session::TN3270,
    &tel::TEL,
    &urn::URN,
    &wais::WAIS,
    &ws::WS,
    &ws::WSS,
];

/// Returns the built-in scheme with that name, ignoring case. All names that begin with `x-` share
/// one type ([`Experimental`]).
///
/// ```
/// use urikit_schemes::find;
/// assert_eq!(find("FTP").unwrap().facts().port, Some(21));
/// assert!(find("magic").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static dyn Scheme> {
    let is_it = |scheme: &&&Builtin| scheme.facts.name.eq_ignore_ascii_case(name);
    match BUILTIN.iter().find(is_it) {
        Some(scheme) => Some(*scheme),
        None if reserved::is_experimental(name) => Some(&reserved::EXPERIMENTAL),
        None => None,
    }
}

/// Returns all built-in schemes.
pub fn all() -> impl Iterator<Item = &'static dyn Scheme> {
    BUILTIN.iter().map(|scheme| *scheme as &dyn Scheme)
}

/// Runs the examples in the README as tests.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;
