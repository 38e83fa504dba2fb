//! Text with markup stays text.

use super::driver::{browse, escaped};
use serde_json::json;

/// Markup that would change each of the contexts in which a page shows text.
const MARKUP: [&str; 4] = [
    "http://a/<img/src=x/onerror=hacked=1>?<script>hacked=1</script>=<b>#</title><script>hacked=1</script>",
    "\"><img src=x onerror=hacked=1><a href=\"",
    "'\"></textarea></pre></script><svg onload=hacked=1>&lt;b&gt;",
    "javascript:hacked=1//{{7*7}}",
];

#[test]
fn markup_in_every_field_stays_text() {
    browse("markup_in_every_field_stays_text", async |browser| {
        for text in MARKUP {
            let markup = escaped(text);
            for page in [
                format!("/?url={markup}"),
                format!("/?url={markup}&base={markup}&and={markup}&standard={markup}"),
                format!("/?url=http%3A%2F%2Fa%2F%3F{markup}%3D{markup}&base=http%3A%2F%2F{markup}"),
                format!("/?url=http%3A%2F%2F{markup}%40{markup}%2F&and=http%3A%2F%2Fa%2F{markup}"),
                format!("/?url={markup}&base=http%3A%2F%2Fa%2Fb&standard=whatwg"),
                format!("/text?text=http%3A%2F%2Fa%2F{markup}%20{markup}"),
                format!("/encode?text={markup}&component={markup}"),
                format!("/query?url={markup}&name={markup}&value={markup}&base={markup}"),
            ] {
                browser.open(&page).await;
                let found = "document.querySelectorAll('img, svg, main script, [onerror], [onload], a[href^=javascript]').length";
                assert_eq!(browser.eval(found).await, json!(0), "{page}");
                assert_eq!(
                    browser.eval("typeof hacked").await,
                    json!("undefined"),
                    "{page}"
                );
                let is_known = "[...document.querySelectorAll('main *')].every((element) => element instanceof HTMLElement \
                    && !(element instanceof HTMLUnknownElement))";
                assert_eq!(browser.eval(is_known).await, json!(true), "{page}");
            }
            // The script inserts what the server renders.
            browser.open("/").await;
            browser.fill("#url", text).await;
            browser.wait("document.querySelector('#h-standards')").await;
            browser.open("/text").await;
            browser.fill("#text", &format!("http://a/{text}")).await;
            browser.wait("byId('status').textContent !== ''").await;
            let found = "document.querySelectorAll('img, svg, main script').length";
            assert_eq!(browser.eval(found).await, json!(0));
            assert_eq!(browser.eval("typeof hacked").await, json!("undefined"));
        }
    });
}
