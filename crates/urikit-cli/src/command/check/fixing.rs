//! `--fix` and `--dry-run`: correct references in the files, or print the corrections as a patch.

use super::warn;
use crate::report::io_message;
use crate::screen::say;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use urikit_check::fix::{Replacement, Unfixed, fix, write_file, write_patch};
use urikit_check::{Grades, Report, Severity};
use urikit_extract::document::Extractor;

/// Fixes the references in all files, or writes a patch to `out`. Returns false if a file could not
/// be read or written.
pub(super) fn fix_files(
    report: &Report,
    grades: &Grades<'_>,
    mut out: Option<&mut dyn Write>,
) -> io::Result<bool> {
    let extractor = Extractor::new();
    let (mut is_good, mut count, mut changed) = (true, 0, 0);
    for document in report.documents() {
        let (Some(path), Some(format)) = (document.path(), document.format()) else {
            continue;
        };
        let links = document
            .links()
            .filter(|link| grades.worst(link) > Severity::Off);
        let links: Vec<_> = links
            .filter_map(|link| Some((Replacement::of(&link)?, link)))
            .collect();
        if links.is_empty() {
            continue;
        }
        let content = match fs::read(path) {
            Ok(content) => content,
            Err(error) => {
                warn(path, &io_message(&error));
                is_good = false;
                continue;
            }
        };
        let replacements: Vec<_> = links.iter().map(|(found, _)| found.clone()).collect();
        let fixes = match fix(&content, format, &extractor, &replacements) {
            Ok(fixes) => fixes,
            Err(error) => {
                warn(path, &error.to_string());
                is_good = false;
                continue;
            }
        };
        for (index, reason) in &fixes.unfixed {
            if let Some((replacement, link)) = links.get(*index)
                && *reason != Unfixed::NotFound
            {
                let message = format!(
                    "line {}: cannot write {}: {reason}",
                    link.link.line, replacement.new
                );
                warn(path, &message);
            }
        }
        if fixes.edits.is_empty() {
            continue;
        }
        let result = match &mut out {
            Some(out) => {
                write_patch(&name_in_repository(path), &content, &fixes, out)?;
                Ok(())
            }
            None => write_file(path, &content, &fixes),
        };
        match result {
            Ok(()) => {
                count += fixes.edits.len();
                changed += 1;
            }
            Err(error) => {
                warn(path, &error.to_string());
                is_good = false;
            }
        }
    }
    if out.is_none() && count > 0 {
        let files = plural(changed, "file");
        say!("fixed {} in {files}", plural(count, "reference"));
    }
    Ok(is_good)
}

/// Returns a number followed by its noun, such as `2 files`.
fn plural(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// Returns the path of a file relative to its repository, as `git apply` requires, or the path as
/// given if the file is not in a repository.
fn name_in_repository(path: &Path) -> String {
    let name = |path: &Path| {
        path.to_string_lossy()
            .replace(std::path::MAIN_SEPARATOR, "/")
    };
    let Ok(full) = fs::canonicalize(path) else {
        return name(path);
    };
    let root = full
        .ancestors()
        .skip(1)
        .find(|folder| folder.join(".git").exists());
    let inner = root.and_then(|root| full.strip_prefix(root).ok());
    name(inner.unwrap_or(path.strip_prefix("./").unwrap_or(path)))
}
