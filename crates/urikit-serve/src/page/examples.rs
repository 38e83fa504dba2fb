//! The examples: references from RFCs and security advisories.

use super::state::State;
use std::sync::LazyLock;

/// The examples as data, one on each line.
const DATA: &str = include_str!("examples.tsv");

/// An example.
pub(super) struct Example {
    group: &'static str,
    /// True if the start page shows the example.
    pub(super) is_first: bool,
    url: &'static str,
    base: &'static str,
    and: &'static str,
    pub(super) about: &'static str,
    pub(super) source: &'static str,
}

/// Examples with a common subject.
pub(super) struct Group {
    pub(super) name: &'static str,
    pub(super) examples: Vec<&'static Example>,
}

/// All examples.
pub(super) static EXAMPLES: LazyLock<Vec<Example>> = LazyLock::new(|| {
    let lines = DATA.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(example).collect()
});

/// Reads a line.
fn example(line: &'static str) -> Option<Example> {
    let mut fields = line.split('\t');
    Some(Example {
        group: fields.next()?,
        is_first: fields.next()? == "*",
        url: fields.next()?,
        base: fields.next()?,
        and: fields.next()?,
        about: fields.next()?,
        source: fields.next()?,
    })
}

/// Returns the examples on the start page.
pub(super) fn first_examples() -> impl Iterator<Item = &'static Example> {
    EXAMPLES.iter().filter(|example| example.is_first)
}

/// Returns all examples in their groups.
pub(super) fn groups() -> Vec<Group> {
    let groups = EXAMPLES.chunk_by(|a, b| a.group == b.group);
    let groups = groups.map(|examples| Group {
        name: examples.first().map_or("", |example| example.group),
        examples: examples.iter().collect(),
    });
    groups.collect()
}

impl Example {
    /// Returns the state of the page that explains the example.
    fn state(&self) -> State {
        State {
            url: self.url.to_owned(),
            base: self.base.to_owned(),
            and: self.and.to_owned(),
            ..State::default()
        }
    }

    /// Returns the address that explains the example.
    pub(super) fn address(&self) -> String {
        self.state().address()
    }

    /// Returns the reference.
    pub(super) fn shown(&self) -> &'static str {
        self.url
    }
}

#[cfg(test)]
mod tests {
    use super::{DATA, EXAMPLES, groups};
    use crate::page::explain::Sections;

    #[test]
    fn the_file_has_fifty_examples() {
        assert_eq!((EXAMPLES.len(), DATA.lines().count()), (50, 51));
        assert_eq!(
            groups()
                .iter()
                .map(|group| group.examples.len())
                .sum::<usize>(),
            50
        );
        for example in &*EXAMPLES {
            assert!(example.source.starts_with("RFC ") || example.source.starts_with("CVE-"));
            assert!(!example.about.is_empty() && !example.url.is_empty());
        }
    }

    #[test]
    fn advisories_have_findings() {
        for example in EXAMPLES
            .iter()
            .filter(|example| example.source.starts_with("CVE-"))
        {
            let sections = Sections::new(example.state(), &[]);
            let redirect = sections.redirect.and_then(Result::ok);
            let leaves = redirect.is_some_and(|redirect| !redirect.passes);
            // The fragment of this one is ordinary today.
            let is_ordinary = example.source == "CVE-2016-8624";
            assert!(
                !sections.findings.is_empty() || leaves || is_ordinary,
                "{}",
                example.url
            );
        }
    }
}
