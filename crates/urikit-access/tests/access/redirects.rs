//! Which redirects are followed, and which parts of the request are sent to their targets. Each
//! test specifies the results of the protocols.

use super::client::{client_returning, client_with, refused};
use crate::support::Rendered as _;
use crate::support::{fails, fetch, policy};
use std::sync::{Arc, Mutex};
use urikit::{AnyRef, Standard};
use urikit_access::policy::{Refusal, SchemeRules};
use urikit_access::protocol::Outcome;
use urikit_access::{
    Buffer, Class, Client, Credentials, ErrorKind, Event, NoPrompt, Output, Policy, Redirects,
    Request, Result,
};
use urikit_schemes::SchemeRegistry;

fn leads_to(target: &'static str) -> Client {
    client_returning(leads(target))
}

fn leads(
    target: &'static str,
) -> impl Fn(&Request<'_>, &mut Output<'_>) -> Result<Outcome> + Send + Sync + 'static {
    move |request, output| match request.reference.path().as_str() {
        "/start" => Ok(Outcome::Redirect(target.to_owned())),
        _ => output.bytes(b"there").map(|()| Outcome::Done),
    }
}

#[test]
fn redirects_to_this_machine_are_refused() {
    for target in [
        "file:///etc/passwd",
        "FILE:/etc/passwd",
        "telnet://h/",
        "mailto:a@h",
        "mid:a@h",
        "data:,a",
        "rlogin://h/",
        "tn3270://h/",
        "cid:a@h",
        "x-finger://h/a",
        "javascript:alert(1)",
        "urn:a:b",
    ] {
        let error = fails(&mut leads_to(target), "http://h/start");
        assert!(
            matches!(
                refused(&error),
                Refusal::Scheme { .. } | Refusal::Redirect { .. }
            ),
            "{target}: {error}"
        );
        assert_eq!(error.class(), Class::Refused);
    }
    let error = fails(&mut leads_to("http://user:hunter2@h/"), "http://h/start");
    assert_eq!(refused(&error), &Refusal::Credentials);
    assert!(
        !format!("{error} {:?}", error.rendered()).contains("hunter2"),
        "{error}: {:?}",
        error.rendered()
    );
}

/// Redirects are allowed between http and https, from prospero to ftp, gopher and wais, from any
/// scheme to itself, and wherever the caller allows them.
#[test]
fn redirects_keep_to_their_schemes() {
    for (from, to, rules, follows) in [
        ("http", "https", "", true),
        ("https", "http", "", true),
        ("http", "gopher", "", false),
        ("https", "ftp", "", false),
        ("gopher", "gopher", "", true),
        ("gopher", "http", "", false),
        ("wais", "prospero", "", false),
        ("prospero", "gopher", "", true),
        ("prospero", "http", "", false),
        ("http", "gopher", "+gopher", true),
        ("https", "http", "=https", false),
        ("ftp", "ftp", "-ftp", false),
    ] {
        let mut policy = policy();
        if !rules.is_empty() {
            policy = policy.network_schemes(rules.parse::<SchemeRules>().unwrap());
        }
        let target = format!("{to}://h/there").leak();
        let mut client = client_with(policy, leads(target));
        let url = format!("{from}://h/start");
        if follows {
            assert_eq!(fetch(&mut client, &url).unwrap().1.bytes, b"there");
        } else {
            let (from, to) = (from.to_owned(), to.to_owned());
            assert_eq!(
                refused(&fails(&mut client, &url)),
                &Refusal::Redirect { from, to }
            );
        }
    }
}

/// A downgrade is reported, and credentials are not sent to its target. A strict policy refuses
/// downgrades.
#[test]
fn a_redirect_to_http_is_reported_and_gets_no_credentials() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&seen);
    let does = move |request: &Request<'_>, output: &mut Output<'_>| {
        let scheme = request.reference.scheme().unwrap().to_owned();
        to.lock()
            .unwrap()
            .push((scheme, request.credentials.is_some()));
        match request.reference.path().as_str() {
            // The host and the port are unchanged.
            "/1" => Ok(Outcome::Redirect("http://h:8443/2".to_owned())),
            "/2" => Ok(Outcome::Redirect("https://h:8443/3".to_owned())),
            _ => output.bytes(b"there").map(|()| Outcome::Done),
        }
    };
    let credentials = Credentials {
        user: "u".to_owned(),
        password: "hunter2".to_owned(),
    };
    let client = client_returning(does);
    let (response, _) = {
        let reference = urikit::Standard::Rfc3986.parse("https://h:8443/1").unwrap();
        let request = Request::new(reference).credentials(&credentials);
        let mut buffer = urikit_access::Buffer::default();
        let mut no_prompt = urikit_access::NoPrompt;
        (
            client.fetch(&request, &mut no_prompt, &mut buffer).unwrap(),
            buffer,
        )
    };
    let expected = [("https", true), ("http", false), ("https", false)];
    let expected = expected.map(|(scheme, has)| (scheme.to_owned(), has));
    assert_eq!(*seen.lock().unwrap(), expected);
    let downgrades = response
        .events
        .iter()
        .filter(|event| matches!(event, Event::Downgraded));
    assert_eq!(downgrades.count(), 1);
    let mut client = client_with(Policy::new(), leads("http://h/there"));
    let error = fails(&mut client, "https://h/start");
    assert_eq!(refused(&error), &Refusal::Downgrade);
}

#[test]
fn ten_redirects_are_followed_and_fragments_are_kept() {
    let (response, buffer) = fetch(&mut leads_to("../b?c"), "http://h/start#top").unwrap();
    assert_eq!(
        (response.final_uri.as_str(), response.fragment.as_deref()),
        ("http://h/b?c", Some("top"))
    );
    assert_eq!(buffer.bytes, b"there");
    assert!(
        response
            .rendered()
            .iter()
            .any(|step| step == "redirected to http://h/b?c"),
        "{:?}",
        response.rendered()
    );
    // The userinfo of a base is not reused.
    let (response, _) = fetch(&mut leads_to("b"), "http://me@h/start").unwrap();
    assert_eq!(response.final_uri, "http://h/b");
    let (response, _) = fetch(&mut leads_to("//i/b#low"), "http://h/start#top").unwrap();
    assert_eq!(
        (response.final_uri.as_str(), response.fragment.as_deref()),
        ("http://i/b", Some("low"))
    );
    let error = fails(&mut leads_to("/start"), "http://h/start");
    // The error shows the loop.
    let urls = vec!["http://h/start".to_owned(); 2];
    assert_eq!(refused(&error), &Refusal::RedirectLoop { max: 10, urls });
    assert_eq!(error.rendered().len(), 10);
    // An invalid reference from the network is not an error in the caller's input.
    let error = fails(&mut leads_to("http://h b/"), "http://h/start");
    assert!(matches!(error.kind(), ErrorKind::Invalid(_)), "{error}");
    assert_eq!(error.class(), Class::Failed);
}

#[test]
fn credentials_are_dropped_with_their_origin_and_never_return() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&seen);
    let client = client_returning(move |request, output| {
        let url = request.reference.as_str().to_owned();
        to.lock()
            .unwrap()
            .push((url.clone(), request.credentials.is_some()));
        let next = match url.as_str() {
            "http://h/1" => "http://H:80/2",
            "http://H:80/2" => "http://h:81/3",
            "http://h:81/3" => "http://h/4",
            _ => return output.bytes(b"").map(|()| Outcome::Done),
        };
        Ok(Outcome::Redirect(next.to_owned()))
    });
    let credentials = Credentials {
        user: "u".to_owned(),
        password: "p".to_owned(),
    };
    let reference = urikit::Standard::Rfc3986.parse("http://h/1").unwrap();
    let request = Request::new(reference).credentials(&credentials);
    let mut buffer = urikit_access::Buffer::default();
    client
        .fetch(&request, &mut urikit_access::NoPrompt, &mut buffer)
        .unwrap();
    let seen: Vec<bool> = seen.lock().unwrap().iter().map(|(_, has)| *has).collect();
    assert_eq!(seen, [true, true, false, false]);
    assert_eq!(format!("{credentials:?}"), "u:***");
}

#[test]
fn redirects_through_gateways_are_checked() {
    let mut registry = SchemeRegistry::new();
    let rule = "gopher=file://localhost/etc/";
    let rule: urikit_schemes::GatewayRule = rule.parse().unwrap();
    registry.set_gateway(&rule.scheme, rule.gateway).unwrap();
    let rules: SchemeRules = "+gopher".parse().unwrap();
    let to_gopher = policy().network_schemes(rules);
    let mut client = client_with(to_gopher, leads("gopher://h/passwd")).registry(registry);
    let error = fails(&mut client, "http://h/start");
    assert!(
        matches!(refused(&error), Refusal::Scheme { scheme, .. } if scheme == "file"),
        "{error}"
    );
    let mut registry = SchemeRegistry::new();
    let rule: urikit_schemes::GatewayRule = "wais=http://gate.example/".parse().unwrap();
    registry.set_gateway(&rule.scheme, rule.gateway).unwrap();
    let mut client = Client::new(policy().schemes(["wais"])).registry(registry);
    let error = fails(&mut client, "wais://h/db");
    assert!(
        matches!(refused(&error), Refusal::Scheme { scheme, .. } if scheme == "http"),
        "{error}"
    );
}

/// Follows only redirects to one path, and records each redirect that it had to decide on.
#[derive(Debug)]
struct Only(&'static str, Mutex<Vec<String>>);

impl Redirects for Only {
    fn follows(&self, to: AnyRef<'_>) -> bool {
        self.1.lock().unwrap().push(to.as_str().to_owned());
        to.path().as_str() == self.0
    }
}

#[test]
fn callers_may_follow_fewer() {
    let requested = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&requested);
    let leads = leads("/there?a");
    let client = client_returning(move |request, output| {
        let target = request.reference.as_str().to_owned();
        log.lock().unwrap().push(target);
        leads(request, output)
    });
    let url = Standard::Rfc3986.parse("http://h/start").unwrap();
    for (path, is_followed) in [("/there", true), ("/elsewhere", false)] {
        let rule = Only(path, Mutex::default());
        let request = Request::new(url).redirects(&rule);
        let fetched = client.fetch(&request, &mut NoPrompt, &mut Buffer::default());
        assert_eq!(fetched.is_ok(), is_followed);
        if let Err(error) = fetched {
            let to = "http://h/there?a".to_owned();
            assert_eq!(refused(&error), &Refusal::Target { to });
        }
        assert_eq!(*rule.1.lock().unwrap(), ["http://h/there?a"]);
    }
    // The client requests only redirects that the rule follows.
    let requested = requested.lock().unwrap();
    assert_eq!(
        *requested,
        ["http://h/start", "http://h/there?a", "http://h/start"]
    );
    // The policy is checked before the rule.
    let rule = Only("/etc/passwd", Mutex::default());
    let request = Request::new(url).redirects(&rule);
    let client = leads_to("file:///etc/passwd");
    let fetched = client.fetch(&request, &mut NoPrompt, &mut Buffer::default());
    assert_eq!(fetched.unwrap_err().class(), Class::Refused);
    assert!(rule.1.lock().unwrap().is_empty());
}
