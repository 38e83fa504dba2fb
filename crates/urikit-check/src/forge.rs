//! Pages of the project on its forge, which are looked up in the checkout instead of being
//! requested.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The forges that host the project of a checkout.
#[derive(Clone, Default, Debug)]
pub(crate) struct Forges(Vec<Forge>);

/// One remote of a checkout.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Forge {
    /// The host and the path of the project: `github.com/ME/REPO`.
    project: String,
    root: PathBuf,
    branches: Vec<String>,
}

/// A page on a forge, as a file in the checkout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Page {
    pub(crate) root: PathBuf,
    /// The path in the checkout, with escapes.
    pub(crate) path: String,
    /// True if fragments can be line numbers.
    pub(crate) has_lines: bool,
}

/// The part of a GitHub, GitLab or Forgejo path between project and branch, and whether pages with
/// such a path have line numbers.
const VIEWS: [(&str, bool); 11] = [
    ("/blob/", true),
    ("/blame/", true),
    ("/tree/", false),
    ("/raw/", false),
    ("/-/blob/", true),
    ("/-/blame/", true),
    ("/-/tree/", false),
    ("/-/raw/", false),
    ("/src/branch/", true),
    ("/raw/branch/", false),
    ("/media/branch/", false),
];

impl Forges {
    /// Asks Git for the remotes of the checkout that contains `folder`. Finds nothing if Git is not
    /// installed.
    pub(crate) fn of(folder: &Path) -> Self {
        let Some(root) = git(folder, &["rev-parse", "--show-toplevel"]) else {
            return Self::default();
        };
        let root = PathBuf::from(root);
        let head = git(&root, &["symbolic-ref", "--short", "HEAD"]);
        let mut branches: Vec<String> = head.into_iter().collect();
        let remotes = git(&root, &["remote"]).unwrap_or_default();
        let mut projects = Vec::new();
        for remote in remotes.lines() {
            let name = format!("refs/remotes/{remote}/HEAD");
            let default = git(&root, &["symbolic-ref", &name]);
            let prefix = format!("refs/remotes/{remote}/");
            branches.extend(default.and_then(|name| Some(name.strip_prefix(&prefix)?.to_owned())));
            let url = git(&root, &["remote", "get-url", remote]);
            projects.extend(url.and_then(|url| project(&url)));
        }
        branches.push("HEAD".to_owned());
        branches.sort_unstable();
        branches.dedup();
        // Try longer names first, because `a` is also the beginning of `a/b`.
        branches.sort_by_key(|name| std::cmp::Reverse(name.len()));
        let forge = |project| Forge {
            project,
            root: root.clone(),
            branches: branches.clone(),
        };
        Self(projects.into_iter().map(forge).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the page of an http(s) URL without a fragment.
    pub(crate) fn page(&self, url: &str) -> Option<Page> {
        let rest = url
            .strip_prefix("https://")
            .or_else(|| url.strip_prefix("http://"))?;
        let rest = rest.split('?').next()?;
        self.0.iter().find_map(|forge| forge.page(rest))
    }
}

impl Forge {
    fn page(&self, url: &str) -> Option<Page> {
        let page = |path: &str, has_lines| Page {
            root: self.root.clone(),
            path: path.to_owned(),
            has_lines,
        };
        if let Some(rest) = strip_project(url, &self.project) {
            return VIEWS.iter().find_map(|(view, has_lines)| {
                let path = self.after_branch(rest.strip_prefix(view)?)?;
                Some(page(path, *has_lines))
            });
        }
        let project = self.project.strip_prefix("github.com/")?;
        let rest = url.strip_prefix("raw.githubusercontent.com/")?;
        let rest = strip_project(rest, project)?.strip_prefix('/')?;
        let rest = rest.strip_prefix("refs/heads/").unwrap_or(rest);
        Some(page(self.after_branch(rest)?, false))
    }

    fn after_branch<'u>(&self, rest: &'u str) -> Option<&'u str> {
        self.branches.iter().find_map(|branch| {
            let path = rest.strip_prefix(branch.as_str())?;
            if path.is_empty() {
                Some("")
            } else {
                path.strip_prefix('/')
            }
        })
    }
}

/// Returns the part of a URL after the project. Compares projects without regard to case, as forges
/// do.
fn strip_project<'u>(url: &'u str, project: &str) -> Option<&'u str> {
    let (start, rest) = url.split_at_checked(project.len())?;
    start.eq_ignore_ascii_case(project).then_some(rest)
}

/// Returns the host and path of a remote: `git@host:path.git`, `ssh://git@host/path`, `https://…`.
fn project(url: &str) -> Option<String> {
    let (host, path) = match url.split_once("://") {
        Some(("https" | "http" | "ssh" | "git", rest)) => rest.split_once('/')?,
        Some(_) => return None,
        None => url.split_once(':')?,
    };
    let host = host.rsplit('@').next()?;
    let host = host.split(':').next()?;
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    // A Windows path also contains a colon.
    (host.len() > 1 && !path.is_empty()).then(|| format!("{host}/{path}"))
}

/// Runs Git, and returns its output without the last line ending.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim_end();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Forge, Forges, project};
    use std::path::PathBuf;

    #[test]
    fn remotes() {
        for url in [
            "git@github.com:me/repo.git",
            "https://github.com/me/repo",
            "https://user:token@github.com/me/repo.git",
            "ssh://git@github.com:22/me/repo.git",
        ] {
            assert_eq!(project(url).as_deref(), Some("github.com/me/repo"), "{url}");
        }
        for url in ["/srv/repo.git", "../repo", "C:\\repo", "file:///srv/repo"] {
            assert_eq!(project(url), None, "{url}");
        }
    }

    #[test]
    fn pages() {
        let forges = Forges(vec![Forge {
            project: "github.com/me/repo".to_owned(),
            root: PathBuf::from("/r"),
            branches: vec!["a/b".to_owned(), "main".to_owned(), "HEAD".to_owned()],
        }]);
        let find = |url| forges.page(url).map(|page| (page.path, page.has_lines));
        let found = |path: &str, has_lines| Some((path.to_owned(), has_lines));
        assert_eq!(
            find("https://github.com/me/repo/blob/main/src/x.rs"),
            found("src/x.rs", true)
        );
        assert_eq!(
            find("https://github.com/Me/Repo/tree/a/b/docs?x"),
            found("docs", false)
        );
        assert_eq!(
            find("https://github.com/me/repo/tree/main"),
            found("", false)
        );
        assert_eq!(
            find("https://raw.githubusercontent.com/me/repo/main/x"),
            found("x", false)
        );
        for other in [
            "https://github.com/me/repo/blob/v1/x",
            "https://github.com/me/repo/blob/mainly/x",
            "https://github.com/me/repository/blob/main/x",
            "https://github.com/me/repo/issues",
        ] {
            assert_eq!(find(other), None, "{other}");
        }
    }
}
