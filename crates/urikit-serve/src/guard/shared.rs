//! The state that all requests share.

use super::{Clients, Hosts};
use crate::config::{Config, Limits};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The maximum number of batches at the same time.
const MOST_BATCHES: usize = 64;

/// The state that all requests share.
pub(crate) struct Shared {
    pub(crate) limits: Limits,
    pub(crate) hosts: Hosts,
    pub(crate) clients: Arc<Clients>,
    /// One permit for each byte that bodies and long results may still occupy.
    pub(crate) memory: Arc<Semaphore>,
    /// One permit for each batch that may begin.
    pub(crate) batches: Arc<Semaphore>,
}

impl Shared {
    /// `addresses` are those on which the server listens.
    pub(crate) fn new(config: Config, addresses: &[SocketAddr]) -> Self {
        let limits = config.limits;
        Self {
            hosts: Hosts::new(addresses, &config.public_hosts),
            clients: Arc::new(Clients::new(&limits)),
            memory: Arc::new(Semaphore::new(limits.memory.min(Semaphore::MAX_PERMITS))),
            batches: Arc::new(Semaphore::new(MOST_BATCHES)),
            limits,
        }
    }
}
