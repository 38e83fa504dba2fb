//! Prospero on the command line, against the recordings.

use crate::fetch;
use crate::support::uri;
use urikit_testkit::prospero::Prospero;

const TWO: &str = "srv/test/prospero/tree/two";

#[test]
fn a_directory_is_text_json_or_references() {
    let server = Prospero::start();
    let (port, allowed) = (server.0.port, server.0.port.to_string());
    let url = format!("prospero://127.0.0.1:{port}//{TWO}");
    let outcome = fetch(["--allow-port", &allowed, &url]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let line = |name: &str| {
        format!("file  4  1994-12-01 12:00  {name}  prospero://PROSPERO.EXAMPLE//{TWO}/{name}\n")
    };
    assert_eq!(outcome.out, line("two.txt") + &line("one.txt"));
    let outcome = fetch(["--allow-port", &allowed, "--list", "references", &url]);
    let line = |name: &str| format!("prospero://PROSPERO.EXAMPLE//{TWO}/{name}\n");
    assert_eq!(outcome.out, line("two.txt") + &line("one.txt"));
    let outcome = fetch(["--allow-port", &allowed, "--list", "json", &url]);
    let entries = outcome.json();
    assert_eq!(entries[0]["name"], "two.txt");
    assert_eq!(entries[0]["modified"], "1994-12-01T12:00:00Z");
    assert_eq!(entries[0]["details"]["permissions"], "-rw-r--r--");
}

#[test]
fn attributes_and_steps_are_json() {
    let server = Prospero::start();
    let (port, allowed) = (server.0.port, server.0.port.to_string());
    let url = format!("prospero://127.0.0.1:{port}//srv/test/prospero/tree/small/hello.txt");
    let outcome = fetch(["--allow-port", &allowed, "--json", "-I", &url]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let record = &outcome.json()[0];
    assert_eq!(record["size"], 14);
    assert_eq!(record["attributes"][0]["name"], "SIZE");
    let steps = record["steps"].as_array().unwrap();
    let sent = "> GET-OBJECT-INFO '#ALL' ASCII /srv/test/prospero/tree/small/hello.txt 0";
    assert!(steps.iter().any(|step| step == sent), "{steps:?}");
}

#[test]
fn the_plan_and_explain_show_what_is_sent() {
    let url = "prospero://host.dom//pros/name";
    let outcome = uri(["fetch", "--plan", "--json", url]);
    let plan = &outcome.json()[0]["plan"];
    assert_eq!(plan[0]["action"], "connect");
    assert_eq!(plan[0]["port"], 1525);
    assert_eq!(plan[3]["text"], "GET-OBJECT-INFO '#ALL' ASCII /pros/name 0");
    let outcome = uri(["explain", url]);
    for line in [
        "connects to host.dom, port 1525",
        "GET-OBJECT-INFO '#ALL' ASCII /pros/name 0",
        "follows the URL of one of the access methods",
    ] {
        assert!(outcome.out.contains(line), "{}", outcome.out);
    }
}

#[test]
fn other_ports_are_refused_with_advice() {
    let outcome = fetch(["prospero://127.0.0.1:53//a"]);
    assert_eq!(outcome.status, 4, "{outcome:?}");
    assert!(outcome.err.contains("--allow-port 53"), "{outcome:?}");
}
