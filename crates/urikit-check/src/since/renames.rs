//! Files that were renamed, according to the history of the work tree.

use super::git::{GitError, git};
use super::path;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The maximum number of paths on one command line.
const CHUNK: usize = 200;

/// The maximum number of commits that are searched for renames.
const MAX_COMMITS: usize = 1000;

/// The maximum number of renames that are followed for one file.
const MAX_STEPS: usize = 16;

/// The renames in a work tree. All paths are relative to the root of the work tree.
pub(crate) struct Renames {
    root: PathBuf,
    new_names: BTreeMap<PathBuf, PathBuf>,
}

impl Renames {
    /// Finds the new names of these paths.
    ///
    /// # Errors
    ///
    /// Fails if git is not installed, or `folder` is not in a work tree.
    pub(crate) fn of(
        folder: &Path,
        missing: &dyn Fn(&Path) -> BTreeSet<PathBuf>,
    ) -> Result<Self, GitError> {
        let root = git(folder, ["rev-parse", "--show-toplevel"])?;
        let root = path(root.strip_suffix(b"\n").unwrap_or(&root));
        let mut wanted = missing(&root);
        let mut renames = Self {
            root,
            new_names: BTreeMap::new(),
        };
        // A repository without commits has no history.
        if git(&renames.root, ["rev-parse", "--verify", "HEAD"]).is_err() {
            return Ok(renames);
        }
        let mut tried = BTreeSet::new();
        let mut changes = renames.renamed(&["diff", "-M", "HEAD"])?;
        for _ in 0..MAX_STEPS {
            renames.add(changes, &wanted);
            // If no file has the new name now, the file was renamed again.
            let new_names = renames.new_names.values();
            wanted.extend(new_names.filter(|name| !renames.exists(name)).cloned());
            wanted
                .retain(|name| !renames.new_names.contains_key(name) && tried.insert(name.clone()));
            if wanted.is_empty() {
                break;
            }
            changes = Vec::new();
            for commit in renames.deletions(&wanted)? {
                let parent = format!("{commit}^");
                // The first commit has no parent, and deletes nothing.
                let found = renames.renamed(&["diff-tree", "-r", "-M", &parent, &commit]);
                changes.extend(found.unwrap_or_default());
            }
        }
        Ok(renames)
    }

    /// Returns the root of the work tree.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the latest name of a file, if a file with that name exists.
    pub(crate) fn new_name<'a>(&'a self, old: &'a Path) -> Option<&'a Path> {
        let mut name = old;
        for _ in 0..MAX_STEPS {
            name = self.new_names.get(name)?;
            if self.exists(name) {
                return Some(name);
            }
        }
        None
    }

    fn exists(&self, name: &Path) -> bool {
        self.root.join(name).is_file()
    }

    fn add(&mut self, renamed: Vec<(PathBuf, PathBuf)>, wanted: &BTreeSet<PathBuf>) {
        for (old, new) in renamed {
            if wanted.contains(&old) {
                // The newest commit comes first.
                self.new_names.entry(old).or_insert(new);
            }
        }
    }

    /// Returns the old and new names that a comparison finds.
    fn renamed(&self, arguments: &[&str]) -> Result<Vec<(PathBuf, PathBuf)>, GitError> {
        let (command, rest) = arguments.split_first().unwrap_or((&"diff", &[]));
        let fixed = [command, "--name-status", "--diff-filter=R", "-z"];
        let output = git(&self.root, fixed.into_iter().chain(rest.iter().copied()))?;
        let mut fields = output.split(|byte| *byte == 0);
        let mut renamed = Vec::new();
        while let (Some(_), Some(old), Some(new)) = (fields.next(), fields.next(), fields.next()) {
            renamed.push((path(old), path(new)));
        }
        Ok(renamed)
    }

    /// Returns the commits that deleted these paths, the newest first.
    fn deletions(&self, paths: &BTreeSet<PathBuf>) -> Result<Vec<String>, GitError> {
        let paths: Vec<_> = paths.iter().map(|path| path.as_os_str()).collect();
        let fixed = [
            "--literal-pathspecs",
            "log",
            "--no-renames",
            "--diff-filter=D",
            "--format=%H",
            "--",
        ];
        let mut commits = Vec::new();
        for chunk in paths.chunks(CHUNK) {
            let arguments = fixed.iter().map(std::ffi::OsStr::new);
            let output = git(&self.root, arguments.chain(chunk.iter().copied()))?;
            let output = String::from_utf8_lossy(&output);
            commits.extend(output.lines().map(str::to_owned));
        }
        // The order of the chunks does not matter, because each path belongs to one chunk.
        let mut seen = BTreeSet::new();
        commits.retain(|commit| seen.insert(commit.clone()));
        commits.truncate(MAX_COMMITS);
        Ok(commits)
    }
}

/// Returns the files in a folder of a work tree and in its subfolders, except those that git
/// ignores. The paths are relative to the folder.
///
/// # Errors
///
/// Fails if git is not installed, or `folder` is not in a work tree.
pub(crate) fn files_of(folder: &Path) -> Result<Vec<PathBuf>, GitError> {
    let arguments = [
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ];
    let output = git(folder, arguments)?;
    let names = output.split(|byte| *byte == 0);
    Ok(names.filter(|name| !name.is_empty()).map(path).collect())
}
