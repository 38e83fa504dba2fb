//! What readers disagree about.

use super::shape::Shape;
use crate::agree::{Agreement, Part};
use crate::finding::{Code, Findings};

pub(super) fn find(shape: &Shape<'_>, agreement: &Agreement<'_>, found: &mut Findings) {
    let rfc = agreement
        .outcome("rfc3986")
        .and_then(|outcome| outcome.as_ref().err());
    let error = rfc.and_then(|rejection| rejection.offset()).unwrap_or(0);
    for part in agreement.disputed().iter() {
        let (code, offset) = match part {
            Part::Validity => (Code::ValidityDisagreement, error),
            Part::Scheme => (
                Code::SchemeDisagreement,
                shape.offset(shape.scheme.unwrap_or(shape.trimmed)),
            ),
            Part::Userinfo => (
                Code::UserinfoDisagreement,
                shape
                    .userinfo
                    .map_or(shape.host_offset(), |text| shape.offset(text)),
            ),
            Part::Host => (Code::HostDisagreement, shape.host_offset()),
            Part::Port => (
                Code::PortDisagreement,
                shape
                    .port
                    .map_or(shape.host_offset(), |text| shape.offset(text)),
            ),
        };
        found.add(code, offset);
    }
    if agreement.paths_differ() {
        found.add(Code::PathDisagreement, shape.offset(shape.path));
    }
    if agreement
        .readings()
        .any(|(_, reading)| reading.has_null_host)
    {
        found.add(Code::NullHost, shape.host_offset());
    }
    let is_rejected = |reader: &str| matches!(agreement.outcome(reader), Some(Err(_)));
    if is_rejected("rfc3986") && is_rejected("whatwg") {
        found.add(Code::Invalid, error);
    }
}
