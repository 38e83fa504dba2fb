//! The manual: dangers of URLs, and how to avoid them.
//!
//! 1. [How readers differ](readers)
//! 2. [How to check a URL from a stranger](strangers)
//! 3. [How attackers get past checks of redirect targets](redirects)
//! 4. [Vulnerabilities of other parsers, and how this design prevents them](vulnerabilities)

pub mod readers;
pub mod redirects;
pub mod strangers;
pub mod vulnerabilities;
