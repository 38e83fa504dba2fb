//! Bounds the memory for large pages.
//!
//! Hundreds of servers may answer at the same time, each with a page of several megabytes. Pages
//! that become large wait until few others are in memory.

use super::locked;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// The number of bytes above which a page is large.
pub(super) const SMALL: usize = 512 << 10;

/// The maximum number of large pages in memory.
const MAX: usize = 8;

/// The large pages in memory.
#[derive(Default)]
pub(super) struct LargePages {
    count: Mutex<usize>,
    has_room: Condvar,
}

/// A task's place among the large pages, which is freed when the last reference is dropped. A task
/// holds at most one page in memory at a time.
pub(super) struct Room {
    pages: Arc<LargePages>,
    is_taken: AtomicBool,
}

impl Room {
    pub(super) fn new(pages: &Arc<LargePages>) -> Arc<Self> {
        Arc::new(Self {
            pages: Arc::clone(pages),
            is_taken: AtomicBool::new(false),
        })
    }

    /// Waits until there is room for a large page.
    pub(super) fn take(&self) {
        if self.is_taken.swap(true, Ordering::Relaxed) {
            return;
        }
        let is_full = |count: &mut usize| *count >= MAX;
        let count = locked(&self.pages.count);
        let waited = self.pages.has_room.wait_while(count, is_full);
        *waited.unwrap_or_else(PoisonError::into_inner) += 1;
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if *self.is_taken.get_mut() {
            *locked(&self.pages.count) -= 1;
            self.pages.has_room.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LargePages, MAX, Room};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    #[test]
    fn few_large_pages_are_in_memory() {
        let pages = Arc::new(LargePages::default());
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..4 * MAX {
                scope.spawn(|| {
                    let room = Room::new(&pages);
                    room.take();
                    room.take();
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    thread::yield_now();
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert!((1..=MAX).contains(&most.into_inner()));
        assert_eq!(*pages.count.lock().unwrap(), 0);
    }
}
