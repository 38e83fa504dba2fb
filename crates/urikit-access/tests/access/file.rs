//! `file`: local files and directories.

use crate::support::Rendered as _;
use crate::support::{client, fails, fetch, fetch_with, plan, policy};
use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use urikit::Standard;
use urikit_access::listing::{Entry, EntryKind};
use urikit_access::policy::Refusal;
use urikit_access::protocol::file::FileProtocol;
use urikit_access::{
    Class, Client, ErrorKind, Metadata, NoPrompt, Request, Sink, UrlError, Wanted,
};
use urikit_schemes::{File as Url, PathError};
use urikit_testkit::servers::Folder;

fn url(path: &Path) -> String {
    Url::from_path(path).unwrap().build().unwrap().into_string()
}

fn named(names: &[&str]) -> Client {
    client().protocol(FileProtocol::new().names(names.iter().copied()))
}

/// Asserts that the steps begin with those of the plan.
fn assert_planned(client: &Client, url: &str, steps: &[String]) {
    let plan = plan(client, url).unwrap();
    let planned: Vec<String> = plan.steps().iter().map(ToString::to_string).collect();
    assert_eq!(steps[..planned.len()], planned, "{url}");
}

#[test]
fn a_local_file_is_read() {
    let folder = Folder::new("file");
    let path = folder.write("a b/motd;type=a", "Welcome.\n");
    let text = url(&path);
    let (response, buffer) = fetch(&mut client(), &text).unwrap();
    assert_eq!(buffer.bytes, b"Welcome.\n");
    assert_eq!((response.received, response.metadata.size), (9, Some(9)));
    assert!(response.metadata.modified.is_some());
    assert_eq!(response.scheme, "file");
    assert_planned(&client(), &text, &response.rendered());
    let planned = plan(&client(), &text).unwrap().to_string();
    let expected = format!(
        "then     opens \"{}\"\nthen     reads it, or lists it\n",
        path.display()
    );
    assert_eq!(planned, expected);
    // RFC 8089, Appendix B: the shortest form, and a fragment, which is kept.
    let short = text.replacen("//", "", 1) + "#top";
    let (response, buffer) = fetch(&mut client(), &short).unwrap();
    assert_eq!(buffer.bytes, b"Welcome.\n");
    assert_eq!(response.fragment.as_deref(), Some("top"));
}

/// A file on another host is refused, and never read locally.
#[test]
fn files_on_other_machines_are_refused() {
    let folder = Folder::new("host");
    let path = folder.write("motd", "here");
    let on = |host: &str| url(&path).replacen("//", &format!("//{host}"), 1);
    let mut client = named(&["vms.host.edu"]);
    for host in [
        "",
        "localhost",
        "LocalHost",
        "vms.host.edu",
        "VMS.Host.EDU",
        "vms.host.edu.",
        "vms%2Ehost.edu",
    ] {
        let (response, buffer) = fetch(&mut client, &on(host)).unwrap();
        assert_eq!(buffer.bytes, b"here", "{host}");
        assert_planned(&client, &on(host), &response.rendered());
    }
    for host in [
        "host.edu",
        "vms",
        "127.0.0.1",
        "[::1]",
        "localhost.",
        "localhost.evil.example",
        "vms.host.edu.evil",
        "%00",
    ] {
        let error = fails(&mut client, &on(host));
        let ErrorKind::Refused(Refusal::OtherMachine { host: named }) = error.kind() else {
            panic!("{host}: {error}");
        };
        assert_eq!(named, host);
        assert_eq!(error.class(), Class::Refused);
        assert!(error.rendered().is_empty(), "nothing was done: {error:?}");
        assert!(plan(&client, &on(host)).is_err(), "{host}");
    }
    // Without names, only `localhost` is this machine.
    let error = fails(&mut named(&[]), &on("vms.host.edu"));
    assert!(matches!(error.kind(), ErrorKind::Refused(_)), "{error}");
    // A UNC name in the path (RFC 8089, E.3.2) and a user (E.1) belong to other machines too.
    for text in [
        "file:////host.example.com/path",
        "file://///host.example.com/path",
        "file://user@host.example.com/path",
    ] {
        let error = fails(&mut client, text);
        let expected = Refusal::OtherMachine {
            host: "host.example.com".to_owned(),
        };
        assert!(
            matches!(error.kind(), ErrorKind::Refused(refusal) if *refusal == expected),
            "{text}: {error}"
        );
    }
}

#[test]
fn the_default_name_is_the_hosts() {
    let system = rustix::system::uname();
    let name = system.nodename().to_str().unwrap().to_owned();
    let folder = Folder::new("name");
    let path = folder.write("motd", "here");
    let text = url(&path).replacen("//", &format!("//{name}"), 1);
    assert_eq!(fetch(&mut client(), &text).unwrap().1.bytes, b"here");
}

/// NUL and `%2F` in a segment are refused before anything is opened.
#[test]
fn escaped_separators_are_refused() {
    for (text, expected) in [
        ("file:///etc%2Fpasswd", PathError::Separator { octet: b'/' }),
        ("file:///etc/%2f", PathError::Separator { octet: b'/' }),
        (
            "file:///etc/..%2F..%2Fetc/passwd",
            PathError::Separator { octet: b'/' },
        ),
        ("file:///etc/passwd%00.txt", PathError::Nul),
    ] {
        let error = fails(&mut client(), text);
        assert!(
            matches!(error.kind(), ErrorKind::Url(UrlError::Path(path)) if *path == expected),
            "{text}: {error}"
        );
        assert_eq!(error.class(), Class::Invalid);
        assert!(error.rendered().is_empty(), "{text}");
        assert!(plan(&client(), text).is_err(), "{text}");
    }
}

#[test]
fn invalid_file_urls_are_refused() {
    // URLs with a relative path, with a query, with a port, or with nothing after the scheme.
    for text in [
        "file:motd",
        "file:./motd",
        "file:///motd?now",
        "file://localhost:80/motd",
        "file:",
        "file://localhost",
    ] {
        let error = fails(&mut client(), text);
        assert!(
            matches!(error.kind(), ErrorKind::Url(UrlError::Read(_))),
            "{text}: {error}"
        );
        assert_eq!(error.class(), Class::Invalid);
    }
    assert!(matches!(
        fails(&mut client(), "//localhost/etc/motd").kind(),
        ErrorKind::Relative
    ));
    // RFC 8089, E.2: a drive letter right after the colon is not supported.
    let error = fails(&mut client(), "file:c:/autoexec.bat");
    assert_eq!(error.to_string(), "a Unix path has no drive letter");
    // In D.2, the drive is a segment, which could also be the name of a directory. If no such
    // directory exists, the error explains drive letters.
    let error = fails(&mut client(), "file:///c:/autoexec.bat");
    assert_eq!(
        error.to_string(),
        "opening /c:/autoexec.bat: not found: drive letters are a feature of Windows"
    );
    assert_eq!(error.class(), Class::Local);
    let error = fails(&mut client(), "file:///no/such%1Bfile");
    assert!(
        error
            .to_string()
            .starts_with("opening /no/such\\u{1b}file: "),
        "{error}"
    );
    assert_eq!(error.class(), Class::Local);
}

#[test]
fn a_directory_is_a_listing() {
    let folder = Folder::new("listing");
    folder.write("b", "12345");
    folder.write("sub dir/x", "");
    folder.write("a?#%;c", "");
    let odd = OsStr::from_bytes(b"\xe9t\xe9 \x1b[2J\n");
    std::fs::write(folder.path().join(odd), "octets").unwrap();
    std::os::unix::fs::symlink("/nowhere\x07", folder.path().join("link")).unwrap();
    let fifo = folder.path().join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success()
    );

    for text in [
        url(folder.path()),
        url(folder.path()) + "/",
        url(folder.path()).replace("//", "//localhost"),
    ] {
        let (response, buffer) = fetch(&mut client(), &text).unwrap();
        assert!(response.metadata.is_listing && buffer.bytes.is_empty());
        let found: Vec<_> = buffer
            .entries
            .iter()
            .map(|entry| (entry.name.as_str(), entry.kind))
            .collect();
        let expected = [
            ("a?#%;c", EntryKind::File),
            ("b", EntryKind::File),
            ("link", EntryKind::Link),
            ("pipe", EntryKind::Other),
            ("sub dir", EntryKind::Directory),
            ("\u{fffd}t\u{fffd} \u{1b}[2J\n", EntryKind::File),
        ];
        assert_eq!(found, expected, "{text}");
        assert_eq!(buffer.entries[1].size, Some(5));
        assert!(buffer.entries.iter().all(|entry| entry.modified.is_some()));
        assert_eq!(
            buffer.entries[2].details,
            [("symbolic-link", "/nowhere\u{7}".to_owned())]
        );
        assert_eq!(buffer.entries[3].details, [("kind", "fifo".to_owned())]);
        // Every URL decodes to the octets of the name, and can be fetched.
        for entry in &buffer.entries {
            let reference = entry.reference.as_deref().unwrap();
            let parsed = Standard::Rfc3986.parse(reference).unwrap();
            let path = Url::read(parsed).unwrap().to_path().unwrap();
            assert!(path.symlink_metadata().is_ok(), "{reference}");
            assert_eq!(reference.ends_with('/'), entry.kind == EntryKind::Directory);
            if entry.kind == EntryKind::File {
                fetch(&mut client(), reference).unwrap();
            }
        }
        let last = buffer.entries[5].reference.as_deref().unwrap();
        assert!(last.ends_with("/%E9t%E9%20%1B%5B2J%0A"), "{last}");
        assert_eq!(fetch(&mut client(), last).unwrap().1.bytes, b"octets");
    }
    let (_, root) = fetch(&mut client(), "file:///").unwrap();
    assert!(
        root.entries
            .iter()
            .any(|entry| entry.reference.as_deref() == Some("file:///tmp/"))
    );
    assert!(root.entries.is_sorted_by_key(|entry| entry.name.clone()));
}

#[test]
fn a_large_directory_is_limited() {
    let folder = Folder::new("large");
    for number in 0..10_050 {
        std::fs::File::create(folder.path().join(format!("{number:05}"))).unwrap();
    }
    let (_, buffer) = fetch(&mut client(), &url(folder.path())).unwrap();
    let mut names: Vec<_> = buffer.entries.into_iter().map(|entry| entry.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 10_050);
    let error = fails(
        &mut Client::new(policy().max_items(10_020)),
        &url(folder.path()),
    );
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Refused(Refusal::Items { max: 10_020 })
        ),
        "{error}"
    );
    let error = fails(
        &mut Client::new(policy().total_timeout(Duration::ZERO)),
        &url(folder.path()),
    );
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
}

#[test]
fn links_are_followed_and_reported() {
    let folder = Folder::new("links");
    folder.write("motd", "here");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("motd", &link).unwrap();
    let (response, buffer) = fetch(&mut client(), &url(&link)).unwrap();
    assert_eq!(buffer.bytes, b"here");
    let expected = ("symbolic-link".to_owned(), "motd".to_owned());
    assert!(
        response.metadata.attributes.contains(&expected),
        "{response:?}"
    );
    assert!(
        response
            .rendered()
            .contains(&"symbolic link to motd".to_owned()),
        "{:?}",
        response.rendered()
    );
    std::os::unix::fs::symlink("round", folder.path().join("round")).unwrap();
    std::os::unix::fs::symlink("gone", folder.path().join("broken")).unwrap();
    for name in ["round", "broken"] {
        let error = fails(&mut client(), &url(&folder.path().join(name)));
        assert!(matches!(error.kind(), ErrorKind::Local(_)), "{error}");
    }
}

#[test]
fn metadata_without_the_body() {
    let folder = Folder::new("attributes");
    let path = folder.write("picture", b"\x89PNG\r\n\x1a\n....");
    let attributes = |text: &str| {
        fetch_with(&mut client(), text, |request| {
            request.wanted(Wanted::Metadata)
        })
        .unwrap()
    };
    let (response, buffer) = attributes(&url(&path));
    assert!(buffer.bytes.is_empty());
    assert_eq!(
        (
            response.metadata.size,
            response.metadata.media_type.as_deref()
        ),
        (Some(12), Some("image/png"))
    );
    assert!(response.metadata.modified.is_some());
    assert_eq!(response.metadata.attributes[0].0, "permissions");
    let (response, buffer) = attributes(&url(folder.path()));
    assert!(response.metadata.is_listing && buffer.entries.is_empty());
    // A FIFO is not opened.
    let (response, _) = attributes("file:///dev/null");
    assert_eq!(
        response.metadata.attributes[0],
        ("kind".to_owned(), "character-device".to_owned())
    );
    let request = Request::new(Standard::Rfc3986.parse("file:///etc/motd").unwrap());
    let planned = client()
        .plan(&request.wanted(Wanted::Metadata))
        .unwrap()
        .to_string();
    assert_eq!(
        planned,
        "then     opens \"/etc/motd\"\nthen     reads its attributes\n"
    );
}

#[test]
fn special_files_are_refused_without_waiting() {
    let folder = Folder::new("special");
    let fifo = folder.path().join("fifo");
    assert!(
        Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success()
    );
    let socket = folder.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let to_fifo = folder.path().join("link");
    std::os::unix::fs::symlink(&fifo, &to_fifo).unwrap();
    let devices = ["/dev/zero", "/dev/null", "/dev/tty"].map(PathBuf::from);
    for path in [fifo, socket, to_fifo].into_iter().chain(devices) {
        if !path.exists() {
            continue;
        }
        let error = fails(&mut client(), &url(&path));
        assert!(
            matches!(error.kind(), ErrorKind::Unsupported(_)),
            "{path:?}: {error}"
        );
        assert!(error.to_string().starts_with("opening "), "{error}");
    }
}

#[test]
fn a_transfer_is_resumed() {
    let folder = Folder::new("resume");
    let content: Vec<u8> = (0..=255).cycle().take(200_000).collect();
    let path = folder.write("large", &content);
    for from in [1_usize, 65_536, 199_999, 200_000] {
        let reference = url(&path);
        let parsed = Standard::Rfc3986.parse(&reference).unwrap();
        let mut buffer = urikit_access::Buffer::default();
        let request = Request::new(parsed).resume(from as u64);
        let response = client()
            .fetch(&request, &mut NoPrompt, &mut buffer)
            .unwrap();
        assert_eq!(buffer.bytes, content[from..], "{from}");
        assert_eq!(
            (response.received, response.metadata.offset),
            (200_000, from as u64)
        );
        let planned = client().plan(&request).unwrap().to_string();
        assert!(
            planned.ends_with(&format!("then     reads it from byte \"{from}\"\n")),
            "{planned}"
        );
    }
    let error = fetch_with(&mut client(), &url(&path), |request| {
        request.resume(200_001)
    })
    .unwrap_err();
    let expected = matches!(
        error.kind(),
        ErrorKind::EndedEarly {
            expected: Some(200_001),
            received: 200_000
        }
    );
    assert!(expected, "{error}");
    let error = fetch_with(&mut client(), &url(folder.path()), |request| {
        request.resume(1)
    })
    .unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::CannotResume), "{error}");
}

/// Modifies the file when its first bytes are received.
struct OnFirstBytes<F>(Option<F>, u64);

impl<F: FnOnce()> Sink for OnFirstBytes<F> {
    fn begin(&mut self, _: &Metadata) -> io::Result<()> {
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.1 += bytes.len() as u64;
        if let Some(change) = self.0.take() {
            change();
        }
        Ok(())
    }

    fn entry(&mut self, _: &Entry) -> io::Result<()> {
        Ok(())
    }
}

/// A file that is truncated or replaced while it is read is an error.
#[test]
fn a_file_that_changes_while_it_is_read_is_an_error() {
    let folder = Folder::new("changes");
    let path = folder.path().join("log");
    let open = || OpenOptions::new().write(true).open(&path).unwrap();
    let shrinks = || open().set_len(100_000).unwrap();
    let is_emptied = || open().set_len(0).unwrap();
    let grows = || {
        OpenOptions::new()
            .append(true)
            .open(&path)
            .unwrap()
            .write_all(b"more")
            .unwrap();
    };
    let is_overwritten = || {
        std::thread::sleep(Duration::from_millis(20)); // timestamps of file systems are coarse
        open().write_all(b"other").unwrap();
    };
    let changes: [&dyn Fn(); 4] = [&shrinks, &is_emptied, &grows, &is_overwritten];
    for (number, change) in changes.into_iter().enumerate() {
        for size in [200_000, 1000] {
            std::fs::write(&path, vec![b'a'; size]).unwrap();
            let text = url(&path);
            let request = Request::new(Standard::Rfc3986.parse(&text).unwrap());
            let mut sink = OnFirstBytes(Some(change), 0);
            let error = client()
                .fetch(&request, &mut NoPrompt, &mut sink)
                .unwrap_err();
            assert!(sink.0.is_none(), "{number}");
            assert!(
                error.to_string().starts_with("reading "),
                "{number}: {error}"
            );
            assert!(
                matches!(
                    error.kind(),
                    ErrorKind::Local(_) | ErrorKind::TooManyBytes { .. }
                ),
                "{number}: {error}"
            );
        }
    }
}

/// Generated files, whose reported size is 0.
#[test]
fn files_of_unknown_size_are_read_completely() {
    let (response, buffer) = fetch(&mut client(), "file:///proc/self/status").unwrap();
    assert!(buffer.bytes.starts_with(b"Name:"), "{response:?}");
    assert_eq!(response.metadata.size, Some(buffer.bytes.len() as u64));
    let folder = Folder::new("empty");
    let (response, buffer) = fetch(&mut client(), &url(&folder.write("empty", ""))).unwrap();
    assert_eq!((response.metadata.size, buffer.bytes.len()), (Some(0), 0));
}

#[test]
fn length_and_time_are_limited() {
    let folder = Folder::new("limits");
    let path = folder.write("large", vec![b'a'; 200_000]);
    let error = fails(&mut Client::new(policy().max_bytes(199_999)), &url(&path));
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::Bytes { .. })),
        "{error}"
    );
    let error = fails(
        &mut Client::new(policy().total_timeout(Duration::ZERO)),
        &url(&path),
    );
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
}

/// RFC 1738 allows empty segments, which the file system ignores.
#[test]
fn rfc_1738_allows_empty_segments() {
    let folder = Folder::new("empty-segments");
    folder.write("motd", "here");
    let text = url(folder.path()).replacen("///", "////", 1);
    let reference = Standard::Rfc1738.parse(&text).unwrap();
    let mut buffer = urikit_access::Buffer::default();
    client()
        .fetch(&Request::new(reference), &mut NoPrompt, &mut buffer)
        .unwrap();
    assert_eq!(
        buffer.entries[0].reference.as_deref(),
        Some(url(&folder.path().join("motd")).as_str())
    );
}
