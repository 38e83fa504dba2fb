//! Draws random sentences from the project's pages, doc comments, comments and messages, so that an
//! outside reader can judge them.
//!
//! `cargo run -p urikit-testkit --example sentences -- [SEED [NUMBER]]`

use std::path::{Path, PathBuf};
use std::{env, fs, io};
use urikit_testkit::Random;
use urikit_testkit::data::project_root;

/// A sentence, and the file and line where its paragraph begins.
struct Sentence {
    path: PathBuf,
    line: usize,
    text: String,
}

/// Collects the paragraphs of one file and splits them into sentences.
struct Paragraphs<'a> {
    path: &'a Path,
    begin: usize,
    text: String,
    is_code: bool,
    found: Vec<Sentence>,
}

impl<'a> Paragraphs<'a> {
    fn new(path: &'a Path) -> Self {
        Self {
            path,
            begin: 0,
            text: String::new(),
            is_code: false,
            found: Vec::new(),
        }
    }

    /// Adds a line of prose without its comment markers.
    fn line(&mut self, number: usize, line: &str) {
        let line = line.trim();
        if line.starts_with("```") {
            self.end();
            self.is_code = !self.is_code;
            return;
        }
        let is_heading = line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
        let is_link = line.starts_with('[') && line.contains("]: ");
        if line.is_empty() || self.is_code || is_heading || is_link || line.starts_with(['|', '<'])
        {
            self.end();
            return;
        }
        let unnumbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
        let item = item.or_else(|| unnumbered.strip_prefix(". "));
        if item.is_some() {
            self.end();
        }
        if self.text.is_empty() {
            self.begin = number;
        } else {
            self.text.push(' ');
        }
        self.text.push_str(item.unwrap_or(line));
    }

    /// Ends the current paragraph, and keeps its sentences.
    fn end(&mut self) {
        self.split(3);
    }

    /// Ends the current paragraph, and keeps its sentences of at least `least` words.
    fn split(&mut self, words: usize) {
        let paragraph = std::mem::take(&mut self.text);
        let mut sentence = String::new();
        for piece in paragraph.split_inclusive(". ") {
            let is_in_code = sentence.matches('`').count() % 2 == 1;
            if !is_in_code && !piece.starts_with(char::is_lowercase) {
                self.keep(&std::mem::take(&mut sentence), words);
            }
            sentence.push_str(piece);
        }
        self.keep(&sentence, words);
    }

    /// Keeps a sentence if it has at least `least` lower-case words outside code. Strings with
    /// fewer such words are names, titles, productions or code. Python examples, which begin with
    /// `>>>`, are not kept.
    fn keep(&mut self, text: &str, least: usize) {
        let is_word = |word: &&str| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            word.chars().all(|c| c.is_lowercase() || "'-".contains(c)) && !word.is_empty()
        };
        let words = text.split('`').step_by(2).flat_map(str::split_whitespace);
        if words.filter(is_word).count() >= least && !text.starts_with(">>>") {
            self.found.push(Sentence {
                path: self.path.to_owned(),
                line: self.begin,
                text: text.trim().to_owned(),
            });
        }
    }
}

/// Returns the sentences of a Markdown page.
fn of_page(path: &Path, text: &str) -> Vec<Sentence> {
    let mut paragraphs = Paragraphs::new(path);
    for (number, line) in text.lines().enumerate() {
        paragraphs.line(number + 1, line);
    }
    paragraphs.end();
    paragraphs.found
}

/// Returns the sentences of a Rust file: those in comments, and string literals that are messages.
fn of_source(path: &Path, text: &str) -> Vec<Sentence> {
    let mut paragraphs = Paragraphs::new(path);
    let mut last_mark = "";
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let marks = ["///", "//!", "//"];
        let mark = marks.into_iter().find(|mark| line.starts_with(mark));
        if mark.unwrap_or("") != last_mark {
            paragraphs.end();
            paragraphs.is_code = false;
        }
        last_mark = mark.unwrap_or("");
        if line.starts_with("#[doc = concat!") {
            paragraphs.end(); // a sentence with gaps
        } else if let Some(mark) = mark {
            paragraphs.line(number + 1, line.strip_prefix(mark).unwrap_or(line));
        } else {
            messages(&mut paragraphs, number + 1, line);
        }
    }
    paragraphs.end();
    paragraphs.found
}

/// Removes style placeholders, such as `{ERROR}` and `{ERROR:#}`.
fn without_styles(text: &str) -> String {
    let mut pieces = text.split('{');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let is_style = |name: &str| {
            name.chars()
                .all(|c| c.is_ascii_uppercase() || ":#".contains(c))
        };
        match piece.split_once('}') {
            Some((name, rest)) if !name.is_empty() && is_style(name) => out.push_str(rest),
            _ => out.extend(["{", piece]),
        }
    }
    out
}

/// Adds the string literals of a line of code that have at least five words, because shorter ones
/// are parts of messages. A literal that ends with a backslash continues on the next line.
fn messages(paragraphs: &mut Paragraphs<'_>, number: usize, line: &str) {
    let is_continued = !paragraphs.text.is_empty();
    for (index, piece) in line.split('"').enumerate() {
        if (index % 2 == 1) != is_continued {
            let (text, is_open) = match piece.strip_suffix('\\') {
                Some(text) => (text, true),
                None => (piece, false),
            };
            paragraphs.line(number, &without_styles(text));
            if is_open {
                return;
            }
        }
        paragraphs.split(5);
    }
}

/// Returns the pages and the source files of the crates and of the Python package, sorted by name.
fn files(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    entries.sort();
    for path in entries {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.unwrap_or_default();
        if path.is_dir() {
            let is_left_out =
                ["target", "testdata", "tests"].contains(&name) || name.starts_with('.');
            if !is_left_out {
                files(&path, found)?;
            }
        } else if matches!(
            path.extension().and_then(|ext| ext.to_str()),
            Some("rs" | "md")
        ) && name != "tests.rs"
        {
            found.push(path);
        }
    }
    Ok(())
}

fn sentences() -> io::Result<Vec<Sentence>> {
    let root = project_root();
    let mut paths = Vec::new();
    files(&root, &mut paths)?;
    let mut found = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path)?;
        let text = text
            .split("\n#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        let inner = path.strip_prefix(&root).unwrap_or(&path);
        let is_page = path.extension().is_some_and(|extension| extension == "md");
        found.extend(if is_page {
            of_page(inner, text)
        } else {
            of_source(inner, text)
        });
    }
    Ok(found)
}

fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1).map(|text| text.parse::<u64>());
    let seed = arguments.next().and_then(Result::ok).unwrap_or(1);
    let number = arguments.next().and_then(Result::ok).unwrap_or(200);
    let mut all = sentences()?;
    let mut random = Random::new(seed);
    for _ in 0..number.min(all.len() as u64) {
        let Sentence { path, line, text } = all.swap_remove(random.below(all.len()));
        println!("{}:{line}: {text}", path.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_messages_are_split_into_sentences() {
        let text = r#"
            /// Parses a reference. Fails if [`MAX`](x)
            /// [`A`] is exceeded (RFC 1, 2. x).
            /// `path = a. B | c`: a rule
            fn f() {
                g("{ERROR}no component of this \
                   name", "x", "File Transfer Protocol")
            }
            // ```
            // not prose at all here
            // ```
            "#;
        let found = of_source(Path::new("a.rs"), text);
        let texts: Vec<_> = found.iter().map(|s| (s.line, s.text.as_str())).collect();
        let expected = [
            (2, "Fails if [`MAX`](x) [`A`] is exceeded (RFC 1, 2. x)."),
            (6, "no component of this name"),
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn the_project_has_thousands_of_sentences() {
        assert!(sentences().unwrap().len() > 5000);
    }
}
