//! WAIS on the command line, against recorded servers.

use crate::fetch;
use crate::support::uri;
use urikit_testkit::servers::Scripted;
use urikit_testkit::wais::{exchanges, replay};

fn server() -> (Scripted, String) {
    let server = replay(exchanges());
    let port = server.port.to_string();
    (server, port)
}

#[test]
fn hits_are_text_json_or_references_to_documents() {
    let (_server, port) = server();
    let url = format!("wais://127.0.0.1:{port}/sea?whale%20anchor%20harbour");
    let outcome = fetch(["--allow-port", &port, &url]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let first =
        format!("file  970  TEXT   79  Subject: Harbours   wais://127.0.0.1:{port}/sea/TEXT/79/1=");
    assert!(outcome.out.starts_with(&first), "{outcome:?}");
    let outcome = fetch(["--allow-port", &port, "--list", "json", &url]);
    let entries = outcome.json();
    assert_eq!(entries.len(), 3);
    assert_eq!(entries[0]["name"], "Subject: Harbours");
    assert_eq!(entries[0]["size"], 79);
    assert_eq!(entries[0]["details"]["score"], "970");
    let outcome = fetch(["--allow-port", &port, "--list", "references", &url]);
    let whale = outcome.out.lines().nth(2).unwrap();
    let outcome = fetch(["--allow-port", &port, whale]);
    assert!(
        outcome.out.starts_with("Subject: The whale\n"),
        "{outcome:?}"
    );
}

#[test]
fn attributes_and_steps_are_json() {
    let (_server, port) = server();
    let url = format!("wais://127.0.0.1:{port}/log?xylophone");
    let outcome = fetch(["--allow-port", &port, "--json", "-o", "/dev/null", &url]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let record = &outcome.json()[0];
    assert_eq!(record["scheme"], "wais");
    let steps = record["steps"].as_array().unwrap();
    let sent = "> a search in \"log\" for \"xylophone\": at most 200 documents";
    assert!(steps.iter().any(|step| step == sent), "{steps:?}");
    assert!(steps.iter().any(|step| step == "nothing was found"));
}

#[test]
fn errors_have_the_diagnostic_of_the_server() {
    let (_server, port) = server();
    let url = format!("wais://127.0.0.1:{port}/nosuch?whale");
    let outcome = fetch(["--allow-port", &port, &url]);
    assert_eq!(outcome.status, 5, "{outcome:?}");
    assert!(outcome.err.contains("S1 "), "{outcome:?}");
}

#[test]
fn the_plan_and_explain_show_what_is_sent() {
    let url = "wais://host.dom/db?whale";
    let outcome = uri(["fetch", "--plan", "--json", url]);
    let plan = &outcome.json()[0]["plan"];
    assert_eq!(plan[0]["action"], "connect");
    assert_eq!(plan[0]["port"], 210);
    let text = "a search in \"db\" for \"whale\": at most 200 documents";
    assert_eq!(plan[2]["text"], text);
    assert!(plan[2]["hex"].is_string());
    let outcome = uri(["explain", url]);
    for line in ["connects to host.dom, port 210", text] {
        assert!(outcome.out.contains(line), "{}", outcome.out);
    }
}
