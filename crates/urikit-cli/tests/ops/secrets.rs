//! A password in the wrong place of the command line is masked too.

use crate::support::uri;

#[test]
fn no_usage_error_shows_a_password() {
    const URL: &str = "http://u:SECRET@h/";
    let set = format!("{URL}=x");
    let condition = format!("nope={URL}");
    let template = format!("{{{URL}}}");
    for arguments in [
        vec!["compare", "x", "y", URL],
        vec!["normalize", "-f", URL],
        vec!["normalize", "--level", URL],
        vec!["parse", "--standard", URL],
        vec!["parse", "-j", URL],
        vec!["resolve", "--base", "http://a/", "--same-scheme", URL],
        vec!["audit", "--fail-on", URL],
        vec!["encode", "--component", URL, "x"],
        vec!["completions", URL],
        vec!["man", URL],
        vec!["schemes", URL],
        vec!["edit", "-s", &set, "h"],
        vec!["get", &template, "h"],
        vec!["get", "--where", &condition, "{host}", "h"],
        vec!["get", "--where", URL, "{host}", "h"],
        vec!["get", "--where", "u:SECRET@h", "{host}", "h"],
        vec!["get", "--where", "passwort=SECRET", "{host}", "h"],
        vec!["get", "--where=!passwort=SECRET", "{host}", "h"],
        vec!["extract", "--where", "user info=u:SECRET@h", "x"],
        vec!["compare", "x", "y", "u:SECRET@h"],
        vec!["compare", "x", "y", "http://u:a\nSECRET@h"],
        vec!["fetch", "--allow-port", URL, "x"],
        vec!["fetch", "--gateway", "wais=htp:/u:SECRET@h/", "x"],
        vec!["fetch", "--gateway", "wais=u:SECRET@h/", "x"],
        vec!["fetch", "--gateway", "wais=proxy:http//u:SECRET@h/", "x"],
        vec!["fetch", "--usr=u:SECRET", "x"],
        vec!["fetch", "--cacert", URL, "x"],
        vec!["extract", "--base", "http://u:SECRET@h^/", "x"],
        vec!["relativize", "--base", "u:SECRET@h^", "x"],
        vec![URL],
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
    // The rest of the message remains.
    let outcome = uri(["get", "--where", "u:SECRET@h", "{host}", "h"]);
    let message =
        "uri: invalid value 'u:***@h' for '--where <CONDITION>': no component \"u:***@h\"";
    assert!(outcome.err.starts_with(message), "{outcome:?}");
    let outcome = uri(["get", "--where", "passwort=SECRET", "{host}", "h"]);
    let message = "uri: invalid value 'passwort=***' for '--where <CONDITION>': no component \
                   \"passwort\"; did you mean \"password\"?";
    assert!(outcome.err.starts_with(message), "{outcome:?}");
}
