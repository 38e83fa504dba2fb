//! Paths.

use super::shape::Shape;
use crate::escape::{decoded, octets};
use crate::finding::{Code, Findings};

pub(super) fn find(shape: &Shape<'_>, found: &mut Findings) {
    let path = shape.path;
    let begin = shape.offset(path);
    let mut depth = 0_usize;
    for segment in path.split('/') {
        let at = shape.offset(segment);
        // Some servers remove parameters first, so that `..;x` is a dot segment.
        let name = decoded(segment.split(';').next().unwrap_or_default());
        match &*name {
            "." | ".." => {
                let is_plain = segment == name;
                let code = if is_plain {
                    Code::DotSegment
                } else {
                    Code::EscapedDotSegment
                };
                found.add(code, at);
                if name == ".." {
                    match depth.checked_sub(1) {
                        Some(less) => depth = less,
                        None if path.starts_with('/') => found.add(Code::AboveRoot, at),
                        None => {}
                    }
                }
            }
            "" => {}
            _ => depth += 1,
        }
    }
    let slash = octets(path).find(|octet| octet.is_escaped && matches!(octet.value, b'/' | b'\\'));
    if let Some(octet) = slash {
        found.add(Code::EscapedSlash, begin + octet.offset);
    }
    if let Some(at) = path.find(['[', ']']) {
        found.add(Code::MisplacedBracket, begin + at);
    }
}
