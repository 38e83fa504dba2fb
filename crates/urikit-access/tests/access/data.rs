//! `data:` URLs, which contain the data.

use crate::support::Rendered as _;
use crate::support::{client, fails, fetch, fetch_with, plan, policy, sent};
use urikit_access::policy::Refusal;
use urikit_access::{Class, Client, ErrorKind, Wanted};

#[test]
fn octets_and_media_type() {
    for (url, octets, media_type) in [
        // RFC 2397, 4
        (
            "data:,A%20brief%20note",
            &b"A brief note"[..],
            "text/plain;charset=US-ASCII",
        ),
        (
            "data:text/plain;charset=iso-8859-7,%be",
            b"\xbe",
            "text/plain;charset=iso-8859-7",
        ),
        ("data:,", b"", "text/plain;charset=US-ASCII"),
        (
            "data:;charset=utf-8,%C3%A9",
            b"\xc3\xa9",
            "text/plain;charset=utf-8",
        ),
        ("data:Text/HTML,", b"", "Text/HTML"),
        (
            "data:text/plain;a=%22b%0d%0ac%22,d",
            b"d",
            "text/plain;a=%22b%0d%0ac%22",
        ),
        ("data:image/gif;base64,R0lGODlh", b"GIF89a", "image/gif"),
        (
            "data:;base64,Zm9vYg==",
            b"foob",
            "text/plain;charset=US-ASCII",
        ),
        (
            "DATA:,a?b/c;d,e",
            b"a?b/c;d,e",
            "text/plain;charset=US-ASCII",
        ),
        ("data:,%00%0D%0A", b"\0\r\n", "text/plain;charset=US-ASCII"),
    ] {
        let with_fragment = format!("{url}#f");
        let (response, buffer) = fetch(&mut client(), &with_fragment).unwrap();
        assert_eq!(buffer.bytes, octets, "{url}");
        assert_eq!(
            response.metadata.media_type.as_deref(),
            Some(media_type),
            "{url}"
        );
        assert_eq!(response.metadata.size, u64::try_from(octets.len()).ok());
        assert_eq!(
            (response.fragment.as_deref(), response.final_uri.as_str()),
            (Some("f"), url)
        );
        assert!(sent(&response.rendered()).is_empty());
        let plan = plan(&client(), url).unwrap();
        assert_eq!(plan.commands().count(), 0);
        assert!(
            plan.to_string().starts_with("then     sends nothing"),
            "{plan}"
        );
    }
}

#[test]
fn metadata_and_resuming() {
    let url = "data:;base64,Zm9vYg==";
    let (response, buffer) =
        fetch_with(&mut client(), url, |it| it.wanted(Wanted::Metadata)).unwrap();
    assert_eq!((response.metadata.size, buffer.bytes.len()), (Some(4), 0));
    let expected = [("encoding", "base64"), ("charset", "US-ASCII")];
    assert_eq!(
        response.metadata.attributes,
        expected.map(|(name, value)| (name.to_owned(), value.to_owned()))
    );
    for (from, rest) in [(0, &b"foob"[..]), (3, b"b"), (4, b"")] {
        let (response, buffer) = fetch_with(&mut client(), url, |it| it.resume(from)).unwrap();
        assert_eq!((buffer.bytes.as_slice(), response.received), (rest, 4));
    }
    let error = fetch_with(&mut client(), url, |it| it.resume(5)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::CannotResume), "{error}");
}

#[test]
fn long_data_is_passed_on_in_pieces_and_limited() {
    let url = format!("data:,{}", "%41b".repeat(100_000));
    let (_, buffer) = fetch(&mut client(), &url).unwrap();
    assert_eq!(buffer.bytes, "Ab".repeat(100_000).into_bytes());
    let error = fails(&mut Client::new(policy().max_bytes(199_999)), &url);
    assert!(
        matches!(error.kind(), ErrorKind::Refused(Refusal::Bytes { .. })),
        "{error}"
    );
}

#[test]
fn invalid_data_urls_are_refused() {
    for url in [
        "data:",
        "data:text",
        "data:text/plain",
        "data:;base64",
        "data:;base64,A",
        "data:;base64,Zm9vYg",
    ] {
        let error = fails(&mut client(), url);
        assert_eq!(error.class(), Class::Invalid, "{error}");
    }
}
