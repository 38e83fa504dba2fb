//! Vulnerabilities of other parsers, and how this design prevents them.
//!
//! The project's `testdata/cve/` has one file for each class of vulnerability. A test checks every
//! example in these files.
//!
//! # The authority ends in the wrong place
//!
//! CVE-2016-8624 (curl), CVE-2024-38428 (Wget), CVE-2024-22243 (Spring), CVE-2020-13956 (Apache
//! HttpClient), CVE-2020-8169 (curl). These parsers searched for `@` or `:` before they determined
//! the end of the authority, or used a regular expression for one of its components.
//!
//! The core first finds the end of the authority, at the first `/`, `?` or `#`. A second `@`, a
//! bracket in the userinfo, and a port that is not a number are errors with an offset.
//!
//! ```
//! use urikit::Uri;
//! assert_eq!(Uri::parse("http://example.com#@evil.example/")?.host().unwrap(), "example.com");
//! let error = Uri::parse("https://good.example[@evil.example/").unwrap_err();
//! assert_eq!(error.offset(), 20);
//! # Ok::<(), urikit::ParseError>(())
//! ```
//!
//! # Characters that parsers replace or remove
//!
//! CVE-2021-23401 (backslash, Flask-User), CVE-2022-0391 (tab and line break, Python),
//! CVE-2023-24329 (leading spaces, Python). The check and the client repaired the URL differently.
//!
//! The core never repairs while it parses. Repair is a separate function that reports each change.
//! This crate reports such characters as findings and as disputes.
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
//! CVE-2024-11168, CVE-2025-0938 (Python), CVE-2025-47912 (Go): the parser accepted any text
//! between brackets as an address. CVE-2025-22870 (Go): a zone was matched against a list of names.
//!
//! The core parses the address according to its grammar, and rejects any other text between the
//! brackets. RFC 3986 does not allow zones.
//!
//! # IPv4 in disguise
//!
//! CVE-2021-29922 (Rust): octal numbers were read as decimal. CVE-2024-24790 (Go): a check did not
//! recognize mapped loopback addresses. CVE-2022-27780 (curl): a host contained a decoded slash.
//!
//! The core reads addresses only in their standard form. The [`LegacyIpv4`](crate::LegacyIpv4)
//! reader also accepts the forms that operating systems accept. If its answer differs from those of
//! other readers, the difference is reported as a dispute. `AddressKind` examines IPv4 addresses
//! within IPv6 addresses.
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
//! CVE-2024-12224 (the `idna` crate): Punycode decoded to US-ASCII. CVE-2022-42916 (curl): IDNA
//! mapped another character to a full stop.
//!
//! The core does not map names while it parses. A label that IDNA never produces is a finding
//! ([`Code::Punycode`](crate::Code::Punycode)), and so is a name that IDNA maps to another name.
//!
//! # Numbers that overflow
//!
//! CVE-2019-5435 (curl): the length of a URL overflowed. Other parsers reduce ports modulo 65536.
//!
//! Offsets have 32 bits, and the core rejects input that is too long for them. The core keeps the
//! digits of a port, and never returns a number above 65535. Lints reject casts that may truncate.
//!
//! # Line breaks in commands
//!
//! CVE-2012-0036 (curl), CVE-2019-9740 (Python). RFC 1738 described this attack in 1994: a gopher
//! URL with port 25 and an escaped line break sends mail.
//!
//! `urikit-access` sends lines through a type that cannot contain control characters. This crate
//! reports an escaped line break as a finding.
//!
//! ```
//! use urikit_audit::{Code, audit};
//! let report = audit("gopher://mail.example:25/0HELO%20x%0D%0AMAIL%20FROM:%3Ca@b%3E");
//! assert!(report.findings().contains(Code::ProtocolInjection));
//! ```
//!
//! # Options and files
//!
//! CVE-2017-1000117 (Git): a host that begins with a dash became an option of another program.
//! CVE-2019-15601 (curl on Windows): the system connected to the host of a `file` URL.
//!
//! Both are findings. `urikit-access` does not pass a host that begins with a dash to other
//! programs, and does not open files on other hosts.
//!
//! # Dot segments and joins
//!
//! CVE-2022-32190 (Go): dot segments remained after a join. CVE-2025-27221 (Ruby): the userinfo of
//! the base was sent to another host.
//!
//! A test compares resolution with RFC 3986's algorithm. If a reference has an authority, it
//! replaces the complete authority of the base.
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
//! CVE-2023-28755 (Ruby), CVE-2021-33503 (urllib3): a regular expression restarted its search at
//! each `@`.
//!
//! This project does not use regular expressions. The time is linear in the length of the input;
//! tests compare inputs of length n and 4n.
