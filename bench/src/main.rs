//! Benchmarks Urikit and its peers with the same data, in one process.
//!
//! ```sh
//! cargo run --release [-- [--json FILE] [--rounds N] [--level LEVEL] [WORK[/DATA]…]]
//! # LEVEL: portable, ssse3, avx2, avx512, or neon on AArch64
//! ```
//!
//! The contestants take turns, round by round, so that other load on the machine affects all of
//! them equally. The benchmark measures the CPU time of its thread. In each round, a peer's time is
//! divided by Urikit's time; the reported ratio is the median over all rounds.
//!
//! `--level` restricts Urikit to an instruction set level. Peers that detect processor features
//! themselves (`ada-url`, and `linkify` through `memchr`) are not restricted.
//!
//! Every peer runs in its default configuration. The peers accept different sets of strings (`url`
//! repairs, `http` has no fragments, `oxiri` and `iref` parse IRIs), so the table shows how many
//! strings each accepts.

mod data;
mod generate;
mod rounds;
mod work;

use rounds::{Contestant, Group, Outcome};
use serde_json::json;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut json = None;
    let mut rounds = 15;
    let mut wanted = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--json" => json = args.next(),
            "--rounds" => rounds = args.next().and_then(|n| n.parse().ok()).unwrap_or(rounds),
            "--level" => {
                let level = args.next().unwrap_or_default();
                if !urikit::limit_scanner(&level) {
                    eprintln!("unknown or unsupported level {level:?}");
                    return ExitCode::FAILURE;
                }
            }
            _ => wanted.push(arg),
        }
    }
    let rounds = rounds.max(11);
    let is_wanted = |group: &Group| {
        let name = format!("{}/{}", group.work, group.data);
        wanted.is_empty() || wanted.iter().any(|w| *w == group.work || *w == name)
    };
    let data = data::Data::load();
    let mut outcomes = Vec::new();
    for group in work::groups(&data).into_iter().filter(is_wanted) {
        let outcome = group.run(rounds);
        print(&outcome);
        outcomes.push(outcome);
    }
    if let Some(file) = json
        && let Err(error) = std::fs::write(&file, to_json(&outcomes))
    {
        eprintln!("{file}: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn print(outcome: &Outcome) {
    let length = outcome.bytes as f64 / outcome.texts as f64;
    println!(
        "\n{}/{}: {} strings, {length:.0} bytes on average, level {}",
        outcome.work,
        outcome.data,
        outcome.texts,
        urikit::scanner_level()
    );
    for line in &outcome.lines {
        println!(
            "  {:<26} {:>10.1} ns {:>7.2} GB/s {:>7.2} x {:>9}",
            line.name,
            line.ns,
            length / line.ns,
            line.ratio,
            line.counted
        );
    }
}

fn to_json(outcomes: &[Outcome]) -> String {
    let groups = outcomes.iter().map(|outcome| {
        let lines = outcome.lines.iter().map(|line| {
            json!({
                "name": line.name,
                "ns": line.ns,
                "ratio": line.ratio,
                "counted": line.counted,
            })
        });
        json!({
            "work": outcome.work,
            "data": outcome.data,
            "texts": outcome.texts,
            "bytes": outcome.bytes,
            "contestants": lines.collect::<Vec<_>>(),
        })
    });
    format!("{:#}\n", json!(groups.collect::<Vec<_>>()))
}
