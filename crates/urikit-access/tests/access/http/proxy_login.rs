//! Proxies that require a login: the error is about the proxy, not about the server of the URL.

use super::server;
use super::tunnels::through;
use crate::support::{fails, policy};
use urikit_access::{Class, ErrorKind};
use urikit_testkit::servers::{Conversation, Scripted};

/// Starts a SOCKS server that requires a login, and refuses every login with this status (RFC 1929,
/// 2).
fn socks(status: u8) -> Scripted {
    Scripted::start(move |client: &mut Conversation| {
        let greeting = client.bytes(2);
        let methods = client.bytes(u64::from(greeting[1]));
        if !methods.contains(&2) {
            client.say([5, 0xFF]);
            return;
        }
        client.say([5, 2]);
        let user = client.bytes(2);
        client.bytes(u64::from(user[1]));
        let length = client.bytes(1);
        client.bytes(u64::from(length[0]));
        client.say([1, status]);
    })
}

#[test]
fn a_refused_login_is_that_of_the_proxy() {
    const REQUIRED: &str = "HTTP/1.1 407 Proxy Authentication Required\r\n\
        Proxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n\r\n";
    for (login, is_refused, says) in [
        ("u:wrong@", true, "the proxy refused the login"),
        ("", false, "the proxy requires a login"),
    ] {
        let mut errors = Vec::new();
        for kind in ["socks5://", "socks5h://"] {
            for status in [1, 0xFF] {
                let proxy = socks(status);
                let mut client = through(policy(), &format!("{kind}{login}"), proxy.port);
                errors.push(fails(&mut client, "gopher://127.0.0.1/0a"));
            }
        }
        // The first URL is sent to the proxy as a complete URI, and the second requires a tunnel.
        for from in ["http://name.example/", "gopher://name.example/0a"] {
            let proxy = server(REQUIRED);
            let mut client = through(policy(), &format!("http://{login}"), proxy.port);
            let error = fails(&mut client, from);
            assert!(error.to_string().contains("407"), "{error}");
            errors.push(error);
        }
        for error in errors {
            assert!(
                matches!(error.kind(), ErrorKind::ProxyLogin { is_refused: it } if *it == is_refused),
                "{error}"
            );
            assert!(error.to_string().contains(says), "{error}");
            assert!(!error.to_string().contains("wrong"), "{error}");
            assert_eq!(error.class(), Class::Failed);
            assert!(!error.is_transient());
        }
    }
}

/// A server that is not a proxy cannot ask for a proxy's login.
#[test]
fn only_a_proxy_asks_for_its_login() {
    let server = server("HTTP/1.1 407 What\r\nContent-Length: 0\r\n\r\n");
    let from = format!("http://127.0.0.1:{}/", server.port);
    let error = fails(&mut crate::support::client(), &from);
    assert!(error.kind().is_denial(), "{error}");
}
