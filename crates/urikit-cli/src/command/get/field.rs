//! The fields of a template: which component, and how it is inserted.

use super::name::{Spelling, absent_port, write_url};
use std::borrow::Cow;
use std::fmt;
use std::io::Write as _;
use urikit::AnyRef;
use urikit::component::{Encoded, Host, Pair, Pairs, Segment};
use urikit::op::default_port;
use urikit::op::iri::NotADomainName;

/// A field, such as `{must:decode:host}`.
#[derive(Debug, Default)]
pub(super) struct Field {
    what: What,
    name: String,
    decode: Decode,
    spelling: Spelling,
    must: bool,
    strict: bool,
    default: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Decode {
    /// As written.
    #[default]
    Not,
    /// Escapes only.
    Escapes,
    /// Escapes, and `+` as a space.
    Form,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
enum What {
    #[default]
    Url,
    Scheme,
    Authority,
    Userinfo,
    User,
    Password,
    Host,
    Port,
    Path,
    Segments,
    Params,
    Query,
    /// The value of the first pair of this name.
    Pair(String),
    /// The values of all pairs of this name.
    Pairs(String),
    Fragment,
}

/// Why the field of this name cannot be filled.
#[derive(Debug)]
pub(super) enum Unfilled {
    /// The component is required, but absent.
    Missing(String),
    /// The result contains a control character.
    Control(String),
    /// The host cannot be spelled that way.
    Host(String, NotADomainName),
}

impl fmt::Display for Unfilled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(field) => write!(f, "`{{{field}}}` is absent"),
            Self::Control(field) => {
                write!(f, "`{{{field}}}`: found a control character in the result")
            }
            Self::Host(field, error) => write!(f, "`{{{field}}}`: {error}"),
        }
    }
}

impl Field {
    pub(super) fn new(name: &str) -> Result<Self, String> {
        let mut field = Self {
            name: name.to_owned(),
            ..Self::default()
        };
        let mut rest = name;
        while let Some((modifier, remainder)) = rest.split_once(':') {
            match modifier {
                "decode" => field.decode = Decode::Escapes,
                "form" => field.decode = Decode::Form,
                "puny" => field.spelling = Spelling::Puny,
                "idn" => field.spelling = Spelling::Idn,
                "must" => field.must = true,
                "strict" => field.strict = true,
                "default" => field.default = true,
                _ => break,
            }
            rest = remainder;
        }
        field.what = match rest {
            "url" => What::Url,
            "scheme" => What::Scheme,
            "authority" => What::Authority,
            "userinfo" => What::Userinfo,
            "user" => What::User,
            "password" => What::Password,
            "host" => What::Host,
            "port" => What::Port,
            "path" => What::Path,
            "segments" => What::Segments,
            "params" => What::Params,
            "query" => What::Query,
            "fragment" => What::Fragment,
            _ => match rest.split_once(':') {
                Some(("query", name)) => What::Pair(name.to_owned()),
                Some(("query-all", name)) => What::Pairs(name.to_owned()),
                _ => return Err(unknown(rest)),
            },
        };
        if field.default && !matches!(field.what, What::Port | What::Url) {
            return Err("only ports have a default: `{default:port}`, `{default:url}`".to_owned());
        }
        if field.spelling != Spelling::AsWritten && !matches!(field.what, What::Host | What::Url) {
            return Err(
                "only hosts can be converted: `{puny:host}`, `{idn:host}`, `{puny:url}`, \
                 `{idn:url}`"
                    .to_owned(),
            );
        }
        if field.decode != Decode::Not && matches!(field.what, What::Url | What::Authority) {
            return Err(format!(
                "`{{{rest}}}` cannot be decoded: its delimiters would be lost"
            ));
        }
        Ok(field)
    }

    /// Appends the field's text; `separator` is the character between the query's pairs.
    pub(super) fn fill(
        &self,
        reference: AnyRef<'_>,
        separator: char,
        out: &mut Vec<u8>,
    ) -> Result<(), Unfilled> {
        let start = out.len();
        let pairs = || pairs(reference, separator);
        let not_a_name = |error| Unfilled::Host(self.name.clone(), error);
        let text = |text: Encoded<'_>| self.text(text, out);
        let found = match &self.what {
            What::Scheme => reference
                .scheme()
                .map(|text| out.extend_from_slice(text.as_bytes())),
            What::Url => {
                let port = self.default.then(|| absent_port(reference)).flatten();
                write_url(reference, self.spelling, port, out).map_err(not_a_name)?;
                Some(())
            }
            What::Authority => reference
                .authority()
                .map(|authority| out.extend_from_slice(authority.as_str().as_bytes())),
            What::Userinfo => reference.userinfo().map(text),
            What::User => reference.user().map(text),
            What::Password => reference.password().map(text),
            What::Host => match reference.host() {
                Some(host) => Some(self.host(host, out).map_err(not_a_name)?),
                None => None,
            },
            What::Port => self.port(reference, out),
            What::Path => {
                self.text(reference.path().encoded(), out);
                Some(())
            }
            What::Segments => {
                let segments = reference.path().segments().map(Segment::encoded);
                self.list(segments, out)
            }
            What::Params => reference.params().map(text),
            What::Query => reference.query().map(text),
            What::Pair(name) => {
                let pair = pairs().find(|pair| self.is_named(pair.name(), name));
                pair.map(|pair| {
                    if let Some(value) = pair.value() {
                        self.text(value, out);
                    }
                })
            }
            What::Pairs(name) => {
                let pairs = pairs().filter(|pair| self.is_named(pair.name(), name));
                self.list(pairs.filter_map(Pair::value), out)
            }
            What::Fragment => reference.fragment().map(text),
        };
        if found.is_none() && self.must {
            out.truncate(start);
            return Err(Unfilled::Missing(self.name.clone()));
        }
        let filled = out.get(start..).unwrap_or_default();
        if self.strict && filled.iter().any(u8::is_ascii_control) {
            return Err(Unfilled::Control(self.name.clone()));
        }
        Ok(())
    }

    fn text(&self, text: Encoded<'_>, out: &mut Vec<u8>) {
        match self.decode {
            Decode::Not => out.extend_from_slice(text.as_str().as_bytes()),
            Decode::Escapes => out.extend(text.decode()),
            Decode::Form => out.extend(text.decode().form().octets()),
        }
    }

    fn host(&self, host: Host<'_>, out: &mut Vec<u8>) -> Result<(), NotADomainName> {
        match self.spelling.of(host)? {
            Cow::Borrowed(_) => self.text(host.encoded(), out),
            // A converted name has no escapes.
            Cow::Owned(name) => out.extend_from_slice(name.as_bytes()),
        }
        Ok(())
    }

    fn list<'a>(&self, list: impl Iterator<Item = Encoded<'a>>, out: &mut Vec<u8>) -> Option<()> {
        let mut any = None;
        for text in list {
            if any.is_some() {
                out.push(b' ');
            }
            any = Some(());
            self.text(text, out);
        }
        any
    }

    fn port(&self, reference: AnyRef<'_>, out: &mut Vec<u8>) -> Option<()> {
        if let Some(port) = reference.port() {
            out.extend_from_slice(port.as_bytes());
            return Some(());
        }
        let default = reference.scheme().and_then(default_port)?;
        if !self.default {
            return None;
        }
        write!(out, "{default}").ok()
    }

    /// Names are compared decoded; with `form:`, a `+` in the written name is a space.
    fn is_named(&self, written: Encoded<'_>, name: &str) -> bool {
        if self.decode == Decode::Form {
            written.decode().form() == *name
        } else {
            written.decode().octets().eq(name.bytes())
        }
    }
}

/// The pairs of the query, if there is one.
fn pairs(reference: AnyRef<'_>, separator: char) -> impl Iterator<Item = Pair<'_>> {
    let query = reference.query().into_iter();
    query.flat_map(move |query| -> Pairs<'_> { query.pairs(separator) })
}

fn unknown(name: &str) -> String {
    let name = crate::safe::safe(name);
    format!(
        "`{{{name}}}` is not a component; expected {{url}}, {{scheme}}, {{authority}}, \
         {{userinfo}}, {{user}}, {{password}}, {{host}}, {{port}}, {{path}}, {{segments}}, \
         {{params}}, {{query}}, {{query:NAME}}, {{query-all:NAME}} or \
         {{fragment}}, optionally preceded by `decode:`, \
         `form:`, `puny:`, `idn:`, `must:`, `strict:` or `default:`; `\\{{` is a brace"
    )
}
