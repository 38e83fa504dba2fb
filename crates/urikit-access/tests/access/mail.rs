//! Messages and parts in local mail.

use crate::support::{client, fails, fetch, fetch_with, memory, plan, policy};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};
use urikit::Standard;
use urikit_access::listing::Entry;
use urikit_access::policy::Refusal;
use urikit_access::protocol::Mail;
use urikit_access::{Class, Client, ErrorKind, Event, Metadata, NoPrompt, Request, Sink, Wanted};
use urikit_testkit::rows_mime::messages;
use urikit_testkit::servers::Folder;

/// A message with all kinds of parts, like the examples of RFC 2392.
const PARTS: &str = "\
From: foo1@bar.net\r
Date: Fri, 30 Aug 1996 16:39:00 +0000\r
Message-ID: <960830.1639@XIson.com>\r
Content-Type: multipart/mixed;\r
 boundary=\"outer\"\r
\r
preamble\r
--outer\r
Content-ID: <partA.960830.1639@XIson.com>\r
\r
plain, and a line\r
--outerX is none\r
--outer\r
Content-Type: multipart/related; boundary=outer-2\r
Content-ID: <both@x.example>\r
\r
--outer-2\r
Content-Type: image/png\r
Content-Transfer-Encoding: base64\r
Content-ID: <foo4%25foo1@bar.net>\r
\r
iVBORw0K\r
Ggo=\r
--outer-2\r
Content-Type: text/plain; charset=iso-8859-1\r
Content-Transfer-Encoding: quoted-printable\r
Content-ID: <qp@x.example>\r
\r
caf=E9 =\r
au lait  \r
\r
--outer-2--\r
epilogue\r
--outer\r
Content-Type: message/rfc822\r
Content-ID: <forwarded@x.example>\r
\r
Message-ID: <inner@x.example>\r
Content-Type: multipart/mixed; boundary=inner\r
\r
--inner\r
Content-ID: <deep@x.example>\r
\r
deep\r
--inner--\r
--outer\r
Content-ID: <empty@x.example>\r
--outer--\r
";

fn with(paths: &[&Path]) -> Client {
    let mail = paths.iter().fold(Mail::new(), Mail::store);
    client().protocol(mail)
}

fn get(client: &mut Client, url: &str) -> String {
    let (_, buffer) = fetch(client, url).unwrap_or_else(|error| panic!("{url}: {error}"));
    buffer
        .bytes
        .iter()
        .map(|octet| char::from(*octet))
        .collect()
}

#[test]
fn parts_of_one_message() {
    let folder = Folder::new("mail");
    let path = folder.write("message.eml", PARTS);
    let mut client = with(&[&path]);
    let forwarded = "Message-ID: <inner@x.example>\r\nContent-Type: multipart/mixed; \
                     boundary=inner\r\n\r\n\
                     --inner\r\nContent-ID: <deep@x.example>\r\n\r\ndeep\r\n--inner--";
    for (id, expected) in [
        (
            "partA.960830.1639@XIson.com",
            "plain, and a line\r\n--outerX is none",
        ),
        ("foo4%2525foo1@bar.net", "\u{89}PNG\r\n\u{1a}\n"),
        ("qp@x.example", "caf\u{e9} au lait\r\n"),
        ("deep@x.example", "deep"),
        ("forwarded@x.example", forwarded),
        ("empty@x.example", ""),
    ] {
        assert_eq!(get(&mut client, &format!("cid:{id}")), expected, "{id}");
        let url = format!("mid:960830.1639@XIson.com/{id}");
        assert_eq!(get(&mut client, &url), expected, "{url}");
        // Parts of other messages do not match.
        let error = fails(&mut client, &format!("mid:inner@x.example/{id}"));
        assert!(
            matches!(error.kind(), ErrorKind::NotFound { .. }),
            "{error}"
        );
    }
    assert!(get(&mut client, "cid:both@x.example").starts_with("--outer-2\r\n"));
    assert_eq!(get(&mut client, "mid:960830.1639@XIson.com"), PARTS);
    let types = |url: &str| {
        fetch(&mut with(&[&path]), url)
            .unwrap()
            .0
            .metadata
            .media_type
            .unwrap()
    };
    assert_eq!(types("cid:foo4%2525foo1@bar.net"), "image/png");
    assert_eq!(types("cid:qp@x.example"), "text/plain; charset=iso-8859-1");
    assert_eq!(types("cid:deep@x.example"), "text/plain; charset=us-ascii");
    assert_eq!(types("mid:960830.1639@XIson.com"), "message/rfc822");
    // Identifiers are case-sensitive.
    let error = fails(&mut client, "cid:QP@x.example");
    let expected = format!("not found in 1 messages of {}", path.display());
    assert_eq!(error.to_string(), expected);
    assert_eq!(error.class(), Class::Failed);
}

#[test]
fn parts_as_extraction_finds_them() {
    let folder = Folder::new("mail");
    for message in messages() {
        let path = folder.write("message.eml", &message.text);
        for (id, expected) in &message.parts {
            let found = get(&mut with(&[&path]), &format!("cid:{id}"));
            assert_eq!(&found, expected, "{}", message.origin);
        }
        let error = fails(&mut with(&[&path]), "cid:no@x.example");
        assert!(
            matches!(error.kind(), ErrorKind::NotFound { .. }),
            "{}: {error}",
            message.origin
        );
    }
}

#[test]
fn parameters_are_limited() {
    let folder = Folder::new("mail");
    let with_parameters = |count: usize| {
        format!(
            "Message-ID: <a@b.example>\nContent-Type: multipart/mixed{}; boundary=b\n\n\
             --b\nContent-ID: <c@b.example>\n\nx\n--b--\n",
            "; a*1=b".repeat(count)
        )
    };
    let few = folder.write("few", with_parameters(255));
    assert_eq!(get(&mut with(&[&few]), "cid:c@b.example"), "x");
    // A header of almost a mebibyte.
    let many = folder.write("many", with_parameters(140_000));
    let begin = Instant::now();
    let error = fails(&mut with(&[&many]), "cid:c@b.example");
    assert!(begin.elapsed() < Duration::from_secs(5));
    let is_note =
        |event: &&Event| matches!(event, Event::Note(text) if text.contains("parameters"));
    assert_eq!(error.events().iter().filter(is_note).count(), 1);
    assert!(get(&mut with(&[&many]), "mid:a@b.example").contains("boundary"));
}

#[test]
fn attributes() {
    let folder = Folder::new("mail");
    let path = folder.write("message.eml", PARTS);
    let url = "mid:960830.1639@XIson.com";
    let (response, buffer) =
        fetch_with(&mut with(&[&path]), url, |it| it.wanted(Wanted::Metadata)).unwrap();
    assert!(buffer.bytes.is_empty());
    assert_eq!(
        response.metadata.modified.unwrap().to_string(),
        "1996-08-30T16:39:00Z"
    );
    assert_eq!(
        response.metadata.attributes[0],
        ("From".to_owned(), "foo1@bar.net".to_owned())
    );
    let (response, buffer) = fetch_with(&mut with(&[&path]), "cid:qp@x.example", |it| {
        it.wanted(Wanted::Metadata)
    })
    .unwrap();
    assert!(buffer.bytes.is_empty());
    assert_eq!(response.metadata.attributes[1].1, "quoted-printable");
    let planned = plan(&with(&[&path]), url).unwrap().to_string();
    assert!(
        planned.contains(&format!("then     searches \"{}\"\n", path.display())),
        "{planned}"
    );
}

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
        // MH: folders with numbered messages, and folders in them.
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
    // The first by number counts, and not the first by name.
    for (number, text) in [("9", "nine"), ("80", "eighty")] {
        folder.write(
            &format!("mh/inbox/{number}"),
            format!("Message-ID: <x@x.example>\n\n{text}\n"),
        );
    }
    assert!(get(&mut with(&[&mh]), "mid:x@x.example").ends_with("nine\n"));
    // A folder that leads back to itself is not followed.
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
    // What cannot be read is reported.
    for name in ["4", "5"] {
        folder.write(&format!("dir/cur/{name}"), b"BZh91AY&SY\x00");
    }
    let error = fails(&mut with(&[&dir]), "mid:none@x.example");
    let notes: Vec<_> = error.events().iter().map(ToString::to_string).collect();
    let is_note = |note: &&String| note.contains("bzip2") && note.ends_with("and 1 more like it");
    assert_eq!(notes.iter().filter(is_note).count(), 1, "{notes:?}");
    // A compressed mailbox is one too.
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
    // A damaged one is an error, and a small file that expands to any length has an end.
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
    let unlimited = Client::new(policy().max_bytes(u64::MAX));
    let outcome = unlimited.protocol(Mail::new().store(&bomb)).fetch(
        &Request::new(reference),
        &mut NoPrompt,
        &mut count,
    );
    let error = outcome.unwrap_err();
    assert!(
        error.to_string().contains("longer than a gibibyte"),
        "{error}"
    );
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
    // Empty, and not mail.
    let empty = folder.write("empty", "");
    let binary = folder.write("binary", [0xFF, 0, b'\n', b'\n', 0xFE].repeat(10_000));
    let error = fails(&mut with(&[&empty, &binary]), "cid:a@b.example");
    assert!(
        matches!(error.kind(), ErrorKind::NotFound { .. }),
        "{error}"
    );
}

/// A part that ends early is an error.
#[test]
fn truncated_parts() {
    let folder = Folder::new("mail");
    for url in [
        "cid:partA.960830.1639@XIson.com",
        "cid:deep@x.example",
        "cid:qp@x.example",
        "cid:forwarded@x.example",
    ] {
        let (_, whole) = fetch(&mut with(&[&folder.write("whole", PARTS)]), url).unwrap();
        let mut outcomes = [0; 3];
        for end in 0..PARTS.len() {
            let path = folder.write("cut", &PARTS[..end]);
            match fetch(&mut with(&[&path]), url) {
                Ok((_, buffer)) => {
                    assert_eq!(buffer.bytes, whole.bytes, "{url} cut at {end}");
                    outcomes[0] += 1;
                }
                Err(error) => match error.kind() {
                    ErrorKind::EndedEarly { .. } => outcomes[1] += 1,
                    ErrorKind::NotFound { .. } => outcomes[2] += 1,
                    _ => panic!("{url} cut at {end}: {error}"),
                },
            }
        }
        assert!(
            outcomes.iter().all(|count| *count > 0),
            "{url}: {outcomes:?}"
        );
    }
}

/// The depth of nesting is limited.
#[test]
fn parts_nested_too_deeply_are_not_searched() {
    let folder = Folder::new("mail");
    let nested = |depth: usize, is_message: bool| {
        let mut text = "Message-ID: <a@b.example>\r\n".to_owned();
        for level in 0..depth {
            if is_message {
                text += "Content-Type: message/rfc822\r\n\r\n";
            } else {
                let kind = "Content-Type: multipart/mixed; boundary";
                let _ = write!(text, "{kind}=b{level}z\r\n\r\n--b{level}z\r\n");
            }
        }
        text += "Content-ID: <c@b.example>\r\n\r\nhere";
        for level in (0..depth).rev().filter(|_| !is_message) {
            let _ = write!(text, "\r\n--b{level}z--\r\n");
        }
        text
    };
    for is_message in [false, true] {
        let deep = folder.write("deep", nested(32, is_message));
        assert_eq!(get(&mut with(&[&deep]), "cid:c@b.example"), "here");
        let deeper = folder.write("deeper", nested(33, is_message));
        let error = fails(&mut with(&[&deeper]), "cid:c@b.example");
        assert!(
            matches!(error.kind(), ErrorKind::Refused(Refusal::Depth { max: 32 })),
            "{error}"
        );
        // Later messages are still searched, and so is the message itself.
        assert_eq!(get(&mut with(&[&deeper, &deep]), "cid:c@b.example"), "here");
        assert!(get(&mut with(&[&deeper]), "mid:a@b.example").contains("Content-ID"));
        // Time does not depend on the depth.
        let begin = Instant::now();
        let deepest = folder.write("deepest", nested(100_000, is_message));
        let error = fails(&mut with(&[&deepest]), "cid:c@b.example");
        assert!(matches!(error.kind(), ErrorKind::Refused(_)), "{error}");
        assert!(begin.elapsed() < Duration::from_secs(5));
    }
}

/// Lengths are limited.
#[test]
fn headers_and_bodies_are_limited() {
    let folder = Folder::new("mail");
    let long = format!(
        "X: {}\nMessage-ID: <a@b.example>\n\nx\n",
        "y".repeat(2 << 20)
    );
    let next = "Message-ID: <c@b.example>\n\nx\n";
    let path = folder.write(
        "mbox",
        format!("From a Fri Aug 30 16:39:00 1996\n{long}\nFrom b Fri Aug 30 16:39:00 1996\n{next}"),
    );
    let mut client = with(&[&path]);
    let error = fails(&mut client, "mid:a@b.example");
    assert!(
        matches!(error.kind(), ErrorKind::NotFound { .. }),
        "{error}"
    );
    assert_eq!(get(&mut client, "mid:c@b.example"), next);
    let mut few = Client::new(policy().max_bytes(10)).protocol(Mail::new().store(&path));
    let error = fails(&mut few, "mid:c@b.example");
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::Bytes { max: 10 })),
        "{error}"
    );
    // A large mailbox exceeds the time limit.
    let mut text = String::from("From a Fri Aug 30 16:39:00 1996\n\n");
    text.push_str(&"From b Fri Aug 30 16:39:00 1996\n\n\n".repeat(500_000));
    let path = folder.write("many", text);
    let quick = policy().total_timeout(Duration::from_millis(1));
    let error = fails(
        &mut Client::new(quick).protocol(Mail::new().store(path)),
        "mid:a@b.example",
    );
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
}

/// Counts bytes, and stores nothing.
struct Counter(u64);

impl Sink for Counter {
    fn begin(&mut self, _: &Metadata) -> io::Result<()> {
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0 += bytes.len() as u64;
        Ok(())
    }

    fn entry(&mut self, _: &Entry) -> io::Result<()> {
        Ok(())
    }
}

/// A mailbox may be larger than memory.
#[test]
fn a_large_mailbox_is_not_kept_in_memory() {
    const MIB: usize = 256;
    let folder = Folder::new("mail");
    let path = folder.path().join("mbox");
    let mut file = io::BufWriter::new(File::create(&path).unwrap());
    // Half of it small messages, and then a large part on a single line.
    let small = format!(
        "From a Fri Aug 30 16:39:00 1996\nMessage-ID: <no@b.example>\nSubject: x\n\n{}\n",
        "line of a text\n".repeat(200)
    );
    for _ in 0..(MIB << 19) / small.len() {
        file.write_all(small.as_bytes()).unwrap();
    }
    file.write_all(
        b"From b Fri Aug 30 16:39:00 1996\nContent-Type: multipart/mixed; boundary=z\n\n--z\nContent-ID: <a@b.example>\n",
    )
    .unwrap();
    file.write_all(b"Content-Transfer-Encoding: base64\n\n")
        .unwrap();
    for _ in 0..MIB / 2 {
        file.write_all("AAAA".repeat(1 << 18).as_bytes()).unwrap();
    }
    file.write_all(b"\n--z--\n").unwrap();
    file.flush().unwrap();
    let begin = Instant::now();
    let patient = policy().total_timeout(Duration::from_secs(300));
    let mut counts = Counter(0);
    let request = Request::new(Standard::Rfc3986.parse("cid:a@b.example").unwrap());
    let mut client = Client::new(patient).protocol(Mail::new().store(&path));
    let (fetched, memory) = memory(|| client.fetch(&request, &mut NoPrompt, &mut counts));
    fetched.unwrap();
    assert_eq!(counts.0, (MIB as u64 / 2) * (3 << 18));
    println!("{MIB} MiB in {:?}, {memory} bytes", begin.elapsed());
    assert!(memory < 2 << 20, "{memory} bytes");
}
