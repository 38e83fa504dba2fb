//! Access, protocol by protocol: against real servers where they are installed, and against
//! hostile ones of our own.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)] // a test fails by panicking
#![allow(clippy::disallowed_methods)] // servers are started, and connected to

mod client;
mod data;
mod desk;
mod file;
mod ftp;
mod gopher;
mod http;
mod mail;
mod mailto;
mod news;
mod news_hostile;
mod over_tls;
mod programs;
mod support;
mod telnet;
