//! The profile `urikit`: two URLs have the same key only if they are the same by RFC 3986, but for
//! what a key leaves out: whether it is `http` or `https`, the userinfo and the fragment.
//!
//! The key is made of the normal form (RFC 3986, 6.2; all levels). The labels of a name are in
//! reverse order with commas between them, and a `)` follows the host and the port. An address is
//! written as it is, an IPv6 address with its brackets. Nothing is looked up. Commas and parentheses
//! of a host, which RFC 3986 allows, are escaped. `www` stays, as do the case of the path, the order
//! of the query and sessions: [`Step`](crate::Step)s remove such things where they are wanted.
//!
//! The scheme of other URLs precedes the key: `ftp:(com,example)/`. A URL without a host is its
//! normal form, without the fragment.

use super::SurtError;
use super::buffers::Buffers;
use urikit::op::Level;
use urikit::{AnyRef, HostKind, Standard};

pub(super) fn write(url: &str, buffers: &mut Buffers, out: &mut String) -> Result<(), SurtError> {
    let reference = Standard::Rfc3986.parse(url).map_err(SurtError::Syntax)?;
    buffers.normal.clear();
    reference.normalize_into(Level::Scheme, &mut buffers.normal);
    // INVARIANT: a normal form is valid.
    let normal = Standard::Rfc3986.parse(&buffers.normal);
    key(normal.map_err(SurtError::Syntax)?, out)
}

fn key(url: AnyRef<'_>, out: &mut String) -> Result<(), SurtError> {
    let scheme = url.scheme().ok_or(SurtError::Relative)?;
    let Some(host) = url.host().filter(|host| host.kind() != HostKind::Empty) else {
        let text = url.as_str();
        let fragment = url.fragment().map_or(0, |fragment| fragment.len() + 1);
        out.push_str(text.get(..text.len() - fragment).unwrap_or(text));
        return Ok(());
    };
    let is_http = matches!(scheme, "http" | "https");
    if !is_http {
        out.push_str(scheme);
        out.push_str(":(");
    }
    let name = host.as_str();
    match host.kind() {
        HostKind::Ipv4 | HostKind::Ipv6 | HostKind::IpvFuture => out.push_str(name),
        _ => {
            for (number, label) in name.rsplit('.').enumerate() {
                if number > 0 {
                    out.push(',');
                }
                push_label(label, out);
            }
        }
    }
    if let Some(port) = url.port() {
        out.push(':');
        out.push_str(port);
    }
    out.push(')');
    out.push_str(url.path().as_str());
    if let Some(query) = url.query() {
        out.push('?');
        out.push_str(query.as_str());
    }
    Ok(())
}

/// A label, in which what delimits keys is escaped.
fn push_label(label: &str, out: &mut String) {
    if !label.contains(['(', ')', ',']) {
        out.push_str(label);
        return;
    }
    for c in label.chars() {
        match c {
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            ',' => out.push_str("%2C"),
            c => out.push(c),
        }
    }
}
