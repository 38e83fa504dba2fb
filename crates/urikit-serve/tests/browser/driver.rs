//! A server and a browser for a test.

use fantoccini::error::CmdError;
use fantoccini::key::Key;
use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::time::Duration;
use urikit_serve::{Config, GatewayConfig, Server};
use urikit_testkit::servers::{Daemon, Folder, free_port, installed, skip};
use url::Url;

/// The time that a test waits for a change of the page.
const PATIENCE: Duration = Duration::from_secs(30);

/// Escapes each byte of a parameter.
pub(crate) fn escaped(text: &str) -> String {
    text.bytes().fold(String::new(), |escaped, byte| {
        escaped + &format!("%{byte:02x}")
    })
}

/// A browser that shows pages of a server.
pub(crate) struct Browser {
    pub(crate) client: Client,
    pub(crate) address: SocketAddr,
    /// The address of the gateway, if it is on.
    pub(crate) gateway: Option<SocketAddr>,
}

/// Runs a test with a server and a browser. Skips it if chromium or its driver is not installed.
/// Fails if the console of the browser has a message after the test.
pub(crate) fn browse(name: &str, test: impl AsyncFnOnce(&Browser)) {
    browse_with(name, None, test);
}

/// Runs a test as [`browse`] does, but with a gateway.
pub(crate) fn browse_with(
    name: &str,
    gateway: Option<GatewayConfig>,
    test: impl AsyncFnOnce(&Browser),
) {
    let (Some(driver), Some(_)) = (installed("chromedriver"), installed("chromium")) else {
        return skip(name, "chromium-driver");
    };
    let profile = Folder::new("chromium");
    let port = free_port();
    let mut command = Command::new(driver);
    command.arg(format!("--port={port}")).stdout(Stdio::null());
    // The browser writes to its home and to the temporary folder.
    command
        .env("HOME", profile.path())
        .env("TMPDIR", profile.path());
    let daemon = Daemon::start(&mut command, port);
    let (address, gateway) = serve(gateway);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(async {
        let client = connect(port, &profile).await;
        let browser = Browser {
            client,
            address,
            gateway,
        };
        test(&browser).await;
        let messages = browser.messages().await;
        assert!(
            messages.is_empty(),
            "the console has messages: {messages:#?}"
        );
        browser.client.close().await.unwrap();
    });
    drop(daemon);
}

/// Starts a server that runs until the process ends.
fn serve(gateway: Option<GatewayConfig>) -> (SocketAddr, Option<SocketAddr>) {
    let mut config = Config {
        listen: vec!["127.0.0.1:0".parse().unwrap()],
        gateway,
        ..Config::default()
    };
    config.limits.requests_per_second = 0;
    let server = Server::bind(config).unwrap();
    let addresses = (server.addresses()[0], server.gateway_address());
    std::thread::spawn(|| server.run_until(std::future::pending()));
    addresses
}

/// Starts a browser without a window.
async fn connect(port: u16, profile: &Folder) -> Client {
    let options = json!({
        "goog:chromeOptions": {
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--window-size=1280,1000", "--hide-scrollbars",
                "--host-resolver-rules=MAP evil.example 127.0.0.1",
                format!("--user-data-dir={}", profile.path().display()),
            ],
        },
        "goog:loggingPrefs": { "browser": "ALL" },
    });
    let capabilities: Capabilities = serde_json::from_value(options).unwrap();
    let mut builder = ClientBuilder::new(HttpConnector::new());
    builder.capabilities(capabilities);
    let url = format!("http://127.0.0.1:{port}");
    builder
        .connect(&url)
        .await
        .expect("a session of chromedriver")
}

/// A command of chromedriver that is not part of WebDriver.
#[derive(Debug)]
struct Extension(&'static str, Value);

impl WebDriverCompatibleCommand for Extension {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!(
            "session/{}/{}",
            session.unwrap_or_default(),
            self.0
        ))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.1.to_string()))
    }
}

impl Browser {
    /// Opens a page of the server.
    pub(crate) async fn open(&self, target: &str) {
        let url = format!("http://{}{target}", self.address);
        self.client.goto(&url).await.unwrap();
    }

    /// Calls the DevTools protocol.
    pub(crate) async fn devtools(&self, method: &str, parameters: Value) -> Value {
        let body = json!({ "cmd": method, "params": parameters });
        let command = Extension("goog/cdp/execute", body);
        self.client.issue_cmd(command).await.unwrap()
    }

    /// Returns and clears the messages of the console.
    pub(crate) async fn messages(&self) -> Vec<Value> {
        let command = Extension("se/log", json!({ "type": "browser" }));
        let messages = self.client.issue_cmd(command).await.unwrap();
        messages.as_array().unwrap().clone()
    }

    /// Evaluates an expression in the page.
    pub(crate) async fn eval(&self, expression: &str) -> Value {
        let script = format!("return ({expression});");
        self.client.execute(&script, Vec::new()).await.unwrap()
    }

    /// Waits until an expression is true.
    pub(crate) async fn wait(&self, expression: &str) {
        let begin = std::time::Instant::now();
        while self.eval(&format!("Boolean({expression})")).await != json!(true) {
            assert!(begin.elapsed() < PATIENCE, "never true: {expression}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Types text into an element.
    pub(crate) async fn fill(&self, selector: &str, text: &str) {
        // At any time, an update of the page may replace the element.
        let begin = std::time::Instant::now();
        let mut is_clear = false;
        loop {
            let element = self.client.find(Locator::Css(selector)).await.unwrap();
            let done = if is_clear {
                element.send_keys(text).await
            } else {
                element.clear().await
            };
            match done {
                Ok(()) if is_clear => return,
                Ok(()) => is_clear = true,
                Err(error) => assert!(
                    error.is_stale_element_reference() && begin.elapsed() < PATIENCE,
                    "{selector}: {error}"
                ),
            }
        }
    }

    /// Types into the element that has the focus.
    pub(crate) async fn press(&self, keys: &str) {
        let active = self.client.active_element().await.unwrap();
        active.send_keys(keys).await.unwrap();
    }

    /// Moves the focus to the next element, and returns its id, or else its text.
    pub(crate) async fn tab(&self) -> String {
        self.press(&char::from(Key::Tab).to_string()).await;
        let focused = "document.activeElement.id || document.activeElement.textContent.trim()";
        self.eval(focused).await.as_str().unwrap().to_owned()
    }

    /// Clicks on an element.
    pub(crate) async fn click(&self, selector: &str) {
        let element = self.client.find(Locator::Css(selector)).await.unwrap();
        element.click().await.unwrap();
    }

    /// Clicks on an element that leads to another page, and waits for that page.
    pub(crate) async fn follow(&self, selector: &str) {
        self.eval("document.documentElement.dataset.left = 'yes'")
            .await;
        self.click(selector).await;
        self.wait("!document.documentElement.dataset.left && document.readyState === 'complete'")
            .await;
    }

    /// Returns the text of an element.
    pub(crate) async fn text(&self, selector: &str) -> String {
        let element = self.client.find(Locator::Css(selector)).await;
        element.unwrap().text().await.unwrap()
    }

    /// Returns the texts of all elements.
    pub(crate) async fn texts(&self, selector: &str) -> Result<Vec<String>, CmdError> {
        let mut texts = Vec::new();
        for element in self.client.find_all(Locator::Css(selector)).await? {
            texts.push(element.text().await?);
        }
        Ok(texts)
    }

    /// Sets the width of the page, in pixels.
    pub(crate) async fn resize(&self, width: u32) {
        let size =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", size)
            .await;
    }

    /// Chooses `light` or `dark`.
    pub(crate) async fn prefer(&self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        let media = json!({ "features": features });
        self.devtools("Emulation.setEmulatedMedia", media).await;
    }
}
