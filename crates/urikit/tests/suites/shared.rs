//! Where the suites lie.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The project's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of the suites, where there is one.
///
/// # Panics
///
/// When `URIKIT_SHARED` names a folder without `vectors/`: who sets it wants them run.
pub(crate) fn vectors() -> Option<PathBuf> {
    if let Some(shared) = env::var_os("URIKIT_SHARED") {
        let vectors = PathBuf::from(shared).join("vectors");
        assert!(
            vectors.is_dir(),
            "URIKIT_SHARED: no folder {}",
            vectors.display()
        );
        return Some(vectors);
    }
    let vectors = root().join("../shared/vectors");
    vectors.is_dir().then_some(vectors)
}

/// Whether a file holds a row in each line, as the suites that were brought into one form do.
pub(crate) fn has_lines(file: &str) -> bool {
    Path::new(file).extension() == Some("jsonl".as_ref())
}

/// The suites in a folder of `vectors`, as `folder/file`.
pub(crate) fn suites_in(vectors: &Path, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(vectors.join(folder)).expect("a folder of suites");
    entries
        .map(|entry| entry.expect("an entry of a folder").file_name())
        .map(|name| format!("{folder}/{}", name.to_string_lossy()))
        .filter(|file| has_lines(file) || Path::new(file).extension() == Some("json".as_ref()))
        .collect()
}
