//! Clones of a client share connections and answers, but not settings.

use crate::http::request;
use crate::support::{fails, fetch, policy};
use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;
use urikit::Standard;
use urikit_access::policy::Refusal;
use urikit_access::{
    Client, ErrorKind, Metadata, NoPrompt, Policy, PoolLimits, Proxies, Request, Resolver, Sink,
};
use urikit_testkit::servers::Scripted;

const HELLO: &str = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

/// A server that keeps connections open, and counts them.
fn counting() -> (Scripted, Arc<AtomicUsize>) {
    let connections = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&connections);
    let server = Scripted::start(move |client| {
        count.fetch_add(1, Ordering::SeqCst);
        while request(client).is_some() {
            client.say(HELLO);
        }
    });
    (server, connections)
}

fn url(server: &Scripted) -> String {
    format!("http://127.0.0.1:{}/", server.port)
}

fn hello(client: &Client, url: &str) {
    let (_, buffer) = fetch(&mut client.clone(), url).unwrap();
    assert_eq!(buffer.bytes, b"hello");
}

#[test]
fn threads_share_connections() {
    const THREADS: usize = 4;
    let (server, connections) = counting();
    let client = Client::new(policy().total_timeout(Duration::from_secs(60)));
    let begin = Barrier::new(THREADS);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            let client = client.clone();
            scope.spawn(|| {
                begin.wait();
                for _ in 0..50 {
                    hello(&client, &url(&server));
                }
                drop(client);
            });
        }
    });
    let made = connections.load(Ordering::SeqCst);
    assert!(made <= THREADS, "{made}");
    // Another thread, and another clone, continue with one of these connections.
    std::thread::spawn(move || hello(&client, &url(&server)))
        .join()
        .unwrap();
    assert_eq!(connections.load(Ordering::SeqCst), made);
}

#[test]
fn the_policy_of_each_clone_applies_to_shared_connections() {
    let (server, connections) = counting();
    let client = Client::new(policy());
    hello(&client, &url(&server));
    let mut strict = client.clone().policy(policy().allow_private(false));
    let error = fails(&mut strict, &url(&server));
    let is_refused = matches!(error.kind(), ErrorKind::Refused(Refusal::Address { .. }));
    assert!(is_refused, "{error}");
    let mut without = client.clone().policy(policy().schemes(["https"]));
    let error = fails(&mut without, &url(&server));
    let is_refused = matches!(error.kind(), ErrorKind::Refused(Refusal::Scheme { .. }));
    assert!(is_refused, "{error}");
    // The connection stays in the pool for the clones that may use it.
    hello(&client, &url(&server));
    let rule = format!("127.0.0.1:{}", server.port).parse().unwrap();
    let by_host = client.policy(policy().allow_private(false).allow_host(rule));
    hello(&by_host, &url(&server));
    assert_eq!(connections.load(Ordering::SeqCst), 1);
}

/// A redirect from another host has no permission for private addresses, even if a connection is
/// open.
#[test]
fn a_redirect_does_not_reach_a_pooled_connection() {
    let (server, _) = counting();
    let to = url(&server);
    let elsewhere = Scripted::start(move |client| {
        request(client);
        let head = format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n");
        client.say(head);
    });
    let allowed = |server: &Scripted, host: &str| format!("{host}:{}", server.port);
    let mut rules = policy().allow_private(false);
    for rule in [
        allowed(&server, "127.0.0.1"),
        allowed(&elsewhere, "localhost"),
    ] {
        rules = rules.allow_host(rule.parse().unwrap());
    }
    let mut client = Client::new(rules);
    hello(&client, &url(&server));
    let error = fails(
        &mut client,
        &format!("http://localhost:{}/", elsewhere.port),
    );
    let is_refused = matches!(error.kind(), ErrorKind::Refused(Refusal::Address { .. }));
    assert!(is_refused, "{error}");
    hello(&client, &url(&server));
}

#[test]
fn connections_belong_to_trust_settings() {
    let (server, connections) = counting();
    let client = Client::new(policy());
    hello(&client, &url(&server));
    hello(&client.clone().unverified(), &url(&server));
    assert_eq!(connections.load(Ordering::SeqCst), 2);
    hello(&client, &url(&server));
    assert_eq!(connections.load(Ordering::SeqCst), 2);
}

#[test]
fn connections_belong_to_a_proxy_and_its_login() {
    let (proxy, connections) = counting();
    let client = Client::new(policy());
    let through = |login: &str| {
        let text = format!("http://{login}127.0.0.1:{}", proxy.port);
        let proxies = Proxies::new().all(text.parse().unwrap());
        client.clone().proxies(proxies)
    };
    let (one, two) = (through("one:secret@"), through("two:secret@"));
    for client in [&one, &two, &one, &two] {
        hello(client, "http://name.example/");
    }
    assert_eq!(connections.load(Ordering::SeqCst), 2);
    let tokens: Vec<_> = proxy
        .log()
        .into_iter()
        .filter(|line| line.starts_with("Proxy-Authorization"))
        .collect();
    assert_eq!(tokens.len(), 4);
    assert_eq!(tokens.iter().collect::<BTreeSet<_>>().len(), 2);
    // A direct connection to the same server is a different connection.
    hello(&client, &url(&proxy));
    assert_eq!(connections.load(Ordering::SeqCst), 3);
}

/// An FTP server that accepts every login, and records it with each file.
fn ftp(directories: Arc<Mutex<Vec<String>>>) -> Scripted {
    Scripted::start(move |client| {
        client.say("220 hello\r\n");
        let mut user = String::new();
        while let Some(line) = client.line() {
            if line.starts_with("USER ") {
                user.clone_from(&line);
            }
            if line.starts_with("CWD ") {
                directories.lock().unwrap().push(format!("{user} {line}"));
            }
            client.say(match line.split(' ').next() {
                Some("USER") => "331 password\r\n",
                Some("PASS") => "230 welcome\r\n",
                Some("QUIT") => "221 bye\r\n",
                _ => "550 no\r\n",
            });
        }
    })
}

#[test]
fn connections_belong_to_a_login() {
    let directories = Arc::new(Mutex::new(Vec::new()));
    let server = ftp(Arc::clone(&directories));
    let client = Client::new(policy());
    for (user, password) in [("one", "a"), ("two", "a"), ("one", "b"), ("one", "a")] {
        let at = format!("ftp://{user}:{password}@127.0.0.1:{}/dir/file", server.port);
        fails(&mut client.clone(), &at);
    }
    let directories = directories.lock().unwrap();
    let users = ["USER one CWD dir", "USER two CWD dir", "USER one CWD dir"];
    assert_eq!(directories.get(..3).unwrap(), users);
    let logins = server.log();
    let logins = logins.iter().filter(|line| line.starts_with("PASS "));
    assert!(logins.count() >= 3);
}

#[test]
fn the_pool_has_limits() {
    let (server, connections) = counting();
    let limits = PoolLimits {
        lifetime: Duration::from_millis(50),
        ..PoolLimits::default()
    };
    let client = Client::new(policy()).pool_limits(limits);
    hello(&client, &url(&server));
    std::thread::sleep(Duration::from_millis(100));
    hello(&client, &url(&server));
    assert_eq!(connections.load(Ordering::SeqCst), 2);
    let none = PoolLimits {
        total: 0,
        ..PoolLimits::default()
    };
    let client = client.pool_limits(none);
    for _ in 0..2 {
        hello(&client, &url(&server));
    }
    assert_eq!(connections.load(Ordering::SeqCst), 4);
}

/// Resolves every name to this machine, and counts the lookups.
struct Here(Arc<AtomicUsize>);

impl Resolver for Here {
    fn resolve(&self, name: &str) -> std::io::Result<Vec<IpAddr>> {
        self.0.fetch_add(1, Ordering::SeqCst);
        if name.starts_with("none") {
            return Err(std::io::ErrorKind::NotFound.into());
        }
        Ok(vec![[127, 0, 0, 1].into()])
    }
}

#[test]
fn clones_share_answers() {
    let (server, _) = counting();
    let count = Arc::new(AtomicUsize::new(0));
    let client = Client::new(policy()).resolver(Here(Arc::clone(&count)));
    for name in ["a.example", "b.example", "A.example"] {
        for _ in 0..3 {
            hello(&client.clone(), &format!("http://{name}:{}/", server.port));
        }
    }
    assert_eq!(count.load(Ordering::SeqCst), 2);
    for _ in 0..3 {
        let error = fails(&mut client.clone(), "http://none.example/");
        assert!(matches!(error.kind(), ErrorKind::HostNotFound), "{error}");
    }
    assert_eq!(count.load(Ordering::SeqCst), 3);
}

/// Drops another handle of its client while the body arrives, and panics on demand.
struct Drops(Option<Client>, bool);

impl Sink for Drops {
    fn begin(&mut self, _: &Metadata) -> std::io::Result<()> {
        Ok(())
    }

    fn bytes(&mut self, _: &[u8]) -> std::io::Result<()> {
        drop(self.0.take());
        assert!(!self.1, "on demand");
        Ok(())
    }

    fn entry(&mut self, _: &urikit_access::listing::Entry) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_dropped_clone_or_a_panic_during_a_transfer_does_no_harm() {
    let (server, _) = counting();
    let client = Client::new(Policy::permissive().allow_private(true));
    let url = url(&server);
    for panics in [false, true] {
        let other = client.clone();
        let at = url.clone();
        let worker = std::thread::spawn(move || {
            let reference = Standard::Rfc3986.parse(&at).unwrap();
            let mut sink = Drops(Some(other.clone()), panics);
            let fetched = other.fetch(&Request::new(reference), &mut NoPrompt, &mut sink);
            fetched.is_ok()
        });
        assert_eq!(worker.join().ok(), (!panics).then_some(true));
        hello(&client, &url);
    }
}
