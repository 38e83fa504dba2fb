//! The grammars as constants. Each RFC has a module, with a constant for each production that
//! describes single characters, and for each production that an error can refer to.
//!
//! Each constant is built from other constants in the same way as its rule, which is in
//! `spec/abnf/`. A test compares every constant with its rule for all 256 bytes, so the constants
//! and the rules cannot diverge.
//!
//! | type | content | for example |
//! |---|---|---|
//! | [`ByteSet`] | a set of bytes | [`LETTERS`] |
//! | [`Rule`] | the name of a production and its section | [`rfc3986::AUTHORITY`] |
//! | [`Class`] | a rule, its bytes, and whether escapes or `ucschar` match | [`rfc3986::PCHAR`] |
//!
//! A class lists characters. The parser checks the order and number of these characters. Constants
//! have the name of their production in upper case, with `_` for `-`.
//!
//! ```
//! use urikit::grammar::{rfc2396, rfc3986};
//! // RFC 3986, Appendix D.2: five marks have become reserved.
//! for byte in *b"!*'()" {
//!     assert!(rfc2396::UNRESERVED.set().contains(byte));
//!     assert!(!rfc3986::UNRESERVED.set().contains(byte));
//! }
//! assert_eq!(rfc2396::UNRESERVED.rule().section(), "RFC 2396, 2.3");
//! ```

mod class;
pub(crate) mod component;
pub mod rfc1630;
pub mod rfc1738;
pub mod rfc1808;
pub mod rfc2396;
pub mod rfc2732;
pub mod rfc3986;
pub mod rfc3987;
pub mod rfc822;

pub use class::{Beyond, Class, Rule};
pub use urikit_scan::ByteSet;

/// `A` to `Z` and `a` to `z`: `alpha` in every standard.
pub const LETTERS: ByteSet = ByteSet::range(b'A', b'Z').or(ByteSet::range(b'a', b'z'));
/// `0` to `9`: `digit` in every standard.
pub const DIGITS: ByteSet = ByteSet::range(b'0', b'9');
/// Hexadecimal digits of either case: `hex` or `HEXDIG`.
pub const HEX_DIGITS: ByteSet = DIGITS
    .or(ByteSet::range(b'A', b'F'))
    .or(ByteSet::range(b'a', b'f'));

/// The rule that errors cite for bytes that are not UTF-8 (RFC 3629, 4).
pub const UTF8: Rule = Rule::new("UTF8-octets", "RFC 3629, 4");

/// The rule that errors cite for text that is not ISO Latin-1, the charset of RFC 1630's escapes.
pub const LATIN1: Rule = Rule::new("escape", "RFC 1630, Conventional URI encoding scheme");
