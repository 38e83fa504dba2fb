//! A line of a custom protocol.

use super::{Argument, Command, Secret, Wire};

/// A line that a custom protocol sends: words that the program contains, and arguments.
///
/// ```
/// use urikit_access::{Argument, Command as _, Line, Secret};
/// let line = Line::new("LOGIN ")
///     .argument(Argument::new(*b"tim", "user")?)
///     .word(" ")
///     .secret(Secret::new(*b"hunter2", "password")?);
/// assert_eq!(line.octets(), b"LOGIN tim hunter2");
/// assert_eq!(line.masked(), b"LOGIN tim ***");
/// # Ok::<(), urikit_access::UrlError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Line {
    pieces: Vec<Piece>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Word(&'static str),
    Argument(Argument),
    Secret(Secret),
}

impl Line {
    /// Starts with a word, which may be empty.
    pub fn new(word: &'static str) -> Self {
        Self::default().word(word)
    }

    /// Appends a word. The program, not a URL, is responsible for what it contains.
    #[must_use]
    pub fn word(mut self, word: &'static str) -> Self {
        self.pieces.push(Piece::Word(word));
        self
    }

    /// Appends an argument.
    #[must_use]
    pub fn argument(mut self, argument: Argument) -> Self {
        self.pieces.push(Piece::Argument(argument));
        self
    }

    /// Appends a secret argument.
    #[must_use]
    pub fn secret(mut self, secret: Secret) -> Self {
        self.pieces.push(Piece::Secret(secret));
        self
    }
}

impl Command for Line {
    /// Its first word, or `line` if it begins with an argument.
    fn name(&self) -> &'static str {
        match self.pieces.first() {
            Some(Piece::Word(word)) if !word.trim().is_empty() => word.trim(),
            _ => "line",
        }
    }

    fn write(&self, wire: &mut Wire) {
        for piece in &self.pieces {
            match piece {
                Piece::Word(word) => wire.word(word),
                Piece::Argument(argument) => wire.argument(argument),
                Piece::Secret(secret) => wire.secret(secret),
            };
        }
    }
}
