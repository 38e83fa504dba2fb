//! Servers that slowly send data forever. Each access must end, even without a limit on its total
//! time.

use crate::support::{fails, policy};
use std::time::{Duration, Instant};
use urikit_access::{Client, ErrorKind};
use urikit_testkit::servers::Scripted;

/// For each server: a URL; the greeting and the replies to the commands; and the data that is then
/// sent repeatedly.
const WAYS: [(&str, &[&str], &str); 8] = [
    ("gopher:///1x", &[], "ia\t\th\t1\r\n"),
    ("gopher:///1x", &[], "i"),
    ("gopher:///0x", &[], "3"),
    ("gopher:///0x%09%09+", &[], "+"),
    ("nntp:///g", &["200 hi\r\n", "101 these\r\n"], "x\r\n"),
    (
        "nntp:///g",
        &[
            "200 hi\r\n",
            "500 what?\r\n",
            "200 hi\r\n",
            "211 5 1 5 g\r\n",
            "224 these\r\n",
        ],
        "1\ts\t\t\t\t1\t1\r\n",
    ),
    ("ftp:///a", &["220-hi\r\n"], "220-x\r\n"),
    ("ftp:///a", &["220-hi\r\n"], " "),
];

#[test]
fn every_drip_ends() {
    let policy = policy()
        .total_timeout(Duration::MAX)
        .idle_timeout(Duration::from_millis(400))
        .min_rate(1000, Duration::from_secs(1));
    std::thread::scope(|scope| {
        for (url, replies, drip) in WAYS {
            let policy = policy.clone();
            scope.spawn(move || {
                let server = Scripted::start(move |client| {
                    for (nth, reply) in replies.iter().enumerate() {
                        if nth > 0 {
                            client.line();
                        }
                        client.say(reply);
                    }
                    while client.say(drip) {
                        std::thread::sleep(Duration::from_millis(120));
                    }
                });
                let host = format!("//127.0.0.1:{}/", server.port);
                let begun = Instant::now();
                let error = fails(&mut Client::new(policy), &url.replacen("///", &host, 1));
                let (took, place) = (begun.elapsed(), format!("{url} {drip:?}: {error}"));
                assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{place}");
                assert!(took < Duration::from_secs(5), "{place}: {took:?}");
            });
        }
    });
}
