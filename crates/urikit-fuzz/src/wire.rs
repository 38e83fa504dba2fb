//! Checks that data from a server produces the same result whether it arrives all at once or in
//! pieces.

use crate::input;
use urikit_access::internal;

/// Checks parsers of server data. The first octet of the input selects the length of the pieces,
/// and the rest is the server's data.
fn same(data: &[u8], readers: &[fn(&[u8], usize) -> String]) {
    let Some((piece, octets)) = input::choice(data) else {
        return;
    };
    for read in readers {
        let complete = read(octets, octets.len());
        assert_eq!(
            read(octets, piece + 1),
            complete,
            "in pieces of {}",
            piece + 1
        );
    }
}

pub(crate) fn ftp(data: &[u8]) {
    same(data, &[internal::ftp::replies]);
}

pub(crate) fn gemini(data: &[u8]) {
    same(data, &[internal::gemini::response]);
}

pub(crate) fn gopher(data: &[u8]) {
    same(
        data,
        &[internal::gopher::menu, internal::gopher::attributes],
    );
}

pub(crate) fn http(data: &[u8]) {
    same(data, &[internal::http::response]);
}

pub(crate) fn mailbox(data: &[u8]) {
    same(data, &[internal::mail::search]);
}

pub(crate) fn news(data: &[u8]) {
    same(data, &[internal::news::replies]);
    let Some((piece, octets)) = input::choice(data) else {
        return;
    };
    if let Some((lines, delivered)) = internal::news::block(octets, piece + 1) {
        let delivered = delivered.split_inclusive(|octet| *octet == b'\n');
        let delivered = delivered.flat_map(|line| match line {
            [text @ .., b'\r', b'\n'] => [text, b"\n"].concat(),
            line => line.to_vec(),
        });
        assert_eq!(lines, delivered.collect::<Vec<u8>>());
    }
}

pub(crate) fn telnet(data: &[u8]) {
    same(data, &[internal::telnet::session]);
}
