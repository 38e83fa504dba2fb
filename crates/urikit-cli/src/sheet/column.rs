//! The columns of a table.

use std::borrow::Cow;

/// A column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Column {
    pub(crate) name: Cow<'static, str>,
    pub(crate) kind: Kind,
}

/// The type of the values of a column. In CSV, all are text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Text,
    /// `true` or `false`.
    Flag,
    /// An integer.
    Number,
}

impl Column {
    /// A column of text.
    pub(crate) const fn text(name: &'static str) -> Self {
        let (name, kind) = (Cow::Borrowed(name), Kind::Text);
        Self { name, kind }
    }

    /// A column of `true` and `false`.
    pub(crate) const fn flag(name: &'static str) -> Self {
        let (name, kind) = (Cow::Borrowed(name), Kind::Flag);
        Self { name, kind }
    }

    /// A column of integers.
    pub(crate) const fn number(name: &'static str) -> Self {
        let (name, kind) = (Cow::Borrowed(name), Kind::Number);
        Self { name, kind }
    }
}
