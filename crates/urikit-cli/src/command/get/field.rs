//! The fields of a template: which component, and how.

use std::io::Write as _;
use urikit::AnyRef;
use urikit::component::{Encoded, Pair, Segment};
use urikit::op::default_port;

/// `{must:decode:host}` and the like.
#[derive(Debug, Default)]
pub(super) struct Field {
    what: What,
    name: String,
    decode: Decode,
    must: bool,
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
    /// The value of the first pair with this name.
    Pair(String),
    /// The values of all of them.
    Pairs(String),
    Fragment,
}

/// A component that must be there is not.
#[derive(Debug)]
pub(super) struct Missing(pub(super) String);

impl Field {
    pub(super) fn new(name: &str) -> Result<Self, String> {
        let mut field = Self {
            name: name.to_owned(),
            ..Self::default()
        };
        let mut rest = name;
        while let Some((modifier, behind)) = rest.split_once(':') {
            match modifier {
                "decode" => field.decode = Decode::Escapes,
                "form" => field.decode = Decode::Form,
                "must" => field.must = true,
                "default" => field.default = true,
                _ => break,
            }
            rest = behind;
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
        if field.default && field.what != What::Port {
            return Err("only the port has a default: `{default:port}`".to_owned());
        }
        if field.decode != Decode::Not && matches!(field.what, What::Url | What::Authority) {
            return Err(format!(
                "`{{{rest}}}` cannot be decoded as a whole: its delimiters would be lost"
            ));
        }
        Ok(field)
    }

    pub(super) fn fill(&self, reference: AnyRef<'_>, out: &mut Vec<u8>) -> Result<(), Missing> {
        let start = out.len();
        let text = |text: Encoded<'_>| self.text(text, out);
        let found = match &self.what {
            What::Scheme => reference
                .scheme()
                .map(|text| out.extend_from_slice(text.as_bytes())),
            What::Url => {
                out.extend_from_slice(reference.as_str().as_bytes());
                Some(())
            }
            What::Authority => reference
                .authority()
                .map(|authority| out.extend_from_slice(authority.as_str().as_bytes())),
            What::Userinfo => reference.userinfo().map(text),
            What::User => reference.user().map(text),
            What::Password => reference.password().map(text),
            What::Host => reference.host().map(|host| self.text(host.encoded(), out)),
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
                let pair = reference
                    .query_pairs()
                    .find(|pair| self.is_named(pair.name(), name));
                pair.map(|pair| {
                    if let Some(value) = pair.value() {
                        self.text(value, out);
                    }
                })
            }
            What::Pairs(name) => {
                let pairs = reference
                    .query_pairs()
                    .filter(|pair| self.is_named(pair.name(), name));
                self.list(pairs.filter_map(Pair::value), out)
            }
            What::Fragment => reference.fragment().map(text),
        };
        if found.is_none() && self.must {
            out.truncate(start);
            return Err(Missing(self.name.clone()));
        }
        Ok(())
    }

    fn text(&self, text: Encoded<'_>, out: &mut Vec<u8>) {
        match self.decode {
            Decode::Not => out.extend_from_slice(text.as_str().as_bytes()),
            Decode::Escapes => out.extend(text.decode()),
            Decode::Form => out.extend(text.decode_form()),
        }
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

    /// Names are compared decoded; with `form:`, a `+` in them is a space.
    fn is_named(&self, written: Encoded<'_>, name: &str) -> bool {
        if self.decode == Decode::Form {
            written.decode_form().eq(name.bytes())
        } else {
            written.decode().eq(name.bytes())
        }
    }
}

fn unknown(name: &str) -> String {
    let name = crate::safe::safe(name);
    format!(
        "`{{{name}}}` is nothing that a reference has; expected {{url}}, {{scheme}}, {{authority}}, {{userinfo}}, \
         {{user}}, {{password}}, {{host}}, {{port}}, {{path}}, {{segments}}, {{params}}, {{query}}, {{query:NAME}}, \
         {{query-all:NAME}} or {{fragment}}, with `decode:`, `form:`, `must:` or `default:` before it; `\\{{` is a brace"
    )
}
