//! How to check a URL from a stranger.
//!
//! Your server fetches what a user names: a picture, a feed, a webhook. The user may name your
//! database, your neighbour or the metadata service of your cloud. This is server-side request
//! forgery, and a parser alone cannot prevent it.
//!
//! # 1. Decide by one parse, and use its result
//!
//! Never check a string and then pass the string on. [`Gate::check`](crate::Gate::check) gives a
//! [`Checked`](crate::Checked) value: connect to its host and port.
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
//! The client that you use later is another parser, and so are the proxy, the log analyser and the
//! next version of each. The gate rejects what [`VOTERS`](crate::VOTERS) read differently.
//!
//! # 3. Prefer a list of what is allowed
//!
//! Lists of what is forbidden are never complete. If you know the hosts, name them. Names match on
//! label boundaries, addresses by value.
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
//! Any name can lead to 127.0.0.1, and to another address a second later. Look it up once, judge
//! every address by [`AddressKind`](urikit::component::AddressKind), and connect to the one that
//! was judged. The crate `urikit-access` does this.
//!
//! # 5. Check redirects again
//!
//! A `Location` is a URL from a stranger too. Resolve it against the URL of the response, and
//! begin at step 1. To see where a browser would go from a page, use
//! [`Whatwg::read_on_page`](crate::Whatwg::read_on_page):
//!
//! ```
//! use urikit_audit::Whatwg;
//! let reading = Whatwg.read_on_page("https://good.example/login", "/\\evil.example")?;
//! assert_eq!(reading.host.as_deref(), Some("evil.example"));
//! # Ok::<(), urikit_audit::Rejection>(())
//! ```
//!
//! # 6. Say no to what you do not need
//!
//! Schemes other than `http` and `https`, ports other than the default ones, userinfo with a
//! password: the strict gate allows none of them until you say so.
//!
//! # 7. Show findings to people, and masked ones to logs
//!
//! [`Findings`](crate::Findings) say what was wrong and where. They quote nothing of the URL, so
//! that they can be logged; the URL itself may have a password (see `redact` in [`urikit::op`]).
