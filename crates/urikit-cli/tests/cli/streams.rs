//! Standard input or output that is closed, limited, or no longer read.

use crate::support::{Folder, command, uri};
use std::process::{Command, Stdio};

/// Runs a shell script with the path of the command as `$1`. Returns its standard error and status.
fn shell(script: &str) -> (String, i32) {
    let output = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(command().get_program())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
        .unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    (err, output.status.code().unwrap())
}

#[test]
fn a_closed_output_is_an_error() {
    for arguments in [
        "get '{host}' http://a/",
        "get --csv '{host}' http://a/",
        "get --count '{host}' http://a/",
        "parse --json http://a/",
        "explain http://a/",
        "audit http://a/",
        "compare http://a/ http://a/",
        "extract --type-list",
        "fetch data:,a",
        "fetch -j2 data:,a data:,b",
        "fetch --plan http://a/",
        "schemes",
        "man",
        "completions bash",
        "json-schema parse",
        "--help",
        "get --help",
        "--version",
    ] {
        let closed = shell(&format!("\"$1\" {arguments} >&-"));
        let message = "uri: standard output: Bad file descriptor\n";
        assert_eq!((closed.0.as_str(), closed.1), (message, 3), "{arguments}");
        // Python's `subprocess.DEVNULL` is opened for reading too.
        for open in [">/dev/null", "1<>/dev/null"] {
            let (err, status) = shell(&format!("\"$1\" {arguments} {open}"));
            assert!(
                status < 2 && !err.contains("standard output"),
                "{arguments}: {err}"
            );
        }
    }
    let script = "printf 'http://a/\\n' | \"$1\" extract >&-";
    assert_eq!(shell(script).1, 3);
}

#[test]
fn a_closed_input_is_an_error() {
    for arguments in [
        "audit",
        "parse -f -",
        "extract",
        "extract --files-from -",
        "check -",
        "check --files-from -",
        "fetch -d @- http://a/",
        "fetch -w @- data:,a",
        "send - ftp://a/b",
    ] {
        let (err, status) = shell(&format!("exec <&-; \"$1\" {arguments}"));
        assert!(err.contains("Bad file descriptor"), "{arguments}: {err}");
        assert!(status > 1, "{arguments}: {status}");
    }
    // Commands that read no input do not need it.
    assert_eq!(shell("\"$1\" parse http://a/ <&-"), (String::new(), 0));
}

#[test]
fn results_in_files_need_no_output() {
    let folder = Folder::new();
    let path = folder.path().join("file");
    let path = path.to_str().unwrap();
    let closed = shell(&format!("\"$1\" fetch -o '{path}' data:,abc >&-"));
    assert_eq!(closed, (String::new(), 0));
    let limited = uri(["fetch", "--max-output", "1", "-o", path, "data:,abcd"]);
    assert_eq!((limited.status, limited.err.as_str()), (0, ""));
    assert_eq!(std::fs::read_to_string(path).unwrap(), "abcd");
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let many = "yes http://a/ | head -100000";
    for arguments in ["get '{host}'", "parse --json", "extract"] {
        let script = format!("{{ {many} | \"$1\" {arguments}; echo $? >&2; }} | head -1");
        assert_eq!(shell(&script).0, "0\n", "{arguments}");
    }
}

#[test]
fn the_limit_is_exact() {
    let folder = Folder::new();
    let file = folder.file("urls", "http://a.example/\n".repeat(100_000));
    let base = "http://a.example/";
    for arguments in [
        &["get", "{host}", "-f", &file][..],
        &["get", "{host}", "-f", &file, "-j4"],
        &["parse", "--json", "-f", &file],
        &["normalize", "--output-format", "csv", "-f", &file],
        &["extract", &file],
        &["extract", "--json", &file],
        &["resolve", "--base", base, "-f", &file],
        &["schemes"],
        &["man"],
        &["fetch", "data:,abcdefghijklmnopqrstuvwxyz", "data:,x"],
        &[
            "fetch",
            "-j4",
            "data:,abcdefghijklmnopqrstuvwxyz",
            "data:,x",
        ],
    ] {
        for limit in [0, 1, 20] {
            let limit = limit.to_string();
            let mut command = command();
            command.args(arguments).args(["--max-output", &limit]);
            let output = command.output().unwrap();
            let err = String::from_utf8(output.stderr).unwrap();
            let message =
                format!("uri: standard output: stopped after {limit} bytes (--max-output)\n");
            assert_eq!(err, message, "{arguments:?}");
            assert_eq!(output.status.code(), Some(3), "{arguments:?}");
            assert_eq!(output.stdout.len().to_string(), limit, "{arguments:?}");
        }
        let all = command().args(arguments).output().unwrap();
        let size = all.stdout.len().to_string();
        let same = command()
            .args(arguments)
            .args(["--max-output", &size])
            .output();
        assert_eq!(same.unwrap(), all, "{arguments:?}");
    }
    let mut command = command();
    let output = command.args(["get", "{host}", "-f", &file, "--max-output", "2k"]);
    assert_eq!(output.output().unwrap().stdout.len(), 2048);
    for wrong in ["", "-1", "1x", "1kk", "99999999999G"] {
        let outcome = uri([
            "get",
            &format!("--max-output={wrong}"),
            "{host}",
            "http://a/",
        ]);
        assert_eq!(outcome.status, 2, "{wrong}");
    }
}

#[cfg(feature = "parquet")]
#[test]
fn a_limit_for_parquet_is_an_error() {
    let output = command()
        .args([
            "get",
            "{host}",
            "--output-format",
            "parquet",
            "--max-output",
            "9",
            "http://a/",
        ])
        .output()
        .unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(3), 9));
}
