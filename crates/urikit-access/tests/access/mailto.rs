//! Composing drafts of messages.

use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, plan, policy, sent};
use mail_parser::MessageParser;
use std::time::Duration;
use urikit::Standard;
use urikit_access::protocol::MailtoProtocol;
use urikit_access::{
    Buffer, Class, Client, Error, ErrorKind, Prompt, Request, Response, Result, Terminal,
};
use urikit_testkit::assert_linear;

/// Answers every question in the same way, and remembers the questions.
pub(super) struct Answering(pub(super) bool, pub(super) Vec<String>);

impl Prompt for Answering {
    fn password(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn confirm(&mut self, question: &str) -> bool {
        self.1.push(question.to_owned());
        self.0
    }

    fn input(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn notify(&mut self, _: &str) {}

    fn terminal(&mut self) -> Option<Terminal> {
        None
    }
}

pub(super) fn compose(
    client: &mut Client,
    url: &str,
    prompt: &mut Answering,
) -> Result<(Response, String)> {
    let reference = Standard::Rfc3986.parse(url).expect("a URL");
    let mut buffer = Buffer::default();
    let response = client.fetch(&Request::new(reference), prompt, &mut buffer)?;
    Ok((response, String::from_utf8(buffer.bytes).expect("US-ASCII")))
}

/// Composes the draft for a URL, with a user who agrees to everything.
pub(super) fn draft(url: &str) -> String {
    compose(&mut client(), url, &mut Answering(true, vec![]))
        .unwrap()
        .1
}

pub(super) fn fails(client: &mut Client, url: &str) -> Error {
    compose(client, url, &mut Answering(true, vec![])).expect_err(url)
}

pub(super) fn sender(port: u16) -> Client {
    let server = format!("127.0.0.1:{port}");
    let mailto = MailtoProtocol::new()
        .sender("me@example.org")
        .server(server)
        .send(true);
    client().protocol(mailto)
}

#[test]
fn a_draft_is_a_message() {
    let url = "mailto:infobot@example.com?subject=current-issue&\
               body=send%20current-issue%0D%0Asend%20index#x";
    let (response, text) = compose(&mut client(), url, &mut Answering(false, vec![])).unwrap();
    assert_eq!(
        text,
        "To: <infobot@example.com>\r\nSubject: current-issue\r\nMIME-Version: 1.0\r\n\
         Content-Type: text/plain; charset=\"utf-8\"\r\nContent-Transfer-Encoding: 7bit\r\n\r\n\
         send current-issue\r\nsend index\r\n"
    );
    assert_eq!(
        response.metadata.media_type.as_deref(),
        Some("message/rfc822")
    );
    assert_eq!(response.metadata.size, Some(text.len() as u64));
    assert_eq!(response.fragment.as_deref(), Some("x"));
    assert!(
        sent(&response.rendered()).is_empty(),
        "{:?}",
        response.rendered()
    );
    assert_as_planned(&plan(&client(), url).unwrap(), &response.rendered());
}

#[test]
fn all_recipients_are_in_one_field() {
    // RFC 6068, 2
    for url in [
        "mailto:addr1@an.example,addr2@an.example",
        "mailto:?to=addr1@an.example,addr2@an.example",
        "mailto:addr1@an.example?to=addr2@an.example",
    ] {
        let text = draft(url);
        assert!(
            text.starts_with("To: <addr1@an.example>, <addr2@an.example>\r\nMIME"),
            "{text}"
        );
    }
    // RFC 6068, 6.2: quotes are part of the address.
    let text = draft("mailto:%22not%40me%22@example.org");
    assert!(
        text.starts_with("To: <\"not@me\"@example.org>\r\n"),
        "{text}"
    );
    // 6.3: a domain with non-ASCII characters.
    let text = draft("mailto:user@%E7%B4%8D%E8%B1%86.example.org?subject=Test&body=NATTO");
    assert!(
        text.starts_with("To: <user@xn--99zt52a.example.org>\r\n"),
        "{text}"
    );
    let error = fails(&mut client(), "mailto:caf%C3%A9@example.org");
    assert!(error.to_string().contains("SMTPUTF8"), "{error}");
}

#[test]
fn text_beyond_us_ascii_is_encoded_and_reads_back() {
    let long = "%E2%82%AC%20caf%C3%A9%20".repeat(40);
    for (subject, decoded) in [
        ("caf%C3%A9", "café".to_owned()), // RFC 6068, 6.3
        (
            "a%20%3D%3Futf-8%3FQ%3Fcaf%3DC3%3DA9%3F%3D",
            "a café".to_owned(),
        ),
        (&*format!("{long}x"), format!("{}x", "€ café ".repeat(40))),
        (&*"word%20".repeat(60), "word ".repeat(60)),
    ] {
        let text = draft(&format!(
            "mailto:a@b.example?subject={subject}&body=caf%C3%A9%0D%0A.%0D%0A"
        ));
        assert!(
            text.is_ascii() && text.lines().all(|line| line.len() <= 78),
            "{text}"
        );
        let message = MessageParser::new().parse(text.as_bytes()).unwrap();
        assert_eq!(
            message.subject().map(str::trim_end),
            Some(decoded.trim_end())
        );
        assert_eq!(message.body_text(0).unwrap(), "café\r\n.\r\n");
    }
}

#[test]
fn forbidden_fields_are_left_out_and_reported() {
    let url = "mailto:a@b.example?from=boss@b.example&Received=x&content-type=text%2Fhtml&\
               resent-to=x@y.example\
               &mime-version=2&a%3Ab=c&subject=one&subject=two&keywords=k1&keywords=k2";
    let mut prompt = Answering(true, vec![]);
    let (response, text) = compose(&mut client(), url, &mut prompt).unwrap();
    assert!(
        text.starts_with(
            "To: <a@b.example>\r\nSubject: one\r\nKeywords: k1\r\nKeywords: k2\r\n\
                          MIME-Version: 1.0\r\n"
        ),
        "{text}"
    );
    assert!(prompt.1.is_empty(), "{:?}", prompt.1);
    let left_out: Vec<_> = response
        .metadata
        .attributes
        .iter()
        .map(|(_, name)| &**name)
        .collect();
    let names = [
        "from",
        "Received",
        "content-type",
        "resent-to",
        "mime-version",
        "a:b",
        "subject",
    ];
    assert_eq!(left_out, names);
    assert!(
        response
            .rendered()
            .contains(&"left out the header field from".to_owned()),
        "{:?}",
        response.rendered()
    );
}

#[test]
fn suspect_fields_need_consent() {
    let url = "mailto:a@b.example?cc=%22Bob%22%20%3Cbob@c.example%3E&bcc=eve@d.example&\
               in-reply-to=%3Cx@y%3E&body=x";
    let mut no = Answering(false, vec![]);
    let (response, text) = compose(&mut client(), url, &mut no).unwrap();
    assert!(text.starts_with("To: <a@b.example>\r\nMIME"), "{text}");
    assert_eq!(response.metadata.attributes.len(), 3);
    assert_eq!(
        no.1[0],
        "Use the header field `cc: \"Bob\" <bob@c.example>` from the URL?"
    );
    let text = draft(url);
    assert!(
        text.starts_with(
            "To: <a@b.example>\r\nCc: <bob@c.example>\r\nBcc: <eve@d.example>\r\n\
                          in-reply-to: <x@y>\r\n"
        ),
        "{text}"
    );
}

/// A field or a line of the URL cannot inject another one.
#[test]
fn nothing_is_injected() {
    for url in [
        "mailto:a@b.example?subject=x%0D%0Abcc:e@d.example",
        "mailto:a@b.example?subject=x%0Aevil",
        "mailto:a@b.example?subject=x%0Devil",
        "mailto:a@b.example?cc=x@y.example%0D%0A%0D%0Abody",
        "mailto:a@b.example?x-y%0D%0Abcc=1&body=a%0Ab",
        "mailto:a@b.example?body=a%00b",
        "mailto:a%0D%0A@b.example",
        "mailto:%22a%0D%0A%22@b.example",
    ] {
        let error = fails(&mut client(), url);
        assert_eq!(error.class(), Class::Invalid, "{url}: {error}");
    }
    // Between angle brackets, this text would become two addresses, or none.
    for url in [
        "mailto:a@b.example?cc=x%3E%2C%3Cy@z.example",
        "mailto:%22a%3E%20%3Cb%22@c.example",
        "mailto:a@b.example?cc=nobody",
        "mailto:a@b.example?bcc=",
    ] {
        let result = compose(&mut client(), url, &mut Answering(true, vec![]));
        if let Ok((_, text)) = result {
            panic!("{url}: {text}");
        }
    }
    // A long name, after which folding would begin a line with the value.
    let name = "x".repeat(80);
    let url = format!("mailto:a@b.example?{name}=Bcc%3A%20evil@d.example&body=x");
    let text = draft(&url);
    assert!(!text.contains("evil"), "{text}");
    // Every line is a field, or begins with white space and continues one.
    let name = "x".repeat(64);
    for value in ["Bcc: evil@d.example ", "%20", "%C3%A9", "a%20"] {
        let value = value.replace(' ', "%20").repeat(30);
        let text = draft(&format!(
            "mailto:a@b.example?{name}={value}&subject={value}"
        ));
        let (header, _) = text.split_once("\r\n\r\n").unwrap();
        for line in header.split("\r\n") {
            let name = line.split(':').next().unwrap();
            let is_field = [
                "To",
                "Subject",
                "MIME-Version",
                "Content-Type",
                "Content-Transfer-Encoding",
            ]
            .contains(&name)
                || name.bytes().all(|octet| octet == b'x');
            assert!(
                is_field || line.starts_with([' ', '\t']),
                "{line:?} in {header}"
            );
        }
    }
    // A word longer than the limit for lines.
    let url = format!("mailto:a@b.example?subject={}", "x".repeat(2000));
    match compose(&mut client(), &url, &mut Answering(true, vec![])) {
        Ok((_, text)) => assert!(text.lines().all(|line| line.len() <= 998), "{text}"),
        Err(error) => assert!(matches!(error.kind(), ErrorKind::Unsupported(_)), "{error}"),
    }
}

/// Composing a message and planning its envelope take linear time, for many fields and many
/// recipients.
#[test]
fn composing_is_linear() {
    let fields = |count: usize| {
        let names = (0..count).map(|number| format!("&x-{number}=a"));
        format!("mailto:a@h?subject=b{}", names.collect::<String>())
    };
    let recipients = |count: usize| {
        let addresses = (0..count).map(|number| format!("a{number}@h.example"));
        format!("mailto:{}", addresses.collect::<Vec<_>>().join(","))
    };
    let copies = |count: usize| {
        let addresses = (0..count).map(|number| format!("a{number}@h.example"));
        format!("mailto:a@h?to={}", addresses.collect::<Vec<_>>().join(","))
    };
    for (name, size, make) in [
        ("fields", 4_000, &fields as &dyn Fn(usize) -> String),
        ("recipients", 2_000, &recipients),
        ("a list of recipients", 2_000, &copies),
    ] {
        let client = sender(2525);
        let client = &client;
        assert_linear(name, size, |count| {
            let url = make(count);
            move || {
                plan(client, &url).unwrap();
            }
        });
        assert_linear(name, size, |count| {
            let url = make(count);
            move || {
                draft(&url);
            }
        });
    }
}

/// The limit on the total time also applies to computation, which never waits.
#[test]
fn the_total_time_limits_computation() {
    let url = format!("mailto:a@h?subject=b{}", "&x-a=b".repeat(10_000));
    let mut client = Client::new(policy().total_timeout(Duration::from_nanos(1)));
    let reference = Standard::Rfc3986.parse(&url).unwrap();
    let planned = client.plan(&Request::new(reference)).unwrap_err();
    assert!(matches!(planned.kind(), ErrorKind::Timeout(_)), "{planned}");
    for url in [url.as_str(), "data:,a", "mailto:a@h"] {
        let error = fails(&mut client, url);
        assert!(
            matches!(error.kind(), ErrorKind::Timeout(_)),
            "{url}: {error}"
        );
    }
}
