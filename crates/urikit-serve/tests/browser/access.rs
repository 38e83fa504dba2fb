//! Accessibility: axe-core, narrow pages and dark pages.

use super::DISPUTED;
use super::driver::{Browser, browse, escaped};
use serde_json::json;
use std::path::Path;
use urikit_testkit::servers::skip;

/// The pages, each with results.
fn pages() -> Vec<String> {
    let disputed = escaped(DISPUTED);
    vec![
        "/".to_owned(),
        format!(
            "/?url={disputed}&base=https%3A%2F%2Fgood.example%2Fa&and=https%3A%2F%2Fgood.example"
        ),
        "/?url=..%2F..%2F%2567%3Fa%3Db%2Bc&base=http%3A%2F%2Fa%2Fb%2Fc%2Fd%3Bp%3Fq&and=g"
            .to_owned(),
        format!("/?url=http%3A%2F%2F{}%2F", "long-name.".repeat(300)),
        "/text?text=See%20%3Chttp%3A%2F%2Fa.example%2F%3E%20and%20http%3A%2F%2Fb.example%2F%25"
            .to_owned(),
        "/encode?text=a%20b%25&component=query-value&form=on".to_owned(),
        "/examples".to_owned(),
    ]
}

/// Returns the script of axe-core, if it is installed.
pub(crate) fn axe() -> Option<String> {
    let axe = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/axe/axe.min.js");
    std::fs::read_to_string(axe).ok()
}

/// Asserts that axe-core finds no violation.
pub(crate) async fn assert_accessible(browser: &Browser, axe: &str, page: &str) {
    // The policy of the page forbids `eval`, so the script is not evaluated in the page.
    browser.client.execute(axe, Vec::new()).await.unwrap();
    let run = "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => \
        violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html, failureSummary }) => \
        [html, failureSummary]) })))";
    let violations = browser.eval(run).await;
    assert_eq!(violations, json!([]), "{page}: {violations:#}");
}

#[test]
fn axe_finds_no_violation() {
    let Some(axe) = axe() else {
        return skip("axe_finds_no_violation", "axe-core");
    };
    browse("axe_finds_no_violation", async |browser| {
        for scheme in ["light", "dark"] {
            browser.prefer(scheme).await;
            for page in pages() {
                browser.open(&page).await;
                let open =
                    "document.querySelectorAll('details').forEach((all) => { all.open = true; })";
                browser.eval(open).await;
                assert_accessible(browser, &axe, &page).await;
            }
        }
    });
}

#[test]
fn pages_fit_into_360_pixels() {
    browse("pages_fit_into_360_pixels", async |browser| {
        browser.resize(360).await;
        for page in pages() {
            browser.open(&page).await;
            let width = browser.eval("document.documentElement.scrollWidth").await;
            assert_eq!(width, json!(360), "{page}");
        }
    });
}

#[test]
fn pages_are_dark_if_preferred() {
    browse("pages_are_dark_if_preferred", async |browser| {
        let light = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).every((part) => part > 200)";
        for (scheme, is_light) in [("light", true), ("dark", false)] {
            browser.prefer(scheme).await;
            for page in pages() {
                browser.open(&page).await;
                assert_eq!(
                    browser.eval(light).await,
                    json!(is_light),
                    "{scheme}: {page}"
                );
            }
        }
    });
}
