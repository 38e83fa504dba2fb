//! Reads one URL as many parsers do: finds where they disagree, and what could go wrong with it.
//!
//! A check parses one host, and the client connects to another: that is how most attacks on
//! parsers of URLs work. The usual advice is to treat disagreement as rejection. This crate
//! detects disagreement.
//!
//! ```
//! use urikit_audit::{Code, Part, audit};
//! let report = audit("http://127.0.0.1:25@good.example\\@evil.example/");
//! assert!(report.agreement().disputed().contains(Part::Host));
//! assert!(report.findings().contains(Code::Backslash));
//! for finding in report.findings().iter() {
//!     println!("{} at {}: {}", finding.severity(), finding.offset, finding.code.sentence());
//! }
//! ```
//!
//! # Readers
//!
//! A [`Reader`] gives a [`Reading`] (scheme, userinfo, host and its address, port, path) or a
//! [`Rejection`] with its reason. [`READERS`] has all of this crate:
//!
//! | name | reads as | votes |
//! |---|---|---|
//! | `rfc1630` … `rfc2732`, `rfc3987` | the standards of [`urikit`] ([`Standard`](urikit::Standard)) | |
//! | `rfc3986` | today's generic syntax | yes |
//! | `whatwg` | browsers and Node ([`Whatwg`], by the crate `url`) | yes |
//! | `lenient` | most libraries: the regular expression of RFC 2396, without validation ([`Lenient`]) | yes |
//! | `curl` | libcurl 7.88.1, a model ([`curl`]) | yes |
//! | `urllib` | CPython 3.13.0, a model ([`urllib`]) | yes |
//! | `java-net-uri` | `java.net.URI` of JDK 17, exactly ([`java`]) | yes |
//! | `legacy-ipv4` | RFC 3986, with hosts as `inet_aton` reads them ([`LegacyIpv4`]) | yes |
//!
//! # Agreement
//!
//! [`agree`] asks the readers that vote. They agree if all that accept the input name the same
//! scheme, userinfo, host and port.
//!
//! ```
//! use urikit_audit::{Part, agree};
//! assert!(agree("http://example.com./%7Euser").is_unanimous());
//! assert!(agree("http://ex%61mple.com/").disputed().contains(Part::Host));
//! assert!(agree("http://a/{b}").disputed().contains(Part::Validity));
//! ```
//!
//! # Findings
//!
//! [`audit`] looks for dangers too: [`Code`] has all of them, each with a [`Severity`], a sentence
//! and its source.
//!
//! # For servers
//!
//! [`Gate::strict`] decides in one call, and what passes is a value with the parts that were
//! checked.
//!
//! ```
//! use urikit_audit::Gate;
//! let gate = Gate::strict();
//! assert!(gate.check("https://example.com/").is_ok());
//! assert!(gate.check("http://169.254.169.254/latest/meta-data/").is_err());
//! ```
//!
//! # The manual
//!
//! [`manual`] has chapters on how readers differ, on how to check a URL from a stranger, and on
//! the vulnerabilities of other parsers.
//!
//! # What this crate does not do
//!
//! It does not look up names, connect or fetch (`urikit-access` does, under a policy), does not
//! repair, and does not say which reader is right.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod agree;
mod audit;
mod compare;
pub mod curl;
mod detect;
mod finding;
mod gate;
pub mod java;
pub mod manual;
mod reader;
mod reading;
mod split;
pub mod urllib;

pub use agree::{Agreement, Part, Parts, Side, Verdict, Voice, agree, agree_with};
pub use audit::{Audit, audit};
pub use finding::{Code, Finding, Findings, Severity};
pub use gate::{Checked, CheckedHost, Gate};
pub use reader::{
    Curl, JavaNetUri, LegacyIpv4, Lenient, Outcome, READERS, Reader, Urllib, VOTERS, Whatwg,
};
pub use reading::{Reading, Rejection};

/// The examples of the README, which are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
