//! What separates the pairs of a query, for the commands that look at pairs.

/// The option.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Separator {
    /// What separates the query's pairs
    ///
    /// One ASCII mark or letter. `%`, the hexadecimal digits and `=` are none: they stand in escapes, and within pairs. Nor
    /// are `#`, `"`, `<` and `>`, which no query can hold.
    #[arg(long = "query-separator", value_name = "CHAR", default_value = "&", value_parser = read)]
    pub(crate) char: char,
}

/// One character that never lies within an escape or a pair, and that some reader has in queries.
fn read(text: &str) -> Result<char, String> {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if c.is_ascii_graphic() && !c.is_ascii_hexdigit() && !"%=#\"<>".contains(c) => {
            Ok(c)
        }
        _ => Err(
            "expected one ASCII mark or letter that can stand in a query, and is no hexadecimal digit, no `%` and no `=`"
                .to_owned(),
        ),
    }
}
