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
