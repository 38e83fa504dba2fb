//! The pages in a real browser: chromium, by chromium-driver.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)] // a test that panics has failed

mod access;
mod driver;
mod gateway;
mod markup;
mod pictures;

use driver::browse;
use fantoccini::key::Key;
use serde_json::json;

/// A URL on which parsers disagree.
const DISPUTED: &str =
    r"https://admin@good.example:8443\@evil.example/a?next=%2F%2Fevil.example#top";

/// A URL of 200 bytes.
const LONG: &str = "https://user@www.example.com:8443/over/./there/%7Ename/index.html?first=1&second=two+words&\
    third=%C3%BCber&fourth=https%3A%2F%2Fother.example%2Fpath%3Fa%3Db&fifth=0123456789abcdefghijklmnop#section-4.";

/// The maximum time of an update, in milliseconds: one frame of most displays.
const FRAME: f64 = 16.0;

#[test]
fn typing_a_url_updates_the_table() {
    browse("typing_a_url_updates_the_table", async |browser| {
        browser.open("/").await;
        browser.fill("#url", DISPUTED).await;
        let differing = "[...document.querySelectorAll('[aria-labelledby=h-readers] td.differs')]\
            .some((cell) => cell.textContent === 'evil.example')";
        browser.wait(differing).await;
        let rows = browser
            .texts("[aria-labelledby=h-readers] tbody tr")
            .await
            .unwrap();
        assert_eq!(rows.len(), 7, "{rows:?}");
        assert!(
            rows[1].starts_with("whatwg") && rows[1].contains("good.example"),
            "{rows:?}"
        );
        assert!(browser.text("#status").await.contains("Readers disagree"));
        // The browser shows the address of the page's current state.
        browser
            .wait("location.search.includes('good.example')")
            .await;
        let shown = browser.text("#result").await;
        browser.client.refresh().await.unwrap();
        assert_eq!(browser.text("#result").await, shown);
    });
}

#[test]
fn updates_take_less_than_a_frame() {
    browse("updates_take_less_than_a_frame", async |browser| {
        assert_eq!(LONG.len(), 200);
        browser.open("/").await;
        // Other programs may use the processors, so the best of several rounds counts.
        let mut best = f64::MAX;
        for _ in 0..20 {
            browser.fill("#url", LONG).await;
            let mut times = Vec::new();
            for _ in 0..20 {
                browser
                    .eval("delete byId('result').dataset.milliseconds")
                    .await;
                browser.press("x").await;
                browser.wait("byId('result').dataset.milliseconds").await;
                let time = browser
                    .eval("Number(byId('result').dataset.milliseconds)")
                    .await;
                times.push(time.as_f64().unwrap());
            }
            times.sort_by(f64::total_cmp);
            best = best.min(times[times.len() / 2]);
            if best <= FRAME {
                break;
            }
        }
        println!("an update takes {best} ms");
        assert!(best <= FRAME, "an update takes {best} ms");
    });
}

#[test]
fn the_query_can_be_edited() {
    browse("the_query_can_be_edited", async |browser| {
        browser
            .open("/?url=http%3A%2F%2Fa%2F%3Fx%3D%2541%26y%3Db%23c")
            .await;
        browser.fill("#v2", "c d").await;
        browser
            .wait("byId('url').value === 'http://a/?x=%41&y=c%20d#c'")
            .await;
        browser.fill("#n3", "z").await;
        browser
            .wait("byId('url').value === 'http://a/?x=%41&y=c%20d&z=#c'")
            .await;
        browser.wait("byId('n3').value === 'z' && byId('n4')").await;
        assert_eq!(browser.eval("document.activeElement.id").await, json!("n3"));
    });
}

#[test]
fn the_keyboard_suffices() {
    browse("the_keyboard_suffices", async |browser| {
        browser.open("/").await;
        assert_eq!(
            browser.eval("document.activeElement.id").await,
            json!("url")
        );
        browser.press("../g").await;
        assert_eq!(browser.tab().await, "Explain");
        let outline = "getComputedStyle(document.activeElement).outlineStyle";
        assert_eq!(
            browser.eval(outline).await,
            json!("solid"),
            "the focus is visible"
        );
        assert_eq!(browser.tab().await, "Base, second URL, standard");
        browser.press(&char::from(Key::Enter).to_string()).await;
        assert_eq!(browser.tab().await, "base");
        browser.press("http://a/b/c/d;p?q").await;
        browser
            .wait(
                "document.querySelector('#h-resolution + .result')?.textContent === 'http://a/b/g'",
            )
            .await;
        // Everything that reacts can be reached, and the focus leaves the page at its end.
        let mut seen = Vec::new();
        loop {
            let focused = browser.tab().await;
            if browser
                .eval("document.activeElement === document.body")
                .await
                == json!(true)
                || seen.len() > 60
            {
                break;
            }
            assert_eq!(browser.eval(outline).await, json!("solid"), "{focused}");
            seen.push(focused);
        }
        for id in ["and", "standard", "JSON", "Copy as Rust"] {
            assert!(
                seen.iter().any(|focused| focused.contains(id)),
                "{id}: {seen:?}"
            );
        }
        // From the start: the link that skips the navigation.
        browser.open("/?url=a").await;
        assert_eq!(browser.tab().await, "Skip to the content");
    });
}

#[test]
fn pages_work_without_scripts() {
    browse("pages_work_without_scripts", async |browser| {
        let off = json!({ "value": true });
        browser
            .devtools("Emulation.setScriptExecutionDisabled", off)
            .await;
        browser.open("/").await;
        browser.fill("#url", DISPUTED).await;
        browser.follow("#ask button").await;
        let table = browser.text("[aria-labelledby=h-readers] table").await;
        assert!(table.contains("evil.example"), "{table}");
        assert!(
            browser.eval("typeof byId").await == json!("undefined"),
            "scripts are on"
        );
        // Buttons that need scripts are not shown.
        let hidden =
            browser.eval("document.querySelectorAll('button[data-copy]:not([hidden])').length");
        assert_eq!(hidden.await, json!(0));
        browser.fill("#v1", "a b").await;
        browser.follow("#query button").await;
        let url = browser.eval("document.getElementById('url').value").await;
        assert!(
            url.as_str().unwrap().ends_with("/a?next=a%20b#top"),
            "{url}"
        );
        browser.click("#more summary").await;
        browser.fill("#base", "https://good.example/").await;
        browser.fill("#and", "https://good.example/").await;
        browser.follow("#ask button").await;
        assert!(
            browser
                .text("#result")
                .await
                .contains("As a redirect from the base")
        );
        assert!(browser.text("#result").await.contains("Side by side"));

        browser.open("/text").await;
        browser
            .fill("#text", "See <http://a.example/> and http://b.example/.")
            .await;
        browser.follow("#text-form button").await;
        assert_eq!(browser.texts(".marked a").await.unwrap().len(), 2);
        let address = browser.eval("location.search").await;
        assert!(
            address.as_str().unwrap().starts_with("?text=See"),
            "{address}"
        );
        browser
            .fill("#text", &"http://c.example/ ".repeat(300))
            .await;
        browser.follow("#text-form button").await;
        assert_eq!(
            browser.texts("#status").await.unwrap(),
            ["300 links (text)."]
        );

        browser.open("/encode").await;
        browser.fill("#text", "a b").await;
        browser.follow("#encode-form button").await;
        assert_eq!(browser.texts("#result dd").await.unwrap()[0], "a%20b");

        browser.open("/examples").await;
        assert_eq!(
            browser
                .eval("document.querySelectorAll('main li').length")
                .await,
            json!(50)
        );
        browser.follow("main li a").await;
        assert_eq!(
            browser.text("#h-components small").await,
            "RFC 3986: absolute reference"
        );
    });
}

#[test]
fn files_and_copies() {
    browse("files_and_copies", async |browser| {
        browser.open("/text").await;
        // A file that is dropped is an event with its data.
        browser
            .eval("(() => { const data = new DataTransfer(); \
                data.items.add(new File(['<a href=\"/x\">y</a>'], 'a.html')); \
                document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })); })()")
            .await;
        browser
            .wait("byId('status').textContent === '1 link (html).'")
            .await;
        browser.fill("#text", "http://a.example/").await;
        browser
            .wait("byId('status').textContent === '1 link (text).'")
            .await;

        let permission =
            json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
        browser
            .devtools("Browser.grantPermissions", permission)
            .await;
        browser.open("/?url=http%3A%2F%2Fa%2F'").await;
        browser.click("[data-copy=as-command]").await;
        browser
            .wait("byId('status').textContent === 'Copied.'")
            .await;
        let copied = "navigator.clipboard.readText()";
        assert_eq!(
            browser.eval(copied).await,
            json!("uri explain 'http://a/'\\'''\n")
        );
        browser.eval("byId('status').textContent = ''").await;
        browser.click("[data-fetch]").await;
        browser
            .wait("byId('status').textContent === 'Copied.'")
            .await;
        let line = browser.eval(copied).await;
        assert!(
            line.as_str()
                .unwrap()
                .starts_with("{\"input\":\"http://a/'\","),
            "{line}"
        );
    });
}

#[test]
fn other_sites_get_nothing() {
    browse("other_sites_get_nothing", async |browser| {
        // Rebinding: the name of another site resolves to the server.
        let rebound = format!("http://evil.example:{}/", browser.address.port());
        browser.client.goto(&rebound).await.unwrap();
        let body = browser.text("body").await;
        assert!(
            body.contains("foreign-host") && !body.contains("Explain"),
            "{body}"
        );
        // A request from the page of another site.
        let request = format!(
            "fetch('http://{}/part?url=a', {{ mode: 'no-cors' }})\
            .then((response) => response.type, () => 'failed')",
            browser.address
        );
        assert_eq!(browser.eval(&request).await, json!("failed"));
        let messages = browser.messages().await;
        assert!(!messages.is_empty(), "the browser reports refused requests");
    });
}
