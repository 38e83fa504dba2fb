//! Urikit against its peers, over the same data in one process.
//!
//! ```sh
//! cargo run --release [-- [--json FILE] [--rounds N] [--level bytes|sse2|ssse3|avx2|avx512] [WORK[/DATA]…]]
//! ```
//!
//! Whatever is compared takes turns, round by round, so that what else the machine does meets all alike; the time is
//! that of the thread on a processor. A ratio is the median over the rounds of a peer's time by ours of the same round.
//!
//! `--level` keeps ours from using more of the processor than that; peers that look at it (`ada-url` and `linkify` by `memchr`) use all.
//!
//! Every peer is as it comes by default. Their languages are not the same (`url` repairs, `http` has no fragments, `oxiri` and
//! `iref` read IRIs), so that the share of the texts that each accepts is shown.

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
                    eprintln!("no level {level:?} on this machine");
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
