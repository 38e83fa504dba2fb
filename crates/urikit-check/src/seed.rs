//! Hashes strings for tables.

use std::hash::{BuildHasher as _, RandomState};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A random seed, so that documents cannot choose strings with equal hashes. URLs are long, and
/// XXH3 hashes them several times as fast as the standard library's SipHash.
#[derive(Debug)]
pub(crate) struct Seed(u64);

impl Default for Seed {
    fn default() -> Self {
        Self(RandomState::new().hash_one(()))
    }
}

impl Seed {
    pub(crate) fn hash(&self, bytes: &[u8]) -> u64 {
        xxh3_64_with_seed(bytes, self.0)
    }
}
