//! `uri check`: formats of the report, the store, the baseline, `--since` and `--fix`.

use crate::support::{Folder, Outcome, command, run_with};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs the command in a folder, without requests to servers.
fn uri_in(folder: &Path, arguments: &[&str]) -> Outcome {
    let mut command = command();
    command.current_dir(folder).args(["check", "--offline"]);
    command.args(arguments);
    run_with(command, b"")
}

/// A folder with a guide that has a broken link, a wrong case and a missing fragment.
fn guide() -> Folder {
    let folder = Folder::new();
    folder.file(
        "guide.md",
        "# Guide\n\n[a](gone.md)\r\n[b](<C.md> \"t\") [c](c.md#twoo)\n[d](https://a.example/)",
    );
    folder.file("c.md", "# One\n\n## Two\n");
    folder
}

#[test]
fn every_format_is_written() {
    let folder = guide();
    for (format, beginning) in [
        ("text", "guide.md\n"),
        ("json", "{\"links\":[\n{\"file\":\"guide.md\",\"line\":3,"),
        (
            "jsonl",
            "{\"file\":\"guide.md\",\"line\":3,\"column\":5,\"reference\":\"gone.md\",",
        ),
        ("sarif", "{\"$schema\":\"https://docs.oasis-open.org/sarif/"),
        (
            "junit",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"uri check\"",
        ),
        (
            "github",
            "::error file=guide.md,line=3,col=5,title=broken::gone.md: no such file\n",
        ),
        ("markdown", "# Link check\n"),
        ("gitlab", "[\n{\""),
        ("html", "<!DOCTYPE html>\n"),
    ] {
        let outcome = uri_in(folder.path(), &["--format", format, "guide.md"]);
        assert!(
            outcome.out.starts_with(beginning),
            "{format}: {}",
            outcome.out
        );
        assert_eq!((outcome.status, &*outcome.err), (1, ""), "{format}");
    }
    let outcome = uri_in(folder.path(), &["--format", "yaml", "guide.md"]);
    assert_eq!(outcome.status, 2);
}

#[test]
fn json_lines_add_up() {
    let outcome = uri_in(guide().path(), &["--format", "jsonl", "."]);
    let lines = outcome.json();
    let outcomes: Vec<_> = lines
        .iter()
        .map(|line| line["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, ["broken", "ok", "ok", "not-checked"]);
    assert_eq!(lines[1]["findings"][0]["rule"], "wrong-case");
    assert_eq!(lines[2]["findings"][0]["suggestion"], "c.md#two");
}

#[test]
fn fixes_change_only_the_references() {
    let folder = guide();
    let before = fs::read_to_string(folder.path().join("guide.md")).unwrap();
    let expected = before.replace("C.md", "c.md").replace("#twoo", "#two");

    let patch = uri_in(folder.path(), &["--fix", "--dry-run", "guide.md"]);
    assert_eq!((patch.status, &*patch.err), (1, ""));
    assert_eq!(
        fs::read_to_string(folder.path().join("guide.md")).unwrap(),
        before
    );

    let outcome = uri_in(folder.path(), &["--fix", "-q", "guide.md"]);
    assert_eq!(
        (&*outcome.err, outcome.status),
        ("fixed 2 references in 1 file\n", 1)
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("guide.md")).unwrap(),
        expected
    );
    // The remaining problems cannot be fixed.
    let outcome = uri_in(folder.path(), &["--fix", "guide.md"]);
    assert!(outcome.out.contains("1 broken"), "{}", outcome.out);
    assert_eq!(outcome.err, "");

    if let Some(repository) = Repository::new() {
        repository.folder.file("guide.md", &before);
        repository.folder.file("c.md", "# One\n\n## Two\n");
        fs::create_dir(repository.path().join("sub")).unwrap();
        let patch = uri_in(
            &repository.path().join("sub"),
            &["--fix", "--dry-run", "../guide.md"],
        );
        repository.folder.file("fix.patch", &patch.out);
        repository.git(&["apply", "fix.patch"]);
        assert_eq!(
            fs::read_to_string(repository.path().join("guide.md")).unwrap(),
            expected
        );
    }
}

#[test]
fn a_baseline_is_created_used_and_reduced() {
    let folder = guide();
    let run = |arguments: &[&str]| {
        uri_in(
            folder.path(),
            &[&["--baseline", "known", "."], arguments].concat(),
        )
    };
    let read = || fs::read_to_string(folder.path().join("known")).unwrap();
    assert_eq!(run(&[]).status, 1, "an absent baseline is empty");
    assert_eq!(run(&["--update-baseline"]).status, 0);
    assert_eq!(
        read(),
        "{\"rule\":\"wrong-case\",\"file\":\"guide.md\",\"reference\":\"C.md\"}\n\
         {\"rule\":\"fragment-missing\",\"file\":\"guide.md\",\"reference\":\"c.md#twoo\"}\n\
         {\"rule\":\"broken\",\"file\":\"guide.md\",\"reference\":\"gone.md\"}\n"
    );
    assert_eq!(run(&[]).status, 0);
    // A new failure fails the run, and is not added.
    folder.file("c.md", "# One\n\n## Two\n[x](new.md)\n");
    assert_eq!(run(&["--update-baseline"]).status, 1);
    assert_eq!(read().lines().count(), 3);
    // The entry of a failure that no longer occurs is stale.
    folder.file("c.md", "# One\n\n## Twoo\n");
    let outcome = run(&[]);
    assert_eq!(outcome.status, 1);
    assert!(
        outcome.out.contains(
            "error: the baseline expects fragment-missing for c.md#twoo in guide.md, but this no \
             longer occurs [baseline-stale]"
        ),
        "{}",
        outcome.out
    );
    assert_eq!(run(&["--update-baseline"]).status, 0);
    assert_eq!(read().lines().count(), 2);
    // A run over other files does not make the entries of this file stale.
    let outcome = uri_in(folder.path(), &["--baseline", "known", "c.md"]);
    assert_eq!(outcome.status, 0, "{}", outcome.out);
}

#[test]
fn a_store_answers_without_requests() {
    let folder = guide();
    let store = |day: &str| {
        folder.file("store", format!(
            "<<<<<<< HEAD\n{{\"url\":\"https://a.example/\",\"outcome\":\"ok\",\"first\":\"2026-01-01\",\"last\":\"{day}\"}}\n"
        ));
    };
    folder.file("a.md", "[d](https://a.example/)");
    // The tests do not depend on the current date, because a very long age limit includes all past
    // days.
    store("2020-01-01");
    let run = |arguments: &[&str]| {
        uri_in(
            folder.path(),
            &[&["--store", "store", "a.md", "-v"], arguments].concat(),
        )
    };
    let outcome = run(&["--max-age", "100000d"]);
    assert!(outcome.out.contains("1 ok"), "{}", outcome.out);
    assert_eq!(
        (&*outcome.err, outcome.status),
        ("uri: store:1: skipped: expected value\n", 0)
    );
    assert!(
        !fs::read_to_string(folder.path().join("store"))
            .unwrap()
            .contains("<<<")
    );

    let outcome = run(&["--max-age", "1d", "--check-store"]);
    assert!(
        outcome
            .out
            .contains("the stored result is from 2020-01-01 [not-in-store]")
    );
    assert_eq!(outcome.status, 1);
    assert_eq!(run(&["--max-age", "100000d", "--check-store"]).status, 0);
    folder.file("a.md", "[d](https://b.example/)");
    let outcome = run(&["--max-age", "100000d", "--check-store"]);
    assert!(
        outcome
            .out
            .contains("the store does not contain this URL [not-in-store]")
    );
    assert_eq!(outcome.status, 1);
    // A complete run removes the line that no link uses.
    assert_eq!(run(&[]).status, 0);
    assert_eq!(fs::read_to_string(folder.path().join("store")).unwrap(), "");
    assert_eq!(run(&["--max-age", "soon"]).status, 2);
    assert_eq!(uri_in(folder.path(), &["--check-store", "a.md"]).status, 2);
}

/// A fragment that the store does not contain says nothing about other fragments of the page.
#[test]
fn a_store_contains_some_fragments() {
    let folder = Folder::new();
    let line = "{\"url\":\"https://a.example/\",\"outcome\":\"ok\",\"first\":\"2020-01-01\",\
                \"last\":\"2020-01-01\",\"fragments\":[\"a\"]}\n";
    folder.file("store", line);
    folder.file(
        "a.md",
        "<https://a.example/#a> <https://a.example/#b> <https://a.example/>",
    );
    let options = [
        "--store",
        "store",
        "--check-store",
        "--max-age",
        "100000d",
        "a.md",
    ];
    let outcome = uri_in(folder.path(), &options);
    let problem = "a.md:1:25: error: the store does not contain the fragment [not-in-store]";
    assert!(outcome.out.contains(problem), "{}", outcome.out);
    let counts = "2 ok, 0 broken, 0 unverifiable, 1 not checked, 1 not-in-store";
    assert!(outcome.out.contains(counts), "{}", outcome.out);
    assert_eq!(outcome.status, 1);
}

#[test]
fn files_that_cannot_be_read_or_written() {
    let folder = guide();
    fs::create_dir(folder.path().join("dir")).unwrap();
    for option in ["--store", "--baseline"] {
        let outcome = uri_in(folder.path(), &[option, "dir", "c.md"]);
        assert_eq!(outcome.status, 3, "{option}: {outcome:?}");
        assert!(
            outcome.err.starts_with("uri: dir: "),
            "{option}: {}",
            outcome.err
        );
    }
}

struct Repository {
    folder: Folder,
}

impl Repository {
    /// Creates a repository; `None` without git.
    fn new() -> Option<Self> {
        if Command::new("git").arg("--version").output().is_err() {
            println!("SKIPPED --since: git is missing");
            return None;
        }
        let repository = Self {
            folder: Folder::new(),
        };
        repository.git(&["init", "-q", "-b", "main", "."]);
        Some(repository)
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn git(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@a.example"]);
        let output = command
            .args(arguments)
            .current_dir(self.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }
}

#[test]
fn moved_files_are_found_again() {
    // Outside a checkout, the only file with the same name is used.
    let site = Folder::new();
    fs::create_dir_all(site.path().join("new/deep")).unwrap();
    site.file("new/deep/b.html", "<p id=x>");
    site.file("new/index.html", "");
    let page = "<a href='/b.html#x'> <a href=\"./b.html\"> <a href=index.html?a&amp;b>";
    site.file("a.html", page);
    let prefix = format!("https://a.example/={}", site.path().display());
    let outcome = uri_in(site.path(), &["--fix", "--site", &prefix, "."]);
    let expected = "the file has moved [broken]";
    assert_eq!(outcome.out.matches(expected).count(), 2, "{}", outcome.out);
    assert_eq!(outcome.err, "fixed 2 references in 1 file\n");
    let fixed = page
        .replace("/b.html#x", "/new/deep/b.html#x")
        .replace("./b.html", "./new/deep/b.html");
    let written = fs::read_to_string(site.path().join("a.html")).unwrap();
    // A page named index.html is never taken for a moved page of the same name.
    assert_eq!(written, fixed);
    // If two files have the name of the missing file, neither is used.
    site.file("new/b.html", "");
    site.file("a.html", page);
    let outcome = uri_in(site.path(), &["--fix", "--site", &prefix, "."]);
    assert_eq!(outcome.err, "");

    let Some(repository) = Repository::new() else {
        return;
    };
    let (git, file) = (
        |arguments: &[&str]| repository.git(arguments),
        |name: &str, text: &str| drop(repository.folder.file(name, text)),
    );
    fs::create_dir_all(repository.path().join("docs/guide")).unwrap();
    let lines: Vec<_> = (0..40).map(|n| format!("line {n}\n")).collect();
    let text = lines.concat();
    file("docs/old.md", &text);
    file(
        "docs/guide/a.md",
        "[x](../old.md#p) [y]\n\n[y]: <../old.md>\n\n[z](../gone.md)\n",
    );
    file("README.md", "[x](docs/old.md)");
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "one"]);
    // Renamed with changes, then renamed again; another file has the old name elsewhere.
    git(&["mv", "docs/old.md", "docs/guide/middle.md"]);
    file("docs/guide/middle.md", &format!("{text}more\n"));
    git(&["commit", "-q", "-a", "-m", "two"]);
    fs::create_dir(repository.path().join("top")).unwrap();
    git(&["mv", "docs/guide/middle.md", "top/new.md"]);
    file("top/old.md", "another file");
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "three"]);
    let outcome = uri_in(repository.path(), &["--fix", "--no-fragments", "-q", "."]);
    assert_eq!(outcome.err, "fixed 3 references in 2 files\n");
    let read = |name: &str| fs::read_to_string(repository.path().join(name)).unwrap();
    assert_eq!(read("README.md"), "[x](top/new.md)");
    assert_eq!(
        read("docs/guide/a.md"),
        "[x](../../top/new.md#p) [y]\n\n[y]: <../../top/new.md>\n\n[z](../gone.md)\n"
    );
    // A rename that is not committed.
    git(&["commit", "-q", "-a", "-m", "four"]);
    git(&["mv", "top/new.md", "top/newer.md"]);
    let outcome = uri_in(
        repository.path(),
        &["--fix", "--no-fragments", "-q", "README.md"],
    );
    assert_eq!(outcome.err, "fixed 1 reference in 1 file\n");
    assert_eq!(read("README.md"), "[x](top/newer.md)");
}

#[test]
fn since_checks_only_what_a_change_can_break() {
    let Some(repository) = Repository::new() else {
        return;
    };
    repository
        .folder
        .file("old.md", "[a](never.md) [b](c.md#two)\n");
    repository.folder.file("c.md", "# One\n\n## Two\n");
    repository.git(&["add", "."]);
    repository.git(&["commit", "-qm", "a"]);
    assert_eq!(uri_in(repository.path(), &["."]).status, 1);
    assert_eq!(
        uri_in(repository.path(), &["--since", "main", "."]).status,
        0
    );
    repository
        .folder
        .file("c.md", "# One\n\n## Three\n[x](new.md)\n");
    let outcome = uri_in(
        repository.path(),
        &["--since", "main", "--format", "jsonl", "."],
    );
    let mut failed: Vec<_> = outcome
        .json()
        .iter()
        .filter(|line| line["severity"] == "error")
        .map(|line| line["reference"].as_str().unwrap().to_owned())
        .collect();
    failed.sort();
    assert_eq!(failed, ["c.md#two", "new.md"]);
    let outcome = uri_in(repository.path(), &["--since", "nowhere", "."]);
    assert_eq!(outcome.status, 2);
    assert!(
        outcome.err.contains("Not a valid object name nowhere"),
        "{}",
        outcome.err
    );
}

/// The page about other link checkers lists all their options, and only those options of `uri
/// check` that exist.
#[test]
fn migration() {
    #[derive(serde::Deserialize)]
    struct Tools {
        tool: Vec<Tool>,
    }
    #[derive(serde::Deserialize)]
    struct Tool {
        name: String,
        version: String,
        options: Vec<String>,
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/check-migration.md")).unwrap();
    let tools = fs::read_to_string(root.join("testdata/check/migration.toml")).unwrap();
    let tools: Tools = toml::from_str(&tools).unwrap();
    let help = uri_in(&root, &["--help"]).out;
    let mut checked = 0;
    for tool in tools.tool {
        assert!(
            page.contains(&format!("{} {}", tool.name, tool.version)),
            "{}",
            tool.name
        );
        let section = page.split(&format!("\n## {}\n", tool.name)).nth(1).unwrap();
        let section = section.split("\n## ").next().unwrap();
        for option in tool.options {
            let is_named = section.split(['`', ' ', '|']).any(|word| word == option);
            assert!(is_named, "{} {option}", tool.name);
        }
        for row in section.lines().filter(|line| line.starts_with("| `")) {
            let ours = row.split(" | ").nth(1).unwrap();
            for option in ours
                .split(['`', ' ', '\''])
                .filter(|word| word.starts_with("--") && *word != "-->")
            {
                assert!(
                    help.contains(&format!("{option} ")) || help.contains(&format!("{option}\n")),
                    "{option}"
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 40, "{checked}");
}

/// The pre-commit hooks, the action and the container file: what can be tested offline.
mod integrations {
    use super::{Folder, Path, Repository, fs, guide};
    use std::path::PathBuf;
    use std::process::{Command, Output};
    use urikit_testkit::servers::python_of;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    /// The `PATH` with the built command in front.
    fn path() -> std::ffi::OsString {
        let folder = Path::new(env!("CARGO_BIN_EXE_uri"))
            .parent()
            .unwrap()
            .to_owned();
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::join_paths(std::iter::once(folder).chain(std::env::split_paths(&path))).unwrap()
    }

    /// Runs the script of the action's last step with these inputs.
    #[cfg(unix)]
    fn action(folder: &Folder, paths: &str, options: &str) -> Output {
        let action = fs::read_to_string(root().join("action.yml")).unwrap();
        let script = action.rsplit("      run: |\n").next().unwrap();
        let lines = script
            .lines()
            .map(|line| line.strip_prefix("        ").unwrap_or(line));
        let script: String = lines.flat_map(|line| [line, "\n"]).collect();
        Command::new("bash")
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &script])
            .current_dir(folder.path())
            .env("PATH", path())
            .env("PATHS", paths)
            .env("OPTIONS", options)
            .output()
            .unwrap()
    }

    #[cfg(unix)]
    #[test]
    fn the_action_annotates_files() {
        let folder = guide();
        let output = action(&folder, "guide.md\n", "");
        let out = String::from_utf8(output.stdout).unwrap();
        assert!(
            out.starts_with("::error file=guide.md,line=3,col=5,title=broken::"),
            "{out}"
        );
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(action(&folder, "c.md", "").status.code(), Some(0));
        // Each line is one argument, and the shell does not interpret it.
        let output = action(
            &folder,
            "$(touch ran)\n; touch ran\n--offline",
            "--severity\nbroken=off",
        );
        assert_eq!(
            output.status.code(),
            Some(3),
            "three files that do not exist"
        );
        assert!(!folder.path().join("ran").exists());
        let severities =
            "--severity\nbroken=off\n--severity\nwrong-case=off\n--severity\nfragment-missing=off";
        assert_eq!(
            action(&folder, "guide.md", severities).status.code(),
            Some(0)
        );
    }

    /// `pre-commit` accepts the definition and runs the hook.
    #[test]
    fn pre_commit() {
        let hooks = fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap();
        let entry = hooks
            .lines()
            .find_map(|line| line.strip_prefix("  entry: "))
            .unwrap();
        let script = root().join(entry.split(' ').next().unwrap());
        assert!(script.is_file(), "{}", script.display());
        // The scripts of a virtual environment contain its first path, so Python runs the module.
        let Some(python) = python_of("pre-commit", "reports") else {
            return;
        };
        let Some(repository) = Repository::new() else {
            return;
        };
        // Put the hooks into a separate repository, because the project's repository may have
        // uncommitted changes.
        let Some(source) = Repository::new() else {
            return;
        };
        fs::write(source.path().join(".pre-commit-hooks.yaml"), hooks).unwrap();
        source.git(&["add", "."]);
        source.git(&["commit", "-qm", "a"]);
        repository.folder.file("a.md", "[a](gone.md)\n");
        repository.folder.file("b.md", "[a](a.md)\n");
        repository.git(&["add", "."]);
        repository.git(&["commit", "-qm", "a"]);
        let run = |file: &str| {
            Command::new(&python)
                .args([
                    "-m",
                    "pre_commit",
                    "try-repo",
                    source.path().to_str().unwrap(),
                    "uri-check-system",
                    "--files",
                    file,
                ])
                .current_dir(repository.path())
                .env("PATH", path())
                .env("PRE_COMMIT_HOME", repository.path().join(".git/pre-commit"))
                .output()
                .unwrap()
        };
        let output = run("a.md");
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            out.contains("a.md:1:5: error: no such file [broken]"),
            "{output:?}"
        );
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(run("b.md").status.code(), Some(0));
    }

    /// The script of the hook `uri-check`, after its build.
    #[cfg(unix)]
    #[test]
    fn the_script_of_the_hook() {
        let target = Folder::new();
        fs::create_dir(target.path().join("release")).unwrap();
        let uri = target.path().join("release/uri");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_uri"), uri).unwrap();
        let folder = guide();
        let run = |file: &str| {
            Command::new(root().join("install/pre-commit").canonicalize().unwrap())
                .args(["check", file])
                .current_dir(folder.path())
                .env("CARGO_TARGET_DIR", target.path())
                .output()
                .unwrap()
        };
        assert_eq!(run("c.md").status.code(), Some(0));
        let output = run("guide.md");
        assert!(
            String::from_utf8_lossy(&output.stdout).contains("guide.md:3:5"),
            "{output:?}"
        );
        assert_eq!(output.status.code(), Some(1));
    }

    /// Building an image requires a registry, so only check the steps of the container file.
    #[test]
    fn the_container_file() {
        let file = fs::read_to_string(root().join("Containerfile")).unwrap();
        assert!(file.contains("\nRUN cargo build --profile dist --locked -p urikit-cli\n"));
        assert!(file.contains("/src/target/dist/uri /usr/local/bin/uri\n"));
        assert!(file.contains("\nENTRYPOINT [\"uri\"]\n"));
        let ignored = fs::read_to_string(root().join(".containerignore")).unwrap();
        assert_eq!(
            ignored,
            fs::read_to_string(root().join(".dockerignore")).unwrap()
        );
        assert!(ignored.lines().any(|line| line == "**/target"));
    }
}
