//! The checks that the fuzz targets run. Each check is a function that accepts any octets and
//! panics if a property does not hold.
//!
//! The targets under `fuzz/` call these functions with inputs from libFuzzer.
//! `tests/regressions.rs` calls the same functions with the files under `fuzz/regressions/`, which
//! contain the input of every crash found so far. A new target needs three additions: a function in
//! [`TARGETS`], a two-line file in `fuzz/fuzz_targets/`, and its `[[bin]]` in `fuzz/Cargo.toml`. A
//! test checks that all three additions have been made.

#![forbid(unsafe_code)]
// A check fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]
#![allow(clippy::missing_panics_doc)] // a failed check panics

mod documents;
mod edit;
mod input;
mod parquet;
mod prospero;
mod references;
mod structures;
mod wais;
mod wire;

/// The type of a check, which accepts any octets.
pub type Check = fn(&[u8]);

/// All fuzz targets, with the names of their files.
pub const TARGETS: [(&str, Check); 29] = [
    ("edit", edit::edit),
    ("encode", edit::encode),
    ("extract_container", documents::container),
    ("extract_html", documents::html),
    ("extract_mail", documents::extract_mail),
    ("extract_markdown", documents::markdown),
    ("extract_markup", documents::markup),
    ("extract_text", documents::text),
    ("ftp", wire::ftp),
    ("gemini", wire::gemini),
    ("gopher", wire::gopher),
    ("http", wire::http),
    ("iri", references::iri),
    ("mail", documents::mail),
    ("mailbox", wire::mailbox),
    ("news", wire::news),
    ("normalize", references::normalize),
    ("parquet", parquet::parquet),
    ("parse", references::parse),
    ("pdf", structures::pdf),
    ("prospero", prospero::prospero),
    ("relativize", references::relativize),
    ("repair", references::repair),
    ("resolve", references::resolve),
    ("scan", references::scan),
    ("tar", structures::tar),
    ("telnet", wire::telnet),
    ("wais", wais::wais),
    ("zip", structures::zip),
];

/// Runs the check that belongs to a target.
///
/// # Panics
///
/// Panics if the target does not exist, or if the check fails.
pub fn run(target: &str, data: &[u8]) {
    let found = TARGETS.iter().find(|(name, _)| *name == target);
    let (_, check) = found.expect("a target with this name");
    check(data);
}
