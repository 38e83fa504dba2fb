//! The profile `cdxj`: the searchable URL of CDXJ 0.1.0, by Webrecorder
//! (<https://specs.webrecorder.net/cdxj/0.1.0/>).
//!
//! The specification has five steps: the URL in lower case, without `http` or `https`; its host name
//! reversed with commas; a `)`; then the path and the query. So `www` stays, nothing is sorted, and
//! the fragment is left out. Where it is silent: a userinfo and a port stay where they are, before
//! the `)`; an address in brackets has no labels; and other URLs are in lower case only.
//!
//! Programs that write such files use other keys: `cdxj-indexer` those of [`ia-python`](super), and
//! `warcio.js` its own.

use super::SurtError;
use super::buffers::Buffers;
use super::split::Parts;

#[allow(clippy::unnecessary_wraps)] // as the other profiles
pub(super) fn write(url: &str, buffers: &mut Buffers, out: &mut String) -> Result<(), SurtError> {
    buffers.normal.clear();
    if url.is_ascii() {
        buffers.normal.push_str(url);
        buffers.normal.make_ascii_lowercase();
    } else {
        buffers
            .normal
            .extend(url.chars().flat_map(char::to_lowercase));
    }
    let text = buffers.normal.as_str();
    let parts = Parts::of(text.as_bytes());
    let scheme = parts.scheme.len();
    let is_http = matches!(parts.scheme, b"http" | b"https")
        && text
            .get(scheme..)
            .is_some_and(|rest| rest.starts_with("://"));
    if !is_http {
        out.push_str(text);
        return Ok(());
    }
    let start = scheme + "://".len();
    let end = start + parts.authority.len();
    let authority = text.get(start..end).unwrap_or_default();
    let rest = text.get(end..).unwrap_or_default();
    let (userinfo, hostport) = match authority.rsplit_once('@') {
        Some((userinfo, hostport)) => (Some(userinfo), hostport),
        None => (None, authority),
    };
    if let Some(userinfo) = userinfo {
        out.push_str(userinfo);
        out.push('@');
    }
    let (host, port) = match hostport
        .rfind(':')
        .filter(|at| !hostport.ends_with(']') && *at > 0)
    {
        Some(colon) => hostport.split_at(colon),
        None => (hostport, ""),
    };
    if host.starts_with('[') {
        out.push_str(host);
    } else {
        for (number, label) in host.rsplit('.').enumerate() {
            if number > 0 {
                out.push(',');
            }
            out.push_str(label);
        }
    }
    out.push_str(port);
    out.push(')');
    out.push_str(rest.split('#').next().unwrap_or_default());
    Ok(())
}
