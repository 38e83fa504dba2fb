//! Redirects and links to other servers, and the rules of the policy for them.

use super::super::support::{Rendered as _, assert_as_planned, fails, fetch, plan, policy};
use super::{always, client, client_with};
use std::num::NonZeroU32;
use std::time::Duration;
use urikit_access::listing::EntryKind;
use urikit_access::policy::Refusal;
use urikit_access::{Class, Client, ErrorKind, Policy};
use urikit_historic::{ProsperoProtocol, WaisProtocol};
use urikit_testkit::prospero::Prospero as Recorded;
use urikit_testkit::servers::{Conversation, Datagrams, Scripted};
use urikit_testkit::wais;

/// Starts a server that responds to requests that contain a text.
fn server(answers: Vec<(String, String)>) -> Datagrams {
    Datagrams::start(move |datagram, _| {
        let text = String::from_utf8_lossy(datagram);
        let answer = answers.iter().find(|(request, _)| text.contains(request));
        let answer = answer.map_or("FAILURE NOT-FOUND\n", |(_, answer)| answer);
        vec![[&[3, datagram[1], datagram[2]], answer.as_bytes()].concat()]
    })
}

fn pair(request: &str, answer: &str) -> (String, String) {
    (request.to_owned(), answer.to_owned())
}

fn method(method: &str) -> String {
    format!("ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE {method}\n")
}

#[test]
fn an_access_method_is_a_redirect() {
    let gopher = Scripted::start(|peer: &mut Conversation| {
        let selector = peer.line();
        assert_eq!(selector.as_deref(), Some("0/about"));
        peer.say("Gopher is older.\r\n.\r\n");
    });
    let answer = [
        method("LOCAL '' '' '' ''"),
        method("NFS INTERNET-D h ASCII /a /mnt"),
        method(&format!(
            "GOPHER INTERNET-D g.example({}) ASCII 0/about TEXT",
            gopher.port
        )),
        method("AFTP INTERNET-D f.example ASCII /never BINARY"),
    ]
    .concat();
    let server = always(&answer);
    let url = format!("prospero://h:{}//a#part", server.port);
    let (response, buffer) = fetch(&mut client(server.port), &url).unwrap();
    assert_eq!(buffer.bytes, b"Gopher is older.\r\n");
    let expected = format!("gopher://g.example:{}/00/about", gopher.port);
    assert_eq!(response.final_uri, expected);
    assert_eq!(response.fragment.as_deref(), Some("part"));
    let steps = response.rendered();
    assert!(
        steps.contains(&format!("redirected to {expected}")),
        "{steps:?}"
    );
}

/// The directory server may have the contents of a file whose method fails.
#[test]
fn contents_replace_a_method_that_fails() {
    let gopher = Scripted::start(|peer: &mut Conversation| {
        peer.line();
        peer.say("3no such item\t\terror.host\t1\r\n.\r\n");
        peer.close();
    });
    let closed = urikit_testkit::servers::free_port();
    let own = method("PROSPERO-CONTENTS '' '' '' ''");
    for other in [
        format!(
            "GOPHER INTERNET-D g.example({}) ASCII 0/a TEXT",
            gopher.port
        ),
        format!("AFTP INTERNET-D f.example({closed}) ASCII /pub/a BINARY"),
        // The policy refuses the port.
        "AFTP INTERNET-D f.example(25) ASCII /pub/a BINARY".to_owned(),
    ] {
        let information = [&*own, &*method(&other)].concat();
        let server = server(vec![
            pair("GET-OBJECT-INFO CONTENTS", &contents("here")),
            pair("GET-OBJECT-INFO", &information),
        ]);
        let url = format!("prospero://h:{}//a", server.port);
        let (response, buffer) = fetch(&mut client(server.port), &url).unwrap();
        assert_eq!(buffer.bytes, b"here", "{other}");
        assert_eq!(response.final_uri, url);
        let steps = response.rendered();
        assert!(
            steps
                .iter()
                .any(|step| step.contains(" cannot be fetched: ")),
            "{steps:?}"
        );
        let sent: Vec<_> = steps.into_iter().filter(|step| step != "> 0/a").collect();
        assert_as_planned(&plan(&client(server.port), &url).unwrap(), &sent);
        // If the server does not send the contents either, the caller learns about both failures.
        let server = self::server(vec![
            pair("GET-OBJECT-INFO CONTENTS", "FAILURE NOT-AUTHORIZED\n"),
            pair("GET-OBJECT-INFO", &information),
        ]);
        let url = format!("prospero://h:{}//a", server.port);
        let error = fails(&mut client(server.port), &url);
        assert!(matches!(error.kind(), ErrorKind::Forbidden), "{error}");
        let steps = error.rendered();
        assert!(
            steps
                .iter()
                .any(|step| step.contains(" cannot be fetched: ")),
            "{steps:?}"
        );
    }
}

/// A body that has begun cannot be replaced.
#[test]
fn only_a_method_that_fails_at_once_is_replaced() {
    let gopher = Scripted::start(|peer: &mut Conversation| {
        peer.line();
        peer.say("a".repeat(2000));
        peer.close();
    });
    let other = format!(
        "GOPHER INTERNET-D g.example({}) ASCII 9/a BINARY",
        gopher.port
    );
    let information = method("PROSPERO-CONTENTS '' '' '' ''") + &method(&other);
    let server = server(vec![
        pair("GET-OBJECT-INFO CONTENTS", &contents("here")),
        pair("GET-OBJECT-INFO", &information),
    ]);
    let policy = policy().allow_port(server.port).max_bytes(1000);
    let error = fails(
        &mut client_with(policy),
        &format!("prospero://h:{}//a", server.port),
    );
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Refused(Refusal::Bytes { max: 1000 })
        ),
        "{error}"
    );
    assert_eq!(server.received().len(), 1, "the contents are not requested");
}

/// The method refers to a recorded document in the form that gateways write.
#[test]
fn a_wais_method_leads_to_a_document() {
    let exchanges = wais::exchanges();
    let lines = exchanges
        .iter()
        .find(|it| it.name == "fetch-line-range-beyond-end");
    let wais::Request::Document { id, range, .. } =
        wais::Request::read(&lines.unwrap().requests[0][25..])
    else {
        panic!("{lines:?}");
    };
    assert_eq!(range, 0..1000);
    let id: Vec<_> = id.iter().map(|octet| format!("%{octet:02X}")).collect();
    let id = id.concat();
    let wais = wais::replay(exchanges);
    let words = format!(
        "WAIS INTERNET-D g.example ASCII 'WAIS-GW/w.example({})/TEXT/sea/{id}'",
        wais.port
    );
    let server = Recorded::with(vec![("GET-OBJECT-INFO".to_owned(), method(&words))]);
    let port = server.0.port;
    let url = format!("prospero://h:{port}//a");
    let by_lines = WaisProtocol::new().lines(NonZeroU32::new(1000).unwrap());
    let mut client = client(port).protocol(by_lines);
    let (response, buffer) = fetch(&mut client, &url).unwrap();
    assert!(buffer.bytes.starts_with(b"Subject: The whale\n\n"));
    assert_eq!(buffer.bytes.len(), 109);
    let document = format!("wais://w.example:{}/sea/TEXT/%01%10wais", wais.port);
    let last = response.final_uri;
    assert!(last.starts_with(&document), "{last}");
    // If the policy does not allow redirects to WAIS, no connection is made.
    let strict = policy().allow_port(port).network_schemes(["ftp"]);
    let error = fails(&mut client_with(strict), &url);
    assert_eq!(error.class(), Class::Refused, "{error}");
    let steps = error.rendered();
    assert!(
        !steps
            .iter()
            .any(|it| it.contains("w.example:") && it.starts_with("connected")),
        "{steps:?}"
    );
}

/// A server cannot report a failure or a new location after it has sent links.
#[test]
fn links_and_then_something_else_are_an_error() {
    let link = "LINK L FILE a INTERNET-D h ASCII /f/a 0\nLINK L FILE b INTERNET-D h ASCII /f/b 0\n";
    for (information, last, found) in [
        (
            "NONE-FOUND\n",
            "FAILURE NOT-A-DIRECTORY\n",
            "NOT-A-DIRECTORY",
        ),
        (
            "FAILURE NOT-FOUND\n",
            "FAILURE NOT-A-DIRECTORY\n",
            "NOT-A-DIRECTORY",
        ),
        (
            "NONE-FOUND\n",
            "FORWARDED INTERNET-D h(191) ASCII /b 0\n",
            "//b",
        ),
    ] {
        let server = server(vec![
            pair("GET-OBJECT-INFO", information),
            pair("LIST", &[link, last].concat()),
        ]);
        let url = format!("prospero://h:{}//a", server.port);
        let error = fails(&mut client(server.port), &url);
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)) || error.kind().is_denial(),
            "{error}"
        );
        assert!(error.to_string().contains(found), "{error}");
    }
}

/// Methods that refer to files on a machine are listed without a reference, and not followed.
#[test]
fn methods_that_name_files_are_shown() {
    let methods = [
        "LOCAL '' '' '' /etc/passwd",
        "NFS INTERNET-D localhost ASCII /etc/passwd /",
    ];
    let answer = methods.map(method).concat() + &method("AFS INTERNET-D h ASCII /afs/a");
    let server = always(&answer);
    let url = format!("prospero://h:{}//a", server.port);
    let (response, buffer) = fetch(&mut client(server.port), &url).unwrap();
    assert_eq!(response.scheme, "prospero");
    let kinds: Vec<_> = buffer.entries.iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [EntryKind::Other; 3]);
    assert!(buffer.entries.iter().all(|entry| entry.reference.is_none()));
}

#[test]
fn the_policy_judges_the_method() {
    let aftp = method("AFTP INTERNET-D f.example ASCII /pub/a BINARY");
    let server = always(&aftp);
    let url = format!("prospero://h:{}//a", server.port);
    // The scheme is refused.
    let strict = policy().allow_port(server.port).network_schemes(["gopher"]);
    let error = fails(&mut client_with(strict), &url);
    assert_eq!(error.class(), Class::Refused, "{error}");
    // The port belongs to another protocol.
    let smtp = always(&method("AFTP INTERNET-D f.example(25) ASCII /pub/a BINARY"));
    let url = format!("prospero://h:{}//a", smtp.port);
    let error = fails(&mut client(smtp.port), &url);
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::Port { port: 25 })),
        "{error}"
    );
}

#[test]
fn forwarded_objects_are_followed() {
    for forwarded in [
        "FORWARDED INTERNET-D new.example(PORT) ASCII '/home/my file' 2\n",
        "ATTRIBUTE OBJECT INTRINSIC FORWARDING-POINTER LINK L FP a INTERNET-D \
         new.example(PORT) ASCII '/home/my file' 2 0\n",
        "ATTRIBUTE OBJECT INTRINSIC FORWARDING-POINTER LINK L FP a INTERNET-D \
         new.example(PORT) ASCII '/home/my file' 2 0\nFAILURE SERVER-FAILED\n",
    ] {
        let new = server(vec![
            pair(
                "GET-OBJECT-INFO CONTENTS ASCII '/home/my file' 2",
                &contents("moved"),
            ),
            pair(
                "GET-OBJECT-INFO '#ALL' ASCII '/home/my file' 2",
                &method("PROSPERO-CONTENTS '' '' '' ''"),
            ),
        ]);
        let old = always(&forwarded.replace("PORT", &new.port.to_string()));
        let mut client = client_with(policy().allow_port(old.port).allow_port(new.port));
        let url = format!("prospero://old.example:{}//a", old.port);
        let (response, buffer) = fetch(&mut client, &url).unwrap();
        assert_eq!(buffer.bytes, b"moved");
        let expected = format!(
            "prospero://new.example:{}//home/my%20file;OBJECT-VERSION=2",
            new.port
        );
        assert_eq!(response.final_uri, expected);
    }
}

fn contents(text: &str) -> String {
    format!("ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA '{text}'\n")
}

#[test]
fn forwarding_in_a_circle_ends() {
    let circle = std::sync::Arc::new(std::sync::Mutex::new(0_u16));
    let shared = std::sync::Arc::clone(&circle);
    let server = Datagrams::start(move |datagram, _| {
        let port = *shared.lock().unwrap();
        let answer = format!("FORWARDED INTERNET-D h({port}) ASCII /a 0\n");
        vec![[&[3, datagram[1], datagram[2]], answer.as_bytes()].concat()]
    });
    *circle.lock().unwrap() = server.port;
    let error = fails(
        &mut client(server.port),
        &format!("prospero://h:{}//a", server.port),
    );
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Refused(Refusal::RedirectLoop { max: 10, .. })
        ),
        "{error}"
    );
    assert_eq!(server.received().len(), 11);
}

/// Other protocols cannot redirect to prospero.
#[test]
fn redirects_to_prospero_come_from_prospero() {
    let server = always("NONE-FOUND\n");
    let to = format!("prospero://h:{}//a", server.port);
    let http = Scripted::start(move |peer: &mut Conversation| {
        while peer.line().is_some_and(|line| !line.is_empty()) {}
        peer.say(format!(
            "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n"
        ));
    });
    let error = fails(
        &mut client(server.port),
        &format!("http://h:{}/", http.port),
    );
    assert_eq!(error.class(), Class::Refused, "{error}");
    assert!(server.received().is_empty());
}

/// The policy checks the address and port of an ARDP redirect like those of a URL.
#[test]
fn datagram_redirects_are_checked() {
    let redirect = |address: [u8; 4], port: u16| {
        Datagrams::start(move |datagram, _| {
            let mut header = vec![19, datagram[1], datagram[2], 0, 0, 0, 0, 0, 0, 0, 0, 0, 4];
            header.extend_from_slice(&address);
            header.extend_from_slice(&port.to_be_bytes());
            vec![header]
        })
    };
    let new = server(vec![
        pair("INFO CONTENTS", &contents("here")),
        pair("INFO", &method("PROSPERO-CONTENTS '' '' '' ''")),
    ]);
    let old = redirect([127, 0, 0, 1], new.port);
    let url = format!("prospero://h:{}//a", old.port);
    let mut both = client_with(policy().allow_port(old.port).allow_port(new.port));
    let (response, buffer) = fetch(&mut both, &url).unwrap();
    assert_eq!(buffer.bytes, b"here");
    assert_eq!(
        response.final_uri,
        format!("prospero://127.0.0.1:{}//a", new.port)
    );

    let error = fails(&mut client(old.port), &url);
    let port = new.port;
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::DatagramPort { port: p }) if *p == port),
        "{error}"
    );
    for address in [
        [169, 254, 169, 254],
        [0, 0, 0, 0],
        [224, 0, 0, 1],
        [255, 255, 255, 255],
    ] {
        let old = redirect(address, 1525);
        let error = fails(
            &mut client(old.port),
            &format!("prospero://h:{}//a", old.port),
        );
        assert!(
            matches!(error.kind(), ErrorKind::Refused(Refusal::Address { .. })),
            "{error}"
        );
    }
}

#[test]
fn union_links_are_expanded_once() {
    let shared = std::sync::Arc::new(std::sync::Mutex::new(0_u16));
    let port = std::sync::Arc::clone(&shared);
    let server = Datagrams::start(move |datagram, _| {
        let text = String::from_utf8_lossy(datagram).into_owned();
        let port = *port.lock().unwrap();
        let union =
            |name: &str| format!("LINK U DIRECTORY {name} INTERNET-D H({port}) ASCII /{name} 0\n");
        let file =
            |name: &str| format!("LINK L FILE {name} INTERNET-D h({port}) ASCII /f/{name} 0\n");
        let answer = if text.contains("GET-OBJECT-INFO") {
            "NONE-FOUND\n".to_owned()
        } else if text.contains("DIRECTORY ASCII /one\n") {
            file("a") + &union("two") + &file("b") + &union("lost")
        } else if text.contains("DIRECTORY ASCII /two\n") {
            format!("FORWARDED INTERNET-D h({port}) ASCII /three 0\n")
        } else if text.contains("DIRECTORY ASCII /three\n") {
            // This directory links back to the first one, and to itself.
            file("c") + &union("one") + &union("two")
        } else {
            "FAILURE NOT-A-DIRECTORY\n".to_owned()
        };
        vec![[&[3, datagram[1], datagram[2]], answer.as_bytes()].concat()]
    });
    *shared.lock().unwrap() = server.port;
    let url = format!("prospero://h:{}//one", server.port);
    let (_, buffer) = fetch(&mut client(server.port), &url).unwrap();
    let names: Vec<_> = buffer
        .entries
        .iter()
        .map(|entry| (entry.kind, &*entry.name))
        .collect();
    let expected = [
        (EntryKind::File, "a"),
        (EntryKind::File, "b"),
        (EntryKind::File, "c"),
        (EntryKind::Error, "lost"),
    ];
    assert_eq!(names, expected);
    let union = ("union", format!("prospero://H:{}//two", server.port));
    assert!(buffer.entries[2].details.contains(&union));
    assert_eq!(server.received().len(), 5);
    // If the policy does not allow redirects to prospero, no other request is sent.
    let strict = policy().allow_port(server.port).network_schemes(["ftp"]);
    let before = server.received().len();
    let (_, buffer) = fetch(&mut client_with(strict), &url).unwrap();
    assert_eq!(buffer.entries.len(), 4);
    assert_eq!(server.received().len() - before, 2);
}

#[test]
fn datagrams_go_to_allowed_ports_only() {
    let server = always("NONE-FOUND\n");
    for url in [
        format!("prospero://h:{}//a", server.port),
        "prospero://h:53//a".to_owned(),
        "prospero://h:0//a".to_owned(),
        "prospero://h:80//a".to_owned(),
    ] {
        let error = fails(&mut client_with(policy()), &url);
        let kind = error.kind();
        assert!(
            matches!(kind, ErrorKind::Refused(Refusal::DatagramPort { .. })),
            "{error}"
        );
    }
    assert!(server.received().is_empty());
    // Loopback is refused by default.
    let policy = Policy::new().allow_port(server.port);
    let url = format!("prospero://h:{}//a", server.port);
    let error = fails(&mut client_with(policy), &url);
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::Address { .. })),
        "{error}"
    );
    assert!(server.received().is_empty());
}

/// The name has addresses of both families, but the server listens at only one address.
#[test]
fn the_next_address_is_tried() {
    struct Both;
    impl urikit_access::Resolver for Both {
        fn resolve(&self, _: &str) -> std::io::Result<Vec<std::net::IpAddr>> {
            let addresses = ["::1", "127.0.0.2", "127.0.0.1"];
            Ok(addresses.iter().map(|it| it.parse().unwrap()).collect())
        }
    }
    let server = always("NONE-FOUND\n");
    let mut client = Client::new(policy().allow_port(server.port))
        .protocol(
            ProsperoProtocol::new()
                .wait(Duration::from_millis(50))
                .tries(1),
        )
        .resolver(Both);
    let (_, buffer) = fetch(&mut client, &format!("prospero://h:{}//a", server.port)).unwrap();
    assert!(buffer.entries.is_empty());
}
