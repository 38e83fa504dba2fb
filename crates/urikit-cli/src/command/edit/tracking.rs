//! `--strip-tracking`: the names of parameters that only track people.

/// A comment, or a name and the source that says what it is for, separated by a tab. A `*` at the
/// end of a name matches anything.
const TABLE: &str = include_str!("tracking.tsv");

/// The names.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| Some(row.split_once('\t')?.0))
}
