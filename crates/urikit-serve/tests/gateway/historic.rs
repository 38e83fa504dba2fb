//! WAIS and Prospero, with servers that replay recordings.

use crate::client::{Gateway, Response, Settings, assert_shows};
use urikit_testkit::prospero::Prospero;
use urikit_testkit::servers::Conversation;
use urikit_testkit::wais::{
    Request, diagnostic, exchanges, field, init_response, number, receive, replay, search_response,
};

/// Returns the address of the link with this text.
fn link<'a>(page: &'a Response, text: &str) -> &'a str {
    let end = format!("\">{text}</a>");
    let (before, _) = page.text().split_once(&end).unwrap();
    before.rsplit_once("href=\"").unwrap().1
}

#[test]
fn a_search_of_wais() {
    let server = replay(exchanges());
    let gateway = Gateway::start();
    let url = format!("wais://127.0.0.1:{}/sea", server.port);
    let page = gateway.get(&format!("/{url}?whale%20anchor%20harbour"));
    let input =
        format!("<input type=\"hidden\" name=\"url\" value=\"{url}?whale%20anchor%20harbour\">");
    assert_shows(
        &page,
        &[
            &input,
            "name=\"words\" value=\"whale anchor harbour\">",
            "Subject: The whale</a> <small>490</small></td><td>file</td>\
             <td class=\"number\">109</td>",
        ],
    );
    let hits = ["Subject: Harbours", "Subject: Ships", "Subject: The whale"];
    let places = hits.map(|hit| page.text().find(hit).unwrap());
    assert!(places.is_sorted(), "{}", page.text());
    let whale = link(&page, "Subject: The whale");
    let text = gateway.get(whale);
    assert_shows(&text, &["The white whale", "<pre class=\"text\">"]);
    let raw = gateway.get(&format!("/raw{whale}"));
    assert_eq!(raw.field("content-type"), Some("text/plain"));
    assert_eq!(raw.field("content-length"), Some("109"));
    // Other types of documents.
    let page = gateway.get(&format!("/{url}?pic"));
    let hit = page.text().split_once("<tbody>").unwrap().1;
    let hit = hit
        .split_once("href=\"")
        .unwrap()
        .1
        .split_once('"')
        .unwrap()
        .0;
    let picture = gateway.get(&hit.replace("&#38;", "&"));
    assert_eq!(picture.field("content-type"), Some("image/gif"));
    assert!(picture.body.starts_with(b"GIF89a"));
    // The next search, also of a client that uses the gateway as a proxy.
    let sent = gateway.get(&format!("/-/search?url={url}?whale&words=red+hat%3F"));
    let location = format!("/{url}?red%20hat%3F");
    assert_eq!(
        (sent.status, sent.field("location")),
        (303, Some(&*location))
    );
    let proxied = gateway.request(&format!("GET {url}?whale HTTP/1.0"), "");
    let form = format!("<form class=\"search\" action=\"{url}\">");
    assert_shows(&proxied, &[&form, "Subject: The whale</a>"]);
    let sent = gateway.request(&format!("GET {url}?words=red+hat%3F HTTP/1.0"), "");
    assert_eq!(
        sent.field("location"),
        Some(location.trim_start_matches('/'))
    );
}

#[test]
fn hostile_servers_of_wais() {
    let server = urikit_testkit::servers::Scripted::start(|client: &mut Conversation| {
        while let Some(request) = receive(client) {
            client.say(match request {
                Request::Init(_) => init_response(&[number(5, 9999), number(6, 9999)].concat()),
                Request::Words { words, .. } if words == b"diagnostic" => {
                    search_response(&diagnostic("D1", "<script>x()</script>"))
                }
                Request::Words { .. } => {
                    let record = |kind: &[u8], headline: &[u8]| {
                        let types = field(132, &field(133, kind));
                        let id = field(116, b"\x03\x01a");
                        field(
                            150,
                            &[id, number(120, 1), types, field(123, headline)].concat(),
                        )
                    };
                    let one = record(b"TEXT", b"<script>x()</script>");
                    let two = record(b"URL", b"javascript:x()");
                    search_response(&[one, two].concat())
                }
                Request::Document { .. } => Vec::new(),
            });
        }
    });
    let gateway = Gateway::start();
    let url = format!("wais://127.0.0.1:{}/db", server.port);
    let page = gateway.get(&format!("/{url}?a"));
    assert_shows(
        &page,
        &[
            "&#60;script&#62;x()&#60;/script&#62;</a>",
            "<tr><td>javascript:x()</td><td>link</td>",
        ],
    );
    let page = gateway.get(&format!("/{url}?diagnostic"));
    assert!(!page.text().contains("<script"), "{}", page.text());
}

#[test]
fn a_directory_of_prospero() {
    let contents = "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA 'Hello <b>'\n";
    let own = ("GET-OBJECT-INFO CONTENTS".to_owned(), contents.to_owned());
    let server = Prospero::with(vec![own]);
    let gateway = Gateway::with(Settings {
        allow_ports: vec![server.0.port],
        ..Settings::default()
    });
    let url = format!(
        "prospero://127.0.0.1:{}//srv/test/prospero/tree",
        server.0.port
    );
    let page = gateway.get(&format!("/{url}/small"));
    let file = "/prospero://PROSPERO.EXAMPLE//srv/test/prospero/tree/small/hello.txt";
    let row = format!(
        "<tr><td><a href=\"{file}\">hello.txt</a></td><td>file</td><td class=\"number\">14</td>\
         <td>1994-12-01 12:00</td></tr>"
    );
    assert_shows(&page, &[&row, ">sub</a></td><td>directory</td>"]);
    let sorted = gateway.get(&format!("/sort/-size/{url}/small"));
    let places = ["sub", "hello.txt", "readme", "data.bin"];
    let places = places.map(|name| sorted.text().find(&format!(">{name}</a>")).unwrap());
    assert!(places.is_sorted(), "{}", sorted.text());
    let long = gateway.get(&format!("/{url}/many"));
    assert_eq!(long.text().matches("<tr><td>").count(), 60);
    let names = gateway.get(&format!("/{url}/quoted"));
    assert_shows(
        &names,
        &[
            "two%20words.txt\">two words.txt</a>",
            "caf%E9.txt\">caf\u{fffd}.txt</a>",
        ],
    );
    let text = gateway.get(&format!("/{url}/small/hello.txt"));
    assert_shows(&text, &["<pre class=\"text\">\nHello &#60;b&#62;</pre>"]);
    assert_eq!(gateway.get(&format!("/{url}/none")).status, 404);
    let feed = gateway.get(&format!("/feed/{url}/small"));
    assert_shows(
        &feed,
        &["<title>hello.txt</title>\n<updated>1994-12-01T12:00:00Z</updated>"],
    );
}
