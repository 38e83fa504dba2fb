#![allow(clippy::unwrap_used)] // a test fails by panicking

use super::slug::Slugger;
use super::{Anchors, Profile, Sought, line_range};
use pulldown_cmark::{Event, Options, Parser, Tag};
use urikit_extract::document::Format;

fn find(format: Format, document: &str, fragment: &str) -> Sought {
    Anchors::read(Some(format), document.as_bytes(), Profile::Github).find(fragment)
}

fn missing(nearest: &str) -> Sought {
    Sought::Missing {
        nearest: Some(nearest.to_owned()).filter(|name| !name.is_empty()),
    }
}

#[test]
fn ids_of_html() {
    let page = "<h1 id=One>x</h1><a name='two'>y</a><p id='caf\u{e9} &amp; co'><input name=no>";
    for found in ["One", "two", "caf%C3%A9%20&%20co", "top", "TOP", ""] {
        assert_eq!(find(Format::Html, page, found), Sought::Found, "{found}");
    }
    assert_eq!(find(Format::Html, page, "one"), missing("One"));
    assert_eq!(find(Format::Html, page, "no"), missing(""));
    let utf16: Vec<u8> = "\u{feff}<p id=a>"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let anchors = Anchors::read(Some(Format::Html), &utf16, Profile::Github);
    assert_eq!(anchors.find("a"), Sought::Found);
}

#[test]
fn pages_built_by_script() {
    let page = "<title>App</title><div id=root></div><script src=app.js></script>";
    assert_eq!(find(Format::Html, page, "root"), Sought::Found);
    assert_eq!(find(Format::Html, page, "settings"), Sought::Script);
    let data = "<p id=a>x<script type='application/ld+json'>{}</script>";
    assert_eq!(find(Format::Html, data, "b"), missing(""));
    let text = format!("<p>{}<script>track()</script>", "word ".repeat(100));
    assert_eq!(find(Format::Html, &text, "b"), missing(""));
}

#[test]
fn headings_of_markdown() {
    let text = "---\ntitle: x\n---\n# Get *started* with `uri`\n\n## FAQ\n\n## FAQ\n\n<a id=\"own\"></a>\n\n\
                Setext ![logo](a.png)\n---\n\n```\n# no\n```\n\nx[^1]\n\n[^1]: note\n";
    for found in [
        "get-started-with-uri",
        "faq",
        "faq-1",
        "FAQ",
        "own",
        "user-content-faq",
        "setext-",
        "fn-1",
    ] {
        assert_eq!(
            find(Format::Markdown, text, found),
            Sought::Found,
            "{found}"
        );
    }
    assert_eq!(
        find(Format::Markdown, text, "get-started"),
        missing("").clone()
    );
    assert_eq!(
        find(Format::Markdown, text, "get_started_with_uri"),
        missing("get-started-with-uri")
    );
    assert_eq!(find(Format::Markdown, text, "no"), missing(""));
    let explicit = Anchors::read(Some(Format::Markdown), b"# A {#b}\n", Profile::Mdbook);
    assert_eq!(explicit.find("b"), Sought::Found);
    assert_eq!(explicit.find("a"), missing(""));
    assert_eq!(find(Format::Markdown, "# A {#b}\n", "a-b"), Sought::Found);
    // The parser's option for attributes panics at these.
    let quoted = b"# A {#b}\n\n> c\n>   {#d}\n> -\n";
    let quoted = Anchors::read(Some(Format::Markdown), quoted, Profile::Mdbook);
    assert_eq!(quoted.find("b"), Sought::Found);
    assert_eq!(quoted.find("d"), Sought::Found);
}

/// The ids are those of mdBook, which uses the parser's option for attributes.
#[test]
fn attributes_of_headings() {
    for heading in [
        "# A {#b}",
        "# A {#b} \t",
        "# A {#b} ##",
        "# A {#b} c",
        "# A {.c}",
        "# A {.c #b d=e}",
        "# A {.c_d #b}",
        "# A { d=e #b }",
        "# A {#b #c}",
        "# A {#}",
        "# A {}",
        "# A{#b}",
        "# {#b}",
        "# A {#b}{#c}",
        "# A {{#b}",
        "# A {#b}}",
        "# A \\{#b}",
        "# A {#\\b}",
        "# A {<b>}",
        "# A `{#b}`",
        "# A *{#b}*",
        "# *A* {#b}",
        "# A {: #b}",
        "A {#b}\n===",
        "A\n{#b}\n---",
        "A {#b\n#c}\n---",
    ] {
        let parsed = Parser::new_ext(heading, Options::ENABLE_HEADING_ATTRIBUTES);
        let (mut declared, mut text) = (None, String::new());
        for event in parsed {
            match event {
                Event::Start(Tag::Heading { id, .. }) => declared = id,
                Event::Text(part) | Event::Code(part) => text.push_str(&part),
                Event::SoftBreak => text.push(' '),
                _ => {}
            }
        }
        let expected = declared.map_or_else(
            || Slugger::new(Profile::Mdbook).id(&text),
            |id| id.into_string(),
        );
        let read = Anchors::read(Some(Format::Markdown), heading.as_bytes(), Profile::Mdbook);
        assert_eq!(read.find(&expected), Sought::Found, "{heading}: {expected}");
    }
}

/// GitHub and GitLab also make ids from headings in HTML.
#[test]
fn headings_in_html() {
    let text = "<h1\n align=\"center\">\n  My <b>Own</b> &amp; Project\n</h1>\n\n# My Own\n\n\
                <!-- <h2>No</h2> -->\n\n<h2>\n\n*Inner* `text`\n\n</h2>\n\na <h3>B</h3>\n\n\
                <h2>B</h2>\n\n<hr>";
    let ids = |profile| {
        let anchors = Anchors::read(Some(Format::Markdown), text.as_bytes(), profile);
        anchors.ids().join(" ")
    };
    let expected = "my-own--project my-own inner-text b b-1";
    assert_eq!(ids(Profile::Github), expected);
    assert_eq!(ids(Profile::Mkdocs), "my-own");
    let found = find(Format::Markdown, "<h1 align=\"center\">A b</h1>\n", "a-b");
    assert_eq!(found, Sought::Found);
    // A `>` in an attribute does not end the tag.
    let found = find(
        Format::Markdown,
        "## Foo <img alt=\"a > b\" src=\"c\">\n",
        "foo-",
    );
    assert_eq!(found, Sought::Found);
}

#[test]
fn ids_in_attributes() {
    let text = "Text\n{: #para }\n\n[](){ #auto } `{#code}`\n\n- a {.b #item_id}\n\n\
                ```\n{#block}\n```\n";
    let ids = |profile| {
        let anchors = Anchors::read(Some(Format::Markdown), text.as_bytes(), profile);
        anchors.ids().join(" ")
    };
    assert_eq!(ids(Profile::Mkdocs), "para auto item_id");
    assert_eq!(ids(Profile::Github), "");
}

#[test]
fn byte_order_marks() {
    assert_eq!(
        find(Format::Markdown, "\u{feff}# Title\n", "title"),
        Sought::Found
    );
    assert_eq!(
        find(Format::Rst, "\u{feff}Title\n=====\n", "title"),
        Sought::Found
    );
}

/// The charset of the server takes precedence over the one that the page declares.
#[test]
fn charsets() {
    let find = |charset: Option<&str>, bytes: &[u8]| {
        let anchors = Anchors::read_page(Some(Format::Html), charset, bytes, Profile::Github);
        anchors.find("%C3%BCber")
    };
    let utf16: Vec<u8> = "<p id=\u{fc}ber>"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let declared = "<meta charset=iso-8859-1><p id=\u{fc}ber>";
    let marked = "\u{feff}<p id=\u{fc}ber>";
    for (charset, bytes) in [
        ("iso-8859-1", &b"<p id=\xFCber>"[..]),
        ("utf-16le", &utf16),
        ("utf-8", declared.as_bytes()),
        ("iso-8859-1", marked.as_bytes()),
    ] {
        assert_eq!(find(Some(charset), bytes), Sought::Found, "{charset}");
    }
    assert_ne!(find(None, b"<p id=\xFCber>"), Sought::Found);
}

/// On the pages of forges, ids have a prefix, and a script creates the lines of source code.
#[test]
fn pages_of_forges() {
    let text = "word ".repeat(100);
    let page = format!("<script src=a.js></script>{text}<a id=user-content-install></a>");
    for found in ["install", "user-content-install", "Install"] {
        assert_eq!(find(Format::Html, &page, found), Sought::Found, "{found}");
    }
    assert_eq!(find(Format::Html, &page, "L10-L20"), Sought::Script);
    assert_eq!(find(Format::Html, &page, "other"), missing(""));
    let listed = format!("{page}<p id=L1><p id=L2>");
    assert_eq!(find(Format::Html, &listed, "L2"), Sought::Found);
    assert_eq!(find(Format::Html, &listed, "L3"), missing(""));
}

#[test]
fn titles_of_rst() {
    let text = "=====\nTitle\n=====\n\nSub title\n---------\n\n.. _My Label:\n\ntext\n";
    for found in ["title", "sub-title", "my-label"] {
        assert_eq!(find(Format::Rst, text, found), Sought::Found, "{found}");
    }
    assert_eq!(find(Format::Rst, text, "text"), missing(""));
}

#[test]
fn lines() {
    assert_eq!(line_range("L10"), Some((10, 10)));
    assert_eq!(line_range("L10-L20"), Some((10, 20)));
    assert_eq!(line_range("L10-20"), Some((10, 20)));
    assert_eq!(line_range("L1C2-L3C4"), Some((1, 3)));
    assert_eq!(line_range("L"), None);
    assert_eq!(line_range("Lx"), None);
    assert_eq!(find(Format::Text, "a\nb\nc", "L3"), Sought::Found);
    assert_eq!(find(Format::Text, "a\nb\nc\n", "L1-L3"), Sought::Found);
    assert_eq!(find(Format::Text, "a\nb\nc\n", "L4"), missing("L3"));
    assert_eq!(find(Format::Text, "a\n", "L0"), missing("L1"));
    assert_eq!(find(Format::Text, "a\n", "x"), Sought::Unknown);
}

// after https://wicg.github.io/scroll-to-text-fragment/
#[test]
fn text_fragments() {
    let page =
        "<p>The first <b>recorded</b>\n idea of using digital electronics. Motto &amp; more</p>";
    for found in [
        ":~:text=the%20first%20recorded",
        ":~:text=first,electronics",
        ":~:text=The-,first,-recorded",
        ":~:text=motto%20%26%20more",
        ":~:text=digital&text=idea",
        ":~:text=using-,digital,electronics.,-motto",
        ":~:text=idea,of,-using",
        ":~:text=digital,elec,-tronics",
        ":~:unknown=x",
    ] {
        assert_eq!(find(Format::Html, page, found), Sought::Found, "{found}");
    }
    for absent in [
        ":~:text=second",
        ":~:text=electronics,first",
        ":~:text=A-,first",
        ":~:text=first,-idea",
        ":~:text=using-,digital,electronics,-more",
        ":~:text=of-,digital,electronics",
    ] {
        assert_eq!(find(Format::Html, page, absent), missing(""), "{absent}");
    }
}
