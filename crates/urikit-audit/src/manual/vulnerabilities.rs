//! Vulnerabilities of other parsers, and why this design does not have them.
//!
//! Every example is a row of the project's `testdata/cve/`, one file for each class, and a test
//! reads them all.
//!
//! # The authority ends in the wrong place
//!
//! CVE-2016-8624 (curl), CVE-2024-38428 (Wget), CVE-2024-22243 (Spring), CVE-2020-13956 (Apache
//! HttpClient), CVE-2020-8169 (curl). Parsers that look for `@` or `:` before they know where the
//! authority ends, or that use a regular expression for a part of it.
//!
//! The core finds the end of the authority first: the first `/`, `?` or `#`. A second `@`, a
//! bracket in the userinfo and a port with other characters are errors with an offset.
//!
//! ```
//! use urikit::Uri;
//! assert_eq!(Uri::parse("http://example.com#@evil.example/")?.host().unwrap(), "example.com");
//! let error = Uri::parse("https://good.example[@evil.example/").unwrap_err();
//! assert_eq!(error.offset(), 20);
//! # Ok::<(), urikit::ParseError>(())
//! ```
//!
//! # Characters that are slashes, or nothing, to others
//!
//! CVE-2021-23401 (backslash, Flask-User), CVE-2022-0391 (tab and line break, Python),
//! CVE-2023-24329 (leading blanks, Python). A check and a client that repair differently.
//!
//! Parsing never repairs. Repair is a separate function that reports each change, and here every
//! such character is a finding and a dispute.
//!
//! ```
//! use urikit_audit::{Code, audit};
//! assert!(audit("https://good.example\\@evil.example/").findings().contains(Code::Backslash));
//! let report = audit("java\nscript:alert(1)");
//! assert!(report.findings().contains(Code::StrippedCharacter));
//! assert!(report.findings().contains(Code::DisguisedScript));
//! ```
//!
//! # Brackets
//!
//! CVE-2024-11168, CVE-2025-0938 (Python), CVE-2025-47912 (Go): a parser that takes what is
//! between brackets for an address without reading it. CVE-2025-22870 (Go): a zone that matches a
//! list of names.
//!
//! An address is read by its grammar, nothing may be beside it, and RFC 3986 has no zones.
//!
//! # IPv4 in disguise
//!
//! CVE-2021-29922 (Rust): octal numbers read as decimal. CVE-2024-24790 (Go): mapped addresses
//! that are not loopback to a check. CVE-2022-27780 (curl): a decoded slash in a host.
//!
//! A host is an address in one form only. What operating systems read besides is a reader here
//! ([`LegacyIpv4`](crate::LegacyIpv4)), and a different answer is a dispute. `AddressKind` looks
//! into IPv6 addresses that contain one of IPv4.
//!
//! ```
//! use urikit_audit::{Code, audit};
//! let report = audit("http://[::ffff:127.0.0.1]/");
//! assert!(report.findings().contains(Code::LoopbackAddress));
//! assert!(report.findings().contains(Code::MappedIpv4));
//! ```
//!
//! # Names that become equal
//!
//! CVE-2024-12224 (the crate `idna`): Punycode of US-ASCII. CVE-2022-42916 (curl): a full stop
//! that is none until IDNA maps it.
//!
//! Nothing is mapped in parsing. A label that is not what IDNA makes of any name is a finding
//! ([`Code::Punycode`](crate::Code::Punycode)), and so is a name that IDNA changes.
//!
//! # Numbers that overflow
//!
//! CVE-2019-5435 (curl): lengths. Ports above 65535, taken modulo 65536.
//!
//! Offsets are 32 bits wide, and longer input is rejected. A port is digits; its number is absent
//! if it is above 65535. No cast truncates: the compiler's lints reject it.
//!
//! # Line breaks in commands
//!
//! CVE-2012-0036 (curl), CVE-2019-9740 (Python). RFC 1738 described it in 1994: a gopher URL with
//! port 25 and an escaped line break sends mail.
//!
//! What is sent as a line is a type of the core that contains no control character. Here it is a
//! finding.
//!
//! ```
//! use urikit_audit::{Code, audit};
//! let report = audit("gopher://mail.example:25/0HELO%20x%0D%0AMAIL%20FROM:%3Ca@b%3E");
//! assert!(report.findings().contains(Code::ProtocolInjection));
//! ```
//!
//! # Options and files
//!
//! CVE-2017-1000117 (Git): a host that begins with a dash, given to another program as an
//! argument. CVE-2019-15601 (curl on Windows): a `file` URL to whose host the system connects.
//! Both are findings; `urikit-access` starts no program with such a host, and opens no file of
//! another host.
//!
//! # Dot segments and joins
//!
//! CVE-2022-32190 (Go): dot segments that survive a join. CVE-2025-27221 (Ruby): a userinfo that
//! follows to another host.
//!
//! Resolving is RFC 3986's algorithm to the letter, and a test compares the two: where a reference
//! has an authority, nothing of the base's authority is left.
//!
//! ```
//! use urikit::Uri;
//! let base = Uri::parse("https://user:secret@good.example/a")?;
//! assert_eq!(base.join("//evil.example/x").unwrap(), "https://evil.example/x");
//! # Ok::<(), urikit::ParseError>(())
//! ```
//!
//! # Quadratic time
//!
//! CVE-2023-28755 (Ruby), CVE-2021-33503 (urllib3): regular expressions that try again from each
//! `@`.
//!
//! There are no regular expressions here. All work is linear in the length of the input; a test
//! compares n and 4 n.
