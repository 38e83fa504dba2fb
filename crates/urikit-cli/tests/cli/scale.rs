//! Many inputs, long inputs, output that is not read, and several threads.

use crate::support::{Folder, command, uri, uri_with};
use serde_json::json;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
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

/// The command with open pipes: the process, its input and its output.
fn running(arguments: &[&str]) -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let mut child = command()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    (child, stdin, stdout)
}

/// The first inputs are processed without threads, so the test needs many.
#[test]
fn threads_keep_the_order() {
    let input = many(30_000);
    for format in [&["parse"][..], &["parse", "--json"]] {
        let one = uri_with(format.iter().copied().chain(["-j1"]), &input);
        assert_eq!(one.status, 1);
        assert_eq!(uri_with(format, &input), one, "{format:?} by default");
        for jobs in ["0", "2", "7"] {
            let several = uri_with(format.iter().copied().chain(["-j", jobs]), &input);
            assert!(one == several, "{format:?} -j{jobs}");
        }
    }
    let input = many(8_000);
    assert!(uri_with(["explain", "-j1"], &input) == uri_with(["explain", "-j3"], &input));
}

/// Lines of all lengths, some of them invalid or not UTF-8. Reads may split the files anywhere.
#[test]
fn every_input_line_has_its_output_line() {
    let folder = Folder::new();
    let mut expected = Vec::new();
    let mut files = Vec::new();
    for file in 0..3 {
        let mut lines = Vec::new();
        for line in 0..20_000 {
            let odd: &[u8] = match line % 501 {
                7 => b"^",
                11 => b"\xff",
                _ => b"",
            };
            let text = format!("http://h/{file}/{line}/{}", "p".repeat(line * 7 % 90));
            lines.extend(text.bytes());
            lines.extend(odd);
            lines.extend(if line % 3 == 0 { &b"\r\n"[..] } else { b"\n" });
            expected.push(if odd.is_empty() { text } else { String::new() });
        }
        files.extend(["-f".to_owned(), folder.file(&file.to_string(), lines)]);
    }
    let missing = folder.path().join("missing");
    files.extend(["-f".to_owned(), missing.to_str().unwrap().to_owned()]);
    let outcome = uri(["normalize".to_owned()].into_iter().chain(files));
    assert_eq!(outcome.status, 3);
    assert!(outcome.out.lines().eq(expected.iter()), "as many lines");
    let messages: Vec<_> = outcome.err.matches("\nuri: ").collect();
    // No newline precedes the first message, and the last message is about the missing file.
    assert_eq!(
        messages.len(),
        expected.iter().filter(|line| line.is_empty()).count()
    );
}

/// The number of threads of a process.
#[cfg(target_os = "linux")]
fn threads(process: u32) -> usize {
    std::fs::read_dir(format!("/proc/{process}/task"))
        .unwrap()
        .count()
}

/// A program that writes a line and waits gets the result before it writes the next line, anywhere
/// in the stream.
#[cfg(target_os = "linux")]
#[test]
fn a_result_does_not_wait_for_the_next_input() {
    let (mut child, mut stdin, mut stdout) = running(&["get", "-q", "{host}"]);
    let mut ask = |input: &[u8], last: &str| {
        let writer = std::thread::scope(|scope| {
            let writer = scope.spawn(|| stdin.write_all(input));
            let count = input.split_inclusive(|byte| *byte == b'\n').count();
            let mut line = String::new();
            for _ in 0..count {
                line.clear();
                stdout.read_line(&mut line).unwrap();
            }
            assert_eq!(line, format!("{last}\n"));
            writer.join().unwrap()
        });
        writer.unwrap();
    };
    ask(b"http://first/\n", "first");
    ask(b"http://second/\n", "second");
    assert_eq!(threads(child.id()), 1, "a few inputs start no threads");
    // A lot of input arrives together, so threads are started.
    ask(&many(20_000), "host19999.example");
    ask(b"http://third/\n", "third");
    if std::thread::available_parallelism().unwrap().get() > 1 {
        assert!(threads(child.id()) > 1);
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// The input is endless, the output is not read, and each result is a hundred times as long as its
/// input.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded_while_output_is_not_read() {
    for arguments in [&["parse", "--json", "-j1"][..], &["parse", "--json", "-j4"]] {
        let (mut child, mut stdin, mut stdout) = running(arguments);
        let lines = b"http://a/\n".repeat(10_000);
        let writer = std::thread::spawn(move || while stdin.write_all(&lines).is_ok() {});
        // First read enough output for threads to start, and then none.
        let taken = std::io::copy(&mut (&mut stdout).take(48 << 20), &mut std::io::sink());
        assert_eq!(taken.unwrap(), 48 << 20);
        std::thread::sleep(Duration::from_millis(500));
        let has_threads = threads(child.id()) > 1;
        assert_eq!(has_threads, arguments.contains(&"-j4"), "{arguments:?}");
        // Subtracting `RssFile` excludes the pages of the executable, which is larger without
        // optimizations.
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let kilobytes = |name: &str| -> usize {
            let value = status.lines().find_map(|line| line.strip_prefix(name));
            let value = value.unwrap().trim().trim_end_matches(" kB");
            value.parse().unwrap()
        };
        let peak = kilobytes("VmHWM:") - kilobytes("RssFile:");
        assert!(peak < 16_000, "{arguments:?}: {peak} kB");
        drop(stdout);
        assert_eq!(child.wait().unwrap().code(), Some(0), "closed silently");
        writer.join().unwrap();
    }
}

/// Help is output too.
#[test]
fn help_that_cannot_be_written_is_an_error_except_in_a_closed_pipe() {
    for arguments in [
        &["--help"][..],
        &["-h"],
        &["parse", "--help"],
        &["--version"],
    ] {
        let write_to = |out: Stdio| {
            let mut command = command();
            command.args(arguments).stdout(out).stderr(Stdio::piped());
            let output = command.spawn().unwrap().wait_with_output().unwrap();
            let message = String::from_utf8(output.stderr).unwrap();
            (output.status.code().unwrap(), message)
        };
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let message = "uri: standard output: No space left on device\n";
        let outcome = write_to(full.unwrap().into());
        assert_eq!(outcome, (3, message.to_owned()), "{arguments:?}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let outcome = write_to(writer.into());
        assert_eq!(outcome, (0, String::new()), "{arguments:?}");
    }
}

#[test]
fn a_closed_pipe_ends_it_silently() {
    for jobs in ["-j1", "-j4"] {
        let (child, mut stdin, mut stdout) = running(&["parse", "-q", jobs]);
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

/// Memory stays bounded because results are written while input is still arriving.
#[test]
fn results_do_not_wait_for_the_end_of_the_input() {
    for jobs in ["-j1", "-j3"] {
        let (mut child, mut stdin, mut stdout) = running(&["parse", "--json", jobs]);
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
    const LENGTH: usize = (64 << 20) - 16; // the limit is 64 MiB
    let start = Instant::now();
    let mut input = b"http://u:p@h/".to_vec();
    input.resize(LENGTH, b'a');
    let outcome = uri_with(["parse", "--json"], &input);
    assert_eq!(outcome.status, 0);
    assert!(outcome.out.ends_with("aaa\"}\n"));
    assert!(
        outcome.out.len() < 4 * LENGTH + 1000,
        "the path, its segment, and the result"
    );
    // The input is not valid UTF-8, but only at its very end, and the message is short.
    input.push(0xff);
    let outcome = uri_with(["parse"], &input);
    assert_eq!(outcome.status, 1);
    // The column refers to the displayed text, where the password `p` is `***`.
    assert!(
        outcome
            .err
            .starts_with(&format!("uri: -:1:{}: ", LENGTH + 1 + 2))
    );
    assert!(outcome.err.len() < 1000);
    // Browsers change this input.
    input.pop();
    input.extend(b"%41\"");
    let json = uri_with(["parse", "--json", "--standard", "whatwg"], &input);
    assert_eq!(json.json()[0]["valid"], json!(true));
    assert!(
        start.elapsed() < Duration::from_secs(15),
        "{:?}",
        start.elapsed()
    );
}
