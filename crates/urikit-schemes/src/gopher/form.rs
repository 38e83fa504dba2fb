//! A filled-in Gopher+ form (RFC 1738, 3.4.9).

use super::super::units::{split_at_octet, strip_octets, units};
use urikit::component::Encoded;

/// What precedes the values: the form of Gopher+ (2.4) with its data flag, and the start of a
/// block of data that ends with a full stop.
pub(super) const HEAD: &[u8] = b"+\t1\r\n+-1\r\n";

/// A filled-in Gopher+ form: a Gopher+ string of exactly the shape of RFC 1738, 3.4.9.
///
/// ```text
/// +%091%0D%0A+-1%0D%0A<ask_item1_value>%0D%0A<ask_item2_value>%0D%0A.%0D%0A
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GopherForm<'a> {
    /// What follows the head. INVARIANT: lines that end in CR LF. Only the last line is a single
    /// full stop, and at least one line precedes it. There is no other control character with a
    /// meaning in Gopher.
    lines: Encoded<'a>,
}

impl<'a> GopherForm<'a> {
    pub(super) fn read(string: Encoded<'a>) -> Option<Self> {
        let lines = strip_octets(string, HEAD)?;
        let (mut rest, mut count) = (lines, 0_u32);
        loop {
            let (line, after) = split_line(rest)?;
            if !is_text(line) {
                return None;
            }
            if is_end(line) {
                return (after.is_empty() && count > 0).then_some(Self { lines });
            }
            (rest, count) = (after, count.saturating_add(1));
        }
    }

    /// The values in the order of the form's questions, as written; at least one.
    pub fn values(self) -> impl Iterator<Item = Encoded<'a>> + use<'a> {
        let mut rest = self.lines;
        core::iter::from_fn(move || {
            let (line, after) = split_line(rest)?;
            rest = after;
            (!is_end(line)).then_some(line)
        })
    }
}

/// A line, and what follows its CR LF.
fn split_line(text: Encoded<'_>) -> Option<(Encoded<'_>, Encoded<'_>)> {
    let (line, after) = split_at_octet(text, b'\r')?;
    Some((line, strip_octets(after, b"\n")?))
}

fn is_end(line: Encoded<'_>) -> bool {
    line.decode().octets().eq(*b".")
}

/// Whether it contains no delimiter of Gopher (its `UNASCII`, without a single CR or LF).
pub(super) fn is_text(part: Encoded<'_>) -> bool {
    !units(part).any(|unit| matches!(unit.octet, 0 | b'\t' | b'\r' | b'\n'))
}
