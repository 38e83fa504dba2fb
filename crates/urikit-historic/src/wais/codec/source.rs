//! Parses source descriptions, which are documents of type `WSRC` that describe a database.
//!
//! ```text
//! (:source
//!    :version  3
//!    :ip-name "wais.example"
//!    :tcp-port 210
//!    :database-name "sea"
//!    :keyword-list ( the whale )
//!    :description "…" )
//! ```

/// The text that every source description begins with, ignoring case.
const BEGIN: &[u8] = b"(:source";

/// The maximum nesting depth of lists.
const MAX_DEPTH: usize = 16;

/// The maximum number of fields.
const MAX_FIELDS: usize = 64;

/// The fields of a source description.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Source {
    fields: Vec<(Vec<u8>, Vec<u8>)>,
}

/// A token in a source description.
enum Token {
    Open,
    Close,
    /// A word, such as `:version`, `3` or `the`.
    Word(Vec<u8>),
    /// A string, without its quotes.
    Text(Vec<u8>),
}

impl Source {
    /// Finds a description in the text, and parses it. Returns `None` if the text does not contain
    /// a complete description.
    ///
    /// The value of a list consists of its words, separated by spaces.
    pub fn read(text: &[u8]) -> Option<Self> {
        let is_begin = |part: &[u8]| part.eq_ignore_ascii_case(BEGIN);
        let begin = text.windows(BEGIN.len()).position(is_begin)?;
        let mut rest = text.get(begin + BEGIN.len()..)?;
        let mut source = Self::default();
        let mut depth = 0_usize;
        loop {
            match next_token(&mut rest)? {
                Token::Open if depth == MAX_DEPTH => return None,
                Token::Open => depth += 1,
                Token::Close if depth == 0 => return Some(source),
                Token::Close => depth -= 1,
                Token::Text(text) => source.add(&text),
                Token::Word(word) => match word.strip_prefix(b":") {
                    Some(_) if depth > 0 || source.is_cost_unit() => source.add(&word),
                    Some(_) if source.fields.len() == MAX_FIELDS => return None,
                    Some(name) => source.fields.push((name.to_ascii_lowercase(), Vec::new())),
                    None => source.add(&word),
                },
            }
        }
    }

    /// Returns the value of a field, such as `database-name`.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        let mut fields = self.fields();
        let (_, value) = fields.find(|(found, _)| *found == name.as_bytes())?;
        Some(value)
    }

    /// Returns all fields in order. The names of the fields are in lower case, without the colon.
    pub fn fields(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let fields = self.fields.iter();
        fields.map(|(name, value)| (name.as_slice(), value.as_slice()))
    }

    /// Returns true if the next keyword is the value of a field, as in `:cost-unit :free`.
    fn is_cost_unit(&self) -> bool {
        let last = self.fields.last();
        last.is_some_and(|(name, value)| name == b"cost-unit" && value.is_empty())
    }

    /// Appends text to the value of the last field.
    fn add(&mut self, text: &[u8]) {
        if let Some((_, value)) = self.fields.last_mut() {
            if !value.is_empty() {
                value.push(b' ');
            }
            value.extend_from_slice(text);
        }
    }
}

/// Reads the next token. Returns `None` at the end of the text, even within a string.
fn next_token(rest: &mut &[u8]) -> Option<Token> {
    let text = rest.trim_ascii_start();
    let (first, after) = text.split_first()?;
    *rest = after;
    match first {
        b'(' => Some(Token::Open),
        b')' => Some(Token::Close),
        b'"' => {
            let mut string = Vec::new();
            loop {
                let (octet, after) = rest.split_first()?;
                *rest = after;
                match octet {
                    b'"' => return Some(Token::Text(string)),
                    b'\\' => {
                        let (octet, after) = rest.split_first()?;
                        *rest = after;
                        string.push(*octet);
                    }
                    octet => string.push(*octet),
                }
            }
        }
        _ => {
            let is_end = |octet: &u8| octet.is_ascii_whitespace() || b"()\"".contains(octet);
            let end = text.iter().position(is_end).unwrap_or(text.len());
            let (word, after) = text.split_at_checked(end)?;
            *rest = after;
            Some(Token::Word(word.to_vec()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn a_description() {
        let text = b"\n\n(:source \n   :version  3 \n   :ip-name \"wais.example\"\n   :tcp-port 210\n   \
            :database-name \"short\"\n   :cost 0.00 \n   :cost-unit :free \n   :keyword-list (\n  the\n  \
            whale\n )\n   :description \"Says \\\"(hello)\\\"\n:twice\"\n)\ntail";
        let source = Source::read(text).unwrap();
        let get = |name| {
            source
                .get(name)
                .map(|value| std::str::from_utf8(value).unwrap())
        };
        assert_eq!(get("database-name"), Some("short"));
        assert_eq!(get("tcp-port"), Some("210"));
        assert_eq!(get("cost-unit"), Some(":free"));
        assert_eq!(get("keyword-list"), Some("the whale"));
        assert_eq!(get("description"), Some("Says \"(hello)\"\n:twice"));
        assert_eq!(source.fields().count(), 8);
        assert_eq!(get("script"), None);
    }

    #[test]
    fn incomplete_descriptions() {
        for text in [
            "",
            "(:source",
            "(:source :a \"b)",
            "(:source :a (b)",
            "source :a b)",
        ] {
            assert_eq!(Source::read(text.as_bytes()), None, "{text}");
        }
        assert_eq!(Source::read(b"(:Source)"), Some(Source::default()));
        let deep = ["(:source ", &"(".repeat(1000), &")".repeat(1001)].concat();
        assert_eq!(Source::read(deep.as_bytes()), None);
        let many = ["(:source ", &":a 1 ".repeat(1000), ")"].concat();
        assert_eq!(Source::read(many.as_bytes()), None);
    }
}
