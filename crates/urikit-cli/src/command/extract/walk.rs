//! Which files of a folder are searched: as in ripgrep, by the crate `ignore`.

use crate::exit::Stop;
use clap::ValueHint;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};
use ignore::{Walk, WalkBuilder};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

/// The options. Their names are ripgrep's.
#[derive(clap::Args, Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(super) struct Walking {
    /// Search hidden files and folders too
    #[arg(long)]
    hidden: bool,

    /// Search also what .gitignore and .ignore files exclude
    #[arg(long)]
    no_ignore: bool,

    /// Follow symbolic links
    #[arg(short = 'L', long)]
    follow: bool,

    /// In folders, search only files that match GLOB, or with `!GLOB` all others; may be repeated
    #[arg(short = 'g', long = "glob", value_name = "GLOB")]
    globs: Vec<String>,

    /// In folders, search only files of this type, such as `html` or `md`; may be repeated
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    types: Vec<String>,

    /// In folders, search no files of this type; may be repeated
    #[arg(short = 'T', long = "type-not", value_name = "TYPE")]
    types_not: Vec<String>,

    /// Print the types that -t knows, with their globs
    #[arg(long)]
    pub(super) type_list: bool,

    /// Search the files and folders that the lines of FILE name; `-` is standard input
    ///
    /// With -0, the names end in NUL instead of a line end, as those of `find -print0` do.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) files_from: Vec<PathBuf>,
}

/// How folders are walked.
pub(super) struct Walker {
    options: Walking,
    globs: Override,
    types: Types,
}

/// What a walk finds.
pub(super) enum Entry {
    File(PathBuf),
    Unreadable(PathBuf, io::Error),
}

impl Walking {
    /// How folders are walked.
    ///
    /// # Errors
    ///
    /// A usage error for a glob that is not one, and for an unknown type.
    pub(super) fn walker(&self) -> Result<Walker, Stop> {
        let usage = |error: ignore::Error| Stop::usage("extract", advice(&error));
        // As ripgrep's, globs with a slash are relative to the current folder.
        let here = std::env::current_dir().unwrap_or_default();
        let mut globs = OverrideBuilder::new(here);
        for glob in &self.globs {
            globs.add(glob).map_err(usage)?;
        }
        let mut types = TypesBuilder::new();
        types.add_defaults();
        for name in &self.types {
            types.select(name);
        }
        for name in &self.types_not {
            types.negate(name);
        }
        Ok(Walker {
            globs: globs.build().map_err(usage)?,
            types: types.build().map_err(usage)?,
            options: self.clone(),
        })
    }
}

/// The types of `-t`, a line each.
pub(super) fn type_list() -> String {
    let mut list = String::new();
    for it in TypesBuilder::new().add_defaults().definitions() {
        let _ = writeln!(list, "{}: {}", it.name(), it.globs().join(", "));
    }
    list
}

fn advice(error: &ignore::Error) -> String {
    match error {
        ignore::Error::UnrecognizedFileType(name) => {
            format!("unknown type `{name}`: `uri extract --type-list` prints the types")
        }
        other => other.to_string(),
    }
}

impl Walker {
    /// The files in a folder, in the order of names.
    pub(super) fn files(&self, folder: &Path) -> impl Iterator<Item = Entry> + Send + use<> {
        let folder = folder.to_owned();
        self.entries(&folder).filter_map(move |entry| match entry {
            // What is wrong in an ignore file is left to git.
            Ok(entry) if entry.file_type().is_some_and(|it| it.is_file()) => {
                Some(Entry::File(entry.into_path()))
            }
            Ok(_) => None,
            Err(error) => {
                let (path, error) = reason(error);
                let path = path.unwrap_or_else(|| folder.clone());
                Some(Entry::Unreadable(path, error))
            }
        })
    }

    fn entries(&self, folder: &Path) -> Walk {
        let excludes = !self.options.no_ignore;
        WalkBuilder::new(folder)
            .hidden(!self.options.hidden)
            .follow_links(self.options.follow)
            .ignore(excludes)
            .parents(excludes)
            .git_ignore(excludes)
            .git_global(excludes)
            .git_exclude(excludes)
            .overrides(self.globs.clone())
            .types(self.types.clone())
            .skip_stdout(true)
            .sort_by_file_name(OsStr::cmp)
            .build()
    }
}

/// The path that cannot be read, and why.
fn reason(error: ignore::Error) -> (Option<PathBuf>, io::Error) {
    match error {
        ignore::Error::WithPath { path, err } => (Some(path), reason(*err).1),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            reason(*err)
        }
        ignore::Error::Loop { child, .. } => {
            let message = "a loop of symbolic links";
            (Some(child), io::Error::other(message))
        }
        ignore::Error::Io(error) => (None, error),
        other => (None, io::Error::other(other.to_string())),
    }
}
