//! Ports.

use super::shape::Shape;
use crate::finding::{Code, Findings};
use urikit::scheme::known;

/// The bad ports of Fetch, section 2.9, sorted.
const BLOCKED: [u16; 82] = [
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
    103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
    512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
    995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
    6669, 6679, 6697, 10080,
];

pub(super) fn find(shape: &Shape<'_>, found: &mut Findings) {
    let Some(port) = shape.port else { return };
    let at = shape.offset(port);
    let code = if port.is_empty() {
        Code::EmptyPort
    } else if !port.bytes().all(|byte| byte.is_ascii_digit()) {
        Code::BadPort
    } else {
        match port.trim_start_matches('0') {
            "" => Code::PortZero,
            digits => match digits.parse::<u16>() {
                Err(_) => Code::PortRange,
                Ok(number) => match classified(shape, number) {
                    Some(code) => code,
                    None => return,
                },
            },
        }
    };
    found.add(code, at);
}

fn classified(shape: &Shape<'_>, number: u16) -> Option<Code> {
    let default = shape.scheme.and_then(known).and_then(|facts| facts.port);
    if default == Some(number) {
        Some(Code::DefaultPort)
    } else {
        BLOCKED
            .binary_search(&number)
            .ok()
            .map(|_| Code::BlockedPort)
    }
}
