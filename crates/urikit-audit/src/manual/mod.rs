//! The manual: what goes wrong with URLs, and what to do.
//!
//! 1. [How readers differ](readers)
//! 2. [How to check a URL from a stranger](strangers)
//! 3. [Vulnerabilities of other parsers, and why this design does not have
//!    them](vulnerabilities)

pub mod readers;
pub mod strangers;
pub mod vulnerabilities;
