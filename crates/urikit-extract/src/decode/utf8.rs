//! Counting bytes that are not UTF-8, in a text that arrives in pieces.

/// Counts the bytes that are not UTF-8.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct InvalidUtf8 {
    count: usize,
    /// The beginning of a character whose remaining bytes have not arrived.
    partial: [u8; 4],
    length: usize,
}

impl InvalidUtf8 {
    /// Takes the next piece of the text.
    pub(crate) fn push(&mut self, piece: &[u8]) {
        let mut rest = piece;
        while self.length > 0
            && let [byte, after @ ..] = rest
        {
            if let Some(place) = self.partial.get_mut(self.length) {
                *place = *byte;
            }
            let partial = self.partial.get(..=self.length).unwrap_or_default();
            match core::str::from_utf8(partial) {
                Ok(_) => self.length = 0,
                Err(error) if error.error_len().is_none() => self.length += 1,
                Err(_) => {
                    // The byte does not continue that character: it begins another one, or is
                    // invalid itself.
                    self.count += self.length;
                    self.length = 0;
                    continue;
                }
            }
            rest = after;
        }
        while let Err(error) = core::str::from_utf8(rest) {
            let at = error.valid_up_to();
            let Some(length) = error.error_len() else {
                let partial = rest.get(at..).unwrap_or_default();
                self.length = partial.len();
                for (place, byte) in self.partial.iter_mut().zip(partial) {
                    *place = *byte;
                }
                return;
            };
            self.count += length;
            rest = rest.get(at + length..).unwrap_or_default();
        }
    }

    /// How many bytes of the complete text were invalid.
    pub(crate) const fn finish(self) -> usize {
        self.count + self.length
    }
}

#[cfg(test)]
mod tests {
    use super::InvalidUtf8;

    #[test]
    fn count_does_not_depend_on_the_cuts() {
        for (text, expected) in [
            (&b"a\xC3\xA9\xF0\x9F\x98\x80"[..], 0),
            (b"\xE9t\xE9", 2),
            (b"\xF0\x9F\x98", 3),
            (b"\xE2\x82a\xE2\x82\xAC\xFF\x80", 4),
            (b"\xC0\x80\xED\xA0\x80", 5),
        ] {
            for cut in 0..=text.len() {
                for second in cut..=text.len() {
                    let mut invalid = InvalidUtf8::default();
                    invalid.push(&text[..cut]);
                    invalid.push(&text[cut..second]);
                    invalid.push(&text[second..]);
                    assert_eq!(invalid.finish(), expected, "{text:?} at {cut}, {second}");
                }
            }
        }
    }
}
