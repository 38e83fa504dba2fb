//! Who gave a reference.

/// Who gave a reference: what is allowed depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The person, who wrote or chose it.
    User,
    /// The network: a redirect, an item of a menu that leads elsewhere.
    Network,
}
