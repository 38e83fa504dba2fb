//! Prints each reader's answer about a URL, and the findings.
//!
//! `cargo run -p urikit-audit --example readers`, or with URLs:
//! `cargo run -p urikit-audit --example readers -- http://127.1/ http://ex%61mple.com/`

use urikit_audit::{Outcome, audit};

/// A URL with a backslash before a second host.
const URL: &str = "http://good.example\\@evil.example:80/";

/// Formats the host and port, or the reason why the reader rejects the URL.
fn line(outcome: &Outcome<'_>) -> String {
    match outcome {
        Ok(reading) => {
            let host = reading.host.as_deref().unwrap_or("-");
            let port = reading.port.as_deref().unwrap_or("-");
            format!("host {host:?} port {port:?}")
        }
        Err(rejection) => format!("rejected: {rejection}"),
    }
}

fn print(url: &str) {
    let report = audit(url);
    println!("{url:?}");
    for voice in report.readings() {
        println!("  {:13} {}", voice.reader, line(&voice.outcome));
    }
    for finding in report.findings().iter() {
        let severity = finding.severity();
        println!(
            "  {severity:6} byte {}: {}",
            finding.offset,
            report.message(finding)
        );
    }
}

fn main() {
    let urls: Vec<_> = std::env::args().skip(1).collect();
    if urls.is_empty() {
        print(URL);
    }
    for url in &urls {
        print(url);
    }
}

#[cfg(test)]
mod tests {
    use super::{URL, line, print};
    use urikit_audit::{Curl, Reader as _, Whatwg};

    #[test]
    fn lines_have_hosts() {
        assert_eq!(line(&Whatwg.read(URL)), "host \"good.example\" port \"-\"");
        assert_eq!(line(&Curl.read(URL)), "host \"evil.example\" port \"80\"");
        print(URL);
    }
}
