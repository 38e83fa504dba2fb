//! `uri schemes`.

use crate::support::{Outcome, command, run_with, uri};
use serde_json::json;

/// Runs `uri schemes ARGUMENTS` for a terminal of this width.
fn wide(columns: &str, arguments: &[&str]) -> Outcome {
    let mut command = command();
    command
        .env("COLUMNS", columns)
        .arg("schemes")
        .args(arguments);
    run_with(command, b"")
}

#[test]
fn the_table_has_a_row_per_scheme() {
    let outcome = uri(["schemes"]);
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
    let mut lines = outcome.out.lines();
    let heading = lines.next().unwrap();
    assert_eq!(
        heading.split_whitespace().collect::<Vec<_>>(),
        ["NAME", "PORT", "KIND", "STATUS", "DOCUMENTS"]
    );
    let row = |name: &str| {
        let is_it = |line: &&str| line.split_whitespace().next() == Some(name);
        outcome.out.lines().find(is_it).unwrap()
    };
    // Returns the text below a word of the heading.
    let below = |word: &str, name: &str| row(name).get(heading.find(word).unwrap()..).unwrap();
    // RFC 1738, 3.2
    assert!(row("ftp").contains(" 21  object "));
    assert!(below("KIND", "ftp").starts_with("object "));
    assert!(below("STATUS", "ftp").starts_with("permanent "));
    assert_eq!(below("DOCUMENTS", "ftp"), "RFC 1630, FTP; RFC 1738, 3.2");
    // RFC 1738, 4
    assert!(below("STATUS", "mailserver").starts_with("reserved "));
    // RFC 1630, Schemes for Further Study
    assert!(below("STATUS", "x500").starts_with("for-further-study "));
    let names: Vec<&str> = outcome
        .out
        .lines()
        .skip(1)
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.is_sorted() && names.len() > 50);
}

#[test]
fn schemes_in_common_use_have_their_ports() {
    for (name, port) in [
        ("ssh", 22),
        ("sftp", 22),
        ("git", 9418),
        ("irc", 6667),
        ("ircs", 6697),
        ("ldaps", 636),
        ("imaps", 993),
        ("smtp", 25),
        ("smtps", 465),
        ("smb", 445),
        ("ftps", 990),
        ("redis", 6379),
        ("rediss", 6379),
        ("postgres", 5432),
        ("postgresql", 5432),
        ("mysql", 3306),
        ("mongodb", 27017),
        ("amqp", 5672),
        ("amqps", 5671),
        ("vnc", 5900),
        ("rsync", 873),
    ] {
        let row = &uri(["schemes", "--json", name]).json()[0];
        assert_eq!(row["port"], port, "{name}");
        assert!(!row["texts"].as_array().unwrap().is_empty(), "{name}");
        let url = format!("{name}://h:{port}/x");
        assert_eq!(uri(["normalize", &url]).out, format!("{name}://h/x\n"));
        let port = format!("{port}\n");
        assert_eq!(
            uri(["get", "{port:default}", &format!("{name}://h")]).out,
            port
        );
    }
    let s3 = &uri(["schemes", "--json", "s3"]).json()[0];
    assert_eq!(
        (&s3["port"], &s3["status"]),
        (&serde_json::Value::Null, &"unregistered".into())
    );
    // The generic syntax allows only one host.
    let outcome = uri(["get", "{host}", "mongodb://a:1,b:2/"]);
    assert_eq!((outcome.out.as_str(), outcome.status), ("\n", 1));
}

#[test]
fn the_table_fits_the_terminal() {
    for columns in [100, 64, 48] {
        let outcome = wide(&columns.to_string(), &[]);
        for line in outcome.out.lines() {
            assert!(
                line.len() <= columns && line == line.trim_end(),
                "{columns}: {line:?}"
            );
        }
    }
    let narrow = wide("48", &[]).out;
    assert!(
        narrow.contains("  object\n  permanent; RFC 1630, FTP; RFC 1738, 3.2\n"),
        "{narrow}"
    );
}

#[test]
fn one_scheme_is_described() {
    let outcome = uri(["schemes", "GOPHER:"]);
    assert_eq!(outcome.status, 0);
    assert!(outcome.out.starts_with("gopher: "), "{}", outcome.out);
    let outcome = uri(["schemes", "ftp"]);
    assert_eq!(
        outcome.out,
        "ftp: File Transfer Protocol
  status        permanent
  port          21
  userinfo      a user and a password
  hierarchical  yes
  denotes       an object that a client fetches
  interpreted   yes
  fetched       yes
  documents     RFC 1630, FTP
                RFC 1738, 3.2
"
    );
    assert!(
        uri(["schemes", "x-anything"])
            .out
            .starts_with("x-*: Experimental schemes\n")
    );
    for line in wide("30", &["data"]).out.lines() {
        assert!(line.len() <= 30, "{line}");
    }
}

#[test]
fn an_unknown_scheme_has_status_1() {
    let outcome = uri(["schemes", "magic"]);
    assert_eq!((outcome.out.as_str(), outcome.status), ("", 1));
    assert_eq!(
        outcome.err,
        "uri: no known scheme \"magic\" (see uri schemes)\n"
    );
    let outcome = uri(["schemes", "-q", "--json", "magic"]);
    assert_eq!(
        (outcome.out.as_str(), outcome.err.as_str(), outcome.status),
        ("", "", 1)
    );
    assert_eq!(uri(["schemes", "a", "b"]).status, 2);
}

#[test]
fn json_has_one_object_per_scheme() {
    let rows = uri(["schemes", "--json"]).json();
    assert!(rows.len() > 50);
    let ftp = rows.iter().find(|row| row["name"] == "ftp").unwrap();
    let named = uri(["schemes", "--json", "FTP"]).json().remove(0);
    for (key, value) in named.as_object().unwrap() {
        // The page, not the row of the table
        assert!(*value == ftp[key] || key == "result", "{key}");
    }
    let line = uri(["schemes", "--json", "ftp"]).out;
    assert_eq!(
        line.split(",\"result\":").next().unwrap(),
        "{\"name\":\"ftp\",\"title\":\"File Transfer Protocol\",\
         \"status\":\"permanent\",\"port\":21,\
         \"userinfo\":\"user-and-password\",\"hierarchical\":true,\"denotes\":\"object\",\
         \"texts\":[\"RFC 1630, FTP\",\"RFC 1738, 3.2\"],\"read\":true,\"fetched\":true"
    );
    // RFC 1738, 4, only reserves the name
    let mailserver = rows.iter().find(|row| row["name"] == "mailserver").unwrap();
    assert_eq!(
        (&mailserver["port"], &mailserver["read"]),
        (&json!(null), &json!(false))
    );
}
