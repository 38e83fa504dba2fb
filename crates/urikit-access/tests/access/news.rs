//! Reading and posting news with the server sn.

use crate::support::Rendered as _;
use crate::support::{assert_as_planned, client, fails, fetch, fetch_with, plan, policy, sent};
use urikit::Standard;
use urikit_access::listing::EntryKind;
use urikit_access::protocol::NewsProtocol;
use urikit_access::{Buffer, Client, ErrorKind, NoPrompt, Plan, Request, Upload, Wanted};
use urikit_testkit::servers::{Conversation, Scripted, Sn, skip};

const ARTICLES: &[&str] = &[
    "From: Tim <timbl@info.cern.ch>\nNewsgroups: comp.test\nSubject: First\n\
     Date: Thu, 01 Dec 1994 12:00:00 GMT\nMessage-ID: <a%b@info.cern.ch>\n\n\
     hello\n.dot\n..\n.\nend\n",
    "From: Roy <roy@ics.uci.edu>\nNewsgroups: comp.test\nSubject: =?utf-8?Q?caf=C3=A9?=\n\
     Date: Fri, 02 Dec 1994 12:00:00 GMT\nMessage-ID: <two@[127.0.0.1]>\n\ntwo\n",
];

fn sn(test: &str) -> Option<Sn> {
    let sn = Sn::start(&["comp.test", "comp.empty", "alt.other"], ARTICLES);
    if sn.is_none() {
        skip(test, "sn");
    }
    sn
}

/// The events without the ranges of a listing, whose numbers depend on the server.
fn without_ranges(steps: &[String]) -> Vec<String> {
    let is_range = |step: &&String| step.starts_with("> OVER ") || step.starts_with("> XOVER ");
    let rest = steps.iter().filter(|step| !is_range(step));
    rest.cloned().collect()
}

fn configured(port: u16) -> Client {
    client().protocol(NewsProtocol::new().server(format!("127.0.0.1:{port}")))
}

#[test]
fn an_article_by_its_identifier_with_its_escapes_decoded() {
    let Some(sn) = sn("news: an article") else {
        return;
    };
    let url = format!("news://127.0.0.1:{}/a%25b@info.cern.ch#x", sn.port);
    let (response, buffer) = fetch(&mut client(), &url).unwrap();
    let text = String::from_utf8(buffer.bytes).unwrap();
    assert!(
        text.ends_with("\r\n\r\nhello\r\n.dot\r\n..\r\n.\r\nend\r\n"),
        "{text}"
    );
    assert!(
        text.contains("\r\nMessage-ID: <a%b@info.cern.ch>\r\n"),
        "{text}"
    );
    assert_eq!(
        response.metadata.media_type.as_deref(),
        Some("message/rfc822")
    );
    assert_eq!(response.fragment.as_deref(), Some("x"));
    let commands = ["CAPABILITIES", "MODE READER", "ARTICLE <a%b@info.cern.ch>"];
    assert_eq!(sent(&response.rendered()), commands);
    assert_eq!(sn.commands(), commands);
    assert_as_planned(&plan(&client(), &url).unwrap(), &response.rendered());
    // RFC 5538, 4: an address literal in brackets.
    let url = format!("news://127.0.0.1:{}/two@%5B127.0.0.1%5D", sn.port);
    let (response, buffer) = fetch(&mut client(), &url).unwrap();
    assert!(buffer.bytes.ends_with(b"\r\n\r\ntwo\r\n"));
    assert_as_planned(&plan(&client(), &url).unwrap(), &response.rendered());
}

#[test]
fn an_article_by_its_number() {
    let Some(sn) = sn("nntp: an article") else {
        return;
    };
    let url = format!("nntp://127.0.0.1:{}/comp.test/11", sn.port);
    let (response, buffer) = fetch(&mut client(), &url).unwrap();
    assert!(buffer.bytes.ends_with(b"\r\n\r\ntwo\r\n"));
    assert_eq!(sn.commands()[2..], ["GROUP comp.test", "ARTICLE 11"]);
    assert_as_planned(&plan(&client(), &url).unwrap(), &response.rendered());
    for (path, step) in [
        ("comp.test/99", "asking for the article"),
        ("no.such.group/1", "selecting the group"),
        ("no.such.group", "selecting the group"),
    ] {
        let error = fails(
            &mut client(),
            &format!("nntp://127.0.0.1:{}/{path}", sn.port),
        );
        assert!(error.kind().is_denial(), "{error}");
        assert!(error.to_string().starts_with(step), "{error}");
    }
}

#[test]
fn a_group_lists_its_articles() {
    let Some(sn) = sn("news: a group") else {
        return;
    };
    let server = format!("127.0.0.1:{}", sn.port);
    let url = format!("nntp://{server}/comp.test");
    let (response, buffer) = fetch(&mut client(), &url).unwrap();
    assert!(response.metadata.is_listing);
    let [first, second] = buffer.entries.as_slice() else {
        panic!("{buffer:?}");
    };
    assert_eq!((first.kind, &*first.name), (EntryKind::Article, "First"));
    assert_eq!(second.name, "café");
    assert_eq!(
        first.reference.as_deref(),
        Some(&*format!("nntp://{server}/comp.test/10"))
    );
    assert_eq!(first.modified.unwrap().to_string(), "1994-12-01T12:00:00Z");
    assert!(first.size.is_some());
    let detail = |name| {
        first
            .details
            .iter()
            .find(|it| it.0 == name)
            .map(|it| &*it.1)
    };
    assert_eq!(detail("number"), Some("10"));
    assert_eq!(detail("from"), Some("Tim <timbl@info.cern.ch>"));
    assert_eq!(detail("message_id"), Some("a%b@info.cern.ch"));
    assert_as_planned(
        &plan(&client(), &url).unwrap(),
        &without_ranges(&response.rendered()),
    );
    assert_eq!(
        sent(&response.rendered())[3..],
        ["OVER 10-11", "XOVER 10-11"]
    );
    // Every URL can be fetched.
    for entry in &buffer.entries {
        let (_, buffer) = fetch(&mut client(), entry.reference.as_deref().unwrap()).unwrap();
        assert!(buffer.bytes.starts_with(b"Path: "));
    }
    // URLs of `news:` contain no server if the requested one does not.
    let (_, buffer) = fetch(&mut configured(sn.port), "news:comp.test").unwrap();
    let references: Vec<_> = buffer
        .entries
        .iter()
        .filter_map(|it| it.reference.as_deref())
        .collect();
    assert_eq!(
        references,
        ["news:a%25b@info.cern.ch", "news:two@%5B127.0.0.1%5D"]
    );
    let (_, buffer) = fetch(&mut client(), &format!("news://{server}/comp.test")).unwrap();
    let reference = buffer.entries[0].reference.as_deref().unwrap();
    assert_eq!(reference, format!("news://{server}/a%25b@info.cern.ch"));
    // A group without articles.
    let (_, buffer) = fetch(&mut client(), &format!("news://{server}/comp.empty")).unwrap();
    assert!(buffer.metadata.is_listing && buffer.entries.is_empty());
}

#[test]
fn groups_and_patterns() {
    let Some(sn) = sn("news: groups") else {
        return;
    };
    let names = |url: &str| -> Vec<String> {
        let (response, buffer) = fetch(&mut client(), url).unwrap();
        assert_as_planned(&plan(&client(), url).unwrap(), &response.rendered());
        assert!(
            buffer
                .entries
                .iter()
                .all(|entry| entry.kind == EntryKind::Group)
        );
        let mut names: Vec<_> = buffer.entries.into_iter().map(|entry| entry.name).collect();
        names.sort();
        names
    };
    let server = format!("news://127.0.0.1:{}", sn.port);
    let all = ["alt.other", "comp.empty", "comp.test"];
    assert_eq!(names(&format!("{server}/*")), all);
    assert_eq!(names(&format!("{server}/")), all);
    assert_eq!(
        names(&format!("{server}/comp.*")),
        ["comp.empty", "comp.test"]
    );
    assert_eq!(names(&format!("{server}/comp.t%3Fst")), ["comp.test"]);
    let url = format!("{server}/comp.test*");
    let (_, buffer) = fetch(&mut client(), &url).unwrap();
    let reference = buffer.entries[0].reference.as_deref();
    assert_eq!(reference, Some(&*format!("{server}/comp.test")));
    assert!(sn.commands().contains(&"LIST ACTIVE comp.t?st".to_owned()));
}

#[test]
fn attributes() {
    let Some(sn) = sn("news: attributes") else {
        return;
    };
    let head = |url: &str| {
        let (response, buffer) =
            fetch_with(&mut client(), url, |it| it.wanted(Wanted::Metadata)).unwrap();
        assert!(buffer.bytes.is_empty() && buffer.entries.is_empty());
        let reference = urikit::Standard::Rfc3986.parse(url).unwrap();
        let request = Request::new(reference).wanted(Wanted::Metadata);
        let plan: Plan = client().plan(&request).unwrap();
        assert_as_planned(&plan, &response.rendered());
        response
    };
    let server = format!("127.0.0.1:{}", sn.port);
    let response = head(&format!("news://{server}/a%25b@info.cern.ch"));
    assert_eq!(
        response.metadata.modified.unwrap().to_string(),
        "1994-12-01T12:00:00Z"
    );
    let attributes = &response.metadata.attributes;
    assert!(
        attributes.contains(&("Subject".to_owned(), "First".to_owned())),
        "{attributes:?}"
    );
    let response = head(&format!("nntp://{server}/comp.test/10"));
    assert!(response.metadata.size.is_some());
    assert_eq!(
        sent(&response.rendered())[2..],
        [
            "GROUP comp.test",
            "STAT 10",
            "HEAD 10",
            "OVER 10",
            "XOVER 10"
        ]
    );
    let response = head(&format!("nntp://{server}/comp.test"));
    let known: Vec<_> = response
        .metadata
        .attributes
        .iter()
        .map(|(name, value)| (&**name, &**value))
        .collect();
    assert_eq!(known, [("articles", "2"), ("first", "10"), ("last", "11")]);
    // A missing article has no metadata, and neither has a list of groups.
    let url = format!("news://{server}/none@info.cern.ch");
    let error = fetch_with(&mut client(), &url, |it| it.wanted(Wanted::Metadata)).unwrap_err();
    assert!(error.kind().is_denial(), "{error}");
    let error = fetch_with(&mut client(), &format!("news://{server}/*"), |it| {
        it.wanted(Wanted::Metadata)
    });
    assert!(matches!(
        error.unwrap_err().kind(),
        ErrorKind::Unsupported(_)
    ));
}

#[test]
fn urls_of_one_server_share_a_connection() {
    let Some(sn) = sn("news: a kept connection") else {
        return;
    };
    let mut client = Client::new(policy());
    let server = format!("127.0.0.1:{}", sn.port);
    for path in ["comp.test/10", "comp.test", "comp.test/11"] {
        fetch(&mut client, &format!("nntp://{server}/{path}")).unwrap();
    }
    fetch(&mut client, &format!("news://{server}/*")).unwrap();
    assert_eq!(
        sn.commands(),
        [
            "CAPABILITIES",
            "MODE READER",
            "GROUP comp.test",
            "ARTICLE 10",
            "GROUP comp.test",
            "OVER 10-11",
            "XOVER 10-11",
            "GROUP comp.test",
            "ARTICLE 11",
            "LIST",
        ]
    );
}

#[test]
fn urls_without_a_server_need_a_configured_one() {
    let error = fails(&mut client(), "news:comp.test");
    let said = "the URL has no news server, and none is configured";
    assert_eq!(error.to_string(), said);
    assert!(plan(&client(), "news:comp.test").is_err());
    for wrong in ["", "user@h", "h/x", "h:99999", "h x", ":119"] {
        let mut client = client().protocol(NewsProtocol::new().server(wrong));
        let error = fails(&mut client, "news:comp.test");
        assert!(
            matches!(error.kind(), ErrorKind::HostNotFound),
            "{wrong}: {error}"
        );
    }
    let client = client().protocol(NewsProtocol::new().server("[::1]:1119"));
    let planned = plan(&client, "snews:comp.test").unwrap().to_string();
    assert!(
        planned.starts_with("connect  [::1]:1119\nthen     starts TLS\n"),
        "{planned}"
    );
}

/// RFC 3977, 6.3.1.
#[test]
fn posting() {
    const ARTICLE: &[u8] = b"From: a@b.example\nSubject: x\n\n.dot\nend";
    let post = |replies: [&'static str; 2], url: &str, article: &'static [u8]| {
        let server = Scripted::start(move |client: &mut Conversation| {
            client.say("200 hello\r\n");
            while let Some(line) = client.line() {
                let _ = match &*line {
                    "CAPABILITIES" => client.say("101 these\r\nREADER\r\nPOST\r\n.\r\n"),
                    "POST" => client.say(replies[0]),
                    "." => client.say(replies[1]),
                    _ => true,
                };
            }
        });
        let url = format!("news://127.0.0.1:{}/{url}", server.port);
        let upload = Upload::new(Standard::Rfc3986.parse(&url).unwrap());
        let client = client();
        let planned = client.plan_upload(&upload);
        let mut body = article;
        let sent = client.upload(&upload, &mut NoPrompt, &mut body, &mut Buffer::default());
        if let Ok(sent) = &sent {
            assert_as_planned(&planned.unwrap(), &sent.rendered());
        }
        (sent, server.log())
    };
    let (sent, log) = post(["340 go on\r\n", "240 received\r\n"], "comp.test", ARTICLE);
    assert_eq!(sent.unwrap().sent, 38);
    let expected = [
        "CAPABILITIES",
        "POST",
        "Newsgroups: comp.test",
        "From: a@b.example",
        "Subject: x",
        "",
        "..dot",
        "end",
        ".",
    ];
    assert_eq!(log, expected);
    for (replies, url, article) in [
        (["440 no\r\n", ""], "comp.test", ARTICLE),
        (["340 go on\r\n", "441 no\r\n"], "comp.test", ARTICLE),
        (["340 go on\r\n", "200 what\r\n"], "comp.test", ARTICLE),
        (["", ""], "a@b.example", ARTICLE),
        (["", ""], "comp.*", ARTICLE),
        (["", ""], "comp.test", b"Subject: x\n\ny"),
        (
            ["", ""],
            "comp.test",
            b"From: a\nSubject: x\nNewsgroups: alt.test\n\ny",
        ),
    ] {
        let (sent, log) = post(replies, url, article);
        assert!(sent.is_err(), "{url} {replies:?}");
        assert!(!log.contains(&"POST".to_owned()) || !replies[0].is_empty());
    }
}
