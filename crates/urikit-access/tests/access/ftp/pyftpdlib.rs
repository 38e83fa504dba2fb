//! FTP with pyftpdlib, which has users, supports `MLST` and `MLSD`, and interprets a `CWD` without
//! a name as a change to the root.

use super::{OnePassword, entries, fetch_as_planned, fetch_as_planned_with, wait_for, with};
use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, fails, fetch_with};
use std::time::{Duration, SystemTime};
use urikit::Standard;
use urikit_access::protocol::FtpProtocol;
use urikit_access::{Buffer, Client, Credentials, ErrorKind, NoPrompt, Request, Wanted};
use urikit_testkit::servers::{Folder, Pyftpdlib, skip};

fn folder() -> Folder {
    let folder = Folder::new("ftp");
    let path = folder.write("pub/README", "one\ntwo\n");
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_577_836_800); // 2020
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_modified(time).unwrap();
    folder.write("pub/a b;c#d?e%f", "odd");
    folder.write("pub/grün", "g");
    folder.write("pub/sub/sub", "the same name");
    std::fs::create_dir(folder.path().join("pub/empty")).unwrap();
    folder
}

macro_rules! pyftpdlib {
    ($test:literal) => {{
        let folder = folder();
        match Pyftpdlib::start(&folder) {
            Some(server) => (folder, server),
            None => return skip($test, "python3-pyftpdlib"),
        }
    }};
}

#[test]
fn users_with_odd_passwords() {
    let (_folder, server) = pyftpdlib!("users_with_odd_passwords");
    let at = format!("127.0.0.1:{}", server.port());
    let url = format!("ftp://alice:p%40ss%3Aw%2Fd@{at}/pub/README;type=i");
    let (response, buffer) = fetch_as_planned(&mut client(), &url);
    assert_eq!(buffer.bytes, b"one\ntwo\n");
    assert_eq!(server.commands()[..2], ["USER alice", "PASS p@ss:w/d"]);
    assert!(
        !format!("{:?}", response.rendered()).contains("p@ss"),
        "{:?}",
        response.rendered()
    );
    assert!(response.rendered().contains(&"> PASS ***".to_owned()));
    let plan = client().plan(&Request::new(Standard::Rfc3986.parse(&url).unwrap()));
    let plan = plan.unwrap().to_string();
    assert!(
        plan.contains("send     \"PASS ***\"  (if the server asks for a password)\n"),
        "{plan}"
    );

    let error = fails(
        &mut client(),
        &format!("ftp://alice:hunter2@{at}/pub/README"),
    );
    let text = format!("{error} {error:?} {:?}", error.rendered());
    assert!(error.kind().is_denial(), "{text}");
    assert!(
        text.starts_with(
            "logging in: the server requires a valid login; sent \"PASS ***\"; received \"530 "
        ),
        "{text}"
    );
    assert!(!text.contains("hunter2"), "{text}");
}

/// If the URL contains no password, the user is asked for it, but only if the server requires one
/// (RFC 1738, 3.2.1).
#[test]
fn missing_passwords() {
    let (_folder, server) = pyftpdlib!("missing_passwords");
    let url = format!("ftp://alice@127.0.0.1:{}/pub/README;type=i", server.port());
    let reference = Standard::Rfc3986.parse(&url).unwrap();
    let get =
        |request: Request<'_>, prompt: &mut dyn urikit_access::Prompt, client: &mut Client| {
            let mut buffer = Buffer::default();
            client
                .fetch(&request, prompt, &mut buffer)
                .map(|_| buffer.bytes)
        };
    let mut prompt = OnePassword("p@ss:w/d", Vec::new());
    let mut keeping = client();
    for _ in 0..2 {
        let bytes = get(Request::new(reference), &mut prompt, &mut keeping);
        assert_eq!(bytes.unwrap(), b"one\ntwo\n");
    }
    // The second access uses the same connection.
    assert_eq!(prompt.1, ["alice@127.0.0.1"]);
    let error = get(Request::new(reference), &mut NoPrompt, &mut client()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoPassword), "{error}");
    // Typed passwords are checked for control characters too.
    let mut prompt = OnePassword("a\r\nDELE README", Vec::new());
    let error = get(Request::new(reference), &mut prompt, &mut client()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Url(_)), "{error}");
    assert!(
        !server
            .commands()
            .iter()
            .any(|line| line.starts_with("DELE"))
    );

    let credentials = |user: &str| Credentials {
        user: user.to_owned(),
        password: "p@ss:w/d".to_owned(),
    };
    let (alice, bob) = (credentials("alice"), credentials("bob"));
    let mut prompt = OnePassword("never asked", Vec::new());
    let request = Request::new(reference).credentials(&alice);
    assert!(get(request, &mut prompt, &mut client()).is_ok());
    assert!(prompt.1.is_empty());
    // The credentials of another user are not used for alice.
    let request = Request::new(reference).credentials(&bob);
    let error = get(request, &mut NoPrompt, &mut client()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoPassword), "{error}");
    // A URL without a user.
    let before = server.commands().len();
    let url = format!("ftp://127.0.0.1:{}/pub/README;type=i", server.port());
    let request = Request::new(Standard::Rfc3986.parse(&url).unwrap()).credentials(&alice);
    let plan = client().plan(&request).unwrap();
    let response = client()
        .fetch(&request, &mut NoPrompt, &mut Buffer::default())
        .unwrap();
    assert_as_planned(&plan, &response.rendered());
    assert!(!format!("{plan} {:?}", response.rendered()).contains("p@ss"));
    assert!(server.commands()[before..].contains(&"USER alice".to_owned()));
}

#[test]
fn anonymous() {
    let (_folder, server) = pyftpdlib!("anonymous");
    let at = format!("127.0.0.1:{}", server.port());
    let mut client = with(FtpProtocol::new().anonymous_password("guest@host.example"));
    fetch_as_planned(&mut client, &format!("ftp://{at}/pub/README"));
    assert_eq!(
        server.commands()[..2],
        ["USER anonymous", "PASS guest@host.example"]
    );
    let before = server.commands().len();
    fetch_as_planned(&mut client, &format!("ftp://anonymous:me@{at}/pub/README"));
    assert_eq!(
        server.commands()[before..before + 2],
        ["USER anonymous", "PASS me"]
    );
    // If the user in the URL is `anonymous`, the user is asked for the password, and an empty
    // answer selects the conventional one.
    let before = server.commands().len();
    fetch_with(
        &mut client,
        &format!("ftp://anonymous@{at}/pub/README"),
        |request| request,
    )
    .unwrap();
    assert_eq!(
        server.commands()[before..before + 2],
        ["USER anonymous", "PASS guest@host.example"]
    );
}

#[test]
fn listings_have_details() {
    let (_folder, server) = pyftpdlib!("listings_have_details");
    let at = format!("127.0.0.1:{}", server.port());
    let all = [
        "directory empty /pub/empty/",
        "directory sub /pub/sub/",
        "file README 8 /pub/README",
        "file a b;c#d?e%f 3 /pub/a%20b%3Bc%23d%3Fe%25f",
        "file grün 1 /pub/gr%C3%BCn",
    ];
    for path in ["/pub/", "/pub;type=d"] {
        let (_, buffer) = fetch_as_planned(&mut client(), &format!("ftp://{at}{path}"));
        assert_eq!(entries(&buffer), all, "{path}");
        let readme = buffer
            .entries
            .iter()
            .find(|entry| entry.name == "README")
            .unwrap();
        assert_eq!(readme.modified.unwrap().to_string(), "2020-01-01T00:00:00Z");
        assert!(
            readme
                .details
                .iter()
                .any(|(name, _)| *name == "permissions")
        );
    }
    // The directory contains a file with the directory's name.
    let (_, buffer) = fetch_as_planned(&mut client(), &format!("ftp://{at}/pub/sub;type=d"));
    assert_eq!(entries(&buffer), ["file sub 13 /pub/sub/sub"]);
    let (_, buffer) = fetch_as_planned(&mut client(), &format!("ftp://{at}/pub/empty/"));
    assert!(buffer.metadata.is_listing && buffer.entries.is_empty());
    let commands = server.commands();
    let has = |command: &str| commands.iter().any(|line| line == command);
    assert!(has("CWD pub") && has("MLSD") && !commands.iter().any(|line| line.starts_with("NLST")));
    // URLs contain the user, but not the password.
    let (_, buffer) = fetch_as_planned(
        &mut client(),
        &format!("ftp://alice:p%40ss%3Aw%2Fd@{at}/pub/sub/"),
    );
    let reference = buffer.entries[0].reference.as_deref().unwrap();
    assert_eq!(reference, format!("ftp://alice@{at}/pub/sub/sub"));
}

#[test]
fn metadata_by_mlst() {
    let (_folder, server) = pyftpdlib!("metadata_by_mlst");
    let at = format!("127.0.0.1:{}", server.port());
    let find = |path: &str, details: bool| {
        let mut client = with(FtpProtocol::new().details(details));
        let (_, buffer) =
            fetch_as_planned_with(&mut client, &format!("ftp://{at}{path}"), |request| {
                request.wanted(Wanted::Metadata)
            });
        let time = buffer.metadata.modified.map(|time| time.to_string());
        (buffer.metadata.size, time, buffer.metadata.is_listing)
    };
    let time = Some("2020-01-01T00:00:00Z".to_owned());
    assert_eq!(find("/pub/README", true), (Some(8), time.clone(), false));
    wait_for("QUIT", || {
        server.commands().last().is_some_and(|line| line == "QUIT")
    });
    assert_eq!(
        server.commands()[3..],
        ["CWD pub", "FEAT", "MLST README", "QUIT"]
    );
    assert_eq!(find("/pub/README", false), (Some(8), time, false));
    assert!(find("/pub/sub", true).2 && find("/pub/sub", false).2 && find("/pub/", true).2);
}

/// Like some other servers, pyftpdlib interprets a `CWD` without a name as a change to the root. In
/// a URL, `//` does not mean the root, but the client sends the command anyway.
#[test]
fn null_directories_are_sent() {
    let (_folder, server) = pyftpdlib!("null_directories_are_sent");
    let url = format!("ftp://127.0.0.1:{}/pub//pub/README;type=i", server.port());
    assert_eq!(fetch_as_planned(&mut client(), &url).1.bytes, b"one\ntwo\n");
    let directories: Vec<String> = server.commands();
    let directories: Vec<&str> = directories
        .iter()
        .map(String::as_str)
        .filter(|line| line.starts_with("CWD"))
        .collect();
    assert_eq!(directories, ["CWD pub", "CWD ", "CWD pub"]);
}

#[test]
fn resuming() {
    let (_folder, server) = pyftpdlib!("resuming");
    let url = format!("ftp://127.0.0.1:{}/pub/README;type=i", server.port());
    for from in [3, 8] {
        let (response, buffer) =
            fetch_as_planned_with(&mut client(), &url, |request| request.resume(from));
        assert_eq!(
            buffer.bytes,
            b"one\ntwo\n"[usize::try_from(from).unwrap()..]
        );
        assert_eq!(response.received, 8);
    }
}
