//! The memory for the entries of listings that pages keep until all entries have arrived.

use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The maximum size of the entries that a page keeps, in bytes. 10,000 ordinary entries need about
/// half as much.
const MOST_OF_PAGE: usize = 8 << 20;

/// The maximum size of the entries that all pages keep together, in bytes. A server can send
/// entries of 64 KiB, and a slow client delays the end of a transfer.
const MOST_OF_ALL: usize = 64 << 20;

/// The memory that all pages share.
#[derive(Clone, Debug)]
pub(crate) struct Memory(Arc<Semaphore>);

impl Memory {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Semaphore::new(MOST_OF_ALL)))
    }
}

/// The memory that a page has reserved for its entries.
pub(super) struct Reserved {
    memory: Memory,
    bytes: usize,
    permit: Option<OwnedSemaphorePermit>,
}

impl Reserved {
    pub(super) const fn new(memory: Memory) -> Self {
        Self {
            memory,
            bytes: 0,
            permit: None,
        }
    }

    /// Reserves memory for an entry of this size. Returns false if the entries of the page, or of
    /// all pages, are too large.
    pub(super) fn add(&mut self, bytes: usize) -> bool {
        let total = self.bytes.saturating_add(bytes);
        let count = u32::try_from(bytes).unwrap_or(u32::MAX);
        if total > MOST_OF_PAGE {
            return false;
        }
        let Ok(more) = Arc::clone(&self.memory.0).try_acquire_many_owned(count) else {
            return false;
        };
        match &mut self.permit {
            Some(permit) => permit.merge(more),
            None => self.permit = Some(more),
        }
        self.bytes = total;
        true
    }

    /// Releases the memory.
    pub(super) fn release(&mut self) {
        self.bytes = 0;
        self.permit = None;
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_OF_ALL, MOST_OF_PAGE, Memory, Reserved};

    #[test]
    fn pages_share_the_memory() {
        let memory = Memory::new();
        let mut pages: Vec<_> = (0..=MOST_OF_ALL / MOST_OF_PAGE)
            .map(|_| Reserved::new(memory.clone()))
            .collect();
        let mut late = pages.pop().unwrap();
        for page in &mut pages {
            assert!(late.add(1));
            late.release();
            assert!(page.add(MOST_OF_PAGE - 1) && page.add(1) && !page.add(1));
        }
        assert!(!late.add(1));
        pages.pop();
        assert!(late.add(MOST_OF_PAGE));
    }
}
