//! How readers differ.
//!
//! There is no reading of a URL that all programs share. RFC 3986 says which strings are URIs, and
//! what their parts are; it does not say what to do with other strings. The URL Standard of the
//! WHATWG says what browsers do with any string, and repairs most. Libraries do something in
//! between. Each answer below is right somewhere.
//!
//! # Where does the authority end?
//!
//! At the first `/`, `?` or `#` (RFC 3986, 3.2). To browsers a backslash is a slash, in the
//! schemes that they know (`http`, `https`, `ws`, `wss`, `ftp`, `file`).
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
//! Two (RFC 3986, 3.3). Browsers take any number in the schemes that they know, curl one to three.
//! To others, `http:/h` and `http:h` have no host.
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
//! At the only `@`: RFC 3986 has no second one. Browsers and Python take the last, and browsers
//! escape the others. curl takes the first, and then rejects the host. Java accepts the text, and
//! gives null for the host.
//!
//! # Is the host decoded?
//!
//! Browsers and curl decode it, then reject characters that a host cannot have. RFC 3986 leaves it
//! as it is, and so do most libraries. Java gives null for any host with an escape. So
//! `http://ex%61mple.com/` has three answers.
//!
//! # What is an IPv4 address?
//!
//! Four decimal numbers without leading zeros (RFC 3986, 3.2.2). Operating systems have always
//! read more (`inet_aton`): fewer numbers, octal and hexadecimal ones. Browsers and curl do as
//! operating systems do; Java drops leading zeros, so that octal numbers become decimal; all
//! others see names, and ask the system, which reads addresses.
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
//! beginning; browsers at the end too. RFC 3986, curl and Java reject them. A check of the text
//! (`starts_with("javascript:")`) sees another string than the parser.
//!
//! # What is a port?
//!
//! Digits, as many as you like (RFC 3986). Most stop at 65535, Java at 2147483647: beyond it, the
//! host is null. An empty port is the default.
//!
//! # When is there no host?
//!
//! `java.net.URI` follows RFC 2396, in which what is no server may still be a registry-based name.
//! Its host is then null, and so is it for `http://a_b/`. A check that skips URLs without a host
//! skips all of these.
//!
//! # Names beyond US-ASCII
//!
//! RFC 3986 rejects them. Browsers map them by UTS #46 and write Punycode, so that `。` is a full
//! stop and soft hyphens vanish. Others pass them on; what happens then depends on who looks the
//! name up.
//!
//! # Seeing it
//!
//! `uri explain` shows what each reader makes of one reference, with the differences marked; `uri
//! audit` lists who says what about many.
