//! The tools that turn headings into ids, and how to recognize the tool of a site.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use urikit::{UnknownName, names_of_all};

/// The tool whose rules turn headings into ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
#[non_exhaustive]
pub enum Profile {
    /// GitHub's rules, as implemented by `github-slugger`.
    #[default]
    Github,
    /// mdBook.
    Mdbook,
    /// MkDocs, which uses Python-Markdown's `toc` extension.
    Mkdocs,
    /// Sphinx and docutils.
    Sphinx,
    /// Pandoc with its `auto_identifiers` extension, and Quarto.
    Pandoc,
    /// rustdoc.
    Rustdoc,
    /// GitLab.
    Gitlab,
    /// Docusaurus.
    Docusaurus,
    /// VitePress.
    Vitepress,
    /// Hugo.
    Hugo,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Self; 10] = [
        Self::Github,
        Self::Mdbook,
        Self::Mkdocs,
        Self::Sphinx,
        Self::Pandoc,
        Self::Rustdoc,
        Self::Gitlab,
        Self::Docusaurus,
        Self::Vitepress,
        Self::Hugo,
    ];

    /// Returns the name, as in `--slugs NAME`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Github => "github",
            Self::Mdbook => "mdbook",
            Self::Mkdocs => "mkdocs",
            Self::Sphinx => "sphinx",
            Self::Pandoc => "pandoc",
            Self::Rustdoc => "rustdoc",
            Self::Gitlab => "gitlab",
            Self::Docusaurus => "docusaurus",
            Self::Vitepress => "vitepress",
            Self::Hugo => "hugo",
        }
    }

    /// Returns true if the tool reads `# Heading {#id}`.
    pub(super) const fn has_explicit_ids(self) -> bool {
        !matches!(
            self,
            Self::Github | Self::Gitlab | Self::Rustdoc | Self::Sphinx
        )
    }

    /// Returns true if the tool replaces quotes, dashes and dots with typographic characters.
    pub(super) const fn is_smart(self) -> bool {
        matches!(
            self,
            Self::Mdbook | Self::Pandoc | Self::Rustdoc | Self::Hugo
        )
    }

    /// Returns true if the description of an image in a heading is part of the id.
    pub(super) const fn reads_images(self) -> bool {
        matches!(
            self,
            Self::Pandoc | Self::Rustdoc | Self::Docusaurus | Self::Hugo
        )
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Profile {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &names_of_all!(Profile, name);
        let known = Self::ALL.into_iter().find(|value| value.name() == name);
        known.ok_or(UnknownName::new("profile", NAMES))
    }
}

/// The files by which a tool is recognized, in order of precedence.
const FILES: [(&str, Profile); 15] = [
    ("book.toml", Profile::Mdbook),
    ("mkdocs.yml", Profile::Mkdocs),
    ("mkdocs.yaml", Profile::Mkdocs),
    ("conf.py", Profile::Sphinx),
    ("docusaurus.config.js", Profile::Docusaurus),
    ("docusaurus.config.ts", Profile::Docusaurus),
    ("docusaurus.config.mjs", Profile::Docusaurus),
    (".vitepress", Profile::Vitepress),
    ("_quarto.yml", Profile::Pandoc),
    ("hugo.toml", Profile::Hugo),
    ("hugo.yaml", Profile::Hugo),
    ("hugo.json", Profile::Hugo),
    ("config.toml", Profile::Hugo),
    ("config.yaml", Profile::Hugo),
    ("config.yml", Profile::Hugo),
];

/// Finds the profile of documents from the files in their site.
#[derive(Default, Debug)]
pub(crate) struct Profiles {
    /// The profile of all documents, if the user chose one.
    chosen: Option<Profile>,
    folders: Mutex<HashMap<PathBuf, Option<(Profile, PathBuf)>>>,
}

impl Profiles {
    pub(crate) fn chosen(profile: Option<Profile>) -> Self {
        Self {
            chosen: profile,
            ..Self::default()
        }
    }

    /// Returns the profile of a document, and the file that determined it.
    pub(crate) fn of(&self, document: &Path) -> (Profile, Option<PathBuf>) {
        if let Some(profile) = self.chosen {
            return (profile, None);
        }
        let folder = document.parent().unwrap_or(Path::new(""));
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let mut visited = Vec::new();
        let mut found = None;
        for folder in folder.ancestors() {
            if let Some(known) = folders.get(folder) {
                found.clone_from(known);
                break;
            }
            visited.push(folder.to_owned());
            found = recognized(folder);
            if found.is_some() || folder.join(".git").exists() {
                break;
            }
        }
        for folder in visited {
            folders.insert(folder, found.clone());
        }
        found.map_or((Profile::default(), None), |(profile, file)| {
            (profile, Some(file))
        })
    }

    /// Returns the detected profiles, each with the file that determined it.
    pub(crate) fn found(&self) -> Vec<(Profile, PathBuf)> {
        let folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found: Vec<_> = folders.values().flatten().cloned().collect();
        found.sort_unstable_by(|a, b| a.1.cmp(&b.1));
        found.dedup();
        found
    }
}

/// Returns the tool that a file in this folder belongs to.
fn recognized(folder: &Path) -> Option<(Profile, PathBuf)> {
    FILES.iter().find_map(|(name, profile)| {
        let path = folder.join(name);
        let is_found = match *name {
            // Other tools also use files with these names, so the content decides.
            "conf.py" => contains(&path, &["extensions", "sphinx"]),
            "config.toml" | "config.yaml" | "config.yml" => {
                contains(&path, &["baseURL", "baseurl"])
            }
            _ => path.exists(),
        };
        is_found.then_some((*profile, path))
    })
}

/// Returns true if a settings file contains one of these words.
fn contains(path: &Path, words: &[&str]) -> bool {
    let is_small =
        fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() < 1 << 20);
    let text = if is_small {
        fs::read(path).unwrap_or_default()
    } else {
        Vec::new()
    };
    words
        .iter()
        .any(|word| memchr::memmem::find(&text, word.as_bytes()).is_some())
}
