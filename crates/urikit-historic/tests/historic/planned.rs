//! Plans: the steps that the rows of `testdata/schemes/` list, and control characters in URLs.

use crate::support::client;
use urikit::{AnyRef, Standard};
use urikit_access::{Action, Client, ErrorKind, Plan, Planned, Request, Result, UrlError};
use urikit_schemes::{Edition, Prospero, Wais};
use urikit_testkit::rows::urls;

fn outline(client: &Client, reference: AnyRef<'_>, edition: Edition) -> Result<Plan> {
    client.outline(&Request::new(reference).edition(edition))
}

/// Writes a step in the form that the rows of test data use.
fn step(step: &Planned) -> String {
    let words = match &step.action {
        Action::Connect(host, port) => format!("connect {host} {port}"),
        Action::Send(command) => match command.words() {
            Some(words) => format!("send {words}"),
            None => format!("send {}", command.octets().escape_ascii()),
        },
        action => match action.words() {
            (words, with) if with.is_empty() => words.to_owned(),
            (words, with) => format!("{words}: {}", with.escape_ascii()),
        },
    };
    match &step.when {
        Some(when) => format!("{words} ({when})"),
        None => words,
    }
}

#[test]
fn rows() {
    let client = client();
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (file, row) in urls() {
        for name in &row.standards {
            let standard: Standard = name.parse().unwrap();
            let reference = standard.parse(&row.text).unwrap();
            if !matches!(reference.scheme(), Some("wais" | "prospero")) {
                continue;
            }
            let place = format!("{file}: {:?} under {name}", row.text);
            let edition = match row.edition.as_deref() {
                None => Edition::of(standard),
                Some("original") => Edition::Original,
                Some("successor") => Edition::Successor,
                Some(other) => panic!("{other} is not an edition"),
            };
            let plan = outline(&client, reference, edition);
            let found = plan.map(|plan| plan.steps().iter().map(step).collect::<Vec<_>>());
            match (&row.steps, &row.no_steps, found) {
                (Some(expected), _, Ok(found)) if found != *expected => {
                    wrong.push(format!("{place}:\n  does {found:#?}\n  not  {expected:#?}"));
                }
                (Some(_), _, Err(error)) => wrong.push(format!("{place}: {error}")),
                (None, Some(expected), Err(error)) if error.to_string() != *expected => {
                    wrong.push(format!("{place}: no steps because {error}"));
                }
                (None, Some(_), Ok(found)) => wrong.push(format!("{place}: does {found:?}")),
                _ => {}
            }
            compared += usize::from(row.steps.is_some() || row.no_steps.is_some());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 20, "{compared}");
}

#[test]
fn urls_with_control_characters_have_no_plan() {
    let client = client();
    let text = "a\nb";
    for url in [
        Prospero::builder("h").hsoname(text).build(),
        Wais::builder("h").database("d").search(text).build(),
    ] {
        let url = url.unwrap();
        let reference = Standard::Rfc3986.parse(url.as_str()).unwrap();
        let error = outline(&client, reference, Edition::Successor).unwrap_err();
        assert!(
            matches!(
                error.kind(),
                ErrorKind::Url(UrlError::Control { octet: b'\n', .. })
            ),
            "{error}"
        );
    }
}

#[test]
fn no_octet_of_a_url_ends_a_line_of_prospero() {
    let client = client();
    for octet in 0..=255_u8 {
        for url in [
            format!("prospero://h/a%{octet:02X}b"),
            format!("prospero://h/a;OBJECT-VERSION=%{octet:02X}"),
            format!("prospero://h/a;n%{octet:02X}=1"),
            format!("prospero://h/a;n=1%{octet:02X}2"),
        ] {
            for edition in [Edition::Original, Edition::Successor] {
                let reference = Standard::Rfc3986.parse(&url).unwrap();
                let Ok(plan) = outline(&client, reference, edition) else {
                    continue;
                };
                assert!(plan.commands().count() > 2, "{url}");
                for (command, _) in plan.commands() {
                    assert!(!command.octets().iter().any(u8::is_ascii_control), "{url}");
                }
            }
        }
    }
}
