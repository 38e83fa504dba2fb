//! Chooses the page for a document.

use super::address::{Form, Links, name};
use super::article::ArticlePage;
use super::feed::FeedPage;
use super::frame::Frame;
use super::gemlog::GemlogPage;
use super::gemtext::GemtextPage;
use super::group::GroupPage;
use super::html::HtmlPage;
use super::kept::Memory;
use super::listing::{Menu, Order, Table};
use super::message::SearchForm;
use super::raw::Raw;
use super::text::{Text, TextPage, is_utf8};
use super::{Head, Page};
use urikit_access::Metadata;
use urikit_extract::Finder;
use urikit_mime::ContentType;

/// The form in which a client requests a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum View {
    /// A page, or the bytes of a document that browsers show.
    Page,
    /// A listing in this order.
    Sorted(Order),
    /// The bytes.
    Raw,
    /// An Atom feed.
    Feed,
}

/// The request for a document.
pub(crate) struct Context {
    pub(crate) links: Links,
    /// The URL, without its password.
    pub(crate) url: String,
    /// The scheme, in lower case.
    pub(crate) scheme: String,
    pub(crate) view: View,
    /// The scheme and the host with which absolute addresses begin.
    pub(crate) origin: String,
    /// The search form shown above the document.
    pub(crate) form: Option<SearchForm>,
    /// The page with earlier articles of a group.
    pub(crate) earlier: Option<String>,
    /// The positions of the first and last byte of the requested range.
    pub(crate) range: Option<(u64, Option<u64>)>,
    /// The memory for the entries of a listing.
    pub(crate) memory: Memory,
}

/// Returns the head of the response, and its page. `first` contains the first bytes of a document.
pub(crate) fn choose(context: Context, metadata: &Metadata, first: &[u8]) -> (Head, Box<dyn Page>) {
    match context.view {
        View::Feed if metadata.is_listing => {
            let page = feed(context);
            (feed_head(), Box::new(page))
        }
        View::Feed if is_gemtext(&context, metadata, first) => {
            let (_, charset) = media_type(&context, metadata, first);
            let url = context.url.clone();
            let page = GemlogPage::new(feed(context), &url, gemtext(charset.as_deref()));
            (feed_head(), Box::new(page))
        }
        View::Raw => raw(&context, metadata, first),
        _ if metadata.is_listing => (Head::html(), listing(context)),
        // The client of a proxy wants the document, not a page about it.
        _ if context.links.form == Form::Proxy => raw(&context, metadata, first),
        _ => document(context, metadata, first),
    }
}

fn frame(context: &Context, has_feed: bool) -> Frame {
    let last = name(&context.url);
    let title = if last.is_empty() { &context.url } else { &last };
    Frame {
        links: context.links.clone(),
        title: title.clone(),
        url: context.url.clone(),
        has_feed,
    }
}

fn feed(context: Context) -> FeedPage {
    let title = name(&context.url);
    FeedPage::new(context.links, context.origin, context.url, title)
}

fn feed_head() -> Head {
    Head {
        status: 200,
        media_type: "application/atom+xml".to_owned(),
        ..Head::default()
    }
}

fn is_gemtext(context: &Context, metadata: &Metadata, first: &[u8]) -> bool {
    shown(&media_type(context, metadata, first).0) == Shown::Gemtext
}

/// Returns the decoder of gemtext, which is in UTF-8 unless the server says otherwise.
fn gemtext(charset: Option<&[u8]>) -> Text {
    Text::new(charset.or(Some(b"utf-8")), b"")
}

/// Returns the page of a listing, which depends on the scheme.
fn listing(context: Context) -> Box<dyn Page> {
    let frame = frame(&context, true);
    let order = match context.view {
        View::Sorted(order) => Some(order),
        _ => None,
    };
    match context.scheme.as_str() {
        "gopher" | "nex" if order.is_none() => Box::new(Menu {
            frame: Frame {
                has_feed: false,
                ..frame
            },
            has_labels: context.scheme == "gopher",
        }),
        // A list of groups has no threads.
        "nntp" | "news" | "snews" if order.is_none() && !context.url.contains('*') => {
            Box::new(GroupPage::new(frame, context.earlier, context.memory))
        }
        _ => Box::new(Table::new(frame, order, context.form, context.memory)),
    }
}

/// The ways in which documents are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shown {
    /// As text on a page.
    Text,
    /// As gemtext on a page.
    Gemtext,
    /// As an article on a page.
    Article,
    /// As HTML with changed references.
    Html,
    /// By the browser, unchanged.
    Unchanged,
    /// Not at all: the browser stores it.
    Download,
}

/// Returns how a media type is shown. SVG and other XML can contain scripts.
fn shown(media_type: &str) -> Shown {
    match media_type {
        "text/html" => Shown::Html,
        "text/gemini" => Shown::Gemtext,
        "message/rfc822" => Shown::Article,
        "text/css" | "text/javascript" => Shown::Text,
        "image/svg+xml" | "text/xml" => Shown::Download,
        _ if media_type.ends_with("xml") => Shown::Download,
        _ if media_type.starts_with("text/") => Shown::Text,
        "application/json" | "application/javascript" => Shown::Text,
        _ if ["image/", "audio/", "video/"]
            .iter()
            .any(|it| media_type.starts_with(it)) =>
        {
            Shown::Unchanged
        }
        "application/pdf" => Shown::Unchanged,
        _ => Shown::Download,
    }
}

/// Returns the media type and the charset: those that the server sends, or else those that the name
/// and the first bytes suggest.
fn media_type(context: &Context, metadata: &Metadata, first: &[u8]) -> (String, Option<Vec<u8>>) {
    let sent = metadata.media_type.as_deref();
    if let Some(content) = sent.and_then(|text| ContentType::parse(text.as_bytes())) {
        let essence = sent.unwrap_or_default().split(';').next();
        let essence = essence.unwrap_or_default().trim().to_ascii_lowercase();
        let charset = content.parameter("charset");
        // Gopher's type 0 is text of any kind.
        if essence != "application/octet-stream" {
            return (essence, charset.map(|value| value.octets.into_owned()));
        }
    }
    let name = name(&context.url);
    let essence = match mime_guess::from_path(&name).first_raw() {
        Some(essence) => essence,
        None if is_gmi(&name) && is_text(first) => "text/gemini",
        None if is_text(first) => "text/plain",
        None => "application/octet-stream",
    };
    (essence.to_owned(), None)
}

/// Returns true if a name has the extension of gemtext, which `mime_guess` does not know.
fn is_gmi(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("gmi"))
}

/// Returns true if bytes look like text: no control characters, except for white space.
fn is_text(first: &[u8]) -> bool {
    let first = first.get(..1024).unwrap_or(first);
    let is_control = |byte: &u8| *byte < b' ' && !b"\t\n\x0c\r\x1b".contains(byte);
    !first.is_empty() && !first.iter().any(is_control) && (is_utf8(first) || is_latin1(first))
}

/// Returns true if fewer than a quarter of the bytes are not US-ASCII.
fn is_latin1(first: &[u8]) -> bool {
    first.iter().filter(|byte| !byte.is_ascii()).count() * 4 < first.len()
}

fn document(context: Context, metadata: &Metadata, first: &[u8]) -> (Head, Box<dyn Page>) {
    let (essence, charset) = media_type(&context, metadata, first);
    // A range refers to the bytes of the document, not to a page.
    match shown(&essence) {
        Shown::Text if context.range.is_none() => {
            let page = TextPage {
                frame: frame(&context, false),
                text: Text::new(charset.as_deref(), first),
                finder: Finder::new(),
                form: context.form,
            };
            (Head::html(), Box::new(page))
        }
        Shown::Gemtext if context.range.is_none() => {
            let is_spartan = context.scheme == "spartan";
            let language = metadata.attributes.iter().find(|(name, _)| name == "lang");
            let language = language.map(|(_, value)| value.as_str());
            let text = gemtext(charset.as_deref());
            let page = GemtextPage::new(frame(&context, true), text, is_spartan, language);
            (Head::html(), Box::new(page))
        }
        Shown::Article => {
            let page = ArticlePage::new(frame(&context, false));
            (Head::html(), Box::new(page))
        }
        Shown::Html if context.range.is_none() => {
            let charset = charset.map(|charset| String::from_utf8_lossy(&charset).into_owned());
            let page = HtmlPage::new(context.links, &context.url, charset.as_deref(), first);
            let is_token = |text: &String| {
                (text.bytes()).all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
            };
            let head = Head {
                media_type: match charset.filter(is_token) {
                    Some(charset) => format!("text/html; charset={charset}"),
                    None => "text/html".to_owned(),
                },
                ..Head::html()
            };
            (head, Box::new(page))
        }
        _ => raw(&context, metadata, first),
    }
}

fn raw(context: &Context, metadata: &Metadata, first: &[u8]) -> (Head, Box<dyn Page>) {
    if metadata.is_listing {
        let head = Head {
            status: 200,
            media_type: "text/plain; charset=utf-8".to_owned(),
            ..Head::default()
        };
        return (
            head,
            Box::new(Raw {
                remaining: u64::MAX,
            }),
        );
    }
    let (essence, charset) = media_type(context, metadata, first);
    let shown = shown(&essence);
    let essence = match (shown, charset) {
        (Shown::Html | Shown::Gemtext, _) if context.links.form == Form::Proxy => essence,
        // Unchanged HTML has links that lead out of the gateway.
        (Shown::Html | Shown::Text | Shown::Gemtext | Shown::Article, None) => {
            "text/plain".to_owned()
        }
        (Shown::Html | Shown::Text | Shown::Gemtext | Shown::Article, Some(charset)) => {
            let charset = String::from_utf8_lossy(&charset);
            let charset: String = (charset.chars())
                .filter(|c| c.is_ascii_alphanumeric() || "-_.:".contains(*c))
                .collect();
            format!("text/plain; charset={charset}")
        }
        _ => essence,
    };
    let mut head = Head {
        status: 200,
        media_type: essence,
        length: metadata.size,
        download: (shown == Shown::Download).then(|| name(&context.url)),
        range: None,
        modified: metadata.modified,
        validator: metadata.validator.clone(),
        location: None,
        has_ranges: has_ranges(&context.scheme) && metadata.size.is_some(),
    };
    let mut remaining = u64::MAX;
    // If the body begins elsewhere, the server could not resume, so the client gets the complete
    // body.
    if let (Some((first, last)), Some(size)) = (context.range, metadata.size)
        && metadata.offset == first
        && first < size
    {
        let last = last.unwrap_or(u64::MAX).min(size - 1);
        remaining = last - first + 1;
        head.status = 206;
        head.length = Some(remaining);
        head.range = Some(format!("bytes {first}-{last}/{size}"));
    }
    (head, Box::new(Raw { remaining }))
}

/// Returns true if documents of a scheme can be fetched from a position.
pub(crate) fn has_ranges(scheme: &str) -> bool {
    matches!(scheme, "ftp" | "ftps")
}

#[cfg(test)]
mod tests {
    use super::{Shown, is_text, shown};

    #[test]
    fn what_can_contain_scripts_is_not_shown() {
        for (media_type, expected) in [
            ("image/svg+xml", Shown::Download),
            ("application/xhtml+xml", Shown::Download),
            ("text/xml", Shown::Download),
            ("application/x-shockwave-flash", Shown::Download),
            ("text/html", Shown::Html),
            ("text/plain", Shown::Text),
            ("text/gemini", Shown::Gemtext),
            ("image/gif", Shown::Unchanged),
            ("message/rfc822", Shown::Article),
        ] {
            assert_eq!(shown(media_type), expected, "{media_type}");
        }
    }

    #[test]
    fn text_is_recognized() {
        assert!(is_text(b"a\tb\r\n") && is_text("\u{e9}".as_bytes()) && is_text(b"caf\xe9 b"));
        assert!(!is_text(b"") && !is_text(b"\0") && !is_text(b"\xff\xfe\x80\x81"));
    }
}
