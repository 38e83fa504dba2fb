//! `--query-separator`: the character between the pairs of a query.

/// The option.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Separator {
    /// The character between the query's pairs
    ///
    /// One ASCII letter or punctuation mark that can appear in a query, but no hexadecimal digit,
    /// no `%` and no `=`, which occur in escapes and within pairs.
    #[arg(long = "query-separator", value_name = "CHAR", default_value = "&", value_parser = read)]
    pub(crate) char: char,
}

/// Reads a character that never occurs within an escape or a pair, and that some standard allows
/// in queries.
fn read(text: &str) -> Result<char, String> {
    let is_allowed =
        |c: char| c.is_ascii_graphic() && !c.is_ascii_hexdigit() && !"%=#\"<>".contains(c);
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if is_allowed(c) => Ok(c),
        _ => Err(
            "expected one ASCII letter or punctuation mark that can appear in a query, \
                  but no hexadecimal digit, no `%` and no `=`"
                .to_owned(),
        ),
    }
}
