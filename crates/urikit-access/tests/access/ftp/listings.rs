//! Listings with each command, and names with special characters.

use super::replies::url;
use super::{entries, fake, fetch_as_planned, with};
use crate::support::{client, fails, fetch};
use urikit_access::ErrorKind;
use urikit_access::protocol::FtpProtocol;

/// The client tries `MLSD`, `LIST` and `NLST` in this order; without details, it tries `NLST` and
/// then `LIST`.
#[test]
fn listings_by_each_command() {
    for (refused, details, found, asked) in [
        (
            &[][..],
            true,
            &["directory b /d/b/", "file a 5 /d/a"][..],
            "MLSD",
        ),
        (&["FEAT"], true, &["file a 5 /d/a"], "LIST"),
        (&["MLSD"], true, &["file a 5 /d/a"], "LIST"),
        (
            &["FEAT", "LIST"],
            true,
            &["other a /d/a", "other b /d/b"],
            "NLST",
        ),
        (&[], false, &["other a /d/a", "other b /d/b"], "NLST"),
        (&["NLST"], false, &["file a 5 /d/a"], "LIST"),
    ] {
        for path in ["/d/", "/d;type=d"] {
            let server = fake::start(move |control, line| {
                let is_it = refused.contains(&line.split(' ').next().unwrap());
                if is_it {
                    control.say("550 No files found");
                }
                is_it
            });
            let mut client = with(FtpProtocol::new().details(details));
            let (response, buffer) = fetch_as_planned(&mut client, &url(&server, path));
            assert!(response.metadata.is_listing);
            assert_eq!(entries(&buffer), found, "{refused:?}");
            let log = server.log();
            let transfer = |line: &&String| {
                let command = line.split(' ').next().unwrap();
                ["MLSD", "LIST", "NLST"].contains(&command) && !refused.contains(&command)
            };
            let transfers: Vec<&String> = log.iter().filter(transfer).collect();
            assert_eq!(transfers.len(), 1, "one data connection: {log:?}");
            assert!(transfers[0].starts_with(asked), "{log:?}");
        }
    }
    let server = fake::start(|control, line| {
        let is_it = ["NLST", "LIST", "FEAT"].contains(&line.split(' ').next().unwrap());
        if is_it {
            control.say("550 no");
        }
        is_it
    });
    for details in [true, false] {
        let error = fails(
            &mut with(FtpProtocol::new().details(details)),
            &url(&server, "/"),
        );
        let text = error.to_string();
        let begin = "listing: not found on the server; sent \"";
        assert!(text.starts_with(begin), "{text}");
    }
}

/// Lines of `LIST` in each known format, and in unknown ones.
#[test]
fn forms_of_list() {
    let listed = |lines: &'static str| {
        let server = fake::start(move |control, line| {
            match line {
                "FEAT" => control.say("500 what?"),
                "LIST" => control.transfer(lines.as_bytes()),
                _ => return false,
            }
            true
        });
        let (_, buffer) = fetch_as_planned(&mut client(), &url(&server, "/d/"));
        entries(&buffer)
    };
    let unix = "total 3\r\ndrwxr-xr-x 2 a b 1 Jan 01 2020 .\r\ndrwxr-xr-x 2 a b 1 Jan 01 2020 s\r\n\
                lrwxrwxrwx 1 a b 1 Jan 01 2020 l -> s\r\n-rw-r--r-- 1 a b 7 Jan 01 2020 x y\r\n";
    assert_eq!(
        listed(unix),
        ["directory s /d/s/", "file x y 7 /d/x%20y", "link l /d/l"]
    );
    let windows = "11-21-25  06:30PM       <DIR>          s\r\n\
                   11-21-25  06:30PM                    7 x y\r\n";
    assert_eq!(
        listed(windows),
        ["directory s /d/s/", "file x y 7 /d/x%20y"]
    );
    assert_eq!(
        listed("+i1,m825718503,r,s280,\tdjb.html\r\n"),
        ["file djb.html 280 /d/djb.html"]
    );
    // The entries are the names that `NLST` returns.
    assert_eq!(listed("what is this\r\n"), ["other a /d/a", "other b /d/b"]);
    // A line in an unknown format is not lost if it follows a line in a known format.
    let some = "-rw-r--r-- 1 a b 7 Jan 01 2020 x\r\nwhat is this\r\n";
    assert_eq!(
        listed(some),
        ["file x 7 /d/x", "text what is this /nowhere"]
    );
    assert_eq!(listed(""), Vec::<String>::new());
}

/// A URL does not say whether a name is that of a file (RFC 1738, 3.2.3). If the file cannot be
/// retrieved, the name may be that of a directory.
#[test]
fn directories_without_a_slash() {
    let server = fake::start(|control, line| {
        let is_it = line.starts_with("RETR") || line.starts_with("SIZE") || line == "CWD none";
        if is_it {
            control.say("550 not a file");
        }
        is_it
    });
    let (response, buffer) = fetch(&mut client(), &url(&server, "/d/e")).unwrap();
    assert!(response.metadata.is_listing);
    assert_eq!(entries(&buffer), ["directory b /d/e/b/", "file a 5 /d/e/a"]);
    for mut client in [client(), with(FtpProtocol::new().details(false))] {
        let error = fails(&mut client, &url(&server, "/d/none"));
        let text = error.to_string();
        assert!(text.starts_with("retrieving the file: "), "{text}");
    }
}

/// The octet 255 is doubled (RFC 959, 4.1). If the server does not find the name, the octet is sent
/// without doubling.
#[test]
fn names_with_the_octet_255() {
    // In the log, each octet 255 is a U+FFFD, which the server counts.
    for undoubles in [true, false] {
        let server = fake::start(move |control, line| {
            let command = line.split(' ').next().unwrap();
            let count = line.matches('\u{FFFD}').count();
            let expected = if undoubles { 2 } else { 1 };
            let is_wrong = count > 0 && count != expected;
            if is_wrong && ["CWD", "SIZE", "MDTM", "RETR"].contains(&command) {
                control.say("550 no such file");
                return true;
            }
            false
        });
        let (_, buffer) = fetch_as_planned(&mut client(), &url(&server, "/d%FF/a%FF"));
        assert_eq!(buffer.bytes, fake::FILE);
        let log = server.log();
        let count = |command: &str| log.iter().filter(|line| line.starts_with(command)).count();
        // The client remembers the spelling that the server accepts.
        let expected = if undoubles { (1, 1, 1) } else { (2, 1, 1) };
        assert_eq!(
            (count("CWD"), count("SIZE"), count("RETR")),
            expected,
            "{log:?}"
        );
        // Without a preceding command for the file, each `RETR` opens its own data connection.
        let mut basic = with(FtpProtocol::new().details(false));
        let (_, buffer) = fetch_as_planned(&mut basic, &url(&server, "/a%FF"));
        assert_eq!(buffer.bytes, fake::FILE);
    }
}

/// The lines of a listing with `NLST`.
#[test]
fn names_alone() {
    let server = fake::start(|control, line| {
        let data = match line.split(' ').next().unwrap() {
            "NLST" => "a\r\nc\r\n.\r\n..\r\n./b/\r\n/x/y\r\n\r\n",
            "MLSD" => {
                "type=file;size=1; z\r\ntype=file;size=7; c\r\nrubbish\r\n\r\ntype=pdir; ..\r\n\
                 ; a\r\n"
            }
            _ => return false,
        };
        control.transfer(data.as_bytes());
        true
    });
    let mut names = with(FtpProtocol::new().details(false));
    let (_, buffer) = fetch_as_planned(&mut names, &url(&server, "/"));
    assert_eq!(
        entries(&buffer),
        [
            "directory b /b/",
            "other /x/y /%2Fx%2Fy",
            "other a /a",
            "other c /c"
        ]
    );
    let (_, buffer) = fetch_as_planned(&mut client(), &url(&server, "/"));
    assert_eq!(
        entries(&buffer),
        ["file c 7 /c", "file z 1 /z", "other a /a"]
    );
    // Names with octets that are not UTF-8, and with control characters.
    let server = fake::start(|control, line| {
        let is_it = line == "NLST";
        if is_it {
            control.transfer(b"gr\xfcn\r\n\x1b[2J\r\n");
        }
        is_it
    });
    let (_, buffer) = fetch_as_planned(&mut names, &url(&server, "/"));
    let references: Vec<_> = buffer
        .entries
        .iter()
        .filter_map(|entry| entry.reference.clone())
        .collect();
    assert_eq!(
        references,
        [url(&server, "/gr%FCn"), url(&server, "/%1B%5B2J")]
    );
    // The URL of the first name has exactly its octets. The second name has no URL.
    fetch_as_planned(&mut client(), &references[0]);
    assert!(matches!(
        fails(&mut client(), &references[1]).kind(),
        ErrorKind::Url(_)
    ));
}
