//! A password in the wrong place of the command line is masked too.

use crate::support::uri;

#[test]
fn no_usage_error_shows_a_password() {
    const URL: &str = "http://u:SECRET@h/";
    let set = format!("{URL}=x");
    let template = format!("{{{URL}}}");
    for arguments in [
        vec!["compare", "x", "y", URL],
        vec!["normalize", "-f", URL],
        vec!["normalize", "--level", URL],
        vec!["parse", "--standard", URL],
        vec!["parse", "-j", URL],
        vec!["resolve", "--base", "http://a/", "--same-scheme", URL],
        vec!["audit", "--fail-on", URL],
        vec!["encode", "-c", URL, "x"],
        vec!["completions", URL],
        vec!["man", URL],
        vec!["schemes", URL],
        vec!["edit", "-s", &set, "h"],
        vec!["get", &template, "h"],
    ] {
        let outcome = uri(&arguments);
        assert_ne!(outcome.status, 0, "{arguments:?}");
        assert!(
            !outcome.err.contains("SECRET"),
            "{arguments:?}: {}",
            outcome.err
        );
        assert!(!outcome.err.is_empty(), "{arguments:?}");
    }
}
