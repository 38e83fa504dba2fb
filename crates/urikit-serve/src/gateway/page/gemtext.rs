//! Gemtext (`text/gemini`), with the prompt lines of Spartan.
//!
//! ```text
//! =>[SP]URL[SP label]    a link            # ## ###    headings
//! =:[SP]URL[SP label]    a prompt          * text      an item of a list
//! ```[alternative text]  begins or ends preformatted lines
//! >text                  a quotation       all others  text
//! ```

use super::Page;
use super::address::Links;
use super::frame::{Frame, write};
use super::message::SearchForm;
use super::text::{Text, linked};
use askama::Template;
use urikit::op::repair::repair_for;
use urikit::{Uri, UriBuf, UriRef};
use urikit_extract::Finder;

/// A line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Line<'a> {
    /// The first or last line of a preformatted block, with the alternative text.
    Toggle(&'a str),
    Preformatted(&'a str),
    /// A link: its reference and its label, which may be empty.
    Link(&'a str, &'a str),
    /// A prompt of Spartan: its reference and its label.
    Prompt(&'a str, &'a str),
    /// A heading, whose level is 1, 2 or 3.
    Heading(u8, &'a str),
    Item(&'a str),
    Quotation(&'a str),
    Text(&'a str),
}

impl<'a> Line<'a> {
    /// Reads a line without its ending. Only Spartan has prompts.
    pub(super) fn read(line: &'a str, is_preformatted: bool, is_spartan: bool) -> Self {
        if let Some(rest) = line.strip_prefix("```") {
            return Self::Toggle(rest.trim());
        }
        if is_preformatted {
            return Self::Preformatted(line);
        }
        if let Some(rest) = line.strip_prefix("=>") {
            let (reference, label) = split(rest);
            return Self::Link(reference, label);
        }
        if is_spartan && let Some(rest) = line.strip_prefix("=:") {
            let (reference, label) = split(rest);
            return Self::Prompt(reference, label);
        }
        if let Some(rest) = line.strip_prefix("###") {
            return Self::Heading(3, rest.trim());
        }
        if let Some(rest) = line.strip_prefix("##") {
            return Self::Heading(2, rest.trim());
        }
        if let Some(rest) = line.strip_prefix('#') {
            return Self::Heading(1, rest.trim());
        }
        if let Some(rest) = line.strip_prefix("* ") {
            return Self::Item(rest.trim());
        }
        match line.strip_prefix('>') {
            Some(rest) => Self::Quotation(rest.trim()),
            None => Self::Text(line),
        }
    }
}

/// Splits the rest of a link line into the reference and the label.
fn split(rest: &str) -> (&str, &str) {
    let rest = rest.trim();
    match rest.split_once([' ', '\t']) {
        Some((reference, label)) => (reference, label.trim_start()),
        None => (rest, ""),
    }
}

/// Returns the base URI of a page's references, without dot segments (RFC 3986, 5.2.1). The
/// segments are removed here, and not for each reference, because a long URL may have thousands of
/// them, and a page millions of references.
pub(super) fn base(url: &str) -> Option<UriBuf> {
    let url = Uri::parse(url).ok()?;
    UriRef::from(url).resolve_against(url).ok()
}

/// Repairs and resolves a reference. Returns `None` if the result is not a URI.
pub(super) fn resolved(reference: &str, base: Option<&UriBuf>) -> Option<String> {
    if reference.is_empty() {
        return None;
    }
    let base = base?;
    let repaired = repair_for(reference, base).ok()?.reference;
    Some(repaired.resolve_against(base).ok()?.into_string())
}

/// The element that contains consecutive lines of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Block {
    None,
    List,
    Quotation,
    Preformatted,
}

impl Block {
    const fn begin(self) -> &'static str {
        match self {
            Self::None | Self::Preformatted => "",
            Self::List => "<ul>\n",
            Self::Quotation => "<blockquote>\n",
        }
    }

    const fn end(self) -> &'static str {
        match self {
            Self::None => "",
            Self::List => "</ul>\n",
            Self::Quotation => "</blockquote>\n",
            Self::Preformatted => "</pre>\n",
        }
    }
}

/// The page of a document in gemtext.
pub(super) struct GemtextPage {
    frame: Frame,
    /// The URL of the document.
    base: Option<UriBuf>,
    text: Text,
    lines: Lines,
    /// The language of the document (BCP 47).
    language: Option<String>,
}

/// Writes lines.
struct Lines {
    finder: Finder,
    is_spartan: bool,
    block: Block,
    /// The end of the current line's element, if the rest of the line has not arrived.
    open: Option<&'static str>,
    /// The number of prompts.
    prompts: usize,
}

/// The beginning of the document.
#[derive(Template)]
#[template(
    ext = "html",
    source = "<div class=\"gemtext\"{% if let Some(language) = language %} lang=\"{{ language }}\"\
              {% endif %}>\n"
)]
struct Begin<'a> {
    language: Option<&'a str>,
}

/// The beginning of preformatted lines.
#[derive(Template)]
#[template(
    ext = "html",
    source = "<pre tabindex=\"0\"{% if !alternative.is_empty() %} title=\"{{ alternative }}\"\
              {% endif %}>\n"
)]
struct Preformatted<'a> {
    alternative: &'a str,
}

/// A link.
#[derive(Template)]
#[template(
    ext = "html",
    source = "<p class=\"link\">{% if let Some(address) = address %}<a href=\"{{ address }}\">\
              {{ label }}</a>{% else %}{{ label }}{% endif %}"
)]
struct Link<'a> {
    address: Option<String>,
    label: &'a str,
}

/// Text.
#[derive(Template)]
#[template(ext = "html", source = "{{ text }}")]
struct Escaped<'a> {
    text: &'a str,
}

impl GemtextPage {
    pub(super) fn new(frame: Frame, text: Text, is_spartan: bool, language: Option<&str>) -> Self {
        let is_tag = |text: &str| {
            !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        };
        Self {
            base: base(&frame.url),
            frame,
            text,
            lines: Lines {
                finder: Finder::new(),
                is_spartan,
                block: Block::None,
                open: None,
                prompts: 0,
            },
            language: language.filter(|text| is_tag(text)).map(str::to_owned),
        }
    }

    fn push(&mut self, bytes: &[u8], is_last: bool, out: &mut Vec<u8>) {
        let Self {
            frame,
            base,
            text,
            lines,
            ..
        } = self;
        text.push(bytes, is_last, &mut |text| {
            for line in text.split_inclusive('\n') {
                lines.write(line, base.as_ref(), &frame.links, out);
            }
        });
    }
}

impl Lines {
    /// Writes a line, or a part of a long one. A part that is not the last has no line ending.
    fn write(&mut self, part: &str, base: Option<&UriBuf>, links: &Links, out: &mut Vec<u8>) {
        let is_complete = part.ends_with('\n');
        let text = part.strip_suffix('\n').unwrap_or(part);
        let text = text.strip_suffix('\r').unwrap_or(text);
        let end = match self.open {
            Some(end) => {
                self.content(text, links, out);
                end
            }
            None => self.begin(text, base, links, out),
        };
        if is_complete {
            out.extend_from_slice(end.as_bytes());
        }
        self.open = (!is_complete).then_some(end);
    }

    /// Writes the beginning of a line, and returns the end of its element.
    fn begin(
        &mut self,
        text: &str,
        base: Option<&UriBuf>,
        links: &Links,
        out: &mut Vec<u8>,
    ) -> &'static str {
        let is_preformatted = self.block == Block::Preformatted;
        let line = Line::read(text, is_preformatted, self.is_spartan);
        self.enter(
            match line {
                Line::Item(_) => Block::List,
                Line::Quotation(_) => Block::Quotation,
                Line::Preformatted(_) => Block::Preformatted,
                Line::Toggle(_) if !is_preformatted => Block::Preformatted,
                _ => Block::None,
            },
            out,
        );
        let mut element = |begin: &str| out.extend_from_slice(begin.as_bytes());
        match line {
            Line::Toggle(alternative) => {
                if !is_preformatted {
                    write(&Preformatted { alternative }, out);
                }
                ""
            }
            Line::Preformatted(text) => {
                write(&Escaped { text }, out);
                "\n"
            }
            Line::Link(reference, label) => {
                let label = if label.is_empty() { reference } else { label };
                let address = resolved(reference, base).and_then(|url| links.address(&url));
                write(&Link { address, label }, out);
                "</p>\n"
            }
            Line::Prompt(reference, label) => {
                self.prompt(resolved(reference, base), reference, label, out);
                ""
            }
            Line::Heading(level, text) => {
                let (begin, end) = match level {
                    1 => ("<h2>", "</h2>\n"),
                    2 => ("<h3>", "</h3>\n"),
                    _ => ("<h4>", "</h4>\n"),
                };
                element(begin);
                self.content(text, links, out);
                end
            }
            Line::Item(text) => {
                element("<li>");
                self.content(text, links, out);
                "</li>\n"
            }
            Line::Text("") => "<br>\n",
            Line::Quotation(text) | Line::Text(text) => {
                element("<p>");
                self.content(text, links, out);
                "</p>\n"
            }
        }
    }

    /// Writes text. URLs become links, except in preformatted text.
    fn content(&self, text: &str, links: &Links, out: &mut Vec<u8>) {
        if self.block == Block::Preformatted {
            write(&Escaped { text }, out);
        } else {
            linked(text, links, &self.finder, out);
        }
    }

    /// Ends the current block, and begins the block of the next line.
    fn enter(&mut self, block: Block, out: &mut Vec<u8>) {
        if self.block != block {
            out.extend_from_slice(self.block.end().as_bytes());
            out.extend_from_slice(block.begin().as_bytes());
            self.block = block;
        }
    }

    /// Writes a prompt as a form.
    fn prompt(&mut self, url: Option<String>, reference: &str, label: &str, out: &mut Vec<u8>) {
        let label = if label.is_empty() { reference } else { label };
        let is_spartan = |url: &String| {
            let scheme = super::scheme(url);
            scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("spartan"))
        };
        let Some(url) = url.filter(is_spartan) else {
            write(
                &Link {
                    address: None,
                    label,
                },
                out,
            );
            out.extend_from_slice(b"</p>\n");
            return;
        };
        self.prompts += 1;
        let form = SearchForm {
            id: format!("words-{}", self.prompts),
            label: label.to_owned(),
            button: "Send",
            ..SearchForm::new(super::without_password(&url))
        };
        write(&form, out);
    }
}

impl Page for GemtextPage {
    fn begin(&mut self, out: &mut Vec<u8>) {
        self.frame.begin(out);
        let language = self.language.as_deref();
        write(&Begin { language }, out);
    }

    fn bytes(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.push(bytes, false, out);
    }

    fn end(&mut self, failed: Option<&str>, out: &mut Vec<u8>) -> bool {
        self.push(b"", true, out);
        let end = self.lines.open.take().unwrap_or_default();
        out.extend_from_slice(end.as_bytes());
        self.lines.enter(Block::None, out);
        out.extend_from_slice(b"</div>\n");
        self.frame.end(failed, out);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{GemtextPage, Line};
    use crate::gateway::page::text::Text;
    use crate::gateway::page::{Form, Frame, Links, Page as _};

    /// Returns the content of the page for a document that arrives in pieces.
    fn page(document: &str, is_spartan: bool, length: usize) -> String {
        let scheme = if is_spartan { "spartan" } else { "gemini" };
        let frame = Frame {
            links: Links {
                form: Form::Prefix,
                schemes: ["gemini", "spartan"].map(str::to_owned).into(),
            },
            title: String::new(),
            url: format!("{scheme}://h/a/b?c"),
            has_feed: false,
        };
        let text = Text::new(Some(b"utf-8"), b"");
        let mut page = GemtextPage::new(frame, text, is_spartan, Some("en-GB"));
        let mut out = Vec::new();
        page.begin(&mut out);
        for piece in document.as_bytes().chunks(length) {
            page.bytes(piece, &mut out);
        }
        assert!(page.end(None, &mut out));
        let out = String::from_utf8(out).unwrap();
        let (_, content) = out
            .split_once("<div class=\"gemtext\" lang=\"en-GB\">\n")
            .unwrap();
        content.split_once("</div>").unwrap().0.to_owned()
    }

    #[test]
    fn lines_have_their_elements() {
        let document = "# One\r\n## Two\n###Three\n\ntext <b> gemini://h/x\n* a\n* b\n*c\n> q\n\
            >r\n=> d\n=>/e?f\t The <label>\n=>  https://w.example/ \n=> javascript:alert(1) no\n\
            =>\n=> //h/\u{e9} \u{e9}\n```alt \"x\"\n# <pre>\n=> x\n``` \n=: y z\n```\nopen";
        let expected = "<h2>One</h2>\n<h3>Two</h3>\n<h4>Three</h4>\n<br>\n\
            <p>text &#60;b&#62; <a href=\"/gemini://h/x\">gemini://h/x</a></p>\n\
            <ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<p>*c</p>\n\
            <blockquote>\n<p>q</p>\n<p>r</p>\n</blockquote>\n\
            <p class=\"link\"><a href=\"/gemini://h/a/d\">d</a></p>\n\
            <p class=\"link\"><a href=\"/gemini://h/e?f\">The &#60;label&#62;</a></p>\n\
            <p class=\"link\"><a href=\"https://w.example/\">https://w.example/</a></p>\n\
            <p class=\"link\">no</p>\n<p class=\"link\"></p>\n\
            <p class=\"link\"><a href=\"/gemini://h/%C3%A9\">\u{e9}</a></p>\n\
            <pre tabindex=\"0\" title=\"alt &#34;x&#34;\">\n# &#60;pre&#62;\n=&#62; x\n</pre>\n\
            <p>=: y z</p>\n<pre tabindex=\"0\">\nopen\n</pre>\n";
        for length in [1, 7, document.len()] {
            assert_eq!(page(document, false, length), expected, "{length}");
        }
    }

    /// Elements are closed in order, whatever the lines are, and no markup comes from the document.
    #[test]
    fn documents_of_any_lines_are_well_formed() {
        let elements = [
            "a",
            "blockquote",
            "br",
            "button",
            "form",
            "h2",
            "h3",
            "h4",
            "input",
            "label",
            "li",
            "p",
            "pre",
            "ul",
        ];
        let lines = [
            "text <a>",
            "",
            "# h",
            "##",
            "### </div>",
            "* item",
            "* ",
            "> q",
            ">",
            "=> a <b>",
            "=>",
            "=> javascript:x()",
            "=: p",
            "=: p <q>",
            "```",
            "```\"",
            "</pre>",
            "  ",
            "gemini://h/x",
        ];
        let mut seed = 1_u32;
        let mut next = |below: usize| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) as usize % below
        };
        for number in 0..500 {
            let count = next(12);
            let document: Vec<_> = (0..count).map(|_| lines[next(lines.len())]).collect();
            let document = document.join(if number % 2 == 0 { "\n" } else { "\r\n" });
            let is_spartan = number % 3 == 0;
            let text = page(&document, is_spartan, document.len().max(1));
            assert_eq!(page(&document, is_spartan, 1), text, "{document:?}");
            let mut open = Vec::new();
            for tag in text.split('<').skip(1) {
                let name = tag.split([' ', '>']).next().unwrap();
                let element = name.trim_start_matches('/');
                assert!(elements.contains(&element), "{document:?}: {text}");
                match name.strip_prefix('/') {
                    Some(name) => assert_eq!(open.pop(), Some(name), "{document:?}: {text}"),
                    None if ["br", "input"].contains(&name) => {}
                    None => open.push(name),
                }
            }
            assert!(open.is_empty(), "{document:?}: {text}");
            assert!(!text.contains("=\"javascript"), "{document:?}: {text}");
        }
    }

    #[test]
    fn prompts_are_forms() {
        let text = page(
            "=: guest Your <name>?\n=: gemini://h/ no\n=: c\n",
            true,
            100,
        );
        for expected in [
            "<input type=\"hidden\" name=\"url\" value=\"spartan://h/a/guest\">",
            "<label for=\"words-1\">Your &#60;name&#62;?</label>",
            "<p class=\"link\">no</p>",
            "<label for=\"words-2\">c</label>",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }

    /// A line that is longer than the buffer keeps its element.
    #[test]
    fn long_lines_keep_their_element() {
        let long = "a ".repeat(100_000);
        for (begin, element, end) in [
            ("> ", "<blockquote>\n<p>", "</p>\n</blockquote>\n"),
            (
                "=> x ",
                "<p class=\"link\"><a href=\"/gemini://h/a/x\">",
                "</p>\n",
            ),
            ("```\n", "<pre tabindex=\"0\">\n", "\n</pre>\n"),
        ] {
            let text = page(&format!("{begin}{long}"), false, 4096);
            assert!(text.starts_with(element) && text.ends_with(end), "{begin}");
            assert_eq!(
                text.matches('<').count(),
                (element.to_owned() + end).matches('<').count()
                    + usize::from(begin.starts_with('=')),
                "{begin}"
            );
        }
    }

    #[test]
    fn a_toggle_ends_preformatted_lines_only() {
        assert_eq!(Line::read("```a", true, false), Line::Toggle("a"));
        assert_eq!(Line::read("=> a", true, false), Line::Preformatted("=> a"));
        assert_eq!(Line::read("=:a", false, false), Line::Text("=:a"));
        assert_eq!(Line::read("####a", false, false), Line::Heading(3, "#a"));
    }
}
