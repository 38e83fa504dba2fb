//! Each subcommand prints its results before more input arrives on an open pipe.

use crate::support::{command, uri};
use std::io::{Read as _, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// The subcommands that do not read standard input, and `check`, which reports at its end.
const WITHOUT: [&str; 9] = [
    "check",
    "send",
    "help",
    "completions",
    "json-schema",
    "man",
    "schemes",
    "serve",
    "compare",
];

/// A subcommand, its input, and the output expected before more input is written.
const ROWS: &[(&[&str], &str, &str)] = &[
    (&["explain"], "http://a/\n", "http://a/"),
    (&["parse"], "http://a/\n", "path\t/\n"),
    (&["parse", "--json"], "http://a/\n", "path\\t/\"}\n"),
    (&["parse", "-j2"], "http://a/\n", "path\t/\n"),
    (&["resolve", "--base", "http://a/b"], "c\n", "http://a/c\n"),
    (
        &["relativize", "--base", "http://a/b"],
        "http://a/c\n",
        "c\n",
    ),
    (&["normalize"], "HTTP://A\n", "http://a/\n"),
    (&["normalize", "-0"], "HTTP://A\0", "http://a/\n"),
    (&["normalize", "--unique"], "HTTP://A\n", "http://a/\n"),
    (&["audit"], "http://a/\n", "ok"),
    (&["edit", "-s", "host=b"], "http://a/\n", "http://b/\n"),
    (&["fetch", "--plan"], "http://a/\n", "redirect\n"),
    (&["get", "{host}"], "http://a/\n", "a\n"),
    (&["get", "--column", "u", "{host}"], "u\nhttp://a/\n", "a\n"),
    (
        &["get", "--field", "u", "{host}"],
        "{\"u\":\"http://a/\"}\n",
        "a\n",
    ),
    (
        &["get", "--add", "h={host}", "--column", "u"],
        "u\n//a\n",
        "u,h\n//a,a\n",
    ),
    (
        &["get", "--add", "h={host}", "--field", "u"],
        "{\"u\":\"//a\"}\n",
        "{\"u\":\"//a\",\"h\":\"a\"}\n",
    ),
    (
        &["normalize", "--output-format", "csv"],
        "HTTP://A\n",
        "http://a/",
    ),
    (&["extract"], "see http://a/ there\n", "http://a/\n"),
    (
        &["extract", "-j1", "-n"],
        "see\nhttp://a/\n",
        "2:http://a/\n",
    ),
    (&["extract", "--json"], "see http://a/ there\n", "\n"),
    (&["extract", "--unique"], "http://a/ x\n", "http://a/\n"),
    (
        &["extract", "-A0"],
        "http://a/ x\n",
        "1-http://a/ x\n1:http://a/\n",
    ),
    (
        &["extract", "--files-from", "-"],
        "/dev/null\nCargo.toml\n",
        "https://",
    ),
    (
        &["extract", "--as", "mail"],
        "From a@a.example Thu Jan  1 00:00:00 1970\n\nhttp://a/\n\n\
         From b@b.example Thu Jan  1 00:00:00 1970\n\n",
        "http://a/\n",
    ),
    (
        &["extract", "--as", "warc"],
        "WARC/1.0\nWARC-Type: resource\nContent-Type: text/plain\nContent-Length: 9\n\n\
         http://a/\n\n",
        "http://a/\n",
    ),
    (&["encode", "-q"], "a b\n", "a%20b\n"),
    (&["decode"], "a%20b\n", "a b\n"),
];

#[test]
fn results_appear_while_the_input_stays_open() {
    let running: Vec<_> = ROWS
        .iter()
        .map(|(arguments, ..)| start(arguments))
        .collect();
    for ((arguments, input, expected), (mut child, mut stdin)) in ROWS.iter().zip(running) {
        stdin.write_all(input.as_bytes()).unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let (send, results) = channel();
        std::thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(length @ 1..) = stdout.read(&mut piece) {
                let _ = send.send(piece[..length].to_vec());
            }
        });
        let mut out = Vec::new();
        while !String::from_utf8_lossy(&out).contains(expected) {
            match results.recv_timeout(Duration::from_secs(20)) {
                Ok(piece) => out.extend(piece),
                Err(error) => panic!(
                    "{arguments:?}: {error}: {:?}",
                    String::from_utf8_lossy(&out)
                ),
            }
        }
        drop(stdin);
        child.wait().unwrap();
    }
}

fn start(arguments: &[&str]) -> (Child, ChildStdin) {
    let mut uri = command();
    uri.args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR").to_owned() + "/../..")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = uri.spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    (child, stdin)
}

/// Fails if a new subcommand has no row.
#[test]
fn every_subcommand_has_a_row() {
    let help = uri(["--help"]).out;
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty());
    for line in commands.filter(|line| line.starts_with("  ") && !line.starts_with("   ")) {
        let name = line.split_whitespace().next().unwrap();
        let has_row = ROWS.iter().any(|(arguments, ..)| arguments[0] == name);
        assert!(has_row || WITHOUT.contains(&name), "{name}");
    }
}
