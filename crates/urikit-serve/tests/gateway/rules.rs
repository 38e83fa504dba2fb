//! The safety rules of the gateway, and its pool of transfers.

use crate::client::{Gateway, Settings};
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};
use urikit_testkit::servers::{Conversation, Scripted};

/// Starts a gopher server that answers each selector by this function.
pub(crate) fn gopher(answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Scripted {
    Scripted::start(move |client: &mut Conversation| {
        let line = client.line().unwrap_or_default();
        client.say(answer(&line));
        client.close();
    })
}

#[test]
fn a_menu() {
    let remote = gopher(|_| {
        b"iArt  <b>\t\t\t0\r\n0A file\t/a.txt\th.example\t70\r\n7Find\t/find\th.example\t70\r\n\
          hWeb\tURL:javascript:alert(1)\th.example\t70\r\nhWeb\tURL:http://w.example/\t\t70\r\n.\r\n"
            .to_vec()
    });
    let server = Gateway::start();
    let url = format!("gopher://127.0.0.1:{}/1/", remote.port);
    let page = server.get(&format!("/{url}"));
    assert_eq!(page.status, 200, "{}", page.text());
    for expected in [
        "      Art  &#60;b&#62;\n",
        "<a href=\"/gopher://h.example/0/a.txt\">A file</a>",
        "<a href=\"/gopher://h.example/7/find\">Find</a>",
        "<a href=\"http://w.example/\">Web</a>",
        "<link rel=\"stylesheet\" href=\"/-/style.css\">",
    ] {
        assert!(
            page.text().contains(expected),
            "{expected}: {}",
            page.text()
        );
    }
    assert!(!page.text().contains("href=\"javascript"));
    // Reverse proxies merge slashes.
    let merged = url.replace("://", ":/");
    assert_eq!(server.get(&format!("/{merged}")).text(), page.text());
    // As a proxy, with complete URIs.
    let proxied = server.request(&format!("GET {url} HTTP/1.0"), "Host: evil.example\r\n");
    assert_eq!(proxied.status, 200);
    assert!(
        proxied
            .text()
            .contains("<a href=\"gopher://h.example/0/a.txt\">A file</a>")
    );
    assert!(!proxied.text().contains("\"/"), "{}", proxied.text());
    // The bytes of a menu, and its style.
    let raw = server.get(&format!("/raw/{url}"));
    assert_eq!(raw.field("content-type"), Some("text/plain; charset=utf-8"));
    assert!(server.get("/-/style.css").text().contains("color-scheme"));
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn what_is_refused() {
    let server = Gateway::start();
    let host = format!("Host: {}\r\n", server.address);
    for (line, status) in [
        ("GET http://a.example/ HTTP/1.1", 403),
        ("GET https://a.example/ HTTP/1.1", 403),
        ("CONNECT a.example:443 HTTP/1.1", 403),
        ("GET /http://a.example/ HTTP/1.1", 403),
        ("GET /https:/a.example/ HTTP/1.1", 403),
        ("GET /file:///etc/passwd HTTP/1.1", 501),
        ("GET /urn:isbn:0451450523 HTTP/1.1", 501),
        ("GET urn:isbn:0451450523 HTTP/1.1", 501),
        ("GET news:comp.x HTTP/1.1", 501), // no server
        ("GET /news:comp.x HTTP/1.1", 501),
        ("GET /gopher://h:22/1/ HTTP/1.1", 403),
        ("GET /gopher://169.254.169.254/1/ HTTP/1.1", 403),
        ("GET /nothing HTTP/1.1", 404),
        ("POST /gopher://h/1/ HTTP/1.1", 405),
        ("POST / HTTP/1.1", 405),
        ("DELETE /gopher://h/1/ HTTP/1.1", 405),
        ("GET /gopher://h/\x7f HTTP/1.1", 400),
    ] {
        let request = format!("{line}\r\n{host}\r\n");
        let response = server.send_unchecked(request.as_bytes());
        assert_eq!(response.status, status, "{line}: {}", response.text());
        if status != 400 {
            server.send(request.as_bytes());
        }
    }
    // A target that hyper's type cannot represent.
    let long = "a".repeat(70_000);
    for line in [
        format!("GET /urn:x:{long} HTTP/1.1"),
        format!("GET urn:x:{long} HTTP/1.1"),
    ] {
        assert_eq!(server.request(&line, &host).status, 501);
    }
    let too_long = format!("GET /urn:x:{} HTTP/1.1\r\n{host}\r\n", "a".repeat(140_000));
    assert_eq!(server.send_unchecked(too_long.as_bytes()).status, 414);
    // Rebinding, and pages of other sites.
    for fields in [
        "Host: evil.example\r\n".to_owned(),
        String::new(),
        format!("{host}Origin: http://evil.example\r\n"),
        format!("{host}Origin: null\r\n"),
    ] {
        let response = server.request("GET /gopher://h/1/ HTTP/1.1", &fields);
        assert_eq!(response.status, 403, "{fields}");
    }
}

#[test]
fn private_addresses_need_an_option() {
    let remote = gopher(|_| b"secret".to_vec());
    let server = Gateway::start();
    let safe = Gateway::with(Settings {
        is_safe: true,
        ..Settings::default()
    });
    let target = format!("/gopher://127.0.0.1:{}/0/", remote.port);
    assert_eq!(server.get(&target).status, 200);
    let refused = safe.get(&target);
    assert_eq!(refused.status, 403);
    assert!(refused.text().contains("loopback"), "{}", refused.text());
}

#[test]
fn a_public_gateway_is_no_proxy() {
    let server = Gateway::with(Settings {
        public_hosts: vec!["gate.example".to_owned()],
        ..Settings::default()
    });
    let response = server.request("GET gopher://h/1/ HTTP/1.1", "Host: gate.example\r\n");
    assert_eq!(response.status, 403);
    let response = server.request("GET / HTTP/1.1", "Host: gate.example\r\n");
    assert_eq!(response.status, 200);
}

#[test]
fn a_redirect_is_one_of_the_browser() {
    let remote = gopher(|line| {
        assert!(line.contains('+'), "{line}");
        b"--1\r\n3 0Moved\t/new\th.example\t70\r\n.\r\n".to_vec()
    });
    let server = Gateway::start();
    let target = format!("/gopher://127.0.0.1:{}/0/old%09%09+", remote.port);
    let response = server.get(&target);
    assert_eq!(response.status, 303, "{}", response.text());
    assert_eq!(
        response.field("location"),
        Some("/gopher://h.example/0/new")
    );
}

#[test]
fn searches_and_addresses() {
    let remote = gopher(|line| format!("0You want {line:?}\t/x\th\t70\r\n.\r\n").into_bytes());
    let server = Gateway::start();
    let url = format!("gopher://127.0.0.1:{}/7/find", remote.port);
    let form = server.get(&format!("/{url}"));
    assert!(
        form.text()
            .contains("<form class=\"search\" action=\"/-/search\">")
    );
    let found = server.get(&format!("/-/search?url={url}&words=red+hat"));
    let address = format!("/{url}%09red%20hat");
    assert_eq!(found.field("location"), Some(&*address));
    let result = server.get(&address);
    assert!(
        result.text().contains("You want &#34;/find\\tred hat&#34;"),
        "{}",
        result.text()
    );
    // Proxies receive the words of a form after a question mark.
    let line = format!("GET {url}?words=red+hat HTTP/1.0");
    let proxied = server.request(&line, "");
    assert_eq!(
        proxied.field("location"),
        Some(address.trim_start_matches('/'))
    );
    let typed = server.get("/-/go?url=h.example%3A70%2F1%2F%C3%A9");
    assert_eq!(
        typed.field("location"),
        Some("/gopher://h.example:70/1/%C3%A9")
    );
    // The page links into the gateway.
    let explained = server.page("/?url=gopher://h.example/");
    assert!(
        explained
            .text()
            .contains("href=\"/open?url=gopher%3A%2F%2Fh.example%2F\"")
    );
    let opened = server.page("/open?url=web%2Bgopher://h/");
    let gateway = format!("http://{}/gopher://h/", server.address);
    assert_eq!(opened.field("location"), Some(&*gateway));
}

#[test]
fn forms_need_their_token() {
    let remote = Scripted::start(|client: &mut Conversation| {
        let line = client.line().unwrap_or_default();
        if line.ends_with("\t1") {
            let mut lines = Vec::new();
            while let Some(line) = client.line().filter(|line| line != ".") {
                lines.push(line);
            }
            client.say(format!("+-2\r\nYou said {lines:?}"));
        } else {
            client.say(
                "+-1\r\n+INFO: 0a\ta\th\t70\t?\r\n+ASK:\r\n Ask: Name <b>?\tNobody\r\n \
                 Choose: Really?\tYes\tNo\r\n.\r\n",
            );
        }
        client.close();
    });
    let server = Gateway::start();
    let target = format!("/gopher://127.0.0.1:{}/0/form%09%09%3F", remote.port);
    let page = server.get(&target);
    assert_eq!(page.status, 200, "{}", page.text());
    assert!(
        page.text().contains("Name &#60;b&#62;?</label>"),
        "{}",
        page.text()
    );
    let (_, token) = page.text().split_once("name=\"token\" value=\"").unwrap();
    let (token, _) = token.split_once('"').unwrap();
    let post = |target: &str, token: &str| {
        let body = format!("token={token}&0%3AName+%3Cb%3E%3F=me&1%3AReally%3F=Yes");
        let head = format!(
            "POST {target} HTTP/1.1\r\nHost: {}\r\nOrigin: null\r\nContent-Length: {}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\n\r\n{body}",
            server.address,
            body.len()
        );
        server.send(head.as_bytes())
    };
    let answer = post(&target, token);
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(
        answer.text().contains("&#34;me&#34;, &#34;Yes&#34;"),
        "{}",
        answer.text()
    );
    assert_eq!(post(&target, "").status, 403);
    let other = target.replace("form", "form2");
    assert_eq!(post(&other, token).status, 403);
    assert_eq!(post(&target.replace("%09%09%3F", ""), token).status, 405);
}

#[test]
fn documents_that_could_act_as_pages_of_the_gateway() {
    let remote = gopher(|line| match line {
        "/a.svg" => b"<svg xmlns='http://www.w3.org/2000/svg'><script>x()</script></svg>".to_vec(),
        "/a.html" => b"<script>x()</script><a href=b.html><img src='/p.gif'>".to_vec(),
        "/long.html" => {
            let text = "<p>text <a href=b.html>b</a></p>\n".repeat(100_000);
            text.into_bytes()
        }
        "/a.txt" => "caf\u{e9} <script> gopher://h/1/\n".into(),
        _ => b"\0\x01\x02".to_vec(),
    });
    let server = Gateway::start();
    let base = format!("gopher://127.0.0.1:{}", remote.port);
    let svg = server.get(&format!("/{base}/I/a.svg"));
    assert_eq!(
        svg.field("content-disposition"),
        Some("attachment; filename=\"a.svg\"")
    );
    let html = server.get(&format!("/{base}/h/a.html"));
    assert_eq!(html.field("content-type"), Some("text/html"));
    let expected = "<script>x()</script><a href=";
    assert!(html.text().starts_with(expected), "{}", html.text());
    assert!(
        html.text().contains(&format!("<img src='/{base}/p.gif'>")),
        "{}",
        html.text()
    );
    let long = server.get(&format!("/{base}/h/long.html"));
    let link = format!("<a href=/{base}/h/b.html>b</a>");
    assert_eq!(long.text().matches(&link).count(), 100_000);
    let raw = server.get(&format!("/raw/{base}/h/a.html"));
    assert_eq!(raw.field("content-type"), Some("text/plain"));
    let text = server.get(&format!("/{base}/0/a.txt"));
    let expected = "caf\u{e9} &#60;script&#62; <a href=\"/gopher://h/1/\">gopher://h/1/</a>\n";
    assert!(text.text().contains(expected), "{}", text.text());
    let other = server.get(&format!("/{base}/9/b.bin"));
    assert_eq!(other.body, b"\0\x01\x02");
    assert_eq!(
        other.field("content-type"),
        Some("application/octet-stream")
    );
}

#[test]
fn passwords_do_not_reappear() {
    let remote = Scripted::start(|client: &mut Conversation| {
        client.say("220 hello\r\n");
        while let Some(line) = client.line() {
            let reply = match line.split(' ').next().unwrap_or_default() {
                "USER" => "331 password\r\n".to_owned(),
                "PASS" if line == "PASS secret" => "230 welcome\r\n".to_owned(),
                "PASS" => "530 no\r\n".to_owned(),
                _ => format!("550 no {line}\r\n"),
            };
            client.say(reply);
        }
    });
    let server = Gateway::start();
    let (host, port) = (server.address, remote.port);
    let first = server.get(&format!("/ftp://me:secret@127.0.0.1:{port}/a"));
    let address = format!("/ftp://me@127.0.0.1:{port}/a");
    assert_eq!(
        (first.status, first.field("location")),
        (303, Some(&*address))
    );
    assert!(!first.text().contains("secret"));
    let asks = server.get(&address);
    assert_eq!(asks.status, 401, "{}", asks.text());
    let realm = format!("Basic realm=\"ftp://127.0.0.1:{port}\", charset=\"UTF-8\"");
    assert_eq!(asks.field("www-authenticate"), Some(&*realm));
    // `me:secret`
    let fields = format!("Host: {host}\r\nAuthorization: Basic bWU6c2VjcmV0\r\n");
    let page = server.request(&format!("GET {address} HTTP/1.1"), &fields);
    assert_ne!(page.status, 401, "{}", page.text());
    assert!(!page.text().contains("secret"), "{}", page.text());
    let line = format!("GET ftp://me:secret@127.0.0.1:{port}/a HTTP/1.1");
    let proxied = server.request(&line, "");
    assert_ne!(proxied.status, 401);
    assert!(!proxied.text().contains("secret"), "{}", proxied.text());
    assert!(remote.log().iter().any(|line| line.contains("PASS secret")));
}

/// RFC 9110, 14.2: a server may ignore a range. Without a length, the last bytes are unknown.
#[test]
fn the_last_bytes_of_an_unknown_length() {
    let data = Scripted::start(|client: &mut Conversation| {
        client.say("0123456789");
        client.close();
    });
    let port = data.port;
    let remote = Scripted::start(move |client: &mut Conversation| {
        client.say("220 hello\r\n");
        while let Some(line) = client.line() {
            let reply = match line.split(' ').next().unwrap_or_default() {
                "USER" => "230 welcome\r\n".to_owned(),
                "EPSV" => format!("229 data (|||{port}|)\r\n"),
                "RETR" => "150 begins\r\n226 ends\r\n".to_owned(),
                "TYPE" => "200 yes\r\n".to_owned(),
                _ => "502 no\r\n".to_owned(),
            };
            client.say(reply);
        }
    });
    let server = Gateway::start();
    let target = format!("/ftp://127.0.0.1:{}/a.bin", remote.port);
    let response = server.get_with(&target, "Range: bytes=-3\r\n");
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(response.body, b"0123456789");
    assert_eq!(response.field("content-range"), None);
    // Gopher has no ranges.
    let remote = gopher(|_| b"0123456789".to_vec());
    let target = format!("/gopher://127.0.0.1:{}/9/a.bin", remote.port);
    let response = server.get_with(&target, "Range: bytes=-3\r\n");
    assert_eq!(
        (response.status, &*response.body),
        (200, &b"0123456789"[..])
    );
}

#[test]
fn feeds_contain_no_forbidden_characters() {
    let remote = gopher(|_| {
        b"0A\x00\x01\x08\x0b\x0c\x1f\xef\xbf\xbe\xef\xbf\xbf & <b>\x7f\t/a\x1b&<\th\t70\r\n.\r\n"
            .to_vec()
    });
    let server = Gateway::start();
    let feed = server.get(&format!("/feed/gopher://127.0.0.1:{}/1/", remote.port));
    assert_eq!(feed.status, 200);
    // XML 1.0, 2.2: Char
    let is_char = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    assert!(feed.text().chars().all(is_char), "{:?}", feed.text());
    let title = "<title>A\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd} \
        &#38; &#60;b&#62;\u{7f}</title>";
    assert!(feed.text().contains(title), "{:?}", feed.text());
}

/// Pages that need all entries keep only a limited number of bytes.
#[test]
fn long_entries_are_not_kept() {
    // In descending order, so that a sorted listing begins with the last entry.
    let remote = gopher(|selector| {
        let (count, length) = match selector {
            "/long" => (200, 60_000),
            "/many" => (10_001, 0),
            _ => (200, 20_000),
        };
        let padding = "n".repeat(length);
        let entry = |number| {
            format!(
                "0e{:05}-{padding}\t/{number}\th.example\t70\r\n",
                99_999 - number
            )
        };
        let lines: String = (0..count).map(entry).collect();
        (lines + ".\r\n").into_bytes()
    });
    let server = Gateway::start();
    let url = format!("gopher://127.0.0.1:{}/1", remote.port);
    for (path, count, note) in [
        ("/long", 200, Some("the entries are too long")),
        (
            "/many",
            10_001,
            Some("the listing has more than 10,000 entries"),
        ),
        ("/short", 200, None),
    ] {
        let page = server.get(&format!("/sort/name/{url}{path}"));
        let text = page.text();
        assert_eq!(text.matches("<tr><td>").count(), count, "{path}");
        let found = text.split_once("<p>Not sorted: ").map(|(_, after)| after);
        let found = found.and_then(|after| after.split_once(".</p>"));
        assert_eq!(found.map(|(found, _)| found), note, "{path}");
        let place = |number| text.find(&format!(">e{:05}-", 99_999 - number)).unwrap();
        let is_in_order_of_server = place(0) < place(1) && place(1) < place(count - 1);
        assert_eq!(is_in_order_of_server, note.is_some(), "{path}");
    }
    let feed = server.get(&format!("/feed/{url}/long"));
    let entries = feed.text().matches("<entry>").count();
    assert!((1..10).contains(&entries), "{entries}");
}

#[test]
fn a_client_that_leaves_cancels_its_transfer() {
    let ended = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&ended);
    let remote = Scripted::start(move |client: &mut Conversation| {
        let slow = client.line().unwrap_or_default() == "/slow";
        if !slow {
            client.say("begin");
        }
        while client.line().is_some() {}
        counter.fetch_add(1, Ordering::SeqCst);
    });
    let server = Gateway::start();
    let begun = Instant::now();
    // One client leaves before the response begins, and one during the response.
    for selector in ["/slow", "/x"] {
        let mut stream = server.connect();
        let target = format!("/raw/gopher://127.0.0.1:{}/9{selector}", remote.port);
        let head = format!("GET {target} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
        stream.write_all(head.as_bytes()).unwrap();
        if selector == "/x" {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
        } else {
            std::thread::sleep(Duration::from_millis(300));
        }
    }
    while ended.load(Ordering::SeqCst) < 2 {
        assert!(begun.elapsed() < Duration::from_secs(15), "{ended:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
    let metrics = server.page("/metrics");
    assert!(
        metrics.text().contains("urikit_transfers_total 2\n"),
        "{}",
        metrics.text()
    );
}

#[test]
fn received_parts_of_a_long_document_are_passed_on_at_once() {
    // Much longer than what is sent in small pieces, and not a multiple of the length of large
    // ones.
    let mut document = String::new();
    for line in 0..3_000_007 {
        let _ = writeln!(document, "~{line:06}");
    }
    let (arrived, arrivals) = mpsc::channel();
    let (arrivals, sent) = (Mutex::new(arrivals), document.clone());
    // The server sends each of the last lines when the client has received everything before it.
    let remote = Scripted::start(move |client: &mut Conversation| {
        let _ = client.line();
        client.say(&sent);
        let arrivals = arrivals.lock().unwrap();
        for _ in 0..3 {
            if arrivals.recv_timeout(Duration::from_secs(30)).is_err() {
                break;
            }
            client.say("~\n");
        }
        client.close();
    });
    let server = Gateway::start();
    let host = format!("127.0.0.1:{}", remote.port);
    for (path, is_raw) in [
        (format!("/raw/gopher://{host}/9/x"), true),
        (format!("/raw/nex://{host}/x"), true),
        (format!("/nex://{host}/x.txt"), false),
    ] {
        let mut stream = server.connect();
        let head = format!("GET {path} HTTP/1.0\r\nHost: {}\r\n\r\n", server.address);
        stream.write_all(head.as_bytes()).unwrap();
        let (mut received, mut lines, mut buffer) = (Vec::new(), 0, vec![0; 1 << 20]);
        for last in 0..3 {
            while lines < 3_000_007 + last {
                let length = stream.read(&mut buffer).unwrap();
                assert_ne!(length, 0, "{path}: the server waits after {lines} lines");
                let bytes = &buffer[..length];
                lines += bytes.split(|byte| *byte == b'~').count() - 1;
                received.extend_from_slice(bytes);
            }
            arrived.send(()).unwrap();
        }
        stream.read_to_end(&mut received).unwrap();
        let expected = document.clone() + "~\n~\n~\n";
        assert!(!is_raw || received.ends_with(expected.as_bytes()), "{path}");
    }
}

#[test]
fn too_many_transfers() {
    let remote = Scripted::start(|client: &mut Conversation| client.hang());
    let server = Gateway::with(Settings {
        transfers: Some(1),
        ..Settings::default()
    });
    let target = format!("/gopher://127.0.0.1:{}/1/", remote.port);
    let mut first = server.connect();
    let head = format!("GET {target} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    first.write_all(head.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let second = server.get(&target);
    assert_eq!(second.status, 503);
    assert_eq!(second.field("retry-after"), Some("10"));
    let metrics = server.page("/metrics");
    for expected in ["urikit_transfers 1\n", "urikit_transfers_refused_total 1\n"] {
        assert!(metrics.text().contains(expected), "{}", metrics.text());
    }
    // Another request takes the turn of the first.
    drop(first);
    let third = server.connect();
    third
        .set_read_timeout(Some(Duration::from_secs(1)))
        .unwrap();
    (&third).write_all(head.as_bytes()).unwrap();
    assert!(
        (&third).read(&mut [0]).is_err(),
        "an answer, although the server is silent"
    );
}

#[test]
fn forwarded_fields_count_only_from_a_trusted_proxy() {
    let refused = |trusted_proxies| {
        let server = Gateway::with(Settings {
            trusted_proxies,
            requests_per_second: 1,
            ..Settings::default()
        });
        let responses = (0..20).map(|number| {
            let field = format!("X-Forwarded-For: 192.0.2.{number}\r\n");
            server.get_with("/", &field).status
        });
        responses.filter(|status| *status == 429).count()
    };
    assert_eq!(refused(vec!["127.0.0.1".parse().unwrap()]), 0);
    assert!(refused(Vec::new()) > 5);
}
