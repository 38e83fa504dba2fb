//! TLS for FTP: none, after `AUTH TLS` (RFC 4217), or from the beginning.

/// Whether TLS is used, which is never optional.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Security {
    None,
    /// After `AUTH TLS` (RFC 4217).
    Explicit,
    /// From the beginning: `ftps`.
    Implicit,
}
