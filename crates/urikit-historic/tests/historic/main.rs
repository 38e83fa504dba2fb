//! Accesses with WAIS and Prospero: to servers that replay recordings of real ones, to generated
//! servers, and to hostile ones.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)] // a test fails by panicking
#![allow(clippy::disallowed_methods)] // tests start servers, and connect to them

mod planned;
mod policy;
mod prospero;
mod support;
mod wais;
