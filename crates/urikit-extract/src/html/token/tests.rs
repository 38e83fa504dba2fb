//! Compares the tokenizer with html5lib's tests, if they are installed, and with `html5ever` and
//! its tree builder on generated documents.

use super::states::{Script, State};
use super::{Sink, Tag, Text, TextKind, Tokenizer};
use crate::decode::OffsetMap;
use crate::html::text::decode_references;
use crate::random::Random;
use html5ever::tokenizer::{
    self, BufferQueue, Token as Html5, TokenSink, TokenSinkResult, Tokenizer as Html5Tokenizer,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use markup5ever_rcdom::{Handle, RcDom};
use serde_json::Value;
use std::cell::RefCell;

/// A decoded token. NUL and U+FFFD are removed, because the difference between them does not affect
/// links.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Start(String, Vec<(String, String)>),
    Text(String),
    Comment(String),
}

/// Records tokens.
#[derive(Default)]
struct Recorder {
    tokens: Vec<Token>,
    /// The offset, kind and bytes of the text that has not ended.
    open: Option<(usize, TextKind, Vec<u8>)>,
    end: usize,
}

fn text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes)
        .replace("\r\n", "\n")
        .replace('\r', "\n");
    text.replace(['\0', '\u{FFFD}'], "")
}

fn decoded(bytes: &[u8], in_attribute: bool) -> String {
    let mut out = Vec::new();
    // The standard normalizes line ends before it decodes character references.
    let normal = String::from_utf8_lossy(bytes)
        .replace("\r\n", "\n")
        .replace('\r', "\n");
    let map = &mut OffsetMap::new(0);
    decode_references(normal.as_bytes(), in_attribute, true, &mut out, map);
    String::from_utf8_lossy(&out).replace(['\0', '\u{FFFD}'], "")
}

impl Sink for Recorder {
    fn wants(&self, _: &[u8]) -> bool {
        true
    }

    fn start_tag(&mut self, tag: Tag<'_>) {
        assert!(self.open.is_none());
        if tag.is_cut {
            return;
        }
        let attributes = tag
            .attributes()
            .map(|found| {
                let name = text(found.name).to_ascii_lowercase();
                (name, decoded(found.value, true))
            })
            .collect();
        let name = text(tag.name).to_ascii_lowercase();
        self.tokens.push(Token::Start(name, attributes));
    }

    fn end_tag(&mut self) {}

    fn text(&mut self, piece: Text<'_>) {
        let (start, kind, bytes) = self
            .open
            .get_or_insert_with(|| (piece.start, piece.kind, Vec::new()));
        assert_eq!((*start + bytes.len(), *kind), (piece.start, piece.kind));
        assert!(*start >= self.end);
        bytes.extend_from_slice(piece.bytes);
        if !piece.is_last {
            return;
        }
        let (start, kind, bytes) = self.open.take().unwrap();
        self.end = start + bytes.len();
        let token = match kind {
            TextKind::Escaped => Token::Text(decoded(&bytes, false)),
            TextKind::Comment => Token::Comment(text(&bytes)),
            TextKind::Doctype => return,
            _ => Token::Text(text(&bytes)),
        };
        self.tokens.push(token);
    }
}

/// Joins adjacent pieces of text, and removes empty text and comments. Dashes at the end of a
/// comment are not compared, because the document may end there.
fn joined(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    for token in tokens {
        match (token, out.last_mut()) {
            (Token::Text(text), Some(Token::Text(before))) => before.push_str(&text),
            (Token::Text(text), _) if text.is_empty() => {}
            (Token::Comment(text), _) => {
                let text = text.trim_end_matches(['-', '!']);
                if !text.is_empty() {
                    out.push(Token::Comment(text.to_owned()));
                }
            }
            (token, _) => out.push(token),
        }
    }
    out
}

fn ours(document: &[u8], piece: usize, state: State) -> Vec<Token> {
    let mut tokenizer = Tokenizer::new();
    tokenizer.state = state;
    let mut recorder = Recorder::default();
    for piece in document.chunks(piece) {
        tokenizer.push(piece, &mut recorder);
    }
    tokenizer.finish(&mut recorder);
    assert!(
        recorder.open.is_none(),
        "{:?}",
        String::from_utf8_lossy(document)
    );
    joined(recorder.tokens)
}

/// Records the tokens that `html5ever` passes to its tree builder, which decides how the content of
/// each element is read.
struct Oracle {
    tree: TreeBuilder<Handle, RcDom>,
    tokens: RefCell<Vec<Token>>,
}

impl TokenSink for Oracle {
    type Handle = Handle;

    fn process_token(&self, token: Html5, line: u64) -> TokenSinkResult<Handle> {
        let found = match &token {
            Html5::TagToken(tag) if tag.kind == tokenizer::StartTag => {
                let attributes = tag.attrs.iter().map(|attribute| {
                    let name = text(attribute.name.local.as_bytes());
                    (name, attribute.value.replace('\u{FFFD}', ""))
                });
                let name = text(tag.name.as_bytes());
                Some(Token::Start(name, attributes.collect()))
            }
            Html5::CharacterTokens(characters) => {
                Some(Token::Text(characters.replace(['\0', '\u{FFFD}'], "")))
            }
            Html5::CommentToken(comment) => {
                Some(Token::Comment(comment.replace(['\0', '\u{FFFD}'], "")))
            }
            _ => None,
        };
        self.tokens.borrow_mut().extend(found);
        self.tree.process_token(token, line)
    }

    fn end(&self) {
        self.tree.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.tree
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}

fn theirs(document: &str) -> Vec<Token> {
    let oracle = Oracle {
        tree: TreeBuilder::new(RcDom::default(), TreeBuilderOpts::default()),
        tokens: RefCell::default(),
    };
    let options = tokenizer::TokenizerOpts {
        discard_bom: false,
        ..Default::default()
    };
    let tokenizer = Html5Tokenizer::new(oracle, options);
    let input = BufferQueue::default();
    input.push_back(document.into());
    while !input.is_empty() {
        let _ = tokenizer.feed(&input);
    }
    tokenizer.end();
    joined(tokenizer.sink.tokens.take())
}

/// The parts of generated documents. `select`, `frameset` and tables within tables are left out,
/// because a tree builder ignores them in some places.
const PARTS: [&str; 118] = [
    "<",
    ">",
    "/",
    "=",
    "\"",
    "'",
    " ",
    "\n",
    "\t",
    "\r",
    "\r\n",
    "\x0C",
    "\0",
    "&",
    ";",
    "!",
    "-",
    "--",
    "?",
    "a",
    "b",
    "é",
    "x y",
    "&amp;",
    "&lt",
    "&#58;",
    "&notit;",
    "<!--",
    "-->",
    "--!>",
    "<!-",
    "<!-->",
    "<!--->",
    "<!---->",
    "<!--a--><b>",
    "<!",
    "<!>",
    "<!doctype html>",
    "<!DOCTYPE html PUBLIC \"a>b\">",
    "<?",
    "<?xml version='1.0'?>",
    "</",
    "</>",
    "</ a>",
    "</a>",
    "<a>",
    "<a href",
    "<a href=",
    "<a href=b>",
    "<a href='b'>",
    "<a href=\"b\"c>",
    "<a href=b/>",
    "<a href='>",
    "<a b=c B=d>",
    "<a/b/c=d/>",
    "<a =b>",
    "<a b==c>",
    "<a b = 'c' d>",
    "<A HREF=x>",
    "<p>",
    "</p>",
    "</br>",
    "<br/>",
    "<div>",
    "</div>",
    "<title>",
    "</title>",
    "</title ",
    "</TITLE>",
    "<textarea>",
    "</textarea>",
    "<style>",
    "</style>",
    "</style/>",
    "<script>",
    "</script>",
    "<script ",
    "</script ",
    "<SCRIPT>",
    "</scrip",
    "<xmp>",
    "</xmp>",
    "<iframe>",
    "</iframe>",
    "<noembed>",
    "</noembed>",
    "<noframes>",
    "</noframes>",
    "<noscript>",
    "</noscript>",
    "<svg>",
    "</svg>",
    "<svg/>",
    "<SVG>",
    "<math>",
    "</math>",
    "<mi>",
    "</mi>",
    "<mtext>",
    "</mtext>",
    "<desc>",
    "</desc>",
    "<foreignObject>",
    "</foreignObject>",
    "<annotation-xml encoding=text/html>",
    "</annotation-xml>",
    "<annotation-xml>",
    "<g>",
    "</g>",
    "<font>",
    "<font color=a>",
    "<![CDATA[",
    "]]>",
    "]]",
    "<![CDATA[a]]>",
    "<style/>",
    "<title/>",
    "<plaintext>",
];

fn generated(random: &mut Random) -> String {
    let length = 1 + random.below(24);
    // After a paragraph, the document is in its body.
    let mut document = String::from("<!doctype html><body><p>");
    for _ in 0..length {
        // The last part hides everything after it, so it is rare.
        let count = PARTS.len() - usize::from(random.below(20) > 0);
        document.push_str(PARTS[random.below(count)]);
    }
    document
}

/// Returns true if an end tag of HTML is in foreign content, where a heuristic replaces the tree.
fn is_known(document: &str) -> bool {
    let lower = document.to_ascii_lowercase();
    let in_foreign = lower.contains("<svg") || lower.contains("<math");
    in_foreign && lower.contains("</")
}

#[test]
fn generated_documents_as_html5ever_reads_them() {
    let mut random = Random(0x5EED);
    let (mut differ, mut compared) = (Vec::new(), 0);
    for _ in 0..40_000 {
        let document = generated(&mut random);
        let ours = ours(document.as_bytes(), usize::MAX, State::Data);
        let theirs = theirs(&document);
        compared += 1;
        if ours != theirs {
            differ.push((document, ours, theirs));
        }
    }
    let is_known = |document: &String| is_known(document);
    let known = differ.iter().filter(|(document, ..)| is_known(document));
    let known = known.count();
    for (document, ours, theirs) in &differ {
        if !is_known(document) {
            println!("{document:?}\n  ours:   {ours:?}\n  theirs: {theirs:?}");
        }
    }
    println!("{compared} documents, {known} differ because of the tree");
    assert_eq!(differ.len(), known);
    assert!(known < 200, "{known}");
}

#[test]
fn tokens_do_not_depend_on_the_pieces() {
    let mut random = Random(0xC0DE);
    for _ in 0..10_000 {
        let document = generated(&mut random);
        let whole = ours(document.as_bytes(), usize::MAX, State::Data);
        for piece in [1, 2, 3, 7] {
            let pieces = ours(document.as_bytes(), piece, State::Data);
            assert_eq!(pieces, whole, "{document:?} in pieces of {piece}");
        }
    }
}

/// Runs html5lib's tests (`tokenizer/*.test`) if `HTML5LIB_TESTS` names their folder. `./test
/// --install` extracts them from the source archive of html5lib.
#[test]
fn html5lib_tests() {
    let Some(folder) = std::env::var_os("HTML5LIB_TESTS") else {
        println!("SKIPPED html5lib's tests: HTML5LIB_TESTS is not set; ./test --install gets them");
        return;
    };
    let (mut count, mut wrong) = (0, Vec::new());
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "test") {
            continue;
        }
        let file: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for test in file["tests"].as_array().into_iter().flatten() {
            for (state, expected, found) in html5lib(test) {
                count += 1;
                // A numeric reference with more than 64 digits is text.
                let is_long = test["input"].as_str().unwrap().contains(&"0".repeat(64));
                if found != expected && !is_long {
                    wrong.push(format!(
                        "{} ({state}): {}\n  expected: {expected:?}\n  found:    {found:?}",
                        path.display(),
                        test["input"]
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\n{} of {count}",
        wrong.join("\n"),
        wrong.len()
    );
    assert!(count > 1000, "{count}");
    println!("{count} tests of html5lib");
}

fn html5lib(test: &Value) -> Vec<(String, Vec<Token>, Vec<Token>)> {
    let unescape = |text: &str| -> Option<String> {
        if test["doubleEscaped"] != true {
            return Some(text.to_owned());
        }
        // UTF-8 has no unpaired surrogates.
        serde_json::from_str(&format!(
            "\"{}\"",
            text.replace('"', "\\\"").replace('\n', "\\n")
        ))
        .ok()
    };
    let Some(input) = unescape(test["input"].as_str().unwrap()) else {
        return Vec::new();
    };
    let mut expected = Vec::new();
    for token in test["output"].as_array().unwrap() {
        let Some(token) = token.as_array() else {
            continue;
        };
        let string = |at: usize| {
            let string = unescape(token[at].as_str().unwrap()).unwrap_or_default();
            string.replace(['\0', '\u{FFFD}'], "")
        };
        match token[0].as_str().unwrap() {
            "StartTag" => {
                let attributes = token[2].as_object().unwrap().iter();
                let attributes = attributes.map(|(name, value)| {
                    let value = unescape(value.as_str().unwrap()).unwrap_or_default();
                    let name = unescape(name).unwrap_or_default();
                    let clean = |text: String| text.replace(['\0', '\u{FFFD}'], "");
                    (clean(name), clean(value))
                });
                let mut attributes: Vec<_> = attributes.collect();
                attributes.sort();
                expected.push(Token::Start(string(1), attributes));
            }
            "Character" => expected.push(Token::Text(string(1))),
            "Comment" => expected.push(Token::Comment(string(1))),
            _ => {}
        }
    }
    let last = test["lastStartTag"].as_str().unwrap_or("script");
    let last: &'static str = Box::leak(last.to_owned().into_boxed_str());
    let states = test["initialStates"].as_array().cloned();
    let states = states.unwrap_or_else(|| vec!["Data state".into()]);
    let mut out = Vec::new();
    for state in states {
        let name = state.as_str().unwrap();
        let initial = match name {
            "Data state" => State::Data,
            "PLAINTEXT state" => State::Plaintext,
            "RCDATA state" => State::RawText(TextKind::Escaped, last),
            "RAWTEXT state" => State::RawText(TextKind::Raw, last),
            "Script data state" if last != "script" => continue,
            "Script data state" => State::Script(Script::default()),
            "CDATA section state" => State::Cdata,
            other => panic!("{other}"),
        };
        let mut found = ours(input.as_bytes(), usize::MAX, initial);
        for token in &mut found {
            if let Token::Start(_, attributes) = token {
                attributes.sort();
            }
        }
        out.push((name.to_owned(), joined(expected.clone()), found));
    }
    out
}
