//! Hosts in their IDNA forms, and complete references with such hosts.

use std::borrow::Cow;
use std::io::Write as _;
use urikit::AnyRef;
use urikit::component::Host;
use urikit::op::iri::NotADomainName;

/// How a host is spelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Spelling {
    #[default]
    AsWritten,
    /// In ASCII, as the DNS has it (A-labels).
    Puny,
    /// In Unicode, as people read it (U-labels).
    Idn,
}

impl Spelling {
    /// The host in this spelling; borrowed if that is as written.
    pub(super) fn of(self, host: Host<'_>) -> Result<Cow<'_, str>, NotADomainName> {
        match self {
            Self::AsWritten => Ok(Cow::Borrowed(host.as_str())),
            Self::Puny => host.to_ascii(),
            Self::Idn => host.to_unicode(),
        }
    }
}

/// The default port, if the reference has an authority without a port. A registry-based authority
/// (RFC 2396, 3.2.1) cannot have one.
pub(super) fn absent_port(reference: AnyRef<'_>) -> Option<u16> {
    let authority = reference.authority()?;
    if authority.port().is_some() || authority.is_registry_based() {
        return None;
    }
    urikit::op::default_port(reference.scheme()?)
}

/// Writes the reference with its host in this spelling, followed by `port`; the rest as written.
pub(super) fn write_url(
    reference: AnyRef<'_>,
    spelling: Spelling,
    port: Option<u16>,
    out: &mut Vec<u8>,
) -> Result<(), NotADomainName> {
    let text = reference.as_str();
    let Some(host) = reference.host() else {
        out.extend_from_slice(text.as_bytes());
        return Ok(());
    };
    let spelled = spelling.of(host)?;
    let scheme = reference.scheme().map_or(0, |scheme| scheme.len() + 1);
    let userinfo = reference
        .userinfo()
        .map_or(0, |userinfo| userinfo.len() + 1);
    let (before, after) = text
        .split_at_checked(scheme + 2 + userinfo)
        .unwrap_or((text, ""));
    out.extend_from_slice(before.as_bytes());
    out.extend_from_slice(spelled.as_bytes());
    if let Some(port) = port {
        // Writing to memory does not fail.
        let _ = write!(out, ":{port}");
    }
    let after = after.get(host.as_str().len()..).unwrap_or_default();
    out.extend_from_slice(after.as_bytes());
    Ok(())
}
