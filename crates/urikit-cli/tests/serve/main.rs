//! `uri serve` as clients see it: the built binary on loopback.

#![cfg(feature = "serve")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)] // a test that panics has failed

mod batches;
mod broken;
mod deploy;
mod description;
mod gateway;
mod gateway_memory;
mod guards;
mod html;
mod idle;
mod page;
mod same;
mod server;
mod stop;
