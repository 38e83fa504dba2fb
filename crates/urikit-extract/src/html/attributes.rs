//! References in the attributes of HTML.
//!
//! The list of attributes comes from RFC 1866 (HTML 2.0), HTML 4.01 (the attributes of type `%URI;`
//! in its index), the HTML living standard (its index of attributes and its obsolete attributes),
//! SVG 2, and older browsers (`lowsrc`, `dynsrc`, `pluginspage`). The list omits identifiers that
//! are not followed: namespaces, RDFa, and `code` of applets.
//!
//! Image candidates follow "Parsing a srcset attribute" (HTML living standard, 4.8.4.3.10), and
//! `<meta http-equiv=refresh>` follows the "shared declarative refresh steps" (4.2.5.3).

use super::css::Scanner;
use super::text::decode_references;
use super::token::Attribute;
use super::{Each, Event, clean, trim};
use crate::decode::OffsetMap;
use crate::found::{Place, Unresolved};
use crate::link::{Kind, Marks};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The syntax of an attribute's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ValueSyntax {
    /// One reference.
    One,
    /// One reference, relative to the element's `codebase` (HTML 4.01, 13.3.1).
    OneInCodebase,
    /// References separated by white space.
    Many,
    /// References separated by white space, relative to the `codebase`: `archive` of an `object`.
    ManyInCodebase,
    /// References separated by commas, relative to the `codebase`: `archive` of an `applet`.
    CommaListInCodebase,
    /// Image candidates with their descriptors (`srcset`).
    Images,
    /// CSS.
    Style,
    /// `content` of a `meta` element: a reference if it is a refresh, or if it is the value of a
    /// property whose values are URLs.
    Content,
    /// A complete document.
    Document,
}

/// Returns the lower-case name of an attribute that either can contain references or determines how
/// another attribute is read.
#[inline]
pub(crate) fn known(name: &[u8]) -> Option<&'static str> {
    let (first, last) = (name.first()? | 0x20, name.last()? | 0x20);
    let found = match (name.len(), first, last) {
        (3, b's', b'c') => "src",
        (3, b'u', b'n') => "urn",
        (3, b'r', b'l') => "rel",
        (4, b'h', b'f') => "href",
        (4, b'c', b'e') => "cite",
        (4, b'i', b'n') => "icon",
        (4, b'd', b'a') => "data",
        (4, b'p', b'g') => "ping",
        (4, b'f', b'l') => "fill",
        (4, b'm', b'k') => "mask",
        (4, b'n', b'e') => "name",
        (4, b't', b'e') => "type",
        (5, b's', b'e') => "style",
        (5, b'v', b'e') => "value",
        (6, b'a', b'n') => "action",
        (6, b'p', b'r') => "poster",
        (6, b'u', b'p') => "usemap",
        (6, b'l', b'c') => "lowsrc",
        (6, b'd', b'c') => "dynsrc",
        (6, b'i', b'd') => "itemid",
        (6, b'o', b't') => "object",
        (6, b's', b't') => "srcset",
        (6, b's', b'e') => "stroke",
        (6, b's', b'c') => "srcdoc",
        (6, b'f', b'r') => "filter",
        (6, b'c', b'r') => "cursor",
        (7, b'c', b't') if name.eq_ignore_ascii_case(b"charset") => "charset",
        (7, b'c', b't') => "content",
        (7, b'c', b'd') => "classid",
        (7, b'p', b'e') => "profile",
        (7, b'a', b'e') => "archive",
        (8, b'l', b'c') => "longdesc",
        (8, b'm', b't') => "manifest",
        (8, b'c', b'e') => "codebase",
        (8, b'i', b'e') => "itemtype",
        (8, b'p', b'y') => "property",
        (9, b'p', b'l') => "pluginurl",
        (9, b'c', b'h') => "clip-path",
        (9, b'v', b'e') => "valuetype",
        (10, b'x', b'f') => "xlink:href",
        (10, b'f', b'n') => "formaction",
        (10, b'b', b'd') => "background",
        (10, b'h', b'v') => "http-equiv",
        (10, b'm', b'd') if name.eq_ignore_ascii_case(b"marker-mid") => "marker-mid",
        (10, b'm', b'd') => "marker-end",
        (11, b'p', b'e') => "pluginspage",
        (11, b'i', b't') => "imagesrcset",
        (12, b'm', b't') => "marker-start",
        _ => return None,
    };
    name.eq_ignore_ascii_case(found.as_bytes()).then_some(found)
}

/// Returns the syntax of an attribute that contains references. An empty `element` matches all
/// elements.
pub(crate) fn value_syntax(element: &str, name: &str) -> Option<ValueSyntax> {
    let of = |elements: &[&str]| element.is_empty() || elements.contains(&element);
    match name {
        "href" | "xlink:href" | "src" | "cite" | "action" | "formaction" | "background"
        | "longdesc" | "poster" | "usemap" | "lowsrc" | "dynsrc" | "pluginspage" | "pluginurl"
        | "itemid" => Some(ValueSyntax::One),
        "urn" if of(&["a", "link"]) => Some(ValueSyntax::One),
        "manifest" if of(&["html"]) => Some(ValueSyntax::One),
        "icon" if of(&["menuitem", "command"]) => Some(ValueSyntax::One),
        "codebase" if of(&["object", "applet"]) => Some(ValueSyntax::One),
        "value" if of(&["param"]) => Some(ValueSyntax::One),
        "classid" | "data" if of(&["object"]) => Some(ValueSyntax::OneInCodebase),
        "object" if of(&["applet"]) => Some(ValueSyntax::OneInCodebase),
        "profile" if of(&["head"]) => Some(ValueSyntax::Many),
        "ping" if of(&["a", "area"]) => Some(ValueSyntax::Many),
        "itemtype" => Some(ValueSyntax::Many),
        "archive" if element == "applet" => Some(ValueSyntax::CommaListInCodebase),
        "archive" if of(&["object"]) => Some(ValueSyntax::ManyInCodebase),
        "srcset" | "imagesrcset" => Some(ValueSyntax::Images),
        "style" | "fill" | "stroke" | "filter" | "mask" | "clip-path" | "cursor"
        | "marker-start" | "marker-mid" | "marker-end" => Some(ValueSyntax::Style),
        "content" if of(&["meta"]) => Some(ValueSyntax::Content),
        "srcdoc" if of(&["iframe"]) => Some(ValueSyntax::Document),
        _ => None,
    }
}

/// Returns true if the content of a `meta` with this property or name is a URL. The list contains
/// the properties of type `URL` in the Open Graph protocol and in Twitter Cards.
pub(crate) fn is_url_property(name: &[u8]) -> bool {
    let Ok(name) = core::str::from_utf8(name) else {
        return false;
    };
    matches!(
        name.trim_ascii().to_ascii_lowercase().as_str(),
        "og:url"
            | "og:image"
            | "og:image:url"
            | "og:image:secure_url"
            | "og:video"
            | "og:video:url"
            | "og:video:secure_url"
            | "og:audio"
            | "og:audio:url"
            | "og:audio:secure_url"
            | "twitter:url"
            | "twitter:image"
            | "twitter:image:src"
            | "twitter:player"
            | "twitter:player:stream"
    )
}

/// The decoded value of an attribute.
pub(crate) struct Value<'a> {
    attribute: Attribute<'a>,
    decoded: Cow<'a, [u8]>,
    /// `None` if decoding changed nothing.
    map: Option<OffsetMap>,
}

impl<'a> Value<'a> {
    pub(crate) fn new(attribute: Attribute<'a>) -> Self {
        let mut value = Self {
            attribute,
            decoded: Cow::Borrowed(attribute.value),
            map: None,
        };
        if memchr::memchr2(b'&', 0, attribute.value).is_some() {
            let mut map = OffsetMap::new(attribute.start);
            let mut out = Vec::with_capacity(attribute.value.len());
            decode_references(attribute.value, true, true, &mut out, &mut map);
            value.decoded = Cow::Owned(out);
            value.map = Some(map);
        }
        value
    }

    pub(crate) fn decoded(&self) -> &[u8] {
        &self.decoded
    }

    /// Returns the decoded value as text.
    pub(crate) fn into_text(self) -> Cow<'a, str> {
        match self.decoded {
            Cow::Borrowed(text) => String::from_utf8_lossy(text),
            Cow::Owned(text) => Cow::Owned(String::from_utf8_lossy(&text).into_owned()),
        }
    }

    /// Maps a range of the decoded value to its range in the document, and to the bytes written
    /// there.
    pub(crate) fn locate(&self, range: Range<usize>) -> (Range<usize>, &'a [u8]) {
        let start = self.attribute.start;
        let range = match &self.map {
            Some(map) => map.range(range),
            None => start + range.start..start + range.end,
        };
        let written = range.start.saturating_sub(start)..range.end.saturating_sub(start);
        let written = self.attribute.value.get(written).unwrap_or_default();
        (range, written)
    }

    /// Reads the complete value as one reference, without the surrounding white space.
    pub(crate) fn one<'b>(&'b self, place: &'b Place<'b>) -> Unresolved<'b> {
        self.reference(0..self.decoded.len(), place, None)
    }

    fn reference<'b>(
        &'b self,
        range: Range<usize>,
        place: &'b Place<'b>,
        codebase: Option<&Arc<str>>,
    ) -> Unresolved<'b> {
        let range = trim(&self.decoded, range);
        let uri = clean(self.decoded.get(range.clone()).unwrap_or_default());
        self.found(range, uri, place, codebase)
    }

    fn found<'b>(
        &'b self,
        range: Range<usize>,
        uri: Cow<'b, str>,
        place: &'b Place<'b>,
        codebase: Option<&Arc<str>>,
    ) -> Unresolved<'b> {
        let (range, text) = self.locate(range);
        Unresolved {
            range,
            kind: Kind::Link,
            text: Cow::Borrowed(text),
            uri,
            alternative: None,
            codebase: codebase.cloned(),
            place: place.borrowed(),
            marks: Marks {
                is_cut: self.attribute.is_cut,
                ..Marks::MARKUP
            },
        }
    }

    /// Calls `each` with the references in the value. References relative to the element's
    /// `codebase` are passed with the `codebase` as their base. If the value contains a document,
    /// the caller reads it.
    pub(crate) fn references(
        &self,
        syntax: ValueSyntax,
        place: &Place<'_>,
        codebase: Option<&Arc<str>>,
        each: &mut Each<'_>,
    ) {
        let all = 0..self.decoded.len();
        match syntax {
            ValueSyntax::One => each(Event::Reference(self.one(place))),
            ValueSyntax::OneInCodebase => {
                each(Event::Reference(self.reference(all, place, codebase)));
            }
            ValueSyntax::Many => self.list(u8::is_ascii_whitespace, place, None, each),
            ValueSyntax::ManyInCodebase => {
                self.list(u8::is_ascii_whitespace, place, codebase, each);
            }
            ValueSyntax::CommaListInCodebase => {
                self.list(|byte| *byte == b',', place, codebase, each);
            }
            ValueSyntax::Images => {
                for range in srcset_urls(&self.decoded) {
                    each(Event::Reference(self.reference(range, place, None)));
                }
            }
            ValueSyntax::Content => {
                if let Some(range) = refresh_url(&self.decoded) {
                    each(Event::Reference(self.reference(range, place, None)));
                }
            }
            ValueSyntax::Style => {
                Scanner::default().scan(&self.decoded, true, &mut |range, url| {
                    let uri = clean(&url);
                    each(Event::Reference(self.found(range, uri, place, None)));
                });
            }
            ValueSyntax::Document => {}
        }
    }

    fn list(
        &self,
        is_separator: impl Fn(&u8) -> bool,
        place: &Place<'_>,
        codebase: Option<&Arc<str>>,
        each: &mut Each<'_>,
    ) {
        let mut start = 0;
        for part in self.decoded.split(is_separator) {
            let range = trim(&self.decoded, start..start + part.len());
            start += part.len() + 1;
            if !range.is_empty() {
                each(Event::Reference(self.reference(range, place, codebase)));
            }
        }
    }
}

/// Returns the ranges of the URLs in a `srcset` or `imagesrcset` attribute.
pub(crate) fn srcset_urls(list: &[u8]) -> Vec<Range<usize>> {
    let mut urls = Vec::new();
    let mut at = 0;
    loop {
        while list
            .get(at)
            .is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b',')
        {
            at += 1;
        }
        let start = at;
        while list.get(at).is_some_and(|byte| !byte.is_ascii_whitespace()) {
            at += 1;
        }
        if start == at {
            return urls;
        }
        let url = list.get(start..at).unwrap_or_default();
        let commas = url.iter().rev().take_while(|byte| **byte == b',').count();
        urls.push(start..at - commas);
        if commas == 0 {
            at = descriptors_end(list, at);
        }
    }
}

/// Returns the end of a URL's descriptors: the next comma outside parentheses.
fn descriptors_end(list: &[u8], from: usize) -> usize {
    let mut in_parentheses = false;
    let rest = list.get(from..).unwrap_or_default();
    let comma = rest.iter().position(|byte| {
        match byte {
            b'(' => in_parentheses = true,
            b')' => in_parentheses = false,
            _ => {}
        }
        *byte == b',' && !in_parentheses
    });
    comma.map_or(list.len(), |comma| from + comma)
}

/// Returns the range of the URL in a refresh value. Returns `None` if the refresh reloads the same
/// document or is invalid.
pub(crate) fn refresh_url(content: &[u8]) -> Option<Range<usize>> {
    let at = |offset: usize| content.get(offset).copied();
    let skip_white_space = |mut offset: usize| {
        while at(offset).is_some_and(|byte| byte.is_ascii_whitespace()) {
            offset += 1;
        }
        offset
    };
    let skip_digits = |mut offset: usize| {
        while at(offset).is_some_and(|byte| byte.is_ascii_digit() || byte == b'.') {
            offset += 1;
        }
        offset
    };
    let begin = skip_white_space(0);
    let time = skip_digits(begin);
    if time == begin {
        return None;
    }
    let mut next = skip_white_space(time);
    match at(next) {
        Some(b';' | b',') => next = skip_white_space(next + 1),
        Some(_) if next > time => {}
        _ => return None,
    }
    let mut start = next;
    let has_name = content
        .get(next..next + 3)
        .is_some_and(|word| word.eq_ignore_ascii_case(b"url"));
    if has_name {
        let equals = skip_white_space(next + 3);
        if at(equals) == Some(b'=') {
            start = skip_white_space(equals + 1);
        }
    }
    let mut end = content.len();
    if let Some(quote @ (b'"' | b'\'')) = at(start) {
        start += 1;
        let rest = content.get(start..).unwrap_or_default();
        end = start + memchr::memchr(quote, rest).unwrap_or(rest.len());
    }
    (start < end).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::{ValueSyntax, known, refresh_url, srcset_urls, value_syntax};

    #[test]
    fn names_are_known_in_any_case() {
        let decides = [
            "http-equiv",
            "valuetype",
            "property",
            "name",
            "rel",
            "type",
            "charset",
        ];
        let references = [
            "href",
            "xlink:href",
            "src",
            "cite",
            "action",
            "formaction",
            "background",
            "longdesc",
            "poster",
            "usemap",
            "lowsrc",
            "dynsrc",
            "pluginspage",
            "pluginurl",
            "itemid",
            "urn",
            "manifest",
            "icon",
            "codebase",
            "value",
            "classid",
            "data",
            "object",
            "profile",
            "ping",
            "itemtype",
            "archive",
            "srcset",
            "imagesrcset",
            "style",
            "fill",
            "stroke",
            "filter",
            "mask",
            "clip-path",
            "cursor",
            "marker-start",
            "marker-mid",
            "marker-end",
            "content",
            "srcdoc",
        ];
        for name in references.into_iter().chain(decides) {
            assert_eq!(known(name.as_bytes()), Some(name));
            assert_eq!(known(name.to_ascii_uppercase().as_bytes()), Some(name));
            assert_eq!(
                value_syntax("", name).is_some(),
                !decides.contains(&name),
                "{name}"
            );
            assert_eq!(known([name, "x"].concat().as_bytes()), None);
        }
        assert_eq!(known(b"class"), None);
        assert_eq!(
            value_syntax("applet", "archive"),
            Some(ValueSyntax::CommaListInCodebase)
        );
    }

    #[test]
    fn splits_as_the_html_standard_does() {
        for (list, expected) in [
            ("a.jpg", &["a.jpg"][..]),
            ("a.jpg 1x, b.jpg 2x", &["a.jpg", "b.jpg"]),
            (" , a,b.jpg 100w,c.jpg", &["a,b.jpg", "c.jpg"]),
            ("a.jpg, b.jpg,, c.jpg 1x", &["a.jpg", "b.jpg", "c.jpg"]),
            ("data:,a 1x,\n\tb (x, y) 2x , c", &["data:,a", "b", "c"]),
            ("a (", &["a"]),
            (" ,, ", &[]),
        ] {
            let found: Vec<&str> = srcset_urls(list.as_bytes())
                .into_iter()
                .map(|range| list.get(range).unwrap())
                .collect();
            assert_eq!(found, expected, "{list}");
        }
    }

    #[test]
    fn follows_the_shared_declarative_refresh_steps() {
        for (content, expected) in [
            ("5; url=http://a/b", Some("http://a/b")),
            ("0;URL='b c'x", Some("b c")),
            ("0;URL=\"b", Some("b")),
            (" 3.5 , Url = b ", Some("b ")),
            ("1 b", Some("b")),
            ("1;b", Some("b")),
            ("1;urls", Some("urls")),
            ("1; url b", Some("url b")),
            ("1b", None),
            ("5", None),
            ("5;", None),
            ("x; url=b", None),
            ("", None),
        ] {
            let found = refresh_url(content.as_bytes()).map(|range| content.get(range).unwrap());
            assert_eq!(found, expected, "{content}");
        }
    }
}
