//! Benchmarks of Urikit and its peers, over the same data, in one process.
//!
//! ```sh
//! cargo run --release [-- [--json FILE] [--rounds N] [--level LEVEL] [WORK[/DATA]…]]
//! # LEVEL: bytes, sse2, avx2 or avx512
//! ```
//!
//! The contestants take turns, round by round, so that other load on the machine affects all
//! alike. They are measured in CPU time of the thread. A ratio is the median over the rounds of
//! a peer's time divided by Urikit's time in the same round.
//!
//! `--level` restricts Urikit to an instruction set level. Peers that detect the processor
//! (`ada-url`, and `linkify` through `memchr`) are not restricted.
//!
//! Every peer has its default configuration. Their languages differ (`url` repairs, `http` has no
//! fragments, `oxiri` and `iref` parse IRIs), so the table shows how many strings each accepts.

mod data;
mod generate;
mod rounds;
mod table;
mod work;

use rounds::{Contestant, Group};
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
        table::print(&outcome);
        outcomes.push(outcome);
    }
    if let Some(file) = json
        && let Err(error) = std::fs::write(&file, table::json(&outcomes))
    {
        eprintln!("{file}: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
