//! `--since`: a repository with every kind of change.

// A test fails by panicking.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]
#![allow(clippy::similar_names)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use urikit_check::{Changes, Check, FileAnchors, GitError, Offline, Preset, Since, Site, Source};

struct Repository(PathBuf);

impl Repository {
    /// Creates a repository; `None` without git.
    fn new(name: &str) -> Option<Self> {
        if Command::new("git").arg("--version").output().is_err() {
            println!("SKIPPED {name}: git is missing");
            return None;
        }
        let folder = std::env::temp_dir().join(format!("urikit-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let repository = Self(fs::canonicalize(folder).unwrap());
        repository.git(&["init", "-q", "-b", "main", "."]);
        Some(repository)
    }

    fn git(&self, arguments: &[&str]) {
        let output = Command::new("git")
            .args([
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@a.example",
                "-c",
                "core.autocrlf=false",
            ])
            .args(arguments)
            .current_dir(&self.0)
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "a"]);
    }

    fn since(&self, reference: &str) -> Changes {
        Changes::since(&self.0, reference).unwrap()
    }
}

impl Drop for Repository {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the added lines among the first hundred.
fn added(changes: &Changes, file: &str) -> Vec<usize> {
    (1..100)
        .filter(|line| changes.is_added(Path::new(file), *line))
        .collect()
}

/// Lines that begin with `# ` are anchors; in `_redirects`, the first word of each line.
fn anchors(path: &Path, content: &[u8]) -> FileAnchors {
    let text = String::from_utf8_lossy(content);
    let mut anchors = FileAnchors::default();
    for line in text.lines() {
        if path.ends_with("_redirects") {
            anchors
                .redirects
                .extend(line.split(' ').next().map(str::to_owned));
        } else {
            anchors
                .fragments
                .extend(line.strip_prefix("# ").map(str::to_owned));
        }
    }
    anchors
}

fn names(set: &BTreeSet<PathBuf>) -> Vec<&str> {
    set.iter().map(|path| path.to_str().unwrap()).collect()
}

#[test]
fn every_kind_of_change() {
    let Some(repository) = Repository::new("since") else {
        return;
    };
    repository.write("a.md", "1\n2\n3\n4\n5\n");
    repository.write("crlf.md", "1\r\n2\r\n3\r\n");
    repository.write("headings.md", "# one\n# two\n# three\n");
    repository.write("deleted.md", "x\n");
    repository.write("moved.md", "x\ny\n");
    repository.write("staged.md", "x\n");
    repository.write("same.md", "x\n");
    repository.write("becomes/file.md", "x\n");
    repository.write("_redirects", "/a /b\n/c /d\n");
    repository.write("old/_redirects", "/e /f\n");
    repository.write(".gitignore", "*.log\n");
    repository.write("sp ace \"q\"\té\\.md", "1\n2\n");
    repository.commit();
    repository.git(&["checkout", "-q", "-b", "topic"]);
    repository.write("a.md", "1\n2\nnew\n3\n5\nlast");
    repository.write("crlf.md", "1\r\nnew\r\n3\r\n");
    repository.commit();
    // Not committed:
    repository.write("headings.md", "# one\n# 2\n# three\n");
    fs::remove_file(repository.0.join("deleted.md")).unwrap();
    repository.git(&["mv", "moved.md", "new name.md"]);
    repository.write("staged.md", "x\ny\n");
    repository.git(&["add", "staged.md"]);
    fs::remove_dir_all(repository.0.join("becomes")).unwrap();
    repository.write("becomes", "x\n");
    repository.write("_redirects", "/a /z\n");
    fs::remove_dir_all(repository.0.join("old")).unwrap();
    repository.write("untracked/x.md", "1\n");
    repository.write("a.log", "1\n");
    repository.write("sp ace \"q\"\té\\.md", "1\n+++ b/a.md\n@@ -1 +1,50 @@\n2\n");
    // Later commits on the main branch do not matter.
    let changes = repository.since("main");

    assert_eq!(changes.root(), repository.0);
    assert_eq!(added(&changes, "a.md"), [3, 6]);
    assert_eq!(added(&changes, "crlf.md"), [2]);
    assert_eq!(added(&changes, "headings.md"), [2]);
    assert_eq!(added(&changes, "staged.md"), [2]);
    assert_eq!(added(&changes, "new name.md"), [1, 2]);
    assert_eq!(
        added(&changes, "becomes").len(),
        99,
        "a file instead of a folder"
    );
    assert_eq!(
        added(&changes, "untracked/x.md").len(),
        99,
        "all lines of an untracked file"
    );
    assert_eq!(added(&changes, "sp ace \"q\"\té\\.md"), [2, 3]);
    for unchanged in ["same.md", "deleted.md", "moved.md", "a.log", "none.md"] {
        assert_eq!(added(&changes, unchanged), [0; 0], "{unchanged}");
    }

    let removed = changes.removed(&anchors).unwrap();
    assert_eq!(
        names(&removed.files),
        [
            "becomes/file.md",
            "deleted.md",
            "moved.md",
            "old/_redirects"
        ]
    );
    assert_eq!(removed.redirects.iter().collect::<Vec<_>>(), ["/c", "/e"]);
    assert_eq!(removed.fragments.len(), 1);
    let headings = Path::new("headings.md");
    assert!(removed.contains(headings, Some("two")));
    assert!(!removed.contains(headings, Some("one")));
    assert!(!removed.contains(headings, Some("2")));
    assert!(!removed.contains(headings, None));
    assert!(removed.contains(Path::new("deleted.md"), None));
    assert!(removed.contains(Path::new("deleted.md"), Some("x")));
}

/// The work tree is compared with the merge base, not with the other branch.
#[test]
fn the_merge_base() {
    let Some(repository) = Repository::new("base") else {
        return;
    };
    repository.write("a.md", "1\n");
    repository.commit();
    repository.git(&["checkout", "-q", "-b", "topic"]);
    repository.write("b.md", "1\n");
    repository.commit();
    repository.git(&["checkout", "-q", "main"]);
    repository.write("a.md", "1\n2\n");
    repository.write("c.md", "1\n");
    repository.commit();
    repository.git(&["checkout", "-q", "topic"]);
    let changes = repository.since("main");
    assert_eq!(added(&changes, "a.md"), [0; 0]);
    assert_eq!(added(&changes, "b.md"), [1]);
    assert!(
        changes.removed(&anchors).unwrap().files.is_empty(),
        "c.md was never here"
    );
    // From a folder of the work tree, paths are relative to its root.
    repository.write("d/e.md", "1\n");
    let changes = Changes::since(&repository.0.join("d"), "main").unwrap();
    assert_eq!(added(&changes, "d/e.md").len(), 99);
}

/// A user's configuration may change the format of patches, or run programs.
#[test]
fn hostile_configuration() {
    let Some(repository) = Repository::new("configuration") else {
        return;
    };
    repository.write("a.md", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    repository.write(".gitattributes", "*.md diff=x\n");
    repository.commit();
    repository.write("a.md", "1\nnew\n3\n4\nnew\n6\n7\n8\n9\n");
    for (key, value) in [
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.external", "touch external-ran; true"),
        ("diff.x.textconv", "touch textconv-ran; true"),
        ("diff.x.command", "touch command-ran; true"),
        ("core.fsmonitor", "touch fsmonitor-ran; true"),
        ("diff.context", "9"),
        ("diff.interHunkContext", "9"),
        ("color.ui", "always"),
        ("core.quotePath", "false"),
        ("diff.renames", "copies"),
        ("core.pager", "false"),
    ] {
        repository.git(&["config", key, value]);
    }
    let changes = repository.since("HEAD");
    assert_eq!(added(&changes, "a.md"), [2, 5]);
    let ran: Vec<_> = fs::read_dir(&repository.0)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with("-ran"))
        .collect();
    assert_eq!(ran, [""; 0]);
}

#[test]
fn errors() {
    let Some(repository) = Repository::new("errors") else {
        return;
    };
    repository.write("a.md", "1\n");
    repository.commit();
    let error = |reference: &str| match Changes::since(&repository.0, reference) {
        Err(GitError::Failed(message)) => message,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        error("no-such-branch"),
        "Not a valid object name no-such-branch"
    );
    assert_eq!(error("--output=x"), "\"--output=x\" is not a revision");
    let outside = std::env::temp_dir().join(format!("urikit-outside-{}", std::process::id()));
    fs::create_dir_all(&outside).unwrap();
    let message = Changes::since(&outside, "main").unwrap_err().to_string();
    assert!(
        message.starts_with("git: not a git repository"),
        "{message}"
    );
    fs::remove_dir_all(outside).unwrap();
}

/// A flood of warnings does not stop git, and a huge line is not kept in memory.
#[test]
fn many_files_and_long_lines() {
    let Some(repository) = Repository::new("many") else {
        return;
    };
    for number in 0..2_000 {
        repository.write(&format!("{number}.md"), "1\n");
    }
    repository.write("long.md", "1\n");
    repository.commit();
    repository.git(&["config", "core.autocrlf", "input"]);
    for number in 0..2_000 {
        repository.write(&format!("{number}.md"), "1\r\n2\r\n");
    }
    repository.write("long.md", &format!("{}\n1\n2\n", "x".repeat(20 << 20)));
    let changes = repository.since("HEAD");
    assert_eq!(added(&changes, "1999.md"), [2]);
    assert_eq!(added(&changes, "long.md"), [1, 3]);
    let removed = changes.removed(&anchors).unwrap();
    assert!(removed.files.is_empty() && removed.fragments.is_empty());
}

/// Returns the references of the links that `--since` chooses, with their rules.
fn chosen(repository: &Repository, documents: &[&str]) -> Vec<String> {
    let since = Since::new(repository.since("HEAD"), None).unwrap();
    let site = Site::new(
        "https://a.example/",
        &repository.0.join("site"),
        Preset::default(),
    );
    let sources = documents
        .iter()
        .map(|name| Source::file(repository.0.join(name)));
    let sources: Vec<_> = sources.collect();
    let check = Check::new().since(since).site(site.unwrap());
    let report = check.run(sources, &Offline);
    assert_eq!(report.failures(), []);
    let mut chosen = Vec::new();
    for link in report.documents().flat_map(|document| document.links()) {
        if link.outcome.reason() != Some(&urikit_check::Reason::Excluded) {
            let rules: Vec<_> = link.rules().map(|rule| rule.id()).collect();
            chosen.push(
                format!("{} {}", link.link.reference, rules.join(" "))
                    .trim_end()
                    .to_owned(),
            );
        }
    }
    chosen
}

#[test]
fn links_that_a_change_can_break() {
    let Some(repository) = Repository::new("links") else {
        return;
    };
    let links = "[1](deleted.md) [2](kept.md) [3](kept.md#one) [4](kept.md#two) [5](kept.md#never)\n\
        [6](https://a.example/old/x) [7](https://a.example/same) [8](https://a.example/page)\n\
        [9](https://elsewhere.example/) [10](never.md)\n";
    repository.write("a.md", links);
    repository.write("deleted.md", "x\n");
    repository.write("kept.md", "# One\n# Two\n");
    repository.write("site/_redirects", "/old/* /new/:splat\n/same /page\n");
    repository.write("site/page.html", "<p>\n");
    repository.write("site/new/x.html", "<p>\n");
    repository.commit();
    assert_eq!(chosen(&repository, &["a.md"]), [""; 0]);

    fs::remove_file(repository.0.join("deleted.md")).unwrap();
    repository.write("kept.md", "# One\n# Three\n");
    repository.write("site/_redirects", "/same /page\n");
    fs::remove_file(repository.0.join("site/page.html")).unwrap();
    repository.write("a.md", &format!("{links}[11](new.md) [12](kept.md)\n"));
    assert_eq!(
        chosen(&repository, &["a.md"]),
        [
            "deleted.md broken",
            "kept.md#two fragment-missing",
            "https://a.example/old/x broken",
            "https://a.example/page broken",
            "new.md broken",
            "kept.md",
        ]
    );
}
