//! Parquet files with wrong numbers, each of which must cause an error in bounded memory, and
//! Parquet files without rows.

use crate::files::{Parts, forms, texts, written};
use crate::peak::run;
use crate::support::{Folder, command};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Output};

/// The address space of a run, in kilobytes.
const MEMORY: u64 = 1_500_000;

/// Runs `uri ARGUMENTS` in this address space, with two workers.
fn limited(arguments: &[&str]) -> Output {
    let uri = command();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -v {MEMORY} && exec \"$@\""), "sh"]);
    shell.arg(uri.get_program()).args(arguments).arg("-j2");
    shell.output().unwrap()
}

/// Fails if a run ended by a signal, an abort or a panic, or if its status is not in `statuses`.
fn assert_ended(output: &Output, statuses: &[i32], name: &str) {
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.signal(), None, "{name}: {err}");
    let status = output.status.code().unwrap();
    assert!(statuses.contains(&status), "{name}: status {status}: {err}");
    assert!(!err.contains("panicked"), "{name}: {err}");
}

/// Files without rows, and row groups without rows, as Arrow writes them.
#[test]
fn row_groups_without_rows() {
    let folder = Folder::new();
    let form = forms().into_iter().find(|form| form.encoding.is_none());
    let parts = Parts::of(&written(form.unwrap(), &texts(6, false), 1 << 20));
    for (emptied, count) in [(&[0, 1][..], 0), (&[0], 3), (&[1], 3)] {
        let file = folder.file("a.parquet", parts.without_values(emptied));
        for (arguments, header) in [
            (&["get", "{host}"][..], 0),
            (&["get", "--add=h={host}", "--csv"], 1),
            (
                &["get", "--add=h={host}", "--csv", "--where=host~example"],
                1,
            ),
        ] {
            let output = limited(&[arguments, &["--column", "2", "-f", &file]].concat());
            let err = String::from_utf8_lossy(&output.stderr);
            let lines = output.stdout.iter().filter(|byte| **byte == b'\n');
            assert_eq!(lines.count(), count + header, "{arguments:?}: {err}");
            assert_ended(&output, &[0], "a.parquet");
        }
    }
}

/// Each integer and each length in the metadata of valid files is set to three extreme values.
#[test]
fn false_numbers_never_abort() {
    let folder = Folder::new();
    let (mut files, mut errors) = (0, 0);
    // The tests of urikit-parquet try all forms, without a limited address space.
    for form in forms().into_iter().step_by(5) {
        let parts = Parts::of(&written(form, &texts(20, form.has_nulls), 1 << 20));
        let mut arguments = vec!["get", "{host}", "--column", "2"];
        let mut paths = Vec::new();
        for (nth, place) in parts.places().into_iter().enumerate() {
            for number in [-1, i64::from(i32::MAX), i64::MAX] {
                let name = format!("{nth}, {number}.parquet");
                paths.push(folder.file(&name, parts.with(place, number)));
            }
        }
        arguments.extend(paths.iter().flat_map(|path| ["-f", path]));
        // One run reads many files, because starting the command would take most of the time.
        let output = limited(&arguments);
        assert_ended(&output, &[3], &format!("{form:?}"));
        files += paths.len();
        errors += String::from_utf8_lossy(&output.stderr).lines().count();
    }
    println!("{files} files, {errors} messages");
    assert!(
        files > 5_000 && errors > 2_000,
        "{files} files, {errors} messages"
    );
}

/// All columns are copied byte by byte, or decoded where a filter drops rows.
#[test]
fn false_numbers_of_copied_columns_never_abort() {
    let folder = Folder::new();
    let (mut files, mut statuses) = (0, [0; 4]);
    for form in forms().into_iter().step_by(7) {
        let parts = Parts::of(&written(form, &texts(20, form.has_nulls), 1 << 20));
        for (nth, place) in parts.places().into_iter().enumerate() {
            let number = [-1, i64::from(i32::MAX), i64::MAX][nth % 3];
            let file = folder.file("false.parquet", parts.with(place, number));
            let mut arguments = vec![
                "get", "-q", "--add", "h={host}", "--column", "2", "-f", &file,
            ];
            if nth % 2 == 1 {
                arguments.extend(["--where", "host~1"]);
            }
            if nth % 5 < 2 {
                arguments.push("--csv");
            }
            let output = limited(&arguments);
            assert_ended(
                &output,
                &[0, 1, 3],
                &format!("{form:?}, {place:?}, {number}"),
            );
            files += 1;
            statuses[usize::try_from(output.status.code().unwrap()).unwrap()] += 1;
        }
    }
    println!("{files} files, statuses {statuses:?}");
    assert!(
        files > 500 && statuses[3] > 200 && statuses[0] + statuses[1] > 50,
        "{statuses:?}"
    );
}

/// The files that broke an earlier version.
#[test]
fn known_files_are_errors_with_both_numbers() {
    let Some(folder) = urikit_testkit::data::shared("known_files_are_errors", "attack") else {
        return;
    };
    for (name, status, message) in [
        ("dictn", 3, "declares 2147483647 values, but has 1"),
        ("schkids", 3, "declares 2147483647 children, but has 1"),
        (
            "delta6",
            3,
            "declares 2147483647 values, but has the lengths of",
        ),
        (
            "delta7",
            3,
            "declares 2147483647 values, but has the lengths of",
        ),
        ("sd10000", 3, "nested in more than 64 groups"),
        (
            "unc2g",
            3,
            "a page of 2147483647 bytes exceeds the limit of 268435456 bytes",
        ),
        ("zst2g", 3, "bytes exceeds the limit of 268435456 bytes"),
        ("rows1000", 3, "declares 1000 rows, but its pages have 10"),
        ("miss", 3, "declares 30 rows, but its pages have 10"),
    ] {
        let file = folder.join(format!("{name}.parquet"));
        let output = limited(&["get", "{host}", "-f", file.to_str().unwrap()]);
        assert_ended(&output, &[status], name);
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(err.contains(message), "{name}: {err}");
        for condition in ["host", "!host"] {
            let add = ["get", "-q", "--add", "h={host}", "--where", condition, "-f"];
            let output = limited(&[&add[..], &[file.to_str().unwrap()]].concat());
            assert_ended(&output, &[status], name);
        }
        let add = ["get", "-q", "--add", "h={host}", "--csv", "-f"];
        let output = limited(&[&add[..], &[file.to_str().unwrap()]].concat());
        assert_ended(&output, &[status], name);
    }
}

/// Rows of Parquet become CSV in constant memory.
#[cfg(target_os = "linux")]
#[test]
fn converted_rows() {
    let folder = Folder::new();
    let peaks = [1, 8].map(|times| {
        let lines = folder.file("lines", "http://a.example/b?c\n".repeat(times << 17));
        let table = folder.path().join("t.parquet");
        let mut write = command();
        write.args([
            "get",
            "{url},{path}",
            "--output-format",
            "parquet",
            "-f",
            &lines,
        ]);
        let status = write
            .stdout(std::fs::File::create(&table).unwrap())
            .status();
        assert!(status.unwrap().success());
        let add = ["get", "--add", "h={host}", "--column", "url", "--csv", "-f"];
        let run = run(&[&add[..], &[table.to_str().unwrap()]].concat(), None);
        assert_eq!(
            (run.status, run.lines),
            (Some(0), (times << 17) + 1),
            "{}",
            run.err
        );
        run.peak
    });
    println!("{peaks:?} bytes for 131,072 rows and for 8 times as many");
    assert!(
        peaks[1] < 96 << 20 && peaks[1] < peaks[0] + (24 << 20),
        "{peaks:?}"
    );
}
