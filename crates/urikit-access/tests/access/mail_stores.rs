//! Stores of local mail: each kind, nested, compressed and invalid.

use super::mail::{Counter, get, with};
use crate::support::{client, fails, policy};
use std::io::Write as _;
use std::time::Duration;
use urikit::Standard;
use urikit_access::protocol::MailProtocol;
use urikit_access::{Class, Client, ErrorKind, NoPrompt, Request};
use urikit_testkit::servers::Folder;

#[test]
fn stores_of_all_kinds_are_searched_in_order() {
    let folder = Folder::new("mail");
    let message = |id: &str, text: &str| {
        format!("Message-ID: <{id}@x.example>\nContent-ID: <c{id}@x.example>\n\n{text}\n")
    };
    let mailbox = format!(
        "From a Fri Aug 30 16:39:00 1996\n{}\nFrom b Fri Aug 30 16:39:00 1996\n{}\n",
        message("one", ">From here\n>>From there\nFrom nowhere"),
        message("two", "first"),
    );
    let mailbox = folder.write("mbox", mailbox);
    folder.write("dir/cur/1:2,S", message("three", "3"));
    folder.write("dir/new/2", message("four", "4"));
    folder.write("dir/tmp/3", message("unfinished", "5"));
    folder.write("dir/cur/sub/4", message("no", "6"));
    let single = folder.write("single", message("two", "second"));
    let dir = folder.path().join("dir");
    let mut client = with(&[&mailbox, &dir, &single]);
    let body = |client: &mut Client, id: &str| {
        let text = get(client, &format!("mid:{id}@x.example"));
        text.split_once("\n\n").unwrap().1.to_owned()
    };
    assert_eq!(
        body(&mut client, "one"),
        "From here\n>From there\nFrom nowhere\n"
    );
    assert_eq!(body(&mut client, "two"), "first\n");
    assert_eq!(body(&mut with(&[&single, &mailbox]), "two"), "second\n");
    assert_eq!(body(&mut client, "three"), "3\n");
    assert_eq!(body(&mut client, "four"), "4\n");
    assert_eq!(
        get(&mut client, "cid:cone@x.example"),
        "From here\n>From there\nFrom nowhere\n"
    );
    for id in ["unfinished", "no"] {
        let error = fails(&mut client, &format!("mid:{id}@x.example"));
        assert!(error.to_string().contains("5 messages of"), "{error}");
    }
}

#[test]
fn folders_in_folders() {
    let folder = Folder::new("mail");
    let message = |id: &str| format!("Message-ID: <{id}@x.example>\n\n{id}\n");
    // Maildir++: the inbox, and folders with names that begin with a dot.
    for (name, id) in [
        ("mail/cur/1", "inbox"),
        ("mail/.Sent/new/1", "sent"),
        ("mail/.Archive.1998/cur/1", "archived"),
        ("mail/sub/cur/1", "none"),
        ("mail/.Sent/.deeper/cur/1", "deeper"),
        // MH: folders with numbered messages, and subfolders.
        ("mh/inbox/1", "first"),
        ("mh/inbox/10", "tenth"),
        ("mh/inbox/lists/uri/2", "nested"),
        ("mh/inbox/,3", "removed"),
        ("mh/inbox/04", "other"),
        ("mh/inbox/draft", "draft"),
    ] {
        folder.write(name, message(id));
    }
    let (mail, mh) = (folder.path().join("mail"), folder.path().join("mh"));
    let mut client = with(&[&mail, &mh]);
    for id in ["inbox", "sent", "archived", "first", "tenth", "nested"] {
        assert!(get(&mut client, &format!("mid:{id}@x.example")).ends_with(&format!("{id}\n")));
    }
    for id in ["none", "deeper", "removed", "other", "draft"] {
        let error = fails(&mut client, &format!("mid:{id}@x.example"));
        assert!(error.to_string().contains("6 messages of"), "{id}: {error}");
    }
    // Messages are searched in the order of their numbers, not of their names.
    for (number, text) in [("9", "nine"), ("80", "eighty")] {
        folder.write(
            &format!("mh/inbox/{number}"),
            format!("Message-ID: <x@x.example>\n\n{text}\n"),
        );
    }
    assert!(get(&mut with(&[&mh]), "mid:x@x.example").ends_with("nine\n"));
    // A symbolic link that makes a folder contain itself is not followed.
    std::os::unix::fs::symlink(&mh, folder.path().join("mh/inbox/loop")).unwrap();
    fails(&mut with(&[&mh]), "mid:none@x.example");
}

#[test]
fn compressed_messages() {
    let folder = Folder::new("mail");
    let message = |id: &str| format!("Message-ID: <{id}@x.example>\n\n{id}\n");
    let gzip = |text: &[u8]| {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(text).unwrap();
        out.finish().unwrap()
    };
    folder.write("dir/cur/1:2,SZ", gzip(message("gzip").as_bytes()));
    folder.write(
        "dir/cur/2:2,S",
        zstd::encode_all(message("zstd").as_bytes(), 1).unwrap(),
    );
    folder.write("dir/cur/3:2,S", message("plain"));
    let dir = folder.path().join("dir");
    for id in ["gzip", "zstd", "plain"] {
        let found = get(&mut with(&[&dir]), &format!("mid:{id}@x.example"));
        assert_eq!(found, message(id));
    }
    // Unreadable messages are reported.
    for name in ["4", "5"] {
        folder.write(&format!("dir/cur/{name}"), b"BZh91AY&SY\x00");
    }
    let error = fails(&mut with(&[&dir]), "mid:none@x.example");
    let notes: Vec<_> = error.events().iter().map(ToString::to_string).collect();
    let is_note = |note: &&String| note.contains("bzip2") && note.ends_with("and 1 more like it");
    assert_eq!(notes.iter().filter(is_note).count(), 1, "{notes:?}");
    // If nothing was found, the error also states how many files were not searched.
    folder.write("dir/new/6", b"\xFD7zXZ\x00\x00");
    let error = fails(&mut with(&[&dir]), "mid:none@x.example");
    let shown = error.to_string();
    assert!(
        shown.ends_with(
            "; not searched: 2 files, compressed with bzip2, which is not supported; 1 file, \
             compressed with xz, which is not supported"
        ),
        "{shown}"
    );
    assert!(shown.contains("3 messages of"), "{shown}");
    // A compressed mailbox is searched too.
    let mailbox = format!(
        "From a{D}{}\nFrom b{D}{}",
        message("one"),
        message("two"),
        D = " Fri Aug 30 16:39:00 1996\n"
    );
    let mailbox = folder.write("mbox.gz", gzip(mailbox.as_bytes()));
    assert_eq!(
        get(&mut with(&[&mailbox]), "mid:two@x.example"),
        message("two")
    );
    // A damaged file is an error, and the expansion of a small file is limited.
    let mut damaged = gzip(message("damaged").as_bytes());
    damaged.truncate(20);
    let damaged = folder.write("damaged", damaged);
    assert_eq!(
        fails(&mut with(&[&damaged]), "mid:none@x.example").class(),
        Class::Local
    );
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    bomb.write_all(b"Message-ID: <bomb@x.example>\n\n").unwrap();
    let zeros = vec![b'x'; 1 << 20];
    for _ in 0..1025 {
        bomb.write_all(&zeros).unwrap();
    }
    let bomb = folder.write("bomb", bomb.finish().unwrap());
    let mut count = Counter(0);
    let reference = Standard::Rfc3986.parse("mid:bomb@x.example").unwrap();
    let unlimited = policy()
        .max_bytes(u64::MAX)
        .total_timeout(Duration::from_secs(60));
    let unlimited = Client::new(unlimited);
    let outcome = unlimited.protocol(MailProtocol::new().store(&bomb)).fetch(
        &Request::new(reference),
        &mut NoPrompt,
        &mut count,
    );
    let error = outcome.unwrap_err();
    assert!(error.to_string().contains("longer than 1 GiB"), "{error}");
    assert!(count.0 <= 1 << 30);
}

#[test]
fn invalid_stores() {
    let folder = Folder::new("mail");
    let error = fails(&mut client(), "mid:a@b.example");
    assert_eq!(error.to_string(), "no mailbox is configured");
    let nowhere = folder.path().join("nowhere");
    let error = fails(&mut with(&[&nowhere]), "mid:a@b.example");
    assert_eq!(error.class(), Class::Local, "{error}");
    assert!(error.to_string().contains("nowhere"), "{error}");
    let error = fails(&mut with(&[folder.path()]), "mid:a@b.example");
    assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{error}");
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let error = fails(&mut with(&[&pipe]), "mid:a@b.example");
    assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{error}");
    // A FIFO in a Maildir is not opened.
    folder.write("dir/cur/1", "Message-ID: <a@b.example>\n\nx\n");
    std::fs::rename(&pipe, folder.path().join("dir/cur/0")).unwrap();
    assert!(get(&mut with(&[&folder.path().join("dir")]), "mid:a@b.example").ends_with("x\n"));
    // An empty file and a binary file contain no message with this identifier.
    let empty = folder.write("empty", "");
    let binary = folder.write("binary", [0xFF, 0, b'\n', b'\n', 0xFE].repeat(10_000));
    let error = fails(&mut with(&[&empty, &binary]), "cid:a@b.example");
    assert!(
        matches!(error.kind(), ErrorKind::NotInMailbox { .. }),
        "{error}"
    );
}
