//! Schemes: what a URL means by the specification of its scheme.
//!
//! The standard of a reference decides whether it is valid and where its components are. The
//! specification of its scheme decides what they mean: [`Ftp`] knows that the segments of a path
//! are arguments of `CWD`. Each scheme has a module named after it, with its grammar, its typed
//! reading, and a builder. What a client sends for a URL is part of the crate `urikit-access`.
//!
//! **Only a valid URL of a scheme can be read as one.** Under RFC 1630 and RFC 1738, the scheme's
//! own production decides. The later standards have one syntax for all schemes: there the
//! components are checked against the scheme's specification, with the characters of the standard.
//! [`Edition`] says which specification is followed if a scheme has several.
//!
//! **Nothing is decoded** until you ask for it: parts are [`Encoded`](crate::component::Encoded).
//! The fragment is not part of what a scheme defines (RFC 1738, Appendix; RFC 2396, 4.1).
//!
//! **Any scheme by its name**: [`find`] returns it as a [`Scheme`], which anyone can implement,
//! and a `SchemeRegistry` holds custom schemes and gateways.

mod addr_spec;
mod afs;
#[cfg(feature = "alloc")]
mod build;
mod builtin;
mod cid;
mod cursor;
mod data;
#[cfg(feature = "alloc")]
mod details;
mod edition;
mod equivalence;
mod error;
mod experimental;
mod facts;
mod file;
mod ftp;
#[cfg(feature = "alloc")]
mod gateway;
mod gopher;
mod http;
mod mailto;
mod mid;
mod names;
mod news;
mod nntp;
mod prospero;
#[cfg(feature = "alloc")]
mod registry;
mod session;
mod shape;
mod tel;
mod units;
mod urn;
mod wais;
mod warning;
mod ws;

#[cfg(feature = "alloc")]
pub use build::BuildError;
pub use builtin::Scheme;
pub use cid::Cid;
#[cfg(feature = "alloc")]
pub use cid::CidBuilder;
#[cfg(feature = "alloc")]
pub use data::DataBuilder;
pub use data::{Data, DataOctets};
#[cfg(feature = "alloc")]
pub use details::{Detail, Details, Fields};
pub use edition::Edition;
pub(crate) use equivalence::{Equivalence, equivalence};
pub use error::{Mismatch, ReadError};
pub use experimental::Experimental;
pub use facts::{Denotes, Facts, Status, Userinfo};
pub use file::File;
#[cfg(feature = "alloc")]
pub use file::{FileBuilder, PathError};
#[cfg(feature = "alloc")]
pub use ftp::FtpBuilder;
pub use ftp::{FormatCode, Ftp, Typecode};
#[cfg(feature = "alloc")]
pub use gateway::{Gateway, GatewayError, GatewayRule};
#[cfg(feature = "alloc")]
pub use gopher::GopherBuilder;
pub use gopher::{Gopher, GopherAttributes, GopherForm, GopherPlus, ItemType};
pub use http::Http;
#[cfg(feature = "alloc")]
pub use http::HttpBuilder;
#[cfg(feature = "alloc")]
pub use mailto::MailtoBuilder;
pub(crate) use mailto::next_domain;
pub use mailto::{Address, Caution, HeaderField, Mailto};
pub use mid::Mid;
#[cfg(feature = "alloc")]
pub use mid::MidBuilder;
pub use names::{all_known, known};
#[cfg(feature = "alloc")]
pub use news::NewsBuilder;
pub use news::{News, Newsgroups};
pub use nntp::Nntp;
#[cfg(feature = "alloc")]
pub use nntp::NntpBuilder;
#[cfg(feature = "alloc")]
pub use prospero::ProsperoBuilder;
pub use prospero::{Prospero, ProsperoField};
#[cfg(feature = "alloc")]
pub use registry::{NameError, SchemeRegistry};
pub use session::Session;
#[cfg(feature = "alloc")]
pub use session::SessionBuilder;
pub use tel::Tel;
#[cfg(feature = "alloc")]
pub use tel::TelBuilder;
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

use builtin::Builtin;

/// The schemes that are read, by name.
static BUILTIN: &[&Builtin] = &[
    &afs::AFS,
    &cid::CID,
    &data::DATA,
    &experimental::EXPERIMENTAL,
    &file::FILE,
    &ftp::FTP,
    &gopher::GOPHER,
    &http::HTTP,
    &http::HTTPS,
    &mailto::MAILTO,
    &mid::MID,
    &news::NEWS,
    &news::SNEWS,
    &nntp::NNTP,
    &prospero::PROSPERO,
    &session::RLOGIN,
    &session::TELNET,
    &session::TN3270,
    &tel::TEL,
    &urn::URN,
    &wais::WAIS,
    &ws::WS,
    &ws::WSS,
];

/// The scheme with that name, in any case, among those that Urikit reads. All names that begin
/// with `x-` are read the same way ([`Experimental`]).
///
/// ```
/// use urikit::scheme::find;
/// assert_eq!(find("FTP").unwrap().facts().port, Some(21));
/// assert!(find("magic").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static dyn Scheme> {
    let is_it = |scheme: &&&Builtin| scheme.facts.name.eq_ignore_ascii_case(name);
    match BUILTIN.iter().find(is_it) {
        Some(scheme) => Some(*scheme),
        None if experimental::is_name(name) => Some(&experimental::EXPERIMENTAL),
        None => None,
    }
}

/// The schemes that Urikit reads.
pub fn all() -> impl Iterator<Item = &'static dyn Scheme> {
    BUILTIN.iter().map(|scheme| *scheme as &dyn Scheme)
}
