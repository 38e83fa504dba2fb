//! Tests the URL types and builders of all schemes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking

mod data;
mod file;
mod ftp;
mod gopher;
mod http;
mod mailto;
mod mid;
mod names;
mod news;
mod oracle;
mod original;
mod properties;
mod prospero;
mod registry;
mod rows;
mod session;
mod small;
mod tel;
mod urn;
mod wais;
mod ws;
