//! Accesses with each protocol, to real servers if they are installed, and to scripted hostile
//! ones.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)] // a test fails by panicking
#![allow(clippy::disallowed_methods)] // tests start servers, and connect to them

mod cancelling;
mod client;
mod clones;
mod connecting;
mod data;
mod drips;
mod file;
mod ftp;
mod gemini;
mod gopher;
mod http;
mod mail;
mod mail_stores;
mod mailto;
mod mailto_attachments;
mod mailto_sending;
mod news;
mod news_hostile;
mod news_login;
mod news_scripted;
mod over_tls;
mod planned;
mod programs;
mod redirects;
mod secrets;
mod small;
mod support;
mod telnet;
mod transfer_memory;
mod unrequested;
mod user;
