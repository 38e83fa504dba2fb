//! Compares the `java-net-uri` reader with `java.net.URI` itself, on a warmed-up JVM and with the
//! same lists of strings.
//!
//! ```sh
//! cargo run --release --bin java
//! # JAVA=/usr/lib/jvm/java-17-openjdk-amd64/bin/java: a different JVM from the one in PATH
//! ```

#[path = "../data.rs"]
#[allow(dead_code)] // the other benches use the rest
mod data;
#[path = "../generate.rs"]
#[allow(dead_code)]
mod generate;
#[path = "../rounds.rs"]
#[allow(dead_code)]
mod rounds;

use data::List;
use rounds::{Contestant, Group};
use std::hint::black_box;
use std::io::Write as _;
use std::process::{Command, ExitCode, Stdio};
use urikit_audit::java::JavaUri;

const ROUNDS: usize = 31;

fn main() -> ExitCode {
    for list in data::Data::load().urls {
        let (ours, accepted) = here(&list);
        let Some((java, accepted_by_java, version)) = in_java(&list) else {
            eprintln!("java: no JDK is installed");
            return ExitCode::FAILURE;
        };
        println!(
            "{:<10} {:>5} strings: java-net-uri {ours:6.1} ns, java.net.URI {java:6.1} ns: {:5.1} \
             x (Java {version}; {accepted} and {accepted_by_java} accepted)",
            list.name,
            list.texts.len(),
            java / ours,
        );
        if accepted != accepted_by_java {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Returns the time for one string in nanoseconds, and the number of accepted strings.
fn here(list: &List) -> (f64, usize) {
    let texts = list.texts;
    let run = move || {
        let parse = |text: &&str| {
            let uri = black_box(JavaUri::parse(black_box(*text)));
            uri.is_ok_and(|uri| black_box(uri.host()).is_none_or(|host| !host.is_empty()))
        };
        texts.iter().filter(|text| parse(text)).count()
    };
    let group = Group {
        work: "java",
        data: list.name,
        texts: texts.len(),
        bytes: 0,
        contestants: vec![Contestant {
            name: "java-net-uri",
            run: Box::new(run),
        }],
    };
    let outcome = group.run(ROUNDS);
    outcome
        .lines
        .first()
        .map_or((f64::NAN, 0), |line| (line.ns, line.counted))
}

/// Runs `java.net.URI` on a JVM, and returns its results and its version.
fn in_java(list: &List) -> Option<(f64, usize, String)> {
    let file = std::env::temp_dir().join(format!("urikit-bench-{}", std::process::id()));
    let mut lines = std::fs::File::create(&file).ok()?;
    lines.write_all(list.texts.join("\n").as_bytes()).ok()?;
    let java = std::env::var_os("JAVA").unwrap_or_else(|| "java".into());
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/JavaNetUri.java");
    let output = Command::new(java)
        .arg(program)
        .arg(&file)
        .stderr(Stdio::null())
        .output();
    let _ = std::fs::remove_file(&file);
    let text = String::from_utf8(output.ok()?.stdout).ok()?;
    let mut parts = text.trim().split('\t');
    let ns = parts.next()?.parse().ok()?;
    let accepted = parts.next()?.parse().ok()?;
    Some((ns, accepted, parts.next()?.to_owned()))
}
