//! The bytes of a document, unchanged.

use super::Page;

/// Writes at most a given number of bytes.
pub(super) struct Raw {
    pub(super) remaining: u64,
}

impl Page for Raw {
    fn bytes(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let most = usize::try_from(self.remaining).unwrap_or(usize::MAX);
        let part = bytes.get(..most).unwrap_or(bytes);
        out.extend_from_slice(part);
        self.remaining -= part.len() as u64;
    }

    fn take(&mut self, bytes: &mut Vec<u8>) -> bool {
        bytes.truncate(usize::try_from(self.remaining).unwrap_or(usize::MAX));
        self.remaining -= bytes.len() as u64;
        true
    }

    fn entry(&mut self, entry: &urikit_access::listing::Entry, out: &mut Vec<u8>) {
        // A listing has no bytes of its own, so write its references, one on each line.
        let line = entry.reference.as_deref().unwrap_or(&entry.name);
        out.extend_from_slice(line.as_bytes());
        out.push(b'\n');
    }

    fn end(&mut self, failed: Option<&str>, _: &mut Vec<u8>) -> bool {
        failed.is_none()
    }

    fn is_full(&self) -> bool {
        self.remaining == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Page as _, Raw};

    #[test]
    fn bytes_are_taken_up_to_the_end_of_a_range() {
        let mut raw = Raw { remaining: 5 };
        for (mut bytes, taken, is_full) in [(b"abc".to_vec(), 3, false), (b"def".to_vec(), 2, true)]
        {
            assert!(raw.take(&mut bytes));
            assert_eq!((bytes.len(), raw.is_full()), (taken, is_full));
        }
    }
}
