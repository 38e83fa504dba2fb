//! Logging in with every kind of reply.

use super::{OnePassword, fake, fetch_as_planned};
use crate::support::Rendered as _;
use crate::support::{client, fails};
use urikit::Standard;
use urikit_access::{Buffer, Class, NoPrompt, Request};

#[test]
fn no_password_is_sent_unless_requested() {
    let server = fake::start(|control, line| {
        let open = line.starts_with("USER");
        if open {
            control.say("230 in");
        }
        open
    });
    for user in ["", "alice@", "alice:secret@", "@", ":@"] {
        let url = format!("ftp://{user}127.0.0.1:{}/a", server.port);
        assert_eq!(fetch_as_planned(&mut client(), &url).1.bytes, fake::FILE);
    }
    assert!(!server.log().iter().any(|line| line.starts_with("PASS")));
    // An empty user is not the same as no user (RFC 1738, 3.1).
    assert!(server.log().contains(&"USER ".to_owned()));
}

#[test]
fn the_greeting_may_be_delayed() {
    let server = fake::start(|control, line| {
        if line.is_empty() {
            control.say("120 in a minute\r\n220-hello\r\n220x\r\n 220 no\r\n220 now");
        }
        line.is_empty()
    });
    let url = format!("ftp://127.0.0.1:{}/a", server.port);
    assert_eq!(fetch_as_planned(&mut client(), &url).1.bytes, fake::FILE);
}

/// URLs cannot contain an account.
#[test]
fn accounts_are_refused() {
    for at in ["USER", "PASS"] {
        let server = fake::start(move |control, line| {
            let asks = line.starts_with(at);
            if asks {
                control.say("332 account?");
            }
            asks
        });
        let error = fails(
            &mut client(),
            &format!("ftp://u:p@127.0.0.1:{}/a", server.port),
        );
        let what = "logging in: the server asks for an account (ACCT), which a URL cannot contain";
        assert!(error.to_string().starts_with(what), "{error}");
        assert!(!server.log().iter().any(|line| line.starts_with("ACCT")));
    }
}

#[test]
fn logins_that_are_refused() {
    for (at, reply) in [
        ("", "421 too many"),
        ("", "530 no"),
        ("USER", "530 no"),
        ("USER", "421 bye"),
        ("PASS", "530 no"),
        ("PASS", "430 no"),
    ] {
        let server = fake::start(move |control, line| {
            let is_it = line.split(' ').next() == Some(at);
            if is_it {
                control.say(reply);
            }
            is_it
        });
        let error = fails(&mut client(), &format!("ftp://127.0.0.1:{}/a", server.port));
        assert!(error.kind().is_denial(), "{at} {reply}: {error}");
        assert!(
            error.to_string().contains(&format!("received \"{reply}\"")),
            "{error}"
        );
    }
}

/// Some servers repeat commands that they do not know, and the password must not appear in a log.
#[test]
fn repeated_passwords_are_masked() {
    for reply in [
        "500 'PASS hunter2': what?",
        "530-hunter2 is not\r\nhunter2hunter2\r\n530 right, hunter2",
        "421 hunter2",
        "hunter2",
        "332 hunter2",
        "530-\r\nhunter2",
    ] {
        let server = fake::start(move |control, line| {
            let is_it = line.starts_with("PASS");
            if is_it {
                control.say(reply);
                control.client.close();
            }
            is_it
        });
        let url = format!("ftp://u:hunter2@127.0.0.1:{}/a", server.port);
        let error = fails(&mut client(), &url);
        let text = format!("{error} {error:?} {:?}", error.rendered());
        assert!(!text.contains("hunter2"), "{text}");
        assert!(server.log().contains(&"PASS hunter2".to_owned()));
    }
    let server = fake::start(|control, line| {
        let is_it = line.starts_with("PASS");
        if is_it {
            control.say("230-welcome, 0\r\n230 with hunter2 or 0");
        }
        is_it
    });
    for (password, shown) in [
        ("hunter2", "< 230 with *** or 0"),
        // A short password is masked only where it is known to be one.
        ("0", "< 230 with hunter2 or 0"),
    ] {
        let url = format!("ftp://u:{password}@127.0.0.1:{}/a", server.port);
        let (response, _) = fetch_as_planned(&mut client(), &url);
        assert!(
            response.rendered().iter().any(|step| step == shown),
            "{:?}",
            response.rendered()
        );
    }
}

/// A URL cannot contain a second command, and the error is reported before connecting.
#[test]
fn no_second_command() {
    let server = fake::start(|_, _| false);
    let at = format!("127.0.0.1:{}", server.port);
    for escape in ["%0D%0A", "%0A", "%0D", "%00", "%7F", "%09"] {
        for url in [
            format!("ftp://a{escape}DELE%20x@{at}/a"),
            format!("ftp://a:b{escape}DELE%20x@{at}/a"),
            format!("ftp://{at}/a{escape}DELE%20x/b"),
            format!("ftp://{at}/a{escape}DELE%20x"),
            format!("ftp://{at}/a{escape}DELE%20x;type=d"),
        ] {
            let error = fails(&mut client(), &url);
            assert_eq!(error.class(), Class::Invalid, "{url}: {error}");
            assert!(error.rendered().is_empty(), "{url}");
        }
    }
    let mut prompt = OnePassword("p\nDELE x", Vec::new());
    let url = format!("ftp://a@{at}/a");
    let request = Request::new(Standard::Rfc3986.parse(&url).unwrap());
    let mut buffer = Buffer::default();
    assert!(client().fetch(&request, &mut prompt, &mut buffer).is_err());
    assert!(
        !server
            .log()
            .iter()
            .any(|line| line.contains("DELE") || line.contains("PASS"))
    );
    let credentials = urikit_access::Credentials {
        user: "u\r\nDELE x".to_owned(),
        password: String::new(),
    };
    let url = format!("ftp://{at}/a");
    let request = Request::new(Standard::Rfc3986.parse(&url).unwrap()).credentials(&credentials);
    let error = client()
        .fetch(&request, &mut NoPrompt, &mut buffer)
        .unwrap_err();
    assert!(error.rendered().is_empty(), "{error}");
}

/// `IAC` is doubled on the control connection.
#[test]
fn iac_is_doubled() {
    let server = fake::start(|_, _| false);
    let url = format!("ftp://127.0.0.1:{}/%FFa/b%FF%FF", server.port);
    fetch_as_planned(&mut client(), &url);
    let iac = char::REPLACEMENT_CHARACTER; // as it appears in the log
    assert!(
        server.log().contains(&format!("CWD {iac}{iac}a")),
        "{:?}",
        server.log()
    );
    assert!(
        server
            .log()
            .contains(&format!("RETR b{iac}{iac}{iac}{iac}")),
        "{:?}",
        server.log()
    );
}
