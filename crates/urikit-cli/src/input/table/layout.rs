//! The columns of a table whose rows are copied to the output.

/// The format and the columns of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) kind: LayoutKind,
    /// The names of the columns. For JSON lines, the names are the keys of the first object.
    pub(crate) names: Vec<String>,
    /// The first row of CSV, as written.
    pub(crate) header: Vec<u8>,
}

/// The format of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LayoutKind {
    Csv {
        /// The separator: a comma or a tab.
        separator: u8,
    },
    Json,
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    Parquet,
}

impl LayoutKind {
    /// Returns the name of the format, for messages.
    const fn name(self) -> &'static str {
        match self {
            Self::Csv { separator: b'\t' } => "TSV",
            Self::Csv { .. } => "CSV",
            Self::Json => "JSON lines",
            Self::Parquet => "Parquet",
        }
    }
}

impl Layout {
    /// Returns a message if another file has a different format or different columns. The objects
    /// in JSON lines may have any keys.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        if self.kind != other.kind {
            let [this, that] = [self, other].map(|it| it.kind.name());
            return Some(format!("the file is {that}, but the first one is {this}"));
        }
        if self.kind == LayoutKind::Json || self.names == other.names {
            return None;
        }
        let [this, that] = [self, other].map(|it| it.names.join(", "));
        Some(format!(
            "the columns are {that}, but those of the first file are {this}"
        ))
    }
}
