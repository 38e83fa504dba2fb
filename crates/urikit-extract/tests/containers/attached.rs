//! Archives that are attached to mail, and mail in archives.

use crate::build::{gzip, pdf, tar, warc, zip, zstd};
use crate::{PAGE, extracted, extracted_within};
use std::fmt::Write as _;
use urikit_extract::container::Limits;
use urikit_extract::document::{Extractor, Format};
use urikit_testkit::Random;

/// Returns a message with a link, these attachments (each with its media type and file name), and
/// another link.
fn message(attached: &[(&str, &str, &[u8])]) -> Vec<u8> {
    let mut mail = "From: a@a.example\nContent-Type: multipart/mixed; boundary=b\n\n\
                    --b\n\nhttp://first.example/\n"
        .to_owned();
    for (kind, name, bytes) in attached {
        write!(mail, "--b\nContent-Type: {kind}\n").unwrap();
        if !name.is_empty() {
            writeln!(mail, "Content-Disposition: attachment; filename=\"{name}\"").unwrap();
        }
        mail.push_str("Content-Transfer-Encoding: base64\n\n");
        for line in base64(bytes).as_bytes().chunks(76) {
            writeln!(mail, "{}", core::str::from_utf8(line).unwrap()).unwrap();
        }
    }
    mail.push_str("--b\n\nhttp://last.example/\n--b--\n");
    mail.into_bytes()
}

/// Encodes bytes in base64 (RFC 4648, 4).
fn base64(bytes: &[u8]) -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let number = three
            .iter()
            .fold(0, |number, byte| number << 8 | usize::from(*byte));
        let number = number << (8 * (3 - three.len()));
        for place in 0..4 {
            let digit = char::from(alphabet[number >> (18 - 6 * place) & 63]);
            out.push(if place > three.len() { '=' } else { digit });
        }
    }
    out
}

const ZIP: &str = "application/zip";
const ANY: &str = "application/octet-stream";

#[test]
fn of_all_kinds() {
    let docx = zip(&[(
        "word/_rels/document.xml.rels",
        b"<Relationships><Relationship Target=\"https://b.example/\" TargetMode=\"External\"/></Relationships>",
    )]);
    let mail = message(&[
        (ZIP, "attachment.zip", &zip(&[("b.html", PAGE)])),
        (ANY, "a.html.gz", &gzip(PAGE)),
        (
            "image/png",
            "really-an-archive.png",
            &gzip(&tar(&[("d/e.html", PAGE)])),
        ),
        (ANY, "", &zstd(b"http://f.example/")),
        (ANY, "report.bin", &pdf(&[("http://g.example/", "x")])),
        (
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "h.docx",
            &docx,
        ),
        (
            "application/warc",
            "i.warc",
            &warc(&[(
                "response",
                "http://j.example/k/",
                b"HTTP/1.1 200\r\nContent-Type: text/html\r\n\r\n<a href=l>",
            )]),
        ),
        (
            "image/png",
            "no.png",
            b"\x89PNG\r\n\x1A\n http://no.example/",
        ),
        (ANY, "m.txt", b"http://m.example/"),
    ]);
    let text = core::str::from_utf8(&mail).unwrap();
    let line = |content: &str| text.lines().position(|line| line == content).unwrap() + 1;
    let in_text = line(&base64(b"http://m.example/"));
    let last = line("http://last.example/");
    assert_eq!(
        extracted("a.eml", &mail),
        [
            "a.eml: 6:1 http://first.example/",
            "a.eml!/attachment.zip!/b.html: 2:10 http://a.example/",
            "a.eml!/a.html.gz!/a.html: 2:10 http://a.example/",
            "a.eml!/really-an-archive.png!/d/e.html: 2:10 http://a.example/",
            "a.eml!/4!/4: 1:1 http://f.example/",
            "a.eml!/report.bin!/1: - http://g.example/",
            "a.eml!/h.docx!/word/_rels/document.xml.rels: 1:38 https://b.example/",
            "a.eml!/i.warc!/http://j.example/k/: 1:9 http://j.example/k/l",
            &format!("a.eml: {in_text}:1 http://m.example/"),
            &format!("a.eml: {last}:1 http://last.example/"),
        ]
    );
}

/// Archives and mail are unpacked as deeply as the limits allow, and each entry has its path.
#[test]
fn in_each_other() {
    let mail = message(&[(ZIP, "b.zip", &zip(&[("c.html", PAGE)]))]);
    let entry = |outer: &str| format!("{outer}!/b.zip!/c.html: 2:10 http://a.example/");
    let forwarded = [b"Content-Type: message/rfc822\n\n".as_slice(), &mail].concat();
    assert_eq!(extracted("a.eml", &forwarded)[1], entry("a.eml"));
    for (name, file, path) in [
        ("a.zip", zip(&[("d/a.eml", &mail)]), "a.zip!/d/a.eml"),
        (
            "a.tar.gz",
            gzip(&tar(&[("a.mbox", &mail)])),
            "a.tar.gz!/a.mbox",
        ),
    ] {
        let found = extracted(name, &file);
        assert_eq!(found[0], format!("{path}: 6:1 http://first.example/"));
        assert_eq!(found[1], entry(path));
        assert!(found[2].ends_with("http://last.example/"), "{found:?}");
        assert_eq!(found.len(), 3);
    }
    let mut deep = mail;
    for _ in 0..10 {
        deep = message(&[(ZIP, "x.zip", &zip(&[("x.eml", &deep)]))]);
    }
    let found = extracted("a.eml", &deep);
    let limits: Vec<&String> = found
        .iter()
        .filter(|line| line.contains("failed"))
        .collect();
    let path = format!("a.eml{}!/x.zip", "!/x.zip!/x.eml".repeat(8));
    assert_eq!(
        limits,
        [&format!(
            "{path}: failed: containers are nested more than 8 levels deep"
        )]
    );
    assert_eq!(found.len(), 2 * 9 + 1);
}

#[test]
fn messages_of_a_mailbox() {
    let one = |name: &str| {
        let message = message(&[(ZIP, name, &zip(&[("b.html", PAGE)]))]);
        [
            b"From a@a.example Thu Jan  1 00:00:00 1970\n",
            &message[..],
            b"\n",
        ]
        .concat()
    };
    let mailbox = [one("1.zip"), one("2.zip")].concat();
    let found = extracted("x.mbox", &mailbox);
    let paths = found.iter().map(|line| line.split_once(": ").unwrap().0);
    assert_eq!(
        paths.collect::<Vec<_>>(),
        [
            "x.mbox",
            "x.mbox!/1.zip!/b.html",
            "x.mbox", //
            "x.mbox",
            "x.mbox!/2.zip!/b.html",
            "x.mbox",
        ]
    );
}

/// A bomb ends the unpacking of attachments, but the mail is still read.
#[test]
fn limits() {
    let bomb = gzip(&vec![b' '; 2 << 20]);
    let mail = message(&[
        (ANY, "bomb.gz", &bomb),
        (ZIP, "b.zip", &zip(&[("c.html", PAGE)])),
    ]);
    let low = Limits::default().max_unpacked(1 << 20);
    let found = extracted_within("a.eml", &mail, low, false);
    let failed = "failed: unpacks to more than 1048576 bytes";
    assert_eq!(found.len(), 4, "{found:?}");
    assert_eq!(found[0], "a.eml: 6:1 http://first.example/");
    assert_eq!(found[1], format!("a.eml!/bomb.gz!/bomb: {failed}"));
    assert_eq!(found[2], format!("a.eml!/b.zip: {failed}"));
    assert!(found[3].ends_with("http://last.example/"));

    let files = [("a", &b"http://a.example/"[..]), ("b", b"x")];
    let mail = message(&[(ANY, "a.tar", &tar(&files))]);
    let low = Limits::default().max_entries(1);
    let found = extracted_within("a.eml", &mail, low, false);
    assert_eq!(found[1], "a.eml!/a.tar!/a: 1:1 http://a.example/");
    assert_eq!(found[2], "a.eml!/a.tar!/b: failed: has more than 1 entries");
    assert!(found[3].ends_with("http://last.example/"));
}

/// Damage in an attachment is reported, and the rest of the mail is read.
#[test]
fn damage() {
    let zip = zip(&[("b.html", PAGE)]);
    let mail = message(&[(ZIP, "b.zip", &zip[..zip.len() - 8])]);
    let found = extracted("a.eml", &mail);
    assert!(found[1].starts_with("a.eml!/b.zip: failed: "), "{found:?}");
    assert!(found[2].ends_with("http://last.example/"));
    let seed = message(&[(ZIP, "b.zip", &zip), (ANY, "c.gz", &gzip(PAGE))]);
    let mut random = Random::new(9);
    for _ in 0..1000 {
        let mut bytes = seed.clone();
        for _ in 0..=random.below(8) {
            let at = random.below(bytes.len());
            bytes[at] = u8::try_from(random.below(256)).unwrap();
        }
        let limits = Limits::default();
        let extractor = Extractor::new();
        extractor.read(Format::Mail, "a", &mut &bytes[..], limits, &mut |_, _| {
            std::ops::ControlFlow::Continue(())
        });
    }
}

/// Reading ends when the closure wants no more events, even within an attachment.
#[test]
fn breaking_off() {
    let mail = message(&[(ZIP, "b.zip", &zip(&[("c.html", PAGE), ("d.html", PAGE)]))]);
    let mut paths = Vec::new();
    let extractor = Extractor::new();
    let limits = Limits::default();
    extractor.read(Format::Mail, "a", &mut &mail[..], limits, &mut |path, _| {
        paths.push(path.to_owned());
        if path.ends_with("c.html") {
            std::ops::ControlFlow::Break(())
        } else {
            std::ops::ControlFlow::Continue(())
        }
    });
    assert_eq!(paths, ["a", "a", "a!/b.zip!/c.html"]);
}
