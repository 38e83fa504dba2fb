//! The policy's rules for both protocols: proxies, and servers that send data slowly.

use crate::support::{client_with, fails, policy};
use std::time::{Duration, Instant};
use urikit_access::policy::Refusal;
use urikit_access::{Class, ErrorKind, Policy, Proxies};
use urikit_testkit::servers::Scripted;

/// Proxies do not relay datagrams.
#[test]
fn prospero_is_refused_through_every_proxy() {
    for kind in ["http://", "socks5h://", ""] {
        let proxy = format!("{kind}127.0.0.1:1").parse().unwrap();
        let policy = Policy::permissive().total_timeout(Duration::from_secs(5));
        let mut client = client_with(policy).proxies(Proxies::new().all(proxy));
        let error = fails(&mut client, "prospero://name.example/a");
        assert_eq!(error.class(), Class::Refused, "{kind}: {error}");
        assert!(matches!(
            error.kind(),
            ErrorKind::Refused(Refusal::Proxy { .. })
        ));
    }
}

#[test]
fn a_server_that_drips_is_given_up() {
    let policy = policy()
        .total_timeout(Duration::MAX)
        .idle_timeout(Duration::from_millis(400))
        .min_rate(1000, Duration::from_secs(1));
    let server = Scripted::start(|client| {
        while client.say("0") {
            std::thread::sleep(Duration::from_millis(120));
        }
    });
    let begun = Instant::now();
    let url = format!("wais://127.0.0.1:{}/db?words", server.port);
    let error = fails(&mut client_with(policy), &url);
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(5), "{error}");
}
