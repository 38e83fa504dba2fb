//! Reads a URL with many parsers, and reports disagreements and other dangers.
//!
//! Most attacks on URL parsers work like this: a check reads one host from a URL, and the client
//! connects to another. The usual advice is to reject URLs on which parsers disagree. This crate
//! detects such disagreements.
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
//! A [`Reader`] returns a [`Reading`] (scheme, userinfo, host and its address, port, path) or a
//! [`Rejection`] with its reason. [`READERS`] lists the readers in this crate:
//!
//! | name | model of | votes |
//! |---|---|---|
//! | `rfc1630` … `rfc2732`, `rfc3987` | the standards of [`urikit`] ([`Standard`](urikit::Standard)) | |
//! | `rfc3986` | today's generic syntax | yes |
//! | `whatwg` | browsers and Node ([`Whatwg`], from the `url` crate) | yes |
//! | `lenient` | most libraries: the regular expression of RFC 2396, without validation ([`Lenient`]) | yes |
//! | `curl` | libcurl 7.88.1, a model ([`curl`]) | yes |
//! | `urllib` | CPython 3.13.0, a model ([`urllib`]) | yes |
//! | `java-net-uri` | `java.net.URI` of JDK 17, exactly ([`java`]) | yes |
//! | `legacy-ipv4` | RFC 3986, with hosts as `inet_aton` reads them ([`LegacyIpv4`]) | yes |
//!
//! # Agreement
//!
//! [`agree`] asks the readers that vote. The readers agree if all voters that accept the input find
//! the same scheme, userinfo, host and port.
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
//! [`audit`] also looks for other dangers. [`Code`] lists all findings, each with a [`Severity`], a
//! sentence and a source.
//!
//! # For servers
//!
//! [`Gate::strict`] decides with one call whether a URL passes, and returns the components that it
//! checked.
//!
//! ```
//! use urikit_audit::Gate;
//! let gate = Gate::strict();
//! assert!(gate.check("https://example.com/").is_ok());
//! assert!(gate.check("http://169.254.169.254/latest/meta-data/").is_err());
//! ```
//!
//! # Redirects
//!
//! [`same_site`] decides whether the target of a redirect or a link stays on the site: it resolves
//! the target as each reader does.
//!
//! ```
//! use urikit_audit::{Keep, same_site};
//! let base = "https://good.example/login";
//! assert!(same_site(base, "/account", Keep::Origin)?.passes());
//! assert!(!same_site(base, "/\\evil.example/", Keep::Origin)?.passes());
//! # Ok::<(), urikit_audit::BaseError>(())
//! ```
//!
//! # The manual
//!
//! The [`manual`] has chapters on the differences between readers, on checking URLs from strangers
//! and the targets of redirects, and on vulnerabilities of other parsers.
//!
//! # What this crate does not do
//!
//! The crate does not look up names, connect or fetch; `urikit-access` does, under a policy. The
//! crate does not repair URLs, and does not decide which reader is right.

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
mod plain;
mod reader;
mod reading;
mod site;
mod split;
pub mod urllib;
mod whatwg;

pub use agree::{Agreement, Part, Parts, Side, Verdict, Voice, agree, agree_with};
pub use audit::{Audit, audit};
pub use finding::{Code, Finding, Findings, Severity};
pub use gate::{Checked, CheckedHost, Gate};
pub use reader::{Curl, JavaNetUri, LegacyIpv4, Lenient, Outcome, READERS, Reader, Urllib, VOTERS};
pub use reading::{Reading, Rejection};
pub use site::{BaseError, Destination, Keep, Located, Resolved, SameSite, same_site};
pub use whatwg::Whatwg;

/// Runs the examples in the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
