//! Runs the commands of the README, the cookbook and the pages about protocols, links and the
//! gateway, and compares their output with these pages.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)] // a test fails by panicking

#[path = "../cli/support.rs"]
#[allow(dead_code)] // the other tests use the rest
mod support;
#[path = "../cli/terminal.rs"]
#[allow(dead_code)] // as above
mod terminal;
mod world;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use urikit_testkit::servers::{installed, skip};
use world::World;

/// A page's blocks of terminal output.
fn consoles(readme: &str) -> impl Iterator<Item = &str> {
    readme
        .split("```console\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
}

/// A line of a page, to be run by a shell in a folder of the project.
fn shell(line: &str, folder: &str) -> Command {
    let binary = Path::new(env!("CARGO_BIN_EXE_uri"));
    let path = std::env::var("PATH").unwrap();
    let mut shell = Command::new("sh");
    shell
        .args(["-c", line])
        .env(
            "PATH",
            format!("{}:{path}", binary.parent().unwrap().display()),
        )
        // The certificates of servers, which are new in each run.
        .env("XDG_STATE_HOME", state())
        .stdin(std::process::Stdio::null())
        .current_dir(root().join(folder));
    shell
}

/// The folder for files that the command keeps between runs.
fn state() -> PathBuf {
    let name = format!("state-{}", std::process::id());
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The block's commands.
fn commands(block: &str) -> impl Iterator<Item = &str> {
    block.lines().filter_map(|line| line.strip_prefix("$ "))
}

/// The output of each of the block's commands.
fn run(block: &str, folder: &str) -> String {
    let mut shown = String::new();
    for line in commands(block) {
        let mut shell = shell(line, folder);
        let output = shell.env("COLUMNS", "80").env("NO_COLOR", "1").output();
        let output = output.expect("a shell runs");
        let _ = writeln!(shown, "$ {line}");
        shown.push_str(&String::from_utf8(output.stdout).unwrap());
        shown.push_str(&String::from_utf8(output.stderr).unwrap());
    }
    // On a terminal, CR LF looks the same as LF.
    shown.replace("\r\n", "\n")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Replaces ports: the ports on a page are fixed, but those of the servers are not.
fn replaced(text: &str, ports: &[(String, String)]) -> String {
    ports
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

#[test]
fn the_readme_shows_real_output() {
    shows_real_output("README.md", ".", 1);
}

#[test]
fn the_page_about_protocols_shows_real_output() {
    shows_real_output("docs/protocols.md", ".", 11);
}

#[test]
fn the_page_about_links_shows_real_output() {
    shows_real_output("docs/check.md", "docs/check", 4);
}

#[test]
fn the_page_about_the_gateway_shows_real_output() {
    if installed("curl").is_none() {
        return skip("the_page_about_the_gateway_shows_real_output", "curl");
    }
    shows_real_output("docs/gateway.md", ".", 1);
}

/// The examples are compiled and run with their crates.
#[test]
fn the_readme_shows_the_examples() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let examples = [
        "crates/urikit/examples/exact_errors.rs",
        "crates/urikit-access/examples/guarded.rs",
    ];
    for name in examples {
        let file = std::fs::read_to_string(root().join(name)).unwrap();
        let (_, program) = file.split_once("\n\n").unwrap(); // after the comment
        let shown = program.split("\n#[cfg(test)]").next().unwrap();
        assert!(readme.contains(&format!("```rust\n{shown}```\n")), "{name}");
    }
    assert_eq!(readme.matches("```rust\n").count(), examples.len());
}

#[test]
fn the_readme_is_short() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().count() <= 200);
}

#[test]
fn the_cookbook_shows_real_output() {
    shows_real_output("docs/cookbook.md", "docs/cookbook", 40);
    let page = std::fs::read_to_string(root().join("docs/cookbook.md")).unwrap();
    let jobs = page.lines().filter(|line| line.starts_with("### "));
    assert_eq!(
        jobs.count(),
        consoles(&page).count(),
        "each job has one block"
    );
}

/// On terminals, lines end elsewhere, and messages may precede or follow results.
#[test]
fn the_jobs_of_the_cookbook_work_on_terminals() {
    let characters = |text: &str| {
        let mut all: Vec<_> = text.chars().filter(|c| !c.is_whitespace()).collect();
        all.sort_unstable();
        all
    };
    let page = std::fs::read_to_string(root().join("docs/cookbook.md")).unwrap();
    // One job needs a server.
    let blocks = consoles(&page).filter(|block| !block.contains("127.0.0.1"));
    let mut jobs = 0;
    for block in blocks {
        let printed = block.lines().filter(|line| !line.starts_with("$ "));
        let expected = characters(&printed.collect::<String>());
        for (columns, colours) in [40, 80, 200].map(|c| [(c, false), (c, true)]).concat() {
            let screens = commands(block)
                .map(|line| terminal::shown(columns, colours, shell(line, "docs/cookbook")));
            let screens: Vec<_> = screens.collect();
            let text: String = screens.iter().map(terminal::Screen::plain).collect();
            assert_eq!(characters(&text), expected, "{columns}: {block}\n{text}");
            let is_plain = screens.iter().all(|screen| !screen.text.contains('\x1b'));
            assert!(colours || is_plain, "{columns}: {block}");
        }
        jobs += 1;
    }
    assert!(jobs >= 40, "{jobs}");
}

/// Runs the commands of a page in `folder`. With `URIKIT_UPDATE` set, the page is updated instead.
fn shows_real_output(name: &str, folder: &str, least: usize) {
    let path = root().join(name);
    let readme = std::fs::read_to_string(&path).expect("the page");
    let is_update = std::env::var_os("URIKIT_UPDATE").is_some();
    let mut new = readme.clone();
    let world = World::start();
    let ports = world.ports();
    let shown = |port: &str| format!("127.0.0.1:{port}");
    let allowed = |port: &str| format!("--allow-port {port}");
    let to_real: Vec<_> = ports
        .iter()
        .filter_map(|(port, _, real)| Some((*port, real.as_ref()?.to_string())))
        .flat_map(|(port, real)| [(shown(port), shown(&real)), (allowed(port), allowed(&real))])
        .collect();
    let mut blocks = 0;
    for block in consoles(&readme).filter(|block| block.contains("uri ")) {
        blocks += 1;
        let is_missing = |(port, _, real): &&(&str, &str, Option<u16>)| {
            real.is_none() && block.contains(&shown(port))
        };
        if let Some((_, server, _)) = ports.iter().find(is_missing) {
            skip(name, server);
            continue;
        }
        let to_shown: Vec<_> = to_real
            .iter()
            .cloned()
            .map(|(shown, real)| (real, shown))
            .collect();
        let real = replaced(&run(&replaced(block, &to_real), folder), &to_shown);
        if is_update {
            new = new.replace(block, &real);
        } else {
            assert_eq!(real, block, "\n{real}");
        }
    }
    assert!(blocks >= least, "{blocks}");
    if is_update {
        std::fs::write(path, new).expect("the page");
    }
}
