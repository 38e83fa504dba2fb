//! The pictures of the README. `docs/pictures/make` updates them.

use super::driver::{Browser, browse};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::json;
use std::path::PathBuf;

/// The maximum length of a picture, in bytes.
const MOST: usize = 100_000;

/// The names of the pictures, and their colour schemes.
const PICTURES: [(&str, &str); 2] = [("explain.webp", "light"), ("explain-dark.webp", "dark")];

/// The page in the pictures.
const PAGE: &str = "/?url=https%3A%2F%2Fwww.example.com%400177.0.0.1%3A8443%2F%252e%252e%2Fa%3Fq%3DC%252B%252B%23top";

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../docs/pictures", name]
        .iter()
        .collect()
}

/// Takes a picture of the page.
async fn take(browser: &Browser, scheme: &str) -> Vec<u8> {
    browser.prefer(scheme).await;
    let size = json!({ "width": 1000, "height": 1120, "deviceScaleFactor": 1, "mobile": false });
    browser
        .devtools("Emulation.setDeviceMetricsOverride", size)
        .await;
    browser.open(PAGE).await;
    let format = json!({ "format": "webp", "quality": 80 });
    let picture = browser.devtools("Page.captureScreenshot", format).await;
    let data = picture["data"].as_str().unwrap();
    BASE64_STANDARD.decode(data).unwrap()
}

#[test]
fn pictures_are_small() {
    if std::env::var_os("URIKIT_UPDATE").is_some() {
        browse("pictures_are_small", async |browser| {
            for (name, scheme) in PICTURES {
                std::fs::write(path(name), take(browser, scheme).await).unwrap();
            }
        });
    }
    for (name, _) in PICTURES {
        let length = std::fs::read(path(name)).unwrap().len();
        assert!((1000..=MOST).contains(&length), "{name}: {length} bytes");
    }
}
