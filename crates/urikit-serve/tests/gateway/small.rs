//! Finger, Spartan and Nex.

use crate::client::{Gateway, assert_shows};
use urikit_testkit::servers::{Conversation, Fingerd, Folder, Scripted, Smolserve, skip};

/// Starts a server that answers each line by a function. It reads the data of a spartan request.
fn server(answer: fn(&str, &[u8]) -> Vec<u8>) -> Scripted {
    Scripted::start(move |client: &mut Conversation| {
        let line = client.line().unwrap_or_default();
        let length = line
            .rsplit(' ')
            .next()
            .and_then(|length| length.parse().ok());
        let data = client.bytes(length.unwrap_or(0));
        client.say(answer(&line, &data));
        client.close();
    })
}

#[test]
fn finger_is_text_with_links() {
    let remote = server(|line, _| {
        if line.is_empty() {
            return Vec::new();
        }
        format!("Login: {line} <b>\r\nPlan: see gopher://h/1/ or javascript:x()\r\n").into_bytes()
    });
    let gateway = Gateway::start();
    let url = format!("finger://127.0.0.1:{}", remote.port);
    let page = gateway.get(&format!("/{url}/timbl"));
    let expected = "<pre class=\"text\">\nLogin: timbl &#60;b&#62;\r\n\
        Plan: see <a href=\"/gopher://h/1/\">gopher://h/1/</a> or javascript:x()\r\n</pre>";
    assert_shows(&page, &[expected, "<h1>timbl</h1>"]);
    let page = gateway.get(&format!("/finger://timbl@127.0.0.1:{}", remote.port));
    assert_shows(&page, &["Login: timbl "]);
    let raw = gateway.get(&format!("/raw/{url}/timbl"));
    assert_eq!(raw.field("content-type"), Some("text/plain"));
    assert!(raw.text().starts_with("Login: timbl <b>\r\n"));
    // An empty answer, and a request that would be two lines.
    assert_eq!(gateway.get(&format!("/{url}/")).status, 502);
    assert_eq!(gateway.get(&format!("/{url}/a%0D%0Ab")).status, 400);
}

#[test]
fn fingerd() {
    let script = "#!/bin/sh\necho \"Plan of $*: http://w.example/\"\n";
    let Some(server) = Fingerd::start(script) else {
        return skip("fingerd", "fingerd with openbsd-inetd");
    };
    let gateway = Gateway::start();
    let page = gateway.get(&format!("/finger://127.0.0.1:{}/timbl", server.port));
    assert_shows(
        &page,
        &["timbl: <a href=\"http://w.example/\">http://w.example/</a>"],
    );
}

#[test]
fn smolserve() {
    let root = Folder::new("gateway-small");
    root.write("index.gmi", "# Guests\n=: /sign Your name?\n=> log/ Log\n");
    root.write("index", "Welcome\n=> log/ Log\n");
    root.write("log/one.txt", "one\n");
    let Some(server) = Smolserve::start(&root) else {
        return skip("smolserve", "smolserve");
    };
    let gateway = Gateway::start();
    let url = format!("spartan://127.0.0.1:{}", server.spartan_port);
    let page = gateway.get(&format!("/{url}/"));
    let link = format!("<a href=\"/{url}/log/\">Log</a>");
    assert_shows(&page, &["<h2>Guests</h2>", "Your name?</label>", &link]);
    let text = gateway.get(&format!("/{url}/log/one.txt"));
    assert_shows(&text, &["<pre class=\"text\">\none\n</pre>"]);
    let url = format!("nex://127.0.0.1:{}", server.nex_port);
    let page = gateway.get(&format!("/{url}/"));
    let link = format!("<pre class=\"menu\">\nWelcome\n<a href=\"/{url}/log/\">Log</a>\n");
    assert_shows(&page, &[&link]);
    let page = gateway.get(&format!("/{url}/log/"));
    assert_shows(
        &page,
        &[&format!("<a href=\"/{url}/log/one.txt\">one.txt</a>")],
    );
}

#[test]
fn spartan_pages_have_prompts() {
    let remote = server(
        |line, data| match line.split(' ').nth(1).unwrap_or_default() {
            "/" => {
                b"2 text/gemini\r\n# Guests\n=: /sign Your <name>?\n=> list/ List\n=:\n".to_vec()
            }
            "/sign" => [b"2 text/plain\r\nHello, ", data].concat(),
            "/old" => b"3 /new\r\n".to_vec(),
            "/p.gif" => b"2 image/gif\r\nGIF89a".to_vec(),
            "/gone" => b"4 <b>gone</b>\r\n".to_vec(),
            _ => b"5 \r\n".to_vec(),
        },
    );
    let gateway = Gateway::start();
    let url = format!("spartan://127.0.0.1:{}", remote.port);
    let page = gateway.get(&format!("/{url}/"));
    let form = format!(
        "<form class=\"search\" action=\"/-/search\">\n\
         <input type=\"hidden\" name=\"url\" value=\"{url}/sign\">\n\
         <label for=\"words-1\">Your &#60;name&#62;?</label>\n\
         <input id=\"words-1\" name=\"words\" value=\"\">\n<button>Send</button>"
    );
    let link = format!("<a href=\"/{url}/list/\">List</a>");
    assert_shows(&page, &["<h2>Guests</h2>", &form, &link]);
    let sent = gateway.get(&format!(
        "/-/search?url={url}/sign&words=J%C3%BCrgen+%26+co"
    ));
    let location = format!("/{url}/sign?J%C3%BCrgen%20%26%20co");
    assert_eq!(sent.field("location"), Some(&*location));
    assert_shows(&gateway.get(&location), &["Hello, J\u{fc}rgen &#38; co"]);
    assert_eq!(remote.log().last().unwrap(), "127.0.0.1 /sign 12");
    let moved = gateway.get(&format!("/{url}/old"));
    let location = format!("/{url}/new");
    assert_eq!(
        (moved.status, moved.field("location")),
        (303, Some(&*location))
    );
    let picture = gateway.get(&format!("/{url}/p.gif"));
    assert_eq!(picture.field("content-type"), Some("image/gif"));
    assert_eq!(picture.body, b"GIF89a");
    for path in ["/gone", "/fails"] {
        let failed = gateway.get(&format!("/{url}{path}"));
        assert_eq!(failed.status, 502);
        assert!(!failed.text().contains("<b>"), "{}", failed.text());
    }
}

#[test]
fn nex_directories_are_lines_with_links() {
    let remote = server(|line, _| {
        match line {
            "" | "log/" => {
                "  ( drawn ) <b>\n\n=> about.txt\n=> ../b/ The <label>\n=> gemini://h/ G\n\
                 => javascript:x() no\n=>x\n"
            }
            "log/about.txt" => "See gopher://h/\n",
            "p.gif" => "GIF89a",
            _ => "",
        }
        .into()
    });
    let gateway = Gateway::start();
    let url = format!("nex://127.0.0.1:{}", remote.port);
    let page = gateway.get(&format!("/{url}/log/"));
    let expected = format!(
        "<pre class=\"menu\">\n  ( drawn ) &#60;b&#62;\n\n\
         <a href=\"/{url}/log/about.txt\">about.txt</a>\n\
         <a href=\"/{url}/b/\">The &#60;label&#62;</a>\n<a href=\"/gemini://h/\">G</a>\n\
         no\n=&#62;x\n</pre>"
    );
    let up = format!("<a href=\"/{url}/\">Up</a>");
    assert_shows(&page, &[&expected, &up]);
    let text = gateway.get(&format!("/{url}/log/about.txt"));
    assert_shows(&text, &["See <a href=\"/gopher://h/\">gopher://h/</a>\n"]);
    assert_eq!(gateway.get(&format!("/{url}/p.gif")).body, b"GIF89a");
    assert_eq!(gateway.get(&format!("/{url}/none")).status, 502);
    // In the form for proxies, the links are URLs.
    let proxied = gateway.request(&format!("GET {url}/log/ HTTP/1.1"), "");
    let link = format!("<a href=\"{url}/b/\">");
    assert_shows(&proxied, &[&link]);
}
