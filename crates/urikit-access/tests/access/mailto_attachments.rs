//! The names of attachments (RFC 2183, 2.3; RFC 2231).

use super::mailto::{Answering, compose};
use crate::support::policy;
use mail_parser::{MessageParser, MimeHeaders as _};
use urikit::Standard;
use urikit::percent::{Place, decode};
use urikit_access::protocol::MailtoProtocol;
use urikit_access::{Buffer, Client, Upload};
use urikit_mime::base64;

/// Returns a draft with an attached file of this name.
fn attaching(name: &str, content: &[u8]) -> String {
    let mailto = MailtoProtocol::new().attach(name, content.to_vec());
    let mut client = Client::new(policy()).protocol(mailto);
    let mut nobody = Answering(false, vec![]);
    compose(&mut client, "mailto:a@b.example", &mut nobody)
        .unwrap()
        .1
}

/// Returns the lines of the field `Content-Disposition`.
fn disposition(text: &str) -> Vec<&str> {
    let mut lines = text
        .split("\r\n")
        .skip_while(|line| !line.starts_with("Content-Disposition:"));
    let mut field: Vec<_> = lines.next().into_iter().collect();
    field.extend(lines.take_while(|line| line.starts_with(['\t', ' '])));
    field
}

#[test]
fn a_media_type_is_no_second_field() {
    let url = Standard::Rfc3986.parse("mailto:a@b.example").unwrap();
    for media_type in ["text/plain\r\nBcc: x@y.example", "text/plain\n", "text/é"] {
        let upload = Upload::new(url).name("a.txt").media_type(media_type);
        let client = Client::new(policy()).protocol(MailtoProtocol::new());
        let mut nobody = Answering(false, vec![]);
        let error = client
            .upload(&upload, &mut nobody, &mut &b"x"[..], &mut Buffer::default())
            .unwrap_err();
        assert!(error.to_string().contains("media type"), "{error}");
    }
}

#[test]
fn names_are_written_as_parameters() {
    for (name, field) in [
        ("a.txt", "attachment; filename=\"a.txt\""),
        ("a b;c.txt", "attachment; filename=\"a b;c.txt\""),
        ("na\"me\\.txt", "attachment; filename=\"na\\\"me\\\\.txt\""),
        ("=?utf-8?Q?a?=", "attachment; filename=\"=?utf-8?Q?a?=\""),
        ("100%", "attachment; filename=\"100%\""),
        // RFC 2231, 4
        (
            "na\"me é.txt",
            "attachment; filename*=utf-8''na%22me%20%C3%A9.txt",
        ),
        ("€'*%", "attachment; filename*=utf-8''%E2%82%AC%27%2A%25"),
        // Control characters are removed from names, so they cannot inject a field.
        (
            "a\r\nBcc: x@y.example\0\u{1b}.txt",
            "attachment; filename=\"aBcc: x@y.example.txt\"",
        ),
        ("a\u{85}\u{9b}é", "attachment; filename*=utf-8''a%C3%A9"),
        ("dir/é", "attachment; filename*=utf-8''%C3%A9"),
        ("\n", "attachment; filename=\"attachment\""),
    ] {
        let text = attaching(name, b"x");
        let lines = disposition(&text);
        let shown = format!("Content-Disposition: {field}");
        assert_eq!(lines, [shown.as_str()], "{name:?}");
    }
}

/// Lines that can be folded have at most 78 octets, and folding does not split characters (RFC
/// 2231, 3).
#[test]
fn long_names_are_folded() {
    for name in [
        format!("{}.txt", "é".repeat(100)),
        format!("é{}.txt", "a".repeat(150)),
        "\u{1F600}".repeat(200),
        format!("{}.txt", "Grüße an alle ".repeat(10)),
    ] {
        let text = attaching(&name, b"x");
        let lines = disposition(&text);
        assert!(lines.len() > 2, "{text}");
        assert_eq!(lines[0], "Content-Disposition: attachment;");
        for (at, line) in lines[1..].iter().enumerate() {
            let begins = format!("\tfilename*{at}*={}", if at == 0 { "utf-8''" } else { "" });
            let value = line.strip_prefix(&begins).expect(line);
            let value = value.strip_suffix(';').unwrap_or(value);
            assert_eq!(line.ends_with(';'), at + 2 < lines.len(), "{text}");
            assert!(line.len() <= 78, "{text}");
            let decoded = decode(value, Place::Segment, Standard::Rfc3986).unwrap();
            assert!(decoded.decode_utf8().is_ok(), "{text}");
        }
        let message = MessageParser::new().parse(text.as_bytes()).unwrap();
        let attachment = message.attachment(0).unwrap();
        assert_eq!(attachment.attachment_name(), Some(&*name));
    }
    // US-ASCII text is on one line, so other mail readers need not join lines.
    let name = "a \"b\" ".repeat(40);
    let text = attaching(&name, b"x");
    let kept: String = name.chars().take(200).collect();
    let quoted = format!("\tfilename=\"{}\"", kept.replace('"', "\\\""));
    assert_eq!(
        disposition(&text),
        ["Content-Disposition: attachment;", &quoted]
    );
}

/// Text is also sent unchanged, including its line endings.
#[test]
fn contents_are_not_changed() {
    for content in [
        &b"<!DOCTYPE html>\n<p>one\r\ntwo\rthree \n\n"[..],
        b"<?xml version=\"1.0\"?>\n<a>\xE9</a>\n",
        b"",
        &[0, 255, 13, 10, 46, 13, 10],
    ] {
        for name in ["a.html", "é"] {
            let text = attaching(name, content);
            let encoded = base64::encode(content);
            let body = format!("Content-Transfer-Encoding: base64\r\n\r\n{encoded}\r\n");
            assert!(text.contains(&body), "{text}");
        }
    }
}
