//! A filled-in Gopher+ form (RFC 1738, 3.4.9), as in a URL and as it is sent.

use super::super::units::{split_at_octet, strip_octets, units};
use urikit::component::Encoded;

#[cfg(feature = "alloc")]
use super::super::{AccessError, Line};
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};

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
            let (line, behind) = split_line(rest)?;
            if !is_text(line) {
                return None;
            }
            if is_end(line) {
                return (behind.is_empty() && count > 0).then_some(Self { lines });
            }
            (rest, count) = (behind, count.saturating_add(1));
        }
    }

    /// The values in the order of the form's questions, as written; at least one.
    pub fn values(self) -> impl Iterator<Item = Encoded<'a>> + use<'a> {
        let mut rest = self.lines;
        core::iter::from_fn(move || {
            let (line, behind) = split_line(rest)?;
            rest = behind;
            (!is_end(line)).then_some(line)
        })
    }
}

/// A line, and what follows its CR LF.
fn split_line(text: Encoded<'_>) -> Option<(Encoded<'_>, Encoded<'_>)> {
    let (line, behind) = split_at_octet(text, b'\r')?;
    Some((line, strip_octets(behind, b"\n")?))
}

fn is_end(line: Encoded<'_>) -> bool {
    line.decode().octets().eq(*b".")
}

/// Whether it contains no delimiter of Gopher (its `UNASCII`, without a single CR or LF).
pub(super) fn is_text(part: Encoded<'_>) -> bool {
    !units(part).any(|unit| matches!(unit.octet, 0 | b'\t' | b'\r' | b'\n'))
}

/// A filled-in Gopher+ form to be sent: the only data with line ends in it. They come from RFC
/// 1738, 3.4.9, and never from a URL.
///
/// INVARIANT: every line of it was checked by [`Line`], and no value is a single full stop, which
/// would end the form.
#[cfg(feature = "alloc")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FilledForm {
    request: Line,
    values: Vec<Line>,
}

#[cfg(feature = "alloc")]
impl FilledForm {
    /// A form, and what is sent before it: a selector, and a TAB and words if there are any.
    pub(super) fn new(request: Line, form: GopherForm<'_>) -> Result<Self, AccessError> {
        let values = form.values().map(|value| {
            let mut line = Line::command("");
            line.push(value.decode(), "form")?;
            Ok(line)
        });
        let values = values.collect::<Result<_, AccessError>>()?;
        Ok(Self { request, values })
    }

    /// Marks a value as secret, such as the answer to a question of the kind `AskP`. The first
    /// value has the index 0.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::{Gopher, Step};
    /// let url = Uri::parse("gopher://h/0doc%09%09+%091%0D%0A+-1%0D%0Atim%0D%0Ahunter2%0D%0A.%0D%0A")?;
    /// let Some(Step::SendForm(mut form)) = Gopher::read(url)?.steps()?.pop() else { panic!() };
    /// form.mark_secret(1);
    /// assert_eq!(form.masked(), b"doc\t+\t1\r\n+-1\r\ntim\r\n***\r\n.\r\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mark_secret(&mut self, value: usize) {
        if let Some(value) = self.values.get_mut(value) {
            value.mark_secret();
        }
    }

    /// All octets, with all line ends.
    pub fn octets(&self) -> Vec<u8> {
        self.framed(|value| value.octets().into())
    }

    /// The octets with three asterisks in place of each secret.
    pub fn masked(&self) -> Vec<u8> {
        self.framed(Line::masked)
    }

    fn framed<'a>(&'a self, value: impl Fn(&'a Line) -> Cow<'a, [u8]>) -> Vec<u8> {
        let mut octets = self.request.octets().to_vec();
        octets.push(b'\t');
        octets.extend_from_slice(HEAD);
        for line in &self.values {
            octets.extend_from_slice(&value(line));
            octets.extend_from_slice(b"\r\n");
        }
        octets.extend_from_slice(b".\r\n");
        octets
    }
}
