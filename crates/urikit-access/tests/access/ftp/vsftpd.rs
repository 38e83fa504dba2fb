//! FTP with vsftpd, which refuses a `CWD` without a name, and does not support `MLST`.

use super::{entries, fetch_as_planned, fetch_as_planned_with, wait_for, with};
use crate::support::Rendered as _;
use crate::support::{client, fails, fetch, fetch_with};
use urikit::Standard;
use urikit_access::listing::EntryKind;
use urikit_access::protocol::FtpProtocol;
use urikit_access::{Buffer, ErrorKind, NoPrompt, Request, Wanted};
use urikit_testkit::servers::{Folder, Vsftpd, skip};

/// vsftpd does not log passwords.
const LOGIN: [&str; 2] = ["USER anonymous", "PASS <password>"];

fn folder() -> Folder {
    let folder = Folder::new("ftp");
    folder.write("etc/motd", "Welcome.\n");
    folder.write("pub/README", "one\ntwo\n");
    folder.write("pub/data.bin", [0, 1, 2, 255, 13, 10, 0]);
    folder.write("pub/a b;c#d?e%f", "odd");
    folder.write("pub/sub/deep.txt", "deep\n");
    std::fs::create_dir(folder.path().join("pub/empty")).unwrap();
    std::os::unix::fs::symlink("README", folder.path().join("pub/link")).unwrap();
    folder
}

/// Starts a server. If it is not installed, prints a message and skips the test.
macro_rules! vsftpd {
    ($test:literal, $($more:literal),*) => {{
        let folder = folder();
        match Vsftpd::start_with(&folder, &[$($more),*]) {
            Some(server) => (folder, server),
            None => return skip($test, "vsftpd"),
        }
    }};
}

/// The path is split before it is decoded (RFC 1738, 3.2.2).
#[test]
fn the_rfcs_paths() {
    let (_folder, server) = vsftpd!("the_rfcs_paths",);
    let host = format!("ftp://127.0.0.1:{}", server.port());
    let (response, buffer) = fetch_as_planned(&mut client(), &format!("{host}/%2Fetc/motd"));
    assert_eq!(buffer.bytes, b"Welcome.\n");
    assert_eq!((response.metadata.size, response.received), (Some(9), 9));
    assert!(response.metadata.modified.is_some());
    let expected = [
        "PWD",
        "CWD /etc",
        "TYPE I",
        "SIZE motd",
        "MDTM motd",
        "EPSV",
        "RETR motd",
        "QUIT",
    ];
    wait_for("QUIT", || server.commands().len() == 10);
    assert_eq!(server.commands(), [&LOGIN[..], &expected].concat());

    let before = server.commands().len();
    let (_, buffer) = fetch_as_planned(
        &mut with(FtpProtocol::new().details(false)),
        &format!("{host}/etc/motd"),
    );
    assert_eq!(buffer.bytes, b"Welcome.\n");
    let expected = ["CWD etc", "TYPE I", "EPSV", "RETR motd", "QUIT"];
    wait_for("QUIT", || server.commands().len() == before + 7);
    assert_eq!(
        server.commands()[before..],
        [&LOGIN[..], &expected].concat()
    );

    // Dot segments are not removed, but sent to the server.
    let before = server.commands().len();
    let url = format!("{host}/pub/../etc/./motd");
    assert_eq!(fetch_as_planned(&mut client(), &url).1.bytes, b"Welcome.\n");
    assert_eq!(
        server.commands()[before + 3..before + 7],
        ["CWD pub", "CWD ..", "CWD etc", "CWD ."]
    );
}

/// For `//`, the client sends a `CWD` without a name. If the server refuses this command, the error
/// explains why.
#[test]
fn null_directories() {
    let (_folder, server) = vsftpd!("null_directories",);
    let url = format!("ftp://127.0.0.1:{}//etc/motd", server.port());
    let error = fails(&mut client(), &url);
    assert!(error.kind().is_denial(), "{error}");
    let text = error.to_string();
    assert!(
        text.starts_with(
            "changing to the null directory of `//` (RFC 1738, 3.2.2): not found on \
                          the server; sent \"CWD \";"
        ),
        "{text}"
    );
    wait_for("QUIT", || server.commands().len() == 5);
    assert_eq!(server.commands()[3].trim_end(), "CWD");
    let mut skipping = with(FtpProtocol::new().skip_null_directories(true));
    assert_eq!(fetch_as_planned(&mut skipping, &url).1.bytes, b"Welcome.\n");
    assert_eq!(server.commands()[8], "CWD etc");
}

/// The typecode selects the type (RFC 1738, 3.2.3), also with the codes of RFC 1630. Without a
/// typecode, octets are unchanged.
#[test]
fn types() {
    let (_folder, server) = vsftpd!("types", "ascii_download_enable=YES");
    let host = format!("ftp://127.0.0.1:{}", server.port());
    for (name, kind, size, bytes) in [
        ("README", "TYPE I", Some(8), &b"one\ntwo\n"[..]),
        ("README;type=a", "TYPE A", None, b"one\ntwo\n"),
        ("README;type=A", "TYPE A", None, b"one\ntwo\n"),
        ("README;type=i", "TYPE I", Some(8), b"one\ntwo\n"),
        ("data.bin", "TYPE I", Some(7), &[0, 1, 2, 255, 13, 10, 0]),
        ("a%20b%3Bc%23d%3Fe%25f;type=i", "TYPE I", Some(3), b"odd"),
    ] {
        let (response, buffer) = fetch_as_planned(&mut client(), &format!("{host}/pub/{name}"));
        assert_eq!(buffer.bytes, bytes, "{name}");
        assert_eq!(response.metadata.size, size, "{name}");
        assert!(
            response
                .rendered()
                .iter()
                .any(|step| *step == format!("> {kind}")),
            "{name}"
        );
    }
    let url = format!("{host}/pub/README;type=L8");
    let reference = Standard::Rfc1630.parse(&url).unwrap();
    let request = Request::new(reference);
    let mut buffer = Buffer::default();
    client()
        .fetch(&request, &mut NoPrompt, &mut buffer)
        .unwrap();
    assert_eq!(buffer.bytes, b"one\ntwo\n");
    assert!(server.commands().contains(&"TYPE L 8".to_owned()));
}

#[test]
fn directories() {
    let (_folder, server) = vsftpd!("directories",);
    let host = format!("ftp://127.0.0.1:{}", server.port());
    let all = [
        "directory empty /pub/empty/",
        "directory sub /pub/sub/",
        "file README 8 /pub/README",
        "file a b;c#d?e%f 3 /pub/a%20b%3Bc%23d%3Fe%25f",
        "file data.bin 7 /pub/data.bin",
        "link link /pub/link",
    ];
    for url in [
        "/pub/",
        "/pub",
        "/pub;type=d",
        "/pub/;type=d",
        "/pub/.;type=d",
    ] {
        let fetched = match url {
            // The plan contains the listing as one step.
            "/pub" => fetch(&mut client(), &format!("{host}{url}")).unwrap(),
            _ => fetch_as_planned(&mut client(), &format!("{host}{url}")),
        };
        let (response, buffer) = fetched;
        assert!(
            response.metadata.is_listing && buffer.metadata.is_listing && buffer.bytes.is_empty()
        );
        let there: Vec<String> = match url {
            "/pub/.;type=d" => all
                .iter()
                .map(|it| it.replace("/pub/", "/pub/./"))
                .collect(),
            _ => all.iter().map(|&it| it.to_owned()).collect(),
        };
        assert_eq!(entries(&buffer), there, "{url}");
    }
    let (_, buffer) = fetch_as_planned(&mut client(), &format!("{host}/pub/"));
    // Every URL in the listing is valid and can be fetched.
    let mut lists = 0;
    for entry in &buffer.entries {
        let (_, there) = fetch(&mut client(), entry.reference.as_deref().unwrap()).unwrap();
        assert_eq!(
            there.metadata.is_listing,
            entry.kind == EntryKind::Directory
        );
        lists += usize::from(there.metadata.is_listing);
        if let Some(size) = entry.size {
            assert_eq!(
                u64::try_from(there.bytes.len()).unwrap(),
                size,
                "{}",
                entry.name
            );
        }
    }
    assert_eq!(lists, 2);
    let link = buffer
        .entries
        .iter()
        .find(|entry| entry.name == "link")
        .unwrap();
    assert!(
        link.details.contains(&("target", "README".to_owned())),
        "{link:?}"
    );
    // Without a path, the URL refers to the initial directory.
    let (_, buffer) = fetch_as_planned(&mut client(), &host);
    assert_eq!(
        entries(&buffer),
        ["directory etc /etc/", "directory pub /pub/"]
    );
    // Without details, listings contain only names, or nothing.
    let mut names = with(FtpProtocol::new().details(false));
    let (_, buffer) = fetch_as_planned(&mut names, &format!("{host}/pub/sub;type=d"));
    assert_eq!(entries(&buffer), ["other deep.txt /pub/sub/deep.txt"]);
    let (response, buffer) = fetch_as_planned(&mut client(), &format!("{host}/pub/empty;type=d"));
    assert!(response.metadata.is_listing && buffer.entries.is_empty());
    // For a missing directory, vsftpd sends an empty list.
    let error = fails(&mut client(), &format!("{host}/pub/none;type=d"));
    assert!(error.kind().is_denial(), "{error}");
}

/// Works with a server that refuses `EPSV`.
#[test]
fn passive_by_either_command() {
    let (_folder, server) = vsftpd!("passive_by_either_command", "cmds_denied=EPSV");
    let url = format!("ftp://127.0.0.1:{}/pub/", server.port());
    let mut client = client();
    let (_, buffer) = fetch_as_planned(&mut client, &url);
    assert_eq!(buffer.entries.len(), 6);
    let count = |command: &str| {
        let commands = server.commands();
        commands.iter().filter(|line| *line == command).count()
    };
    assert_eq!((count("EPSV"), count("PASV")), (1, 1));
    assert!(
        !server
            .commands()
            .iter()
            .any(|line| line.starts_with("PORT") || line.starts_with("EPRT"))
    );
}

#[test]
fn attributes() {
    let (_folder, server) = vsftpd!("attributes",);
    let host = format!("ftp://127.0.0.1:{}", server.port());
    let find = |path: &str| {
        let url = format!("{host}{path}");
        let (_, buffer) = fetch_as_planned_with(&mut client(), &url, |request| {
            request.wanted(Wanted::Metadata)
        });
        assert!(buffer.bytes.is_empty() && buffer.entries.is_empty());
        (
            buffer.metadata.size,
            buffer.metadata.modified.is_some(),
            buffer.metadata.is_listing,
        )
    };
    assert_eq!(find("/pub/data.bin"), (Some(7), true, false));
    assert_eq!(find("/pub/README"), (Some(8), true, false));
    assert_eq!(find("/pub/link"), (Some(8), true, false)); // of the link's target
    assert_eq!(find("/pub/sub"), (None, false, true));
    assert_eq!(find("/pub/sub;type=d"), (None, false, true));
    assert_eq!(find("/pub/"), (None, false, true));
    assert_eq!(find("/"), (None, false, true));
    let retrieved = |line: &String| line.starts_with("RETR") || line.starts_with("NLST");
    assert!(!server.commands().iter().any(retrieved));
    let none = fetch_with(&mut client(), &format!("{host}/pub/none"), |request| {
        request.wanted(Wanted::Metadata)
    });
    assert!(none.unwrap_err().kind().is_denial());
}

/// Bytes that were received before are not fetched again.
#[test]
fn resuming() {
    let (folder, server) = vsftpd!("resuming",);
    let large: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    folder.write("pub/large.gz", &large);
    let host = format!("ftp://127.0.0.1:{}", server.port());
    let url = format!("{host}/pub/large.gz");
    for from in [1, 299_999, 300_000, 123_456] {
        let skipped = u64::try_from(from).unwrap();
        let (response, buffer) =
            fetch_as_planned_with(&mut client(), &url, |request| request.resume(skipped));
        assert_eq!(buffer.bytes, large[from..]);
        assert_eq!(
            (response.received, response.metadata.size),
            (300_000, Some(300_000))
        );
        assert!(server.commands().contains(&format!("REST {from}")));
    }
    let error = fetch_with(&mut client(), &url, |request| request.resume(300_001)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::CannotResume), "{error}");
    // No standard defines the unit of offsets for TYPE A, so nothing is sent.
    let before = server.commands().len();
    for path in ["/pub/README;type=a", "/pub/large.gz;type=a"] {
        let error = fetch_with(&mut client(), &format!("{host}{path}"), |request| {
            request.resume(3)
        });
        let error = error.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::CannotResume), "{error}");
        assert!(error.rendered().is_empty());
    }
    assert_eq!(
        server.commands()[before..]
            .iter()
            .filter(|line| *line != "QUIT")
            .count(),
        0
    );
}

#[test]
fn missing_files_and_directories() {
    let (_folder, server) = vsftpd!("missing_files_and_directories",);
    let host = format!("ftp://127.0.0.1:{}", server.port());
    for (path, step, sent) in [
        ("/none/a", "changing to the directory \"none\"", "CWD none"),
        ("/pub/none", "retrieving the file", "RETR none"),
    ] {
        let error = fails(&mut client(), &format!("{host}{path}"));
        let text = error.to_string();
        assert!(
            text.starts_with(&format!(
                "{step}: not found on the server; sent \"{sent}\"; received \"550 "
            )),
            "{text}"
        );
    }
}
