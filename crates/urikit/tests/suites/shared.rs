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

/// The files in a folder of `vectors`, and in the folders in it, as `folder/file`.
pub(crate) fn files_in(vectors: &Path, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(vectors.join(folder)).expect("a folder of suites");
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.expect("an entry of a folder");
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().expect("the type of an entry").is_dir() {
            files.extend(files_in(vectors, &name));
        } else {
            files.push(name);
        }
    }
    files
}

/// The folders of suites. Beside them lie the RFCs, which are no tests, and a page about all of it.
pub(crate) fn folders(vectors: &Path) -> Vec<String> {
    let entries = fs::read_dir(vectors).expect("the folder of suites");
    let mut folders = Vec::new();
    for entry in entries {
        let entry = entry.expect("an entry of a folder");
        if entry.file_type().expect("the type of an entry").is_dir() {
            folders.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    folders.retain(|folder| folder != "rfc");
    folders
}
