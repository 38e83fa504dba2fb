//! The page that explains a reference.

mod list;
mod page;
mod readers;
mod ruler;
mod scheme;
mod verdicts;
