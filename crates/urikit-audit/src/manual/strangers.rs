//! How to check a URL from a stranger.
//!
//! Your server fetches a URL that a user supplies: a picture, a feed, a webhook. A malicious user
//! supplies the URL of your database, of another machine in your network, or of your cloud's
//! metadata service. This attack is called server-side request forgery (SSRF). A parser cannot
//! prevent it by itself.
//!
//! # 1. Parse once, and use the result
//!
//! Never check a string and then use the unparsed string. [`Gate::check`](crate::Gate::check)
//! returns a [`Checked`](crate::Checked) value: connect to its host and port.
//!
//! ```
//! use urikit_audit::{CheckedHost, Gate};
//! let checked = Gate::strict().check("https://api.example.com/v1")?;
//! match checked.host() {
//!     CheckedHost::Name(name) => println!("look up {name}, and see step 4"),
//!     CheckedHost::Address(address) => println!("connect to {address}"),
//! }
//! # Ok::<(), urikit_audit::Findings>(())
//! ```
//!
//! # 2. Treat disagreement as rejection
//!
//! Your HTTP client contains another parser, and so do the proxy, the log analyser and the next
//! version of each program. The gate rejects URLs that the [`VOTERS`](crate::VOTERS) read
//! differently.
//!
//! # 3. Prefer lists of allowed hosts
//!
//! Lists of forbidden hosts are never complete. If you know the hosts that you need, list them.
//! Names match at label boundaries, and addresses by value.
//!
//! ```
//! use urikit_audit::Gate;
//! let gate = Gate::strict().allow_domain("example.com");
//! assert!(gate.check("https://cdn.example.com/a.png").is_ok());
//! assert!(gate.check("https://example.com.evil.example/").is_err());
//! assert!(gate.check("https://evilexample.com/").is_err());
//! ```
//!
//! # 4. Check the address, and connect to that address
//!
//! Any name can resolve to 127.0.0.1, or to another address a second later. Look up the name once,
//! check every address with [`AddressKind`](urikit::component::AddressKind), and connect to the
//! address that you checked. The `urikit-access` crate connects in this way.
//!
//! # 5. Check redirects again
//!
//! The URL in a `Location` field comes from a stranger too. Resolve the URL in this field against
//! the URL of the response, and start again at step 1. If your server sends the redirect, use
//! [`same_site`](crate::same_site): see [the chapter on redirects](crate::manual::redirects). To
//! find out where a browser would go from a page, use
//! [`Whatwg::read_on_page`](crate::Whatwg::read_on_page):
//!
//! ```
//! use urikit_audit::Whatwg;
//! let reading = Whatwg.read_on_page("https://good.example/login", "/\\evil.example")?;
//! assert_eq!(reading.host.as_deref(), Some("evil.example"));
//! # Ok::<(), urikit_audit::Rejection>(())
//! ```
//!
//! # 6. Allow only what you need
//!
//! The strict gate rejects schemes other than `http` and `https`, ports other than their defaults,
//! and passwords, unless you allow them.
//!
//! # 7. Look inside
//!
//! Python's `urlopen` removes `URL:` and angle brackets, Java's `URL` removes `url:` and fetches
//! the archive of a `jar:` URL, and browsers open the URL after `view-source:`. A check of the
//! scheme sees only a harmless prefix, and a check of the host finds no host.
//! [`audit`](crate::audit) reports `nested-url` and audits the URL inside. The gate rejects URLs
//! that contain another URL.
//!
//! ```
//! use urikit_audit::{Code, Gate, audit};
//! let report = audit("URL:http://127.0.0.1/");
//! assert!(report.findings().contains(Code::NestedUrl));
//! assert!(report.findings().contains(Code::LoopbackAddress));
//! let gate = Gate::strict().allow_scheme("jar");
//! assert!(gate.check("jar:http://example.com/a.jar!/b").is_err());
//! ```
//!
//! # 8. Log findings, not URLs
//!
//! [`Findings`](crate::Findings) say what is wrong and at what offset. Findings never quote the
//! URL, so it is safe to log them. The URL itself may contain a password (see `display_redacted` in
//! [`urikit::op`]).
