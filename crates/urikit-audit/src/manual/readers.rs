//! How readers differ.
//!
//! Programs read URLs in different ways. RFC 3986 defines which strings are URIs and what their
//! components are, but not what to do with other strings. The WHATWG URL Standard defines what
//! browsers do with any string, and repairs most strings. Libraries fall somewhere between these
//! two standards. Each answer below is correct for some programs.
//!
//! # Where does the authority end?
//!
//! The authority ends at the first `/`, `?` or `#` (RFC 3986, 3.2). In URLs with schemes that
//! browsers know (`http`, `https`, `ws`, `wss`, `ftp`, `file`), browsers read a backslash as a
//! slash.
//!
//! ```
//! use urikit_audit::{Part, agree};
//! let agreement = agree("https://good.example\\@evil.example/");
//! let hosts: Vec<_> = agreement.sides(Part::Host).into_iter().map(|side| side.value).collect();
//! assert_eq!(hosts, ["good.example", "evil.example"]); // browsers first
//! ```
//!
//! # How many slashes?
//!
//! Two slashes precede the authority (RFC 3986, 3.3). Browsers accept any number of slashes after
//! the schemes that they know, and curl accepts one to three. For other readers, `http:/h` and
//! `http:h` have no host.
//!
//! ```
//! use urikit_audit::{Curl, Lenient, Reader as _, Whatwg};
//! let input = "http:/example.com/";
//! assert_eq!(Whatwg.read(input)?.host.as_deref(), Some("example.com"));
//! assert_eq!(Curl.read(input)?.host.as_deref(), Some("example.com"));
//! assert_eq!(Lenient.read(input)?.host, None);
//! # Ok::<(), urikit_audit::Rejection>(())
//! ```
//!
//! # Where does the userinfo end?
//!
//! The userinfo ends at the `@`; RFC 3986 does not allow a second `@`. Browsers and Python use the
//! last `@`, and browsers escape all other `@` characters. curl uses the first `@` and then rejects
//! the host. Java accepts the text and returns null for the host.
//!
//! # Is the host decoded?
//!
//! Browsers and curl decode the host and then reject characters that hosts cannot contain. RFC 3986
//! and most libraries do not decode the host. Java returns null for any host with an escape. So
//! `http://ex%61mple.com/` has three different hosts.
//!
//! # What is an IPv4 address?
//!
//! An IPv4 address consists of four decimal numbers without leading zeros (RFC 3986, 3.2.2).
//! Operating systems have always accepted other forms too (`inet_aton`): fewer numbers, and octal
//! and hexadecimal numbers. Browsers and curl follow the operating systems. Java ignores leading
//! zeros, so octal numbers become decimal. Other readers see a name and pass it to the operating
//! system, which reads it as an address.
//!
//! ```
//! use urikit_audit::{JavaNetUri, LegacyIpv4, Reader as _};
//! let input = "http://0127.0.0.1/";
//! assert_eq!(LegacyIpv4.read(input)?.address, Some([87, 0, 0, 1].into()));
//! assert_eq!(JavaNetUri.read(input)?.address, Some([127, 0, 0, 1].into()));
//! # Ok::<(), urikit_audit::Rejection>(())
//! ```
//!
//! # Which characters are removed?
//!
//! Browsers and Python remove tabs, CR and LF anywhere, and spaces and control characters at the
//! beginning. Browsers also remove spaces and control characters at the end. RFC 3986, curl and
//! Java reject tabs, line breaks, spaces and control characters everywhere. So a check of the text
//! (`starts_with("javascript:")`) does not examine the same string as a browser.
//!
//! # What is a port?
//!
//! A port is any sequence of digits (RFC 3986, 3.2.3), and an empty port means the default. Most
//! readers accept only numbers up to 65535. Java accepts numbers up to 2147483647, and returns a
//! null host for larger ones.
//!
//! # When is there no host?
//!
//! `java.net.URI` follows RFC 2396, in which an authority that is not a server may be a
//! registry-based name. If the authority is a registry-based name, the host is null, as in
//! `http://a_b/`. A check that skips URLs without a host skips every URL with such an authority.
//!
//! # Non-ASCII names
//!
//! RFC 3986 rejects non-ASCII names. Browsers map such names according to UTS #46 and convert them
//! to Punycode, so `。` becomes a full stop and soft hyphens disappear. Other readers do not change
//! non-ASCII names; the result then depends on the program that resolves the name.
//!
//! # How to see the differences
//!
//! `uri explain` shows how each reader reads one reference, and marks the differences. `uri audit`
//! lists disagreements in many references.
