//! `--strip-tracking`: the names of parameters that only track people.

/// The names.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    urikit_keys::tracking_parameters()
}
