//! The pool of connections that stay open between accesses, which all clones of a client share.
//!
//! The pool does not decide which clone may use a connection. Before a connection is removed from
//! the pool, the caller checks it against the settings of its own clone. A connection that this
//! clone may not use remains in the pool for other clones.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Limits on the connections kept open between accesses.
///
/// ```
/// use std::time::Duration;
/// use urikit_access::{Client, Policy, PoolLimits};
/// let limits = PoolLimits { per_origin: 2, ..PoolLimits::default() };
/// let client = Client::new(Policy::new()).pool_limits(limits);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PoolLimits {
    /// The maximum number of idle connections, which is 64 by default. If this number is exceeded,
    /// the oldest connection is closed.
    pub total: usize,
    /// The maximum number of idle connections with the same scheme, host, port and login, which is
    /// 8 by default.
    pub per_origin: usize,
    /// The time for which a connection may be idle: 60 seconds by default. The next use of the pool
    /// closes connections that have been idle for longer.
    pub lifetime: Duration,
}

impl Default for PoolLimits {
    fn default() -> Self {
        Self {
            total: 64,
            per_origin: 8,
            lifetime: Duration::from_secs(60),
        }
    }
}

/// Idle connections, grouped by origin and shared by all clones of a client.
#[derive(Clone, Default)]
pub(crate) struct Pool(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    limits: PoolLimits,
    /// The idle connections, oldest first.
    idle: VecDeque<Entry>,
}

struct Entry {
    origin: String,
    since: Instant,
    value: Box<dyn Any + Send>,
}

impl Pool {
    pub(crate) fn new(limits: PoolLimits) -> Self {
        Self(Arc::new(Mutex::new(Inner {
            limits,
            idle: VecDeque::new(),
        })))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // The list of connections is consistent even if a thread has panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes and returns the newest connection with this origin and type that the caller may use.
    pub(crate) fn take<T: 'static>(
        &self,
        origin: &str,
        now: Instant,
        mut may_use: impl FnMut(&mut T) -> bool,
    ) -> Option<T> {
        let mut inner = self.inner();
        let expired = inner.expired(now);
        let usable = |entry: &mut Entry| {
            entry.origin == origin && entry.value.downcast_mut::<T>().is_some_and(&mut may_use)
        };
        let at = inner.idle.iter_mut().rposition(usable);
        let taken = at.and_then(|at| inner.idle.remove(at));
        // The lock is released first, because closing a connection may take time, or even use the
        // pool.
        drop(inner);
        drop(expired);
        taken?.value.downcast().ok().map(|value| *value)
    }

    /// Adds a connection.
    pub(crate) fn put<T: Any + Send>(&self, origin: &str, now: Instant, value: T) {
        let mut inner = self.inner();
        let mut closed = inner.expired(now);
        let PoolLimits {
            total, per_origin, ..
        } = inner.limits;
        inner.idle.push_back(Entry {
            origin: origin.to_owned(),
            since: now,
            value: Box::new(value),
        });
        let is_same = |entry: &Entry| entry.origin == origin;
        if inner.idle.iter().filter(|entry| is_same(entry)).count() > per_origin {
            let oldest = inner.idle.iter().position(is_same);
            closed.extend(oldest.and_then(|at| inner.idle.remove(at)));
        }
        if inner.idle.len() > total {
            closed.extend(inner.idle.pop_front());
        }
        drop(inner);
        drop(closed);
    }
}

impl Inner {
    /// Removes the connections that have been idle for too long.
    fn expired(&mut self, now: Instant) -> Vec<Entry> {
        let is_expired = |entry: &Entry| {
            let idle = now.saturating_duration_since(entry.since);
            idle >= self.limits.lifetime
        };
        let count = self.idle.iter().take_while(|entry| is_expired(entry));
        let count = count.count();
        self.idle.drain(..count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Pool, PoolLimits};
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    fn pool(total: usize, per_origin: usize) -> Pool {
        Pool::new(PoolLimits {
            total,
            per_origin,
            lifetime: Duration::from_secs(60),
        })
    }

    /// Takes all connections of an origin, the newest first.
    fn all(pool: &Pool, origin: &str, now: Instant) -> Vec<u32> {
        std::iter::from_fn(|| pool.take(origin, now, |_: &mut u32| true)).collect()
    }

    #[test]
    fn each_origin_and_type_has_its_own_connections() {
        let (pool, now) = (pool(64, 8), Instant::now());
        pool.put("a", now, 1_u32);
        pool.put("b", now, 2_u32);
        pool.put("a", now, "another type");
        assert_eq!(pool.take("a", now, |it: &mut u32| *it == 2), None);
        assert_eq!(all(&pool, "c", now), []);
        assert_eq!(all(&pool, "a", now), [1]);
        assert_eq!(all(&pool, "b", now), [2]);
        assert!(pool.take("a", now, |_: &mut &str| true).is_some());
    }

    #[test]
    fn the_oldest_connections_are_replaced() {
        let (pool, now) = (pool(4, 2), Instant::now());
        for (origin, number) in [("a", 1_u32), ("a", 2), ("b", 3), ("a", 4)] {
            pool.put(origin, now, number);
        }
        pool.put("c", now, 5_u32);
        pool.put("d", now, 6_u32);
        assert_eq!(all(&pool, "a", now), [4]);
        assert_eq!(all(&pool, "b", now), [3]);
        assert_eq!(
            (all(&pool, "c", now), all(&pool, "d", now)),
            (vec![5], vec![6])
        );
        for number in 0..10_000_u32 {
            pool.put(&number.to_string(), now, number);
        }
        assert_eq!(pool.inner().idle.len(), 4);
    }

    #[test]
    fn idle_connections_have_a_lifetime() {
        let (pool, now) = (pool(64, 8), Instant::now());
        let later = |seconds| now + Duration::from_secs(seconds);
        pool.put("a", now, 1_u32);
        pool.put("a", later(30), 2_u32);
        assert_eq!(all(&pool, "a", later(60)), [2]);
        pool.put("a", later(60), 3_u32);
        // Every use of the pool closes the connections that are too old.
        pool.put("b", later(120), 4_u32);
        assert_eq!(pool.inner().idle.len(), 1);
    }

    #[test]
    fn a_panic_does_not_make_the_pool_unusable() {
        let pool = pool(64, 8);
        pool.put("a", Instant::now(), 1_u32);
        let other = pool.clone();
        let panicked = std::thread::spawn(move || {
            other.take("a", Instant::now(), |_: &mut u32| panic!("of the caller"))
        });
        assert!(panicked.join().is_err());
        assert_eq!(all(&pool, "a", Instant::now()), [1]);
    }

    /// Closing a connection may use the pool, which must not deadlock.
    struct Closes {
        pool: Pool,
        _count: Arc<()>,
    }

    impl Drop for Closes {
        fn drop(&mut self) {
            self.pool.put("closed", Instant::now(), 1_u32);
        }
    }

    #[test]
    fn connections_are_closed_outside_the_lock() {
        let pool = pool(64, 1);
        let count = Arc::new(());
        for _ in 0..3 {
            let value = Closes {
                pool: pool.clone(),
                _count: Arc::clone(&count),
            };
            pool.put("a", Instant::now(), value);
        }
        assert_eq!(Arc::strong_count(&count), 2);
        assert_eq!(all(&pool, "closed", Instant::now()), [1]);
        drop(pool.take("a", Instant::now(), |_: &mut Closes| true));
    }
}
