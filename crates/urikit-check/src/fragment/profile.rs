//! The tools that turn headings into ids, and how to recognize the tool of a site.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
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

    /// Returns true if the tool reads attributes such as `{: #id }` in paragraphs.
    pub(super) const fn has_attributes(self) -> bool {
        matches!(
            self,
            Self::Mkdocs | Self::Pandoc | Self::Vitepress | Self::Hugo
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
    folders: Mutex<HashMap<PathBuf, Arc<Folder>>>,
    /// The profiles of the documents so far, by the files that determined them.
    used: Mutex<BTreeMap<PathBuf, Profile>>,
}

/// A folder that may contain the settings file of a tool.
#[derive(Debug)]
struct Folder {
    tool: Option<Tool>,
    /// True for the root of a repository, above which no settings file is searched for.
    is_root: bool,
}

/// A tool that was recognized.
#[derive(Debug)]
struct Tool {
    profile: Profile,
    file: PathBuf,
    documents: Documents,
}

/// The documents that a tool builds. A forge shows all others, such as `README.md` in the root of a
/// repository.
#[derive(Debug)]
enum Documents {
    /// All documents in the folder of the settings file.
    All,
    /// All documents in folders below that of the settings file.
    Below,
    /// All documents in this folder.
    In(PathBuf),
}

impl Tool {
    /// Returns true if the tool builds the documents in a folder.
    fn builds(&self, folder: &Path) -> bool {
        match &self.documents {
            Documents::All => true,
            Documents::Below => Some(folder) != self.file.parent(),
            Documents::In(source) => folder.starts_with(source),
        }
    }
}

impl Profiles {
    pub(crate) fn chosen(profile: Option<Profile>) -> Self {
        Self {
            chosen: profile,
            ..Self::default()
        }
    }

    /// Returns the profile of a document.
    pub(crate) fn of(&self, document: &Path) -> Profile {
        if let Some(profile) = self.chosen {
            return profile;
        }
        let inner = document.parent().unwrap_or(Path::new(""));
        for path in inner.ancestors() {
            let folder = self.folder(path);
            if let Some(tool) = folder.tool.as_ref().filter(|tool| tool.builds(inner)) {
                let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
                if !used.contains_key(&tool.file) {
                    used.insert(tool.file.clone(), tool.profile);
                }
                return tool.profile;
            }
            if folder.is_root {
                break;
            }
        }
        Profile::default()
    }

    fn folder(&self, path: &Path) -> Arc<Folder> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(folder) = folders.get(path) {
            return Arc::clone(folder);
        }
        let folder = Arc::new(Folder {
            tool: recognized(path),
            is_root: path.join(".git").exists(),
        });
        folders.insert(path.to_owned(), Arc::clone(&folder));
        folder
    }

    /// Returns the detected profiles, each with the file that determined it.
    pub(crate) fn found(&self) -> Vec<(Profile, PathBuf)> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let found = used.iter().map(|(file, profile)| (*profile, file.clone()));
        found.collect()
    }
}

/// Returns the tool that a file in this folder belongs to.
fn recognized(folder: &Path) -> Option<Tool> {
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
        is_found.then(|| Tool {
            profile: *profile,
            documents: documents(*profile, folder, &path),
            file: path,
        })
    })
}

/// Returns the documents that a tool with this settings file builds.
fn documents(profile: Profile, folder: &Path, settings: &Path) -> Documents {
    let source = |name: Option<String>, default: &str| {
        let source = folder.join(name.as_deref().unwrap_or(default));
        Documents::In(fs::canonicalize(&source).unwrap_or(source))
    };
    match profile {
        Profile::Mdbook => source(book_source(&settings_text(settings)), "src"),
        Profile::Mkdocs => source(docs_dir(&settings_text(settings)), "docs"),
        // Both tools build folders whose names their settings can change, but never the documents
        // beside the settings.
        Profile::Docusaurus | Profile::Hugo => Documents::Below,
        _ => Documents::All,
    }
}

/// Returns the folder with the documents of a book, as `book.toml` names it.
fn book_source(settings: &str) -> Option<String> {
    let settings: toml::Table = settings.parse().ok()?;
    let source = settings.get("book")?.get("src")?.as_str()?;
    Some(source.to_owned())
}

/// Returns the value of `docs_dir` in `mkdocs.yml`.
fn docs_dir(settings: &str) -> Option<String> {
    let mut lines = settings.lines();
    let value = lines
        .find_map(|line| line.strip_prefix("docs_dir:"))?
        .trim();
    let quoted = ['"', '\''].into_iter().find_map(|quote| {
        let (value, _) = value.strip_prefix(quote)?.split_once(quote)?;
        Some(value)
    });
    let plain = value.split(" #").next().map(str::trim_end);
    let value = quoted.or(plain).filter(|value| !value.is_empty())?;
    Some(value.to_owned())
}

/// Returns true if a settings file contains one of these words.
fn contains(path: &Path, words: &[&str]) -> bool {
    let text = settings_text(path);
    words
        .iter()
        .any(|word| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some())
}

/// Reads a settings file. A file that is too large or cannot be read counts as empty.
fn settings_text(path: &Path) -> String {
    let is_small =
        fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() < 1 << 20);
    let bytes = if is_small {
        fs::read(path).unwrap_or_default()
    } else {
        Vec::new()
    };
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{book_source, docs_dir};

    #[test]
    fn folders_of_documents() {
        let dir = |text: &str| docs_dir(text).unwrap_or_default();
        assert_eq!(dir("site_name: a\ndocs_dir: pages\n"), "pages");
        assert_eq!(dir("docs_dir: 'a b' # pages"), "a b");
        assert_eq!(dir("docs_dir: \"a\"\r\n"), "a");
        assert_eq!(dir("docs_dir: a # pages"), "a");
        assert_eq!(dir("docs_dir:\nextra:\n  docs_dir: b"), "");
        let source = |text: &str| book_source(text).unwrap_or_default();
        assert_eq!(source("[book]\nsrc = \"text\"\n"), "text");
        assert_eq!(source("[book]\ntitle = \"A\"\n"), "");
    }
}
