//! Much input, long input, output that nobody reads, and several threads.

use crate::support::{command, uri_with};
use serde_json::json;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Many references, some of them invalid.
fn many(count: usize) -> Vec<u8> {
    let mut lines = Vec::new();
    for number in 0..count {
        let odd = if number % 97 == 0 { "^" } else { "" };
        writeln!(
            lines,
            "http://host{number}.example/{odd}{}",
            "p/".repeat(number % 40)
        )
        .unwrap();
    }
    lines
}

#[test]
fn threads_keep_the_order() {
    let input = many(30_000);
    for format in [&["parse"][..], &["parse", "--json"]] {
        let one = uri_with(format, &input);
        assert_eq!(one.status, 1);
        for jobs in ["0", "2", "7"] {
            let several = uri_with(format.iter().copied().chain(["-j", jobs]), &input);
            assert!(one == several, "{format:?} -j{jobs}");
        }
    }
    let input = many(300);
    assert!(uri_with(["explain"], &input) == uri_with(["explain", "-j3"], &input));
}

/// The help too is output.
#[test]
fn help_that_nobody_can_have_is_an_error_unless_nobody_wants_it() {
    for arguments in [
        &["--help"][..],
        &["-h"],
        &["parse", "--help"],
        &["--version"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let output = command()
            .args(arguments)
            .stdout(full.unwrap())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
            .wait_with_output()
            .unwrap();
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(message, "uri: standard output: No space left on device\n");

        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = command()
            .args(arguments)
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
            .wait_with_output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_closed_pipe_ends_it_silently() {
    for jobs in ["-j1", "-j4"] {
        let mut child = command()
            .args(["parse", "-q", jobs])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        // Standard input stays open: the command must not wait for its end.
        let input = many(200_000);
        let writer = std::thread::spawn(move || {
            let _ = stdin.write_all(&input);
            stdin
        });
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{jobs}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        drop(writer.join().unwrap());
    }
}

/// Memory stays bounded because results are written while input still comes.
#[test]
fn results_do_not_wait_for_the_end_of_the_input() {
    for jobs in ["-j1", "-j3"] {
        let mut child = command()
            .args(["parse", "--json", jobs])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let input = many(20_000);
        let writer = std::thread::spawn(move || {
            stdin.write_all(&input).unwrap();
            stdin
        });
        let mut line = String::new();
        for _ in 0..10_000 {
            stdout.read_line(&mut line).unwrap();
        }
        assert_eq!(
            line.lines().count(),
            10_000,
            "and standard input is still open"
        );
        let drain = std::thread::spawn(move || stdout.lines().count());
        drop(writer.join().unwrap());
        assert_eq!(drain.join().unwrap(), 10_000);
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
}

#[test]
fn a_line_of_64_mib_takes_bounded_time() {
    const LENGTH: usize = 64 << 20;
    let start = Instant::now();
    let mut input = b"http://u:p@h/".to_vec();
    input.resize(LENGTH, b'a');
    let outcome = uri_with(["parse", "--json"], &input);
    assert_eq!(outcome.status, 0);
    assert!(outcome.out.ends_with(
        r#"a"},"scheme_text":"RFC 9110, 4.2.1","scheme_error":null}
"#
    ));
    // Broken at its very end, and no UTF-8: the message is short.
    input.push(0xff);
    let outcome = uri_with(["parse"], &input);
    assert_eq!(outcome.status, 1);
    // The column is one in what is shown, where the password `p` is `***`.
    assert!(
        outcome
            .err
            .starts_with(&format!("uri: -:1:{}: ", LENGTH + 1 + 2))
    );
    assert!(outcome.err.len() < 1000);
    // A page about it is short, too; browsers change it.
    input.pop();
    input.extend(b"%41\"");
    let outcome = uri_with(["explain"], &input);
    assert!(outcome.out.len() < 10_000, "{}", outcome.out.len());
    let json = uri_with(["parse", "--json", "--standard", "whatwg"], &input);
    assert_eq!(json.json()[0]["valid"], json!(true));
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}
