//! How curl reads a URL: a model of libcurl 7.88.1.
//!
//! Measured with `curl_url_set` and the flag `CURLU_NON_SUPPORT_SCHEME`, on Linux
//! (`tests/programs/curl.py`; the test `models` compares the two where that version is installed).
//! The command adds one thing, which is not modelled: without a scheme it guesses one from the
//! host, `http` mostly, so that it reads `mailto:a@b` as `http://mailto:a@b`.
//!
//! - A scheme is 1 to 40 letters, digits, `+`, `-` and `.`, in any order, and one to three slashes
//!   follow it: `http:/h` and `http:///h` are `http://h`.
//! - The authority ends at the first `/`, `?` or `#`; the userinfo at its first `@`. A second `@`
//!   is an error.
//! - Spaces, control characters and U+007F are errors anywhere, other characters only in hosts.
//! - Hosts are percent-decoded, and IPv4 addresses are read as `inet_aton` does: octal,
//!   hexadecimal and short forms. (Decoding comes second: `%31.1` is the name `1.1`.)
//! - An IPv6 address may have a zone, up to 15 characters after `%` or `%25`.
//! - Ports end at 65535. Dot segments are removed from the path, those with escapes are not.
//! - `file` URLs have an empty host, `localhost` or `127.0.0.1`, and no drive letter.

mod authority;
mod error;
mod file;
mod host;
mod parse;
mod path;

pub use error::CurlError;
pub(crate) use parse::read;
