//! Finding messages and parts in local mail.

use crate::support::{client, fails, fetch, fetch_with, memory, plan, policy};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};
use urikit::Standard;
use urikit_access::listing::Entry;
use urikit_access::policy::Refusal;
use urikit_access::protocol::MailProtocol;
use urikit_access::{Class, Client, ErrorKind, Event, Metadata, NoPrompt, Request, Sink, Wanted};
use urikit_testkit::rows::messages;
use urikit_testkit::servers::Folder;

/// A message with all kinds of parts, like the examples of RFC 2392.
pub(super) const PARTS: &str = "\
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

pub(super) fn with(paths: &[&Path]) -> Client {
    let mail = paths.iter().fold(MailProtocol::new(), MailProtocol::store);
    client().protocol(mail)
}

pub(super) fn get(client: &mut Client, url: &str) -> String {
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
            matches!(error.kind(), ErrorKind::NotInMailbox { .. }),
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
            matches!(error.kind(), ErrorKind::NotInMailbox { .. }),
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
    // This header is almost 1 MiB long.
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
                    ErrorKind::NotInMailbox { .. } => outcomes[2] += 1,
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
        // Later messages are still searched, and the message itself can still be found.
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
        matches!(error.kind(), ErrorKind::NotInMailbox { .. }),
        "{error}"
    );
    assert_eq!(get(&mut client, "mid:c@b.example"), next);
    let mut few = Client::new(policy().max_bytes(10)).protocol(MailProtocol::new().store(&path));
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
        &mut Client::new(quick).protocol(MailProtocol::new().store(path)),
        "mid:a@b.example",
    );
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
}

/// Counts bytes, and stores nothing.
pub(super) struct Counter(pub(super) u64);

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
    // The first half consists of small messages, and the second half is a large part on a single
    // line.
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
    let client = Client::new(patient).protocol(MailProtocol::new().store(&path));
    let (fetched, memory) = memory(|| client.fetch(&request, &mut NoPrompt, &mut counts));
    fetched.unwrap();
    assert_eq!(counts.0, (MIB as u64 / 2) * (3 << 18));
    println!("{MIB} MiB in {:?}, {memory} bytes", begin.elapsed());
    assert!(memory < 2 << 20, "{memory} bytes");
}
