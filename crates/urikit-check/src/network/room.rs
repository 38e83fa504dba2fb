//! Bounds the memory for large pages.
//!
//! Hundreds of servers may answer at the same time, each with a page of several megabytes. Pages
//! that become large wait until few others are in memory.

use super::{WATCH, locked};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use urikit_access::Cancel;

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
    cancel: Cancel,
    is_taken: AtomicBool,
}

impl Room {
    pub(super) fn new(pages: &Arc<LargePages>, cancel: &Cancel) -> Arc<Self> {
        Arc::new(Self {
            pages: Arc::clone(pages),
            cancel: cancel.clone(),
            is_taken: AtomicBool::new(false),
        })
    }

    /// Waits until there is room for a large page, or the run is cancelled.
    pub(super) fn take(&self) {
        if self.is_taken.load(Ordering::Relaxed) {
            return;
        }
        let mut count = locked(&self.pages.count);
        while *count >= MAX {
            if self.cancel.is_cancelled() {
                return;
            }
            let waited = self.pages.has_room.wait_timeout(count, WATCH);
            (count, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        *count += 1;
        self.is_taken.store(true, Ordering::Relaxed);
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
    use super::{Cancel, LargePages, MAX, Room};
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
                    let room = Room::new(&pages, &Cancel::new());
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
