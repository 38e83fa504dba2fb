//! Content codings (RFC 9110, 8.4.1), including those that are refused.

use super::asked::with;
use super::{server, url};
use crate::support::{fails, fetch, policy};
use std::io::Write as _;
use urikit_access::policy::Refusal;
use urikit_access::protocol::HttpProtocol;
use urikit_access::{Client, ErrorKind};
use urikit_testkit::servers::Scripted;

fn coded(coding: &str, body: &[u8]) -> Scripted {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\nETag: \"a\"\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    server([head.as_bytes(), body].concat())
}

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// `hello` encoded with brotli (an uncompressed block, RFC 7932, 9.2) and with zstd (a raw block,
/// RFC 8878, 3.1.1).
const BROTLI: &[u8] = b"\x0b\x02\x80hello\x03";

const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd\x20\x05\x29\x00\x00hello";

#[test]
fn compressed_bodies_are_decoded() {
    let compressed = || with(HttpProtocol::new().compressed(true));
    for (coding, body) in [
        ("gzip", gzip(b"hello")),
        ("X-GZip", [gzip(b"hel"), gzip(b"lo")].concat()),
        ("br", BROTLI.to_vec()),
        ("zstd", ZSTD.to_vec()),
        ("identity", b"hello".to_vec()),
    ] {
        let server = coded(coding, &body);
        let (response, buffer) = fetch(&mut compressed(), &url(&server, "/")).unwrap();
        assert_eq!(buffer.bytes, b"hello", "{coding}");
        assert!(
            server
                .log()
                .contains(&"Accept-Encoding: gzip, br, zstd".to_owned())
        );
        let metadata = response.metadata;
        assert_eq!(
            metadata.validator.is_some(),
            coding == "identity",
            "of what is stored"
        );
        for end in 1..body.len() {
            if coding == "identity" || coding == "X-GZip" && end == gzip(b"hel").len() {
                continue;
            }
            let error = fails(&mut compressed(), &url(&coded(coding, &body[..end]), "/"));
            assert!(
                matches!(error.kind(), ErrorKind::Protocol(_)),
                "{coding} {end}: {error}"
            );
        }
        // The brotli decoder does not detect data after the end.
        if !["identity", "br"].contains(&coding) {
            let more = [&body[..], b"more"].concat();
            fails(&mut compressed(), &url(&coded(coding, &more), "/"));
        }
    }
    for coding in ["deflate", "gzip, gzip", "compress"] {
        let error = fails(&mut compressed(), &url(&coded(coding, b"hello"), "/"));
        assert!(
            matches!(error.kind(), ErrorKind::Protocol(_)),
            "{coding}: {error}"
        );
    }
}

/// Several zstd frames form one body (RFC 8878, 3), and a window is at most 8 MB (RFC 9659, 3).
#[test]
fn zstd_has_frames_and_windows() {
    let fetched = |body: &[u8]| {
        let mut client = with(HttpProtocol::new().compressed(true));
        let fetched = fetch(&mut client, &url(&coded("zstd", body), "/"));
        fetched.map(|(_, buffer)| buffer.bytes)
    };
    let skippable = b"\x50\x2a\x4d\x18\x01\0\0\0x";
    let several = [ZSTD, &skippable[..], ZSTD].concat();
    assert_eq!(fetched(&several).unwrap(), b"hellohello");
    // The window size is 2^(10 + exponent) bytes (RFC 8878, 3.1.1.1.2).
    let window = |exponent: u8| {
        let descriptor = [exponent << 3];
        [&b"\x28\xb5\x2f\xfd\0"[..], &descriptor, b"\x29\0\0hello"].concat()
    };
    assert_eq!(fetched(&window(13)).unwrap(), b"hello");
    let error = fetched(&window(14)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
}

/// A brotli window has at most 24 bits. Another format has windows of up to 30 bits, and RFC 7932,
/// 9.1 forbids the bits with which that format begins.
#[test]
fn brotli_has_no_large_window() {
    let fetched = |head: &[u8]| {
        let mut client = with(HttpProtocol::new().compressed(true));
        let body = [head, b"hello\x03"].concat();
        let fetched = fetch(&mut client, &url(&coded("br", &body), "/"));
        fetched.map(|(_, buffer)| buffer.bytes)
    };
    // The uncompressed block of BROTLI, after windows of 24, 25 and 30 bits.
    assert_eq!(fetched(b"\x0f\x02\x80").unwrap(), b"hello");
    for head in [b"\x11\x19\x08\x02", b"\x11\x1e\x08\x02"] {
        let error = fetched(head).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error}");
    }
}

/// The decoded size is limited, both absolutely and in proportion to the received size.
#[test]
fn compressed_bodies_that_explode_are_refused() {
    let zeros = vec![0; 100 << 20];
    let bomb = gzip(&zeros);
    for (coding, bomb) in [
        ("gzip", &bomb),
        ("zstd", &zstd::encode_all(&*zeros, 1).unwrap()),
    ] {
        let server = coded(coding, bomb);
        let error = fails(
            &mut with(HttpProtocol::new().compressed(true)),
            &url(&server, "/"),
        );
        assert!(
            matches!(error.kind(), ErrorKind::Refused(Refusal::Expansion { .. })),
            "{error}"
        );
    }
    let server = coded("gzip", &bomb);
    let mut small =
        Client::new(policy().max_bytes(1000)).protocol(HttpProtocol::new().compressed(true));
    let error = fails(&mut small, &url(&server, "/"));
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Refused(Refusal::Bytes { max: 1000 })
        ),
        "{error}"
    );
}
