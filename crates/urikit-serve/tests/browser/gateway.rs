//! The gateway in a browser: menus, folders, groups, forms, and a hostile server.

use super::access::{assert_accessible, axe};
use super::driver::{Browser, browse_with, escaped};
use fantoccini::Locator;
use serde_json::json;
use std::time::{Duration, Instant};
use urikit_serve::GatewayConfig;
use urikit_testkit::servers::{
    CERTIFICATE, Conversation, Folder, Gophernicus, Jetforce, Pyftpdlib, Scripted, Sn, certificate,
    skip,
};

/// The time that a test waits for a page.
const PATIENCE: Duration = Duration::from_secs(30);

fn config() -> GatewayConfig {
    GatewayConfig {
        listen: "127.0.0.1:0".parse().unwrap(),
        allow_private: true,
        ..GatewayConfig::default()
    }
}

impl Browser {
    /// Opens a URL in the gateway.
    async fn visit(&self, url: &str) {
        let gateway = self.gateway.unwrap();
        let url = format!("http://{gateway}/{url}");
        self.client.goto(&url).await.unwrap();
    }

    /// Clicks on a link with this text, and waits for the text of the next page.
    async fn go(&self, link: &str, expected: &str) {
        let link = self.client.find(Locator::LinkText(link)).await.unwrap();
        link.click().await.unwrap();
        self.shows(expected).await;
    }

    /// Waits until the page contains a text.
    async fn shows(&self, expected: &str) {
        let begun = Instant::now();
        loop {
            // The element may belong to the page before.
            let texts = self.texts("main").await.unwrap_or_default();
            if texts.iter().any(|text| text.contains(expected)) {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{expected}: {texts:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Checks the page with axe-core. No script runs under the policy of the page, so it is loaded
    /// again without the policy.
    async fn check(&self) {
        let Some(axe) = axe() else { return };
        for is_off in [true, false] {
            let bypass = json!({ "enabled": is_off });
            self.devtools("Page.setBypassCSP", bypass).await;
            self.client.refresh().await.unwrap();
            if is_off {
                let url = self.client.current_url().await.unwrap();
                assert_accessible(self, &axe, url.as_str()).await;
            }
        }
    }
}

#[test]
fn from_a_menu_to_a_text_a_search_and_a_form() {
    let root = Folder::new("browser-gopher");
    let form = Scripted::start(|client: &mut Conversation| {
        let line = client.line().unwrap_or_default();
        if line.ends_with("\t1") {
            let mut lines = Vec::new();
            while let Some(line) = client.line().filter(|line| line != ".") {
                lines.push(line);
            }
            client.say(format!("+-2\r\nThanks, {lines:?}"));
        } else {
            client.say("+-1\r\n+INFO: 0a\ta\th\t70\t?\r\n+ASK:\r\n Ask: Your name?\r\n.\r\n");
        }
        client.close();
    });
    root.write("a.txt", "A text with caf\u{e9}\n");
    root.write(
        "gophermap",
        "  ( drawn )\n0A text\t/a.txt\n7Find\t/cgi-bin/find\n",
    );
    root.program(
        "cgi-bin/find",
        "#!/bin/sh\necho \"0You want $SEARCHREQUEST\t/found\"\n",
    );
    let Some(server) = Gophernicus::start(&root) else {
        return skip("from_a_menu", "gophernicus with openbsd-inetd");
    };
    let url = format!("gopher://127.0.0.1:{}/", server.port);
    browse_with("from_a_menu", Some(config()), async |browser| {
        // The page that explains the URL leads to the gateway.
        browser.open(&format!("/?url={}", escaped(&url))).await;
        browser.go("Open in the gateway", "( drawn )").await;
        browser.check().await;
        browser.go("A text", "A text with caf\u{e9}").await;
        browser.check().await;
        browser.client.back().await.unwrap();
        browser.shows("( drawn )").await;
        browser.go("Find", "Search for").await;
        browser.check().await;
        browser.fill("#words", "red hat").await;
        browser.click(".search button").await;
        browser.shows("You want red hat").await;
        browser
            .visit(&format!("gopher://127.0.0.1:{}/0/form%09%09%3F", form.port))
            .await;
        browser.check().await;
        browser.fill(".ask input[type=text]", "Frodo").await;
        browser.click(".ask button").await;
        browser.shows("Thanks, ").await;
        browser.shows("Frodo").await;
    });
}

#[test]
fn from_a_folder_to_a_file() {
    let root = Folder::new("browser-ftp");
    root.write("sub/file.txt", "The content\n");
    root.write("z.bin", "\0");
    let Some(server) = Pyftpdlib::start(&root) else {
        return skip("from_a_folder_to_a_file", "pyftpdlib");
    };
    browse_with("from_a_folder_to_a_file", Some(config()), async |browser| {
        browser
            .visit(&format!("ftp://127.0.0.1:{}/", server.port()))
            .await;
        browser.check().await;
        browser.go("Name", "z.bin").await;
        browser
            .wait("document.querySelector('[aria-sort=ascending]')")
            .await;
        browser.go("Name", "z.bin").await;
        browser
            .wait("document.querySelector('[aria-sort=descending]')")
            .await;
        let first = browser.texts("tbody tr td:first-child").await.unwrap();
        assert_eq!(first, ["z.bin", "sub"]);
        browser.check().await;
        browser.go("sub", "file.txt").await;
        browser.go("file.txt", "The content").await;
    });
}

#[test]
fn from_a_group_to_an_article() {
    let article = "From: a@b.example\nNewsgroups: test.group\nSubject: Hello\n\
        Date: Tue, 6 Oct 1998 04:38:40 +0000\nMessage-ID: <a@x.example>\n\nThe article\n";
    let Some(server) = Sn::start(&["test.group"], &[article]) else {
        return skip("from_a_group_to_an_article", "sn with openbsd-inetd");
    };
    browse_with(
        "from_a_group_to_an_article",
        Some(config()),
        async |browser| {
            browser
                .visit(&format!("nntp://127.0.0.1:{}/test.group", server.port))
                .await;
            browser.check().await;
            browser.go("Hello", "The article").await;
            browser.check().await;
        },
    );
}

#[test]
fn from_a_gemini_page_to_an_answer() {
    let test = "from_a_gemini_page_to_an_answer";
    let (root, folder) = (Folder::new("browser-gemini"), Folder::new("browser-gemini"));
    if certificate(&folder, CERTIFICATE).is_none() {
        return skip(test, "openssl");
    }
    root.write(
        "index.gmi",
        "# Welcome\n\nText\n* one\n* two\n> quoted\n```art\n /\\\n```\n=> more.gmi More\n",
    );
    root.write(
        "more.gmi",
        "## Questions\n=> cgi-bin/echo Ask\n=> cgi-bin/secret Log in\n",
    );
    let program = |status: &str| {
        format!(
            "#!/bin/sh\nif [ -z \"$QUERY_STRING\" ]; then printf '{status} Who?\\r\\n'; exit; fi\n\
             printf '20 text/gemini\\r\\n# You are %s\\n' \"${{#QUERY_STRING}}\"\n"
        )
    };
    root.program("cgi-bin/echo", program("10"));
    root.program("cgi-bin/secret", program("11"));
    let Some(server) = Jetforce::start(&root, &folder) else {
        return skip(test, "jetforce");
    };
    let url = format!("gemini://127.0.0.1:{}/", server.port);
    browse_with(test, Some(config()), async |browser| {
        browser.visit(&url).await;
        browser.shows("Welcome").await;
        browser.check().await;
        browser.go("More", "Questions").await;
        browser.go("Ask", "Who?").await;
        browser.check().await;
        browser.fill("#words", "a b").await;
        browser.click(".search button").await;
        browser.shows("You are 5").await; // `a%20b`
        browser.visit(&format!("{url}more.gmi")).await;
        browser.go("Log in", "Who?").await;
        browser.check().await;
        browser.fill(".ask input[type=password]", "sesame").await;
        browser.click(".ask button").await;
        browser.shows("You are 6").await;
        let address = browser.client.current_url().await.unwrap();
        assert!(address.as_str().ends_with("/cgi-bin/secret"), "{address}");
        let page = browser.client.source().await.unwrap();
        assert!(!page.contains("sesame"), "{page}");
    });
}

#[test]
fn a_hostile_server_reaches_nothing() {
    let remote = Scripted::start(|client: &mut Conversation| {
        let script = "document.title = 'taken'; fetch('/gopher://127.0.0.1/1/')";
        let _ = client.line();
        client.say(format!(
            "<title>own</title><script>{script}</script><img src=x onerror=\"{script}\">\
             <iframe src=\"/\"></iframe><style>body {{ color: red }}</style>\
             <form action=\"http://evil.example/\"><input name=a></form>\
             <meta http-equiv=\"refresh\" content=\"0;url=javascript:{script}\">\
             <a href=\"javascript:{script}\">link</a>"
        ));
        client.close();
    });
    browse_with(
        "a_hostile_server_reaches_nothing",
        Some(config()),
        async |browser| {
            browser
                .visit(&format!("gopher://127.0.0.1:{}/h/x", remote.port))
                .await;
            tokio::time::sleep(Duration::from_millis(500)).await;
            assert_eq!(browser.client.title().await.unwrap(), "own");
            // The document has no origin, so it can read neither the page nor the API.
            assert_eq!(browser.eval("self.origin").await, "null");
            let explorer = format!(
                "fetch('http://{}/api/v1/parse?url=a').then(() => 'read', () => 'failed')",
                browser.address
            );
            assert_eq!(browser.eval(&explorer).await, "failed");
            let other = "fetch('/gopher://127.0.0.1:9/1/').then(() => 'read', () => 'failed')";
            assert_eq!(browser.eval(other).await, "failed");
            // The browser reports what it blocked.
            let messages = browser.messages().await;
            let blocked = |text: &str| {
                messages
                    .iter()
                    .any(|message| message.to_string().contains(text))
            };
            assert!(
                blocked("sandboxed") || blocked("Content Security Policy"),
                "{messages:#?}"
            );
        },
    );
}
