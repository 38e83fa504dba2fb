//! How attackers get past checks of redirect targets.
//!
//! After a login, a server sends the browser to the address in `?next=`. A malicious link puts the
//! address of another site in this parameter; that site looks like the login page and asks for the
//! password again. So the server checks the target. The check is useless if it parses the target
//! differently from the browser, or does not parse it at all.
//!
//! [`same_site`](crate::same_site) resolves the target as browsers and six other readers do. Check
//! the exact text that you will send, and send the checked text unchanged. Each section below shows
//! a check from a real program, a target that it accepts, and the result of `same_site`.
//!
//! ```
//! use urikit_audit::{Keep, same_site};
//! let answer = same_site("https://good.example/login", "/account?tab=1", Keep::Origin)?;
//! assert!(answer.passes());
//! # Ok::<(), urikit_audit::BaseError>(())
//! ```
//!
//! # 1. One slash is not a path
//!
//! Two slashes begin an authority (RFC 3986, 4.2).
//!
//! ```
//! # use urikit_audit::{Keep, same_site};
//! let check = |target: &str| target.starts_with('/');
//! let target = "//evil.example/";
//! assert!(check(target));
//! assert!(!same_site("https://good.example/login", target, Keep::Origin)?.passes());
//! # Ok::<(), urikit_audit::BaseError>(())
//! ```
//!
//! # 2. A backslash is a slash
//!
//! In URLs with schemes that they know, browsers read `\` as `/` (CVE-2020-5233, CVE-2021-32618).
//!
//! ```
//! # use urikit_audit::{Keep, same_site};
//! let check = |target: &str| target.starts_with('/') && !target.starts_with("//");
//! let target = "/\\evil.example/";
//! assert!(check(target));
//! assert!(!same_site("https://good.example/login", target, Keep::Origin)?.passes());
//! # Ok::<(), urikit_audit::BaseError>(())
//! ```
//!
//! # 3. Three slashes have a host
//!
//! For most libraries, the authority of `///evil.example` is empty, and the rest is a path.
//! Browsers ignore the additional slashes.
//!
//! ```
//! # use urikit_audit::{Keep, Lenient, Reader as _, same_site};
//! let check = |target| Lenient.read(target).is_ok_and(|url| url.host.as_deref() == Some(""));
//! let target = "///evil.example/";
//! assert!(check(target));
//! assert!(!same_site("https://good.example/login", target, Keep::Origin)?.passes());
//! # Ok::<(), urikit_audit::BaseError>(())
//! ```
//!
//! # 4. A URL without a host leads to a host
//!
//! Under RFC 3986, `http:evil.example` has no authority. On an https page, browsers read
//! `evil.example` as the host, and the number in `http:999999999` as an address (CVE-2017-7233).
//! `java.net.URI` returns null for the host of `//evil_site`. A check that treats every target
//! without a host as a path on its own site accepts all three of these targets.
//!
//! ```
//! # use urikit_audit::{JavaNetUri, Keep, Reader as _, same_site};
//! let check = |target| JavaNetUri.read(target).is_ok_and(|url| url.host.is_none());
//! for target in ["http:evil.example", "http:999999999", "//evil_site/"] {
//!     assert!(check(target));
//!     assert!(!same_site("https://good.example/login", target, Keep::Origin)?.passes());
//! }
//! # Ok::<(), urikit_audit::BaseError>(())
//! ```
//!
//! # 5. Characters disappear
//!
//! Browsers and Python remove tabs and line breaks anywhere, and spaces and control characters at
//! the beginning (CVE-2020-11053, CVE-2015-2317).
//!
//! ```
//! # use urikit_audit::{Keep, same_site};
//! let begins = |target: &str, texts: &[&str]| texts.iter().any(|text| target.starts_with(text));
//! let check = |target: &str| !begins(target, &["//", "/\\", "\\", "http:", "https:"]);
//! for target in ["/\t/evil.example/", "/\n/evil.example/", " //evil.example/"] {
//!     assert!(check(target));
//!     assert!(!same_site("https://good.example/login", target, Keep::Origin)?.passes());
//! }
//! # Ok::<(), urikit_audit::BaseError>(())
//! ```
//!
//! # 6. The text before the `@` is not the host
//!
//! `good.example` is a user in `https://good.example@evil.example/`. With a backslash, readers
//! disagree about the end of the host (CVE-2020-26291, CVE-2024-29041).
//!
//! ```
//! # use urikit_audit::{Keep, Reader as _, Urllib, same_site};
//! let check = |target: &str| target.starts_with("https://good.example");
//! let target = "https://good.example@evil.example/";
//! assert!(check(target));
//! assert!(!same_site("https://good.example/login", target, Keep::Origin)?.passes());
//!
//! let host = |target| Urllib.read(target).unwrap().host.map(|host| host.into_owned());
//! let target = "https://evil.example\\@good.example/";
//! assert_eq!(host(target).as_deref(), Some("good.example"));
//! assert!(!same_site("https://good.example/login", target, Keep::Origin)?.passes());
//! # Ok::<(), urikit_audit::BaseError>(())
//! ```
//!
//! # 7. Another host begins with your host
//!
//! A check that compares only the beginning accepts longer names and other ports.
//!
//! ```
//! # use urikit_audit::{Keep, same_site};
//! let check = |target: &str| target.starts_with("https://good.example");
//! for target in ["https://good.example.evil.example/", "https://good.example:8443/"] {
//!     assert!(check(target));
//!     assert!(!same_site("https://good.example/login", target, Keep::Origin)?.passes());
//! }
//! # Ok::<(), urikit_audit::BaseError>(())
//! ```
//!
//! # 8. Another host ends with your domain
//!
//! A check that compares only the end accepts other domains (CVE-2021-21291). A check that compares
//! the last two labels accepts other people's sites, because anyone can register a name under a
//! public suffix.
//!
//! ```
//! # use urikit_audit::{Keep, same_site};
//! let check = |target: &str| target.trim_end_matches('/').ends_with("good.example");
//! let target = "https://evilgood.example/";
//! assert!(check(target));
//! assert!(!same_site("https://www.good.example/", target, Keep::Domain)?.passes());
//!
//! let last = |host: &str| host.rsplit('.').take(2).map(str::to_owned).collect::<Vec<_>>();
//! assert_eq!(last("good.github.io"), last("evil.github.io"));
//! let target = "https://evil.github.io/";
//! assert!(!same_site("https://good.github.io/", target, Keep::Domain)?.passes());
//! # Ok::<(), urikit_audit::BaseError>(())
//! ```
//!
//! # 9. The host is right, but the scheme is not
//!
//! A `javascript:` URL can have a host, which the program treats as a comment. If a redirect goes
//! from https to http, anyone on the network path can read the session and change the page.
//!
//! ```
//! # use urikit_audit::{Keep, Lenient, Reader as _, same_site};
//! let check = |target| {
//!     Lenient.read(target).is_ok_and(|url| url.host.as_deref() == Some("good.example"))
//! };
//! for target in ["javascript://good.example/%0Aalert(1)", "http://good.example/"] {
//!     assert!(check(target));
//!     assert!(!same_site("https://good.example/login", target, Keep::Domain)?.passes());
//! }
//! # Ok::<(), urikit_audit::BaseError>(())
//! ```
//!
//! # 10. The target changes after the check
//!
//! The server trims, decodes or normalizes the target that passed the check, and so sends a
//! different target. The path `/..//evil.example` stays on the site, but its normal form
//! `//evil.example`, used as a reference, does not. So check the text that you send.
//!
//! ```
//! # use urikit_audit::{Keep, same_site};
//! use urikit::op::remove_dot_segments;
//! let base = "https://good.example/login";
//! let target = "/..//evil.example/";
//! assert!(same_site(base, target, Keep::Origin)?.passes());
//! let sent = remove_dot_segments(target);
//! assert_eq!(sent, "//evil.example/");
//! assert!(!same_site(base, &sent, Keep::Origin)?.passes());
//! # Ok::<(), urikit_audit::BaseError>(())
//! ```
//!
//! # What this does not decide
//!
//! A target that passes can still be an open redirect on your own site, or a page that logs the
//! user out. `same_site` does not look up names, and does not follow redirects.
