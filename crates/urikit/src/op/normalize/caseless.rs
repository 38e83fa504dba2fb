//! Where case does not matter, by a rule of the scheme.

/// Where case does not matter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Caseless {
    /// Nowhere.
    Nowhere,
    /// From the first offset up to the second.
    Range(usize, usize),
    /// In the domains of a list of addresses.
    Domains,
    /// In the names of `name=value&name=value`.
    Names,
}
