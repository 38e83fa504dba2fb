//! Finds the files for the paths given with `-f`. A folder denotes all files under it, and a
//! pattern such as `2024/*.parquet` denotes the files that match.

use globset::GlobBuilder;
use ignore::{DirEntry, WalkBuilder};
use std::io;
use std::path::{Path, PathBuf};

/// Returns the files that a path denotes, sorted by name. A path that does not exist is
/// kept, so that opening it reports the error.
///
/// # Errors
///
/// Fails if a folder cannot be read, if it has no files, or if no file matches the pattern.
pub(super) fn files(path: PathBuf) -> io::Result<Vec<PathBuf>> {
    let text = path.to_str().filter(|text| text.contains(['*', '?', '[']));
    match (path.metadata(), text) {
        (Ok(metadata), _) if metadata.is_dir() => {
            let files = walk(&path, None, &|_| true)?;
            if files.is_empty() {
                return Err(io::Error::other("the folder has no files"));
            }
            Ok(files)
        }
        (Err(_), Some(pattern)) => matching(pattern),
        _ => Ok(vec![path]),
    }
}

/// Returns the files that match a pattern. `*` and `?` do not match a slash, and `**` matches any
/// number of folders. Fails if no file matches.
pub(crate) fn matching(pattern: &str) -> io::Result<Vec<PathBuf>> {
    let invalid = |error: globset::Error| io::Error::other(error.kind().to_string());
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    let matcher = glob.map_err(invalid)?.compile_matcher();
    let is_literal = |part: &&str| !part.contains(['*', '?', '[', '{', '\\']);
    let parts = pattern.split('/');
    let literal: Vec<_> = parts.clone().take_while(is_literal).collect();
    // The folder before the first part with a wildcard.
    let base = match literal.as_slice() {
        [] => PathBuf::from("."),
        [""] => PathBuf::from("/"),
        parts => PathBuf::from(parts.join("/")),
    };
    let depth = parts.count() - literal.len();
    let depth = (!pattern.contains("**")).then_some(depth);
    let strip = |path: &Path| path.strip_prefix("./").unwrap_or(path).to_owned();
    let files = walk(&base, depth, &|path| matcher.is_match(strip(path)))?;
    if files.is_empty() {
        return Err(io::Error::new(
            io::ErrorKind::NotFound,
            "no file matches the pattern",
        ));
    }
    Ok(files.iter().map(|path| strip(path)).collect())
}

/// Returns the files under a folder, down to this depth. Names that begin with `.` or `_` are
/// skipped, because programs that write tables use them for files that are not data. Links to
/// folders are not followed.
fn walk(
    folder: &Path,
    depth: Option<usize>,
    is_wanted: &dyn Fn(&Path) -> bool,
) -> io::Result<Vec<PathBuf>> {
    let is_data = |entry: &DirEntry| {
        let name = entry.file_name().as_encoded_bytes();
        entry.depth() == 0 || !name.starts_with(b".") && !name.starts_with(b"_")
    };
    let mut files = Vec::new();
    let walk = WalkBuilder::new(folder)
        .standard_filters(false)
        .max_depth(depth)
        .sort_by_file_name(|a, b| a.cmp(b))
        .filter_entry(is_data)
        .build();
    for entry in walk {
        let entry = entry.map_err(|error| match error.into_io_error() {
            Some(error) => error,
            None => io::Error::other("the folder cannot be read"),
        })?;
        let path = entry.into_path();
        if path.is_file() && is_wanted(&path) {
            files.push(path);
        }
    }
    Ok(files)
}
