//! What the README shows of the command is what the command prints.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// The blocks of the README that show a terminal.
fn consoles(readme: &str) -> impl Iterator<Item = &str> {
    readme
        .split("```console\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
}

/// What a shell prints for each of the block's commands.
fn run(block: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_uri"));
    let path = std::env::var("PATH").unwrap();
    let mut shown = String::new();
    for line in block.lines().filter(|line| line.starts_with("$ ")) {
        let output = Command::new("sh")
            .args(["-c", line.strip_prefix("$ ").unwrap()])
            .env(
                "PATH",
                format!("{}:{path}", binary.parent().unwrap().display()),
            )
            .env("COLUMNS", "80")
            .env("NO_COLOR", "1")
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
            .output()
            .expect("a shell runs");
        let _ = writeln!(shown, "{line}");
        shown.push_str(&String::from_utf8(output.stdout).unwrap());
        shown.push_str(&String::from_utf8(output.stderr).unwrap());
    }
    shown
}

#[test]
fn every_terminal_in_the_readme_is_true() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md"))
        .expect("the README");
    let mut blocks = 0;
    for block in consoles(&readme).filter(|block| block.starts_with("$ uri ")) {
        assert_eq!(run(block), block);
        blocks += 1;
    }
    assert!(blocks > 3, "{blocks}");
}
