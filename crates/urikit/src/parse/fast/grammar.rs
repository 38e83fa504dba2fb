//! What the fast path needs to know about a standard's grammar.

use super::{Prefix, Suffix};
use crate::grammar::ByteSet;
use crate::layout::Layout;
use crate::scan::Nibbles;

/// A standard's grammar, as far as the fast path parses it. Each standard's own file implements
/// it.
///
/// The constants are known at compile time, so each standard gets its own version of the reader,
/// without the code that it does not need.
pub(in super::super) trait FastGrammar {
    /// The US-ASCII characters allowed in a path, a query or a fragment.
    const CHARACTERS: &ByteSet;
    /// These characters and `?`, without the marks `%` and `#`, which most references don't have.
    const UNMARKED: Nibbles = Nibbles::new(&unmarked(Self::CHARACTERS));
    /// The characters that a block may contain: these and the marks.
    const ALLOWED: Nibbles = Nibbles::new(&marked(Self::CHARACTERS));
    /// The same for the first block, which may contain a host in brackets.
    const ALLOWED_FIRST: Nibbles = Nibbles::new(&if Self::IP_LITERALS {
        marked(Self::CHARACTERS).or(ByteSet::of(b"[]"))
    } else {
        marked(Self::CHARACTERS)
    });
    /// Whether a colon may appear after the scheme.
    const COLONS_AFTER_SCHEME: bool = true;
    /// Whether a reference without a scheme may begin with `//`.
    const NET_PATHS: bool = true;
    /// Whether a reference may have no scheme.
    const RELATIVE_REFERENCES: bool = true;
    /// Whether a path after a scheme need not begin with a slash. Where it must, anything else
    /// after the scheme is opaque, and left to the byte-by-byte parser.
    const ROOTLESS_PATHS: bool = true;
    /// Whether a `?` ends an authority.
    const QUESTION_ENDS_AUTHORITY: bool = true;
    /// Whether a host name may begin with a digit.
    const HOST_NAMES_START_WITH_DIGITS: bool = true;
    /// Whether a path may be followed by params.
    const PARAMS: bool = false;
    /// Whether a userinfo may precede any host, of all characters that are allowed except `@` and
    /// those that end the authority.
    const USERINFO: bool = false;
    /// Whether a host may be an address in brackets. Brackets anywhere else are left to the
    /// byte-by-byte parser.
    const IP_LITERALS: bool = false;
    /// Whether the reader is compiled for speed and not for size: with a version of its own for
    /// references without marks, without calls for any kind of authority, and for processors that have
    /// SSE2 alone. This more than triples what is compiled for the standard.
    const FOR_SPEED: bool = false;

    /// Parses any authority from `start` to `end` byte by byte, and records it in `layout`. `false`
    /// leaves the reference to the byte-by-byte parser.
    fn authority(text: &[u8], start: usize, end: usize, layout: &mut Layout) -> bool;

    /// Whether an authority follows the scheme whose colon is at `colon`, given whether `//` does.
    /// `None` if the fast path does not parse references with this scheme.
    #[inline(always)]
    fn has_authority(_text: &[u8], _colon: usize, has_slashes: bool) -> Option<bool> {
        Some(has_slashes)
    }

    /// Whether an authority follows `http://`, or `https://` if `is_https`, in lower case.
    #[inline(always)]
    fn http_has_authority(_is_https: bool) -> bool {
        true
    }

    /// Checks and corrects the components that only this standard parses differently. `false`
    /// leaves the reference to the byte-by-byte parser.
    #[inline(always)]
    fn finish(_text: &[u8], _prefix: Prefix, _suffix: &mut Suffix) -> bool {
        true
    }
}

const fn unmarked(characters: &ByteSet) -> ByteSet {
    characters.or(ByteSet::of(b"?")).without(MARKS)
}

const fn marked(characters: &ByteSet) -> ByteSet {
    characters.or(ByteSet::of(b"?")).or(MARKS)
}

const MARKS: ByteSet = ByteSet::of(b"%#");
