//! Fields of references by name, such as `{host}` and `{query:q:decode}`: for templates, and for
//! the left sides of `--where`.

mod fill;

use fill::Spelling;
pub(crate) use fill::Subject;
use std::fmt;
use std::path::Path;
use urikit::AnyRef;
use urikit::component::Host;
use urikit::op::iri::NotADomainName;
use urikit_domains::{Domain, List};
use urikit_keys::{Profile, SurtError};

/// A field, such as `{must:host:decode}`.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    what: What,
    how: How,
    /// As given.
    name: String,
}

/// Why the field of this name cannot be filled.
#[derive(Debug)]
pub(crate) enum Unfilled {
    /// The component is required, but absent.
    Missing(String),
    /// The result contains a control character.
    Control(String),
    /// There is no such key; the message says why.
    Key(String, SurtError),
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
            Self::Key(field, error) => write!(f, "`{{{field}}}`: {error}"),
            Self::Host(field, error) => write!(f, "`{{{field}}}`: {error}"),
        }
    }
}

impl Field {
    /// Parses the text between the braces: a name, with modifiers before or after it.
    ///
    /// # Errors
    ///
    /// A message for a usage error.
    pub(crate) fn new(name: &str) -> Result<Self, String> {
        let mut how = How::default();
        let mut rest = name;
        while let Some((modifier, remainder)) = rest.split_once(':') {
            if !how.add(modifier) {
                break;
            }
            rest = remainder;
        }
        let written = rest;
        while let Some((before, modifier)) = rest.rsplit_once(':') {
            // The first part after `query:` is a name, whatever it is.
            if What::takes_argument(before) || !how.add(modifier) {
                break;
            }
            rest = before;
        }
        let what = What::named(rest).ok_or_else(|| unknown(written))?;
        let field = Self {
            what,
            how,
            name: name.to_owned(),
        };
        field.check(rest)?;
        Ok(field)
    }

    /// The field that a filter compares: hosts as the DNS has them, and default ports.
    ///
    /// # Errors
    ///
    /// A message for a usage error.
    pub(crate) fn for_filter(name: &str) -> Result<Self, String> {
        let mut field = Self::new(name)?;
        field.how.default |= field.what == What::Port;
        if field.what == What::Host {
            field.how.spelling = Spelling::Puny;
        }
        Ok(field)
    }

    /// Rejects modifiers that do not apply.
    fn check(&self, rest: &str) -> Result<(), String> {
        let Self { what, how, .. } = self;
        if how.default && !matches!(what, What::Port | What::Url) {
            return Err("only ports have a default: `{default:port}`, `{default:url}`".to_owned());
        }
        if how.private && !matches!(what, What::Domain(_)) {
            return Err(
                "only domains depend on private suffixes: `{private:domain}`, `{private:suffix}`, \
                 `{private:subdomain}`"
                    .to_owned(),
            );
        }
        if how.spelling != Spelling::AsWritten && !matches!(what, What::Host | What::Url) {
            return Err(
                "only hosts can be converted: `{puny:host}`, `{idn:host}`, `{puny:url}`, \
                 `{idn:url}`"
                    .to_owned(),
            );
        }
        let has_delimiters = matches!(
            what,
            What::Url | What::Authority | What::Origin | What::Surt(_)
        );
        if how.decode != Decode::Not && has_delimiters {
            return Err(format!(
                "`{{{rest}}}` cannot be decoded: its delimiters would be lost"
            ));
        }
        Ok(())
    }
}

fn unknown(name: &str) -> String {
    let name = crate::safe::safe(name);
    format!(
        "`{{{name}}}` is not a component; expected {{url}}, {{scheme}}, {{authority}}, \
         {{userinfo}}, {{user}}, {{password}}, {{host}}, {{domain}}, {{suffix}}, {{subdomain}}, {{port}}, {{origin}}, {{path}}, \
         {{segments}}, {{segment:N}}, {{file}}, {{ext}}, {{params}}, {{query}}, {{query:NAME}}, \
         {{query-all:NAME}}, {{fragment}}, {{surt}} or {{surt:PROFILE}}, optionally preceded or followed by `decode`, \
         `form`, `lower`, `normal`, `puny`, `idn`, `must`, `strict`, `default` or `private` and a colon; \
         `\\{{` is a brace"
    )
}

/// A part of a reference.
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
    /// A part of the host, by the public suffix list.
    Domain(DomainPart),
    Port,
    Origin,
    Path,
    Segments,
    /// The segment of this number, from 1, or from the end if it is negative.
    Segment(isize),
    /// The last segment.
    File,
    /// What follows its last dot.
    Ext,
    Params,
    Query,
    /// The value of the first pair of this name.
    Pair(String),
    /// The values of all pairs of this name.
    Pairs(String),
    Fragment,
    /// The key of web archives, by a profile.
    Surt(Profile),
}

impl What {
    /// The part of this name; `None` if there is none.
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "url" => Self::Url,
            "scheme" => Self::Scheme,
            "authority" => Self::Authority,
            "userinfo" => Self::Userinfo,
            "user" => Self::User,
            "password" => Self::Password,
            "host" => Self::Host,
            "domain" => Self::Domain(DomainPart::Registrable),
            "suffix" => Self::Domain(DomainPart::Suffix),
            "subdomain" => Self::Domain(DomainPart::Subdomain),
            "port" => Self::Port,
            "origin" => Self::Origin,
            "path" => Self::Path,
            "segments" => Self::Segments,
            "file" => Self::File,
            "ext" => Self::Ext,
            "params" => Self::Params,
            "query" => Self::Query,
            "fragment" => Self::Fragment,
            "surt" => Self::Surt(Profile::default()),
            _ => match name.split_once(':')? {
                ("query", name) => Self::Pair(name.to_owned()),
                ("query-all", name) => Self::Pairs(name.to_owned()),
                ("surt", profile) => Self::Surt(profile.parse().ok()?),
                ("segment", number) => {
                    let number = number.parse().ok().filter(|number| *number != 0);
                    Self::Segment(number?)
                }
                _ => return None,
            },
        })
    }

    /// Whether the name in `text`, the first part of a field, has an argument after its colon.
    fn takes_argument(text: &str) -> bool {
        matches!(text, "query" | "query-all" | "segment" | "surt")
    }
}

/// The modifiers of a field.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // each is a separate modifier
struct How {
    decode: Decode,
    spelling: Spelling,
    lower: bool,
    normal: bool,
    must: bool,
    strict: bool,
    default: bool,
    private: bool,
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

impl How {
    /// Adds the modifier of this name; `false` if there is none.
    fn add(&mut self, modifier: &str) -> bool {
        match modifier {
            "decode" => self.decode = Decode::Escapes,
            "form" => self.decode = Decode::Form,
            "puny" => self.spelling = Spelling::Puny,
            "idn" => self.spelling = Spelling::Idn,
            "lower" => self.lower = true,
            "normal" => self.normal = true,
            "must" => self.must = true,
            "strict" => self.strict = true,
            "default" => self.default = true,
            "private" => self.private = true,
            _ => return false,
        }
        true
    }

    /// The lower case of what was inserted after `start`, except the digits of escapes.
    fn lower_case(self, out: &mut [u8], start: usize) {
        let Some(filled) = out.get_mut(start..).filter(|_| self.lower) else {
            return;
        };
        let mut digits = 0;
        for byte in filled {
            match *byte {
                _ if digits > 0 => digits -= 1,
                b'%' if self.decode == Decode::Not => digits = 2,
                _ => byte.make_ascii_lowercase(),
            }
        }
    }
}

/// Reads a list from a file.
///
/// # Errors
///
/// A message for a usage error.
pub(crate) fn read_list(path: &str) -> Result<List, String> {
    let text = std::fs::read_to_string(Path::new(path)).map_err(|error| error.to_string())?;
    List::parse(&text).map_err(|error| error.to_string())
}

/// Which part of a domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum DomainPart {
    Registrable,
    Suffix,
    Subdomain,
}

impl DomainPart {
    /// Returns this part of a reference's host, by a list with or without its private section.
    fn of<'a>(self, reference: AnyRef<'a>, list: &List, private: bool) -> Option<&'a str> {
        let host = reference.host().map(Host::as_str)?;
        let domain: Domain<'_> = list.clone().with_private(private).domain(host)?;
        match self {
            Self::Registrable => domain.registrable(),
            Self::Suffix => Some(domain.suffix()),
            Self::Subdomain => domain.subdomain(),
        }
    }
}
