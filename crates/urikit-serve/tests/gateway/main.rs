//! The gateway: its rules, its pages, and real servers and clients.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)] // a test that panics has failed

mod client;
mod gemini;
mod historic;
mod real;
mod rules;
mod small;
