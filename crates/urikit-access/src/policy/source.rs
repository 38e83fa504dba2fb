//! Who gave a reference.

/// Who gave a reference. More is allowed to the user than to the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The user, or the program that calls this crate.
    User,
    /// The network: a redirect, or a link that a gopher URL stands for.
    Network,
}
