//! Gemini: jetforce, molly-brown and agate, and servers that are scripted by a test.

use crate::client::{Gateway, assert_shows};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use urikit_testkit::servers::{self, Agate, CERTIFICATE, Folder, Jetforce, MollyBrown, skip};

/// A gemini server that answers each request by a function.
struct Scripted {
    port: u16,
    log: Arc<Mutex<Vec<String>>>,
    /// The configuration of the next connections.
    config: Arc<Mutex<Arc<ServerConfig>>>,
}

impl Scripted {
    /// Starts a server. Returns `None` if openssl, which makes its certificate, is not installed.
    fn start(test: &str, answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Option<Self> {
        let folder = certificate(test)?;
        let config = Arc::new(Mutex::new(Arc::new(config(&folder))));
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let log = Arc::new(Mutex::new(Vec::new()));
        let (requests, current) = (Arc::clone(&log), Arc::clone(&config));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let config = Arc::clone(&current.lock().unwrap());
                let connection = ServerConnection::new(config).unwrap();
                let mut stream = BufReader::new(StreamOwned::new(connection, stream));
                let mut line = String::new();
                if stream.read_line(&mut line).unwrap_or(0) == 0 {
                    continue;
                }
                let line = line.trim_end().to_owned();
                requests.lock().unwrap().push(line.clone());
                let stream = stream.get_mut();
                let _ = stream.write_all(&answer(&line));
                stream.conn.send_close_notify();
                let _ = stream.flush();
                let _ = stream.conn.complete_io(&mut stream.sock);
            }
        });
        Some(Self { port, log, config })
    }

    fn url(&self, path: &str) -> String {
        format!("gemini://127.0.0.1:{}{path}", self.port)
    }

    fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }
}

fn config(folder: &Folder) -> ServerConfig {
    let chain = CertificateDer::pem_file_iter(folder.path().join("certificate.pem")).unwrap();
    let chain = chain.collect::<Result<Vec<_>, _>>().unwrap();
    let key = PrivateKeyDer::from_pem_file(folder.path().join("key.pem")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider);
    let config = config.with_safe_default_protocol_versions().unwrap();
    let config = config.with_no_client_auth();
    config.with_single_cert(chain, key).unwrap()
}

/// Makes a certificate in a folder.
fn certificate(test: &str) -> Option<Folder> {
    let folder = Folder::new("gateway-gemini");
    if servers::certificate(&folder, CERTIFICATE).is_none() {
        skip(test, "openssl");
        return None;
    }
    Some(folder)
}

#[test]
fn a_capsule() {
    let test = "a_capsule";
    let Some(folder) = certificate(test) else {
        return;
    };
    let root = Folder::new("gateway-capsule");
    root.write(
        "index.gmi",
        "# My <log>\n\nHello.\n=> posts/ Posts\n=> cgi-bin/echo Say\n\
         => posts/b.gmi 2024-02-01 - The second\n=> posts/a.gmi 2024-01-31 First\n\
         => posts/c.gmi 2024-13-01 no\n",
    );
    root.write("posts/index.gmi", "## Posts\n");
    root.write("a.txt", "caf\u{e9} gemini://h/\n");
    root.write("a.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>");
    root.program(
        "cgi-bin/echo",
        "#!/bin/sh\nif [ -z \"$QUERY_STRING\" ]; then printf '10 Say <what>?\\r\\n'; exit; fi\n\
         printf '20 text/plain\\r\\nYou say %s' \"$QUERY_STRING\"\n",
    );
    let Some(server) = Jetforce::start(&root, &folder) else {
        return skip(test, "jetforce");
    };
    let gateway = Gateway::start();
    let url = format!("gemini://127.0.0.1:{}", server.port);
    let page = gateway.get(&format!("/{url}/"));
    assert_shows(
        &page,
        &[
            "<div class=\"gemtext\" lang=\"en\">\n<h2>My &#60;log&#62;</h2>\n<br>\n<p>Hello.</p>\n",
            &format!("<p class=\"link\"><a href=\"/{url}/posts/\">Posts</a></p>\n"),
            &format!(
                "<link rel=\"alternate\" type=\"application/atom+xml\" href=\"/feed/{url}/\">"
            ),
        ],
    );
    // The slash is missing.
    let moved = gateway.get(&format!("/{url}/posts"));
    let location = format!("/{url}/posts/");
    assert_eq!(
        (moved.status, moved.field("location")),
        (303, Some(&*location))
    );
    let up = format!("<a href=\"/{url}/\">Up</a>");
    assert_shows(&gateway.get(&location), &["<h3>Posts</h3>", &up]);
    assert_eq!(gateway.get(&format!("/{url}/none")).status, 404);
    let note = gateway.get(&format!("/{url}/a.txt"));
    assert_shows(
        &note,
        &["caf\u{e9} <a href=\"/gemini://h/\">gemini://h/</a>"],
    );
    let svg = gateway.get(&format!("/{url}/a.svg"));
    assert!(svg.field("content-disposition").is_some());
    // Input.
    let form = gateway.get(&format!("/{url}/cgi-bin/echo"));
    assert_shows(
        &form,
        &[
            "<form class=\"search\" action=\"/-/search\">",
            "<label for=\"words\">Say &#60;what&#62;?</label>",
            &format!("<input type=\"hidden\" name=\"url\" value=\"{url}/cgi-bin/echo\">"),
        ],
    );
    let sent = format!("/-/search?url={url}/cgi-bin/echo&words=50+%25+red%26hat%C3%A9%0D%0Ab");
    let location = format!("/{url}/cgi-bin/echo?50%20%25%20red%26hat%C3%A9%0D%0Ab");
    assert_eq!(gateway.get(&sent).field("location"), Some(&*location));
    let answer = gateway.get(&location);
    assert_shows(&answer, &["You say 50%20%25%20red%26hat%C3%A9%0D%0Ab"]);
    // The bytes, a feed, and the form for proxies.
    let raw = gateway.get(&format!("/raw/{url}/"));
    assert_eq!(raw.field("content-type"), Some("text/plain"));
    assert!(raw.text().starts_with("# My <log>\n"));
    let feed = gateway.get(&format!("/feed/{url}/"));
    assert_eq!(feed.field("content-type"), Some("application/atom+xml"));
    let entry = |name: &str, title: &str, date: &str| {
        format!(
            "<entry>\n<id>{url}/posts/{name}</id>\n<title>{title}</title>\n\
             <updated>{date}T12:00:00Z</updated>\n\
             <link href=\"http://{}/{url}/posts/{name}\"/>\n</entry>\n",
            gateway.address
        )
    };
    let entries =
        entry("b.gmi", "The second", "2024-02-01") + &entry("a.gmi", "First", "2024-01-31");
    assert_shows(
        &feed,
        &[
            "<title>My &#60;log&#62;</title>\n<updated>2024-02-01T12:00:00Z</updated>",
            &entries,
        ],
    );
    assert!(!feed.text().contains("c.gmi"), "{}", feed.text());
    let proxied = gateway.request(&format!("GET {url}/ HTTP/1.1"), "");
    assert_eq!(proxied.field("content-type"), Some("text/gemini"));
    assert_eq!(proxied.body, raw.body);
    let proxied = gateway.request(&format!("GET {url}/cgi-bin/echo HTTP/1.1"), "");
    assert_eq!(proxied.status, 501, "{}", proxied.text());
}

/// Checks the pages of a server that has `index.gmi` and `more/index.gmi`.
fn check_pages(url: &str) {
    let gateway = Gateway::start();
    let link = format!("<a href=\"/{url}/more/\">More</a>");
    assert_shows(
        &gateway.get(&format!("/{url}/")),
        &["<h2>Welcome</h2>", &link],
    );
    let moved = gateway.get(&format!("/{url}/more"));
    let location = format!("/{url}/more/");
    assert_eq!(
        (moved.status, moved.field("location")),
        (303, Some(&*location))
    );
    assert_shows(&gateway.get(&location), &["<h3>More</h3>"]);
    assert_eq!(gateway.get(&format!("/{url}/none")).status, 404);
}

fn root() -> Folder {
    let root = Folder::new("gateway-capsule");
    root.write("index.gmi", "# Welcome\n=> more/ More\n");
    root.write("more/index.gmi", "## More\n");
    root
}

#[test]
fn agate() {
    let (root, folder) = (root(), Folder::new("gateway-agate"));
    let Some(server) = Agate::start(&root, &folder) else {
        return skip("agate", "agate");
    };
    check_pages(&format!("gemini://localhost:{}", server.port));
}

#[test]
fn molly_brown() {
    let Some(folder) = certificate("molly_brown") else {
        return;
    };
    let root = root();
    let Some(server) = MollyBrown::start(&root, &folder, "") else {
        return skip("molly_brown", "molly-brown");
    };
    check_pages(&format!("gemini://127.0.0.1:{}", server.port));
}

#[test]
fn sensitive_input_does_not_reappear() {
    let changed = AtomicUsize::new(0);
    let Some(server) = Scripted::start("sensitive_input_does_not_reappear", move |line| {
        if line.ends_with("/changes") && changed.fetch_add(1, Ordering::SeqCst) > 0 {
            return b"10 Password <b>?\r\n".to_vec();
        }
        match line.split_once('?').map(|(_, query)| query) {
            Some("s%C3%A9cret%20x") if line.contains("/moves") => b"30 /in\r\n".to_vec(),
            Some("s%C3%A9cret%20x") => b"20 text/gemini\r\nYou are in.\n=> next\n".to_vec(),
            Some("fails") => b"59 your input is bad\r\n".to_vec(),
            _ => b"11 Password <b>?\r\n".to_vec(),
        }
    }) else {
        return;
    };
    let gateway = Gateway::start();
    let ask = |path: &str| {
        let page = gateway.get(&format!("/{}", server.url(path)));
        assert_shows(
            &page,
            &[
                "Password &#60;b&#62;?</label>",
                "type=\"password\" value=\"\"",
            ],
        );
        let (_, token) = page.text().split_once("name=\"token\" value=\"").unwrap();
        token.split_once('"').unwrap().0.to_owned()
    };
    let post = |path: &str, token: &str, answer: &str| {
        let body = format!("token={token}&0%3APassword+%3Cb%3E%3F={answer}");
        let head = format!(
            "POST /{} HTTP/1.1\r\nHost: {}\r\nOrigin: null\r\nContent-Length: {}\r\n\r\n{body}",
            server.url(path),
            gateway.address,
            body.len()
        );
        let response = gateway.send(head.as_bytes());
        assert!(!format!("{response:?}").contains("cret"), "{response:?}");
        response
    };
    let token = ask("/login");
    let page = post("/login", &token, "s%C3%A9cret+x");
    let next = format!("<a href=\"/{}\">next</a>", server.url("/next"));
    assert_shows(&page, &["<p>You are in.</p>", &next]);
    // A wrong password is asked for again, and an error does not quote it.
    let again = post("/login", &token, "wrong-secret");
    assert_shows(&again, &["Password &#60;b&#62;?</label>"]);
    assert_eq!(post("/login", &token, "fails").status, 502);
    let moved = post("/moves", &ask("/moves"), "s%C3%A9cret+x");
    let location = format!("/{}", server.url("/in"));
    assert_eq!(
        (moved.status, moved.field("location")),
        (303, Some(&*location))
    );
    // A server that then asks for visible input does not get it.
    let page = post("/changes", &ask("/changes"), "s%C3%A9cret+x");
    assert_shows(&page, &["<form class=\"search\" action=\"/-/search\">"]);
    let log = server.log();
    assert!(
        !log.iter().any(|line| line.contains("/changes?")),
        "{log:?}"
    );
    // Another page's token, and none.
    let count = server.log().len();
    assert_eq!(post("/other", &token, "s%C3%A9cret+x").status, 403);
    assert_eq!(post("/login", "", "s%C3%A9cret+x").status, 403);
    assert_eq!(server.log().len(), count);
    // The form for proxies has no forms.
    let line = format!("POST {} HTTP/1.1", server.url("/login"));
    assert_eq!(gateway.request(&line, "Content-Length: 0\r\n").status, 405);
}

#[test]
fn hostile_capsules() {
    let long = "a".repeat(300_000);
    let endless = "> a\n".repeat(200_000);
    let hostile = format!(
        "20 text/gemini; lang=\"x onload=alert(1)\"\r\n</div><script>x()</script>\n\
         => javascript:x() <img src=x onerror=x()>\n=> data:text/html,x x\n=> \"onclick=x() y\n\
         => file:///etc/passwd z\n=> //u:secret@h/ w\n=> {long} v\n```\"><script>x()\n\
         </pre><script>x()\n```\n\0\x1b[31m\u{202e}\n"
    );
    let Some(server) = Scripted::start("hostile_capsules", move |line| {
        match line.rsplit('/').next().unwrap() {
            "page" => hostile.clone().into_bytes(),
            "latin" => b"20 text/gemini; charset=iso-8859-1\r\n# caf\xe9\r\n".to_vec(),
            "bytes" => b"20 text/gemini\r\n# caf\xe9\r\n".to_vec(),
            "html" => b"20 text/html\r\n<script>x()</script>".to_vec(),
            "endless" => format!("20 text/gemini\r\n{endless}").into_bytes(),
            "ask" => b"10 <script>x()</script>\"'\r\n".to_vec(),
            "empty" => b"10 \r\n".to_vec(),
            "script" => b"31 javascript:x()\r\n".to_vec(),
            "http" => b"31 http://u:secret@127.0.0.1/?a&b\r\n".to_vec(),
            "gopher" => b"30 gopher://127.0.0.1/1/\r\n".to_vec(),
            "slow" => b"44 7\r\n".to_vec(),
            "certificate" => b"60 <b>\r\n".to_vec(),
            _ => b"nonsense".to_vec(),
        }
    }) else {
        return;
    };
    let gateway = Gateway::start();
    let get = |path: &str| gateway.get(&format!("/{}", server.url(path)));
    let page = get("/page");
    assert_shows(
        &page,
        &[
            "<div class=\"gemtext\">\n<p>&#60;/div&#62;&#60;script&#62;x()&#60;/script&#62;</p>",
            "<p class=\"link\">&#60;img src=x onerror=x()&#62;</p>\n<p class=\"link\">x</p>\n",
            "<p class=\"link\">z</p>\n<p class=\"link\"><a href=\"/gemini://u@h/\">w</a></p>",
            "<pre tabindex=\"0\" title=\"&#34;&#62;&#60;script&#62;x()\">\n&#60;/pre&#62;",
        ],
    );
    for forbidden in [
        "<script",
        "<img",
        "secret",
        "href=\"javascript",
        "\"onclick",
        "href=\"data",
    ] {
        assert!(!page.text().contains(forbidden), "{forbidden}");
    }
    assert_shows(&get("/latin"), &["<h2>caf\u{e9}</h2>"]);
    assert_shows(&get("/bytes"), &["<h2>caf\u{fffd}</h2>"]);
    assert_eq!(get("/html").text(), "<script>x()</script>"); // as all HTML, under the policy
    assert_eq!(get("/endless").text().matches("<p>a</p>").count(), 200_000);
    assert_shows(
        &get("/ask"),
        &["<label for=\"words\">&#60;script&#62;x()&#60;/script&#62;&#34;&#39;</label>"],
    );
    assert_shows(&get("/empty"), &["<label for=\"words\">Input</label>"]);
    for (path, status) in [
        ("/script", 403),
        ("/http", 403),
        ("/gopher", 403),
        ("/nonsense", 502),
        ("/slow", 502),
        // A browser would ask for a user and a password, which do not help.
        ("/certificate", 403),
    ] {
        assert_eq!(get(path).status, status, "{path}: {}", get(path).text());
    }
    // The user may follow a redirect to another scheme.
    for (path, link) in [
        ("/http", "<a href=\"http://u@127.0.0.1/?a&#38;b\">"),
        ("/gopher", "<a href=\"/gopher://127.0.0.1/1/\">"),
    ] {
        let page = get(path);
        assert!(page.text().contains(link), "{}", page.text());
    }
    assert!(!get("/script").text().contains("javascript:x()"));
    assert_eq!(get("/slow").field("retry-after"), Some("7"));
    // A request has at most 1024 octets.
    let count = server.log().len();
    assert_eq!(get(&format!("/{}", "a".repeat(1024))).status, 400);
    assert_eq!(server.log().len(), count);
}

#[test]
fn another_certificate_is_refused() {
    let test = "another_certificate_is_refused";
    let answer = |_: &str| b"20 text/gemini\r\n# Hi\r\n".to_vec();
    let Some((server, other)) = Scripted::start(test, answer).zip(certificate(test)) else {
        return;
    };
    let gateway = Gateway::start();
    let target = format!("/{}", server.url("/"));
    assert_shows(&gateway.get(&target), &["<h2>Hi</h2>"]);
    *server.config.lock().unwrap() = Arc::new(config(&other));
    let refused = gateway.get(&target);
    assert_eq!(refused.status, 502, "{}", refused.text());
    assert!(refused.text().contains("certificate"), "{}", refused.text());
}
