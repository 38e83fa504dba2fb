//! The results, as a table and as JSON.

use crate::rounds::Outcome;
use serde_json::json;

pub fn print(outcome: &Outcome) {
    let length = outcome.bytes as f64 / outcome.texts as f64;
    println!(
        "\n{}/{}: {} texts, {length:.0} bytes on average",
        outcome.work, outcome.data, outcome.texts
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

pub fn json(outcomes: &[Outcome]) -> String {
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
