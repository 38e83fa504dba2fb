//! `--since REF`: what changed between `git merge-base REF HEAD` and the work tree.
//!
//! A change can break two kinds of links: those on added lines, and those to something that the
//! change removed. Links of the second kind may be in any file.

mod filter;
mod git;
mod patch;
mod renames;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Stdio;

pub use filter::Since;
pub use git::GitError;

pub(crate) use filter::file_of;
pub(crate) use renames::{Renames, files_of};

use git::{Blobs, Git, git};
use patch::read_patch;

/// The object of a file's old content; `None` for a submodule.
type Blob = Option<String>;

/// The changes in a work tree. All paths are relative to the root of the work tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Changes {
    root: PathBuf,
    base: String,
    /// The added lines of each file that exists, counting from 1.
    added: BTreeMap<PathBuf, Vec<Range<usize>>>,
    /// The files that no longer exist, with their old blobs.
    deleted: BTreeMap<PathBuf, Blob>,
    /// The files that exist in both versions and differ, with their old blobs.
    modified: BTreeMap<PathBuf, Blob>,
}

impl Changes {
    /// Compares the work tree that contains `folder` with the merge base of `reference` and `HEAD`.
    /// New files that git does not ignore count as added. Renames are not detected: a file that
    /// moved counts as deleted at its old path, and all its lines count as added at its new path.
    ///
    /// # Errors
    ///
    /// Fails if git fails, for example because it is not installed, `folder` is not in a work tree,
    /// or the reference does not exist.
    pub fn since(folder: &Path, reference: &str) -> Result<Self, GitError> {
        if reference.starts_with('-') {
            return Err(GitError::Failed(format!("{reference:?} is not a revision")));
        }
        let root = git(folder, ["rev-parse", "--show-toplevel"])?;
        let root = path(root.strip_suffix(b"\n").unwrap_or(&root));
        let base = git(&root, ["merge-base", reference, "HEAD"])?;
        let base = String::from_utf8_lossy(base.trim_ascii()).into_owned();
        let mut changes = Self {
            root,
            base,
            added: BTreeMap::new(),
            deleted: BTreeMap::new(),
            modified: BTreeMap::new(),
        };
        changes.read_names()?;
        changes.read_lines()?;
        Ok(changes)
    }

    /// Reads which files were added, deleted or modified.
    fn read_names(&mut self) -> Result<(), GitError> {
        let names = git(
            &self.root,
            diff(&["--raw", "-z", "--no-abbrev", &self.base]),
        )?;
        let mut fields = names.split(|byte| *byte == 0);
        while let (Some(entry), Some(name)) = (fields.next(), fields.next()) {
            // `:OLDMODE NEWMODE OLDID NEWID STATUS`
            let entry = String::from_utf8_lossy(entry);
            let mut entry = entry.split(' ');
            let (mode, id) = (entry.next(), entry.nth(1));
            let blob = id.filter(|_| mode != Some(":160000")).map(str::to_owned);
            let name = path(name);
            match entry.nth(1) {
                Some("D") => drop(self.deleted.insert(name, blob)),
                Some("A") => drop(self.added.insert(name, Vec::new())),
                _ => {
                    self.added.insert(name.clone(), Vec::new());
                    self.modified.insert(name, blob);
                }
            }
        }
        let untracked = git(
            &self.root,
            ["ls-files", "--others", "--exclude-standard", "-z"],
        )?;
        let all = 1..usize::MAX;
        for name in untracked
            .split(|byte| *byte == 0)
            .filter(|name| !name.is_empty())
        {
            let name = path(name);
            // The file was deleted from the index, but is still in the work tree.
            if let Some(blob) = self.deleted.remove(&name) {
                self.modified.insert(name.clone(), blob);
            }
            self.added.insert(name, vec![all.clone()]);
        }
        Ok(())
    }

    /// Reads the numbers of the added lines from Git.
    fn read_lines(&mut self) -> Result<(), GitError> {
        let arguments = diff(&["--unified=0", &self.base]);
        let mut git = Git::start(&self.root, arguments, Stdio::null())?;
        let added = &mut self.added;
        let result = match git.output() {
            Some(output) => read_patch(BufReader::new(output), &mut |name, lines| {
                added.entry(path(name)).or_default().push(lines);
            }),
            None => Ok(()),
        };
        git.finish(result)
    }

    /// Returns the root of the work tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the commit that the work tree is compared with.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Returns true if a line of a file was added or changed.
    pub fn is_added(&self, file: &Path, line: usize) -> bool {
        let lines = self.added.get(file);
        lines.is_some_and(|ranges| ranges.iter().any(|range| range.contains(&line)))
    }

    /// Returns the added lines of a file.
    pub fn added(&self, file: &Path) -> &[Range<usize>] {
        self.added.get(file).map_or(&[], Vec::as_slice)
    }

    /// Returns what the change removed.
    ///
    /// `anchors` returns the anchors of a file with this content, and the sources of redirects if
    /// it contains redirects.
    ///
    /// # Errors
    ///
    /// Fails if git fails or a file in the work tree cannot be read.
    pub fn removed(
        &self,
        anchors: &dyn Fn(&Path, &[u8]) -> FileAnchors,
    ) -> Result<Removed, GitError> {
        let mut removed = Removed::default();
        let mut blobs = Blobs::open(&self.root)?;
        let mut old = |file: &Path, blob: &Blob| match blob {
            Some(id) => Ok(anchors(file, &blobs.read(id)?)),
            None => Ok::<_, GitError>(FileAnchors::default()),
        };
        for (file, blob) in &self.deleted {
            if is_redirects(file) {
                removed.redirects.extend(old(file, blob)?.redirects);
            }
            removed.files.insert(file.clone());
        }
        for (file, blob) in &self.modified {
            let new = match fs::read(self.root.join(file)) {
                Ok(new) => anchors(file, &new),
                Err(error) if is_no_file(&error) => FileAnchors::default(),
                Err(error) => return Err(GitError::Run(error)),
            };
            let old = old(file, blob)?;
            let gone: BTreeSet<_> = old.fragments.difference(&new.fragments).cloned().collect();
            if !gone.is_empty() {
                removed.fragments.insert(file.clone(), gone);
            }
            removed
                .redirects
                .extend(old.redirects.difference(&new.redirects).cloned());
        }
        Ok(removed)
    }
}

/// The parts of a file that links can point to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FileAnchors {
    /// Its fragments.
    pub fragments: BTreeSet<String>,
    /// The sources of the redirects that the file contains.
    pub redirects: BTreeSet<String>,
}

/// The files, fragments and redirects that a change removed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Removed {
    /// Files.
    pub files: BTreeSet<PathBuf>,
    /// The fragments of files that still exist.
    pub fragments: BTreeMap<PathBuf, BTreeSet<String>>,
    /// The sources of redirects.
    pub redirects: BTreeSet<String>,
}

impl Removed {
    /// Returns true if a link leads to something that was removed. `file` is the file to which the
    /// link leads.
    pub fn contains(&self, file: &Path, fragment: Option<&str>) -> bool {
        let fragments = self.fragments.get(file);
        self.files.contains(file)
            || fragment.is_some_and(|name| fragments.is_some_and(|gone| gone.contains(name)))
    }
}

/// Returns true if a file with this name contains redirects.
fn is_redirects(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default();
    name == "_redirects" || name == "netlify.toml"
}

/// Returns true if an error means that no file has this path.
fn is_no_file(error: &io::Error) -> bool {
    use io::ErrorKind::{IsADirectory, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory | IsADirectory)
}

/// Returns the arguments of `git diff`. Options override the user's configuration, which may run
/// programs or change the format.
fn diff<'a>(options: &[&'a str]) -> Vec<&'a str> {
    let fixed = [
        "diff",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--no-renames",
        "--no-relative",
        "--ignore-submodules=all",
        "--inter-hunk-context=0",
        "--src-prefix=a/",
        "--dst-prefix=b/",
    ];
    [&fixed[..], options, &["--"]].concat()
}

/// Returns the path with these bytes.
#[cfg(unix)]
fn path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

/// Returns the path with this name, which git writes in UTF-8.
#[cfg(not(unix))]
fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}
