//! Fields select parts of references, such as `{host}` and `{query:q:decode}`. Templates and
//! `--where` use fields.

mod fill;

use crate::files::read_text;
use crate::report::io_message;
use crate::safe::safe;
use crate::suggest::did_you_mean;
use fill::Spelling;
pub(crate) use fill::Subject;
use std::fmt;
use std::path::Path;
use urikit::op::iri::NotADomainName;
use urikit_domains::{Domain, List};
use urikit_keys::{Profile, SurtError};

/// Part of a reference, with modifiers, such as `{host:decode:must}`.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    part: Part,
    modifiers: Modifiers,
    /// The text between the braces, for messages.
    name: String,
}

/// The reason why a field cannot be filled, with the text of the field.
#[derive(Debug)]
pub(crate) enum Unfilled {
    /// The component is required, but absent.
    Missing(String),
    /// The result contains a control character.
    Control(String),
    /// The reference has no key under this profile.
    Key(String, SurtError),
    /// The host cannot be converted to this spelling.
    Host(String, NotADomainName),
}

impl fmt::Display for Unfilled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(field) => write!(f, "`{{{field}}}` is absent"),
            Self::Control(field) => {
                write!(f, "`{{{field}}}`: the result contains a control character")
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
    /// Returns the message for a usage error.
    pub(crate) fn new(name: &str) -> Result<Self, String> {
        let mut modifiers = Modifiers::default();
        let mut rest = name;
        while let Some((modifier, remainder)) = rest.split_once(':') {
            if !modifiers.add(modifier) {
                break;
            }
            rest = remainder;
        }
        let written = rest;
        while let Some((before, modifier)) = rest.rsplit_once(':') {
            // Any text after `query:` is a name, even if it is also the name of a modifier.
            if Part::takes_argument(before) || !modifiers.add(modifier) {
                break;
            }
            rest = before;
        }
        let part = Part::named(rest).ok_or_else(|| unknown(rest, written))?;
        let field = Self {
            part,
            modifiers,
            name: name.to_owned(),
        };
        field.check(rest)?;
        Ok(field)
    }

    /// Parses the field of a condition. Hosts are compared in their DNS form (A-labels), and an
    /// absent port equals the default port.
    ///
    /// # Errors
    ///
    /// Returns the message for a usage error.
    pub(crate) fn for_filter(name: &str) -> Result<Self, String> {
        let mut field = Self::new(name)?;
        field.modifiers.default |= field.part == Part::Port;
        if field.is_host_name() && field.modifiers.spelling == Spelling::AsWritten {
            field.modifiers.spelling = Spelling::Puny;
        }
        Ok(field)
    }

    /// Returns true if the value is the DNS form of a host or of part of one.
    pub(crate) fn is_in_dns_form(&self) -> bool {
        self.is_host_name() && self.modifiers.spelling == Spelling::Puny
    }

    /// Returns true if the part is a host or part of one.
    const fn is_host_name(&self) -> bool {
        matches!(self.part, Part::Host | Part::Domain(_))
    }

    /// Returns the NAME in `query:NAME`.
    pub(crate) fn pair(&self) -> Option<&str> {
        match &self.part {
            Part::Pair(name) => Some(name),
            _ => None,
        }
    }

    /// Returns true if the part never contains this character, a wildcard in other programs.
    pub(crate) fn excludes(&self, c: char) -> bool {
        let is_decoded = self.modifiers.decode != Decode::Not;
        !is_decoded
            && match c {
                '?' => matches!(self.part, Part::Host | Part::Path),
                _ => matches!(self.part, Part::Path | Part::Ext),
            }
    }

    /// Rejects modifiers that do not apply to the part.
    fn check(&self, rest: &str) -> Result<(), String> {
        let Self {
            part, modifiers, ..
        } = self;
        if modifiers.default && !matches!(part, Part::Port | Part::Url) {
            return Err("only ports have a default: `{port:default}`, `{url:default}`".to_owned());
        }
        if modifiers.private && !matches!(part, Part::Domain(_)) {
            return Err(
                "only domains depend on private suffixes: `{domain:private}`, `{suffix:private}`, \
                 `{subdomain:private}`"
                    .to_owned(),
            );
        }
        if modifiers.spelling != Spelling::AsWritten && !matches!(part, Part::Host | Part::Url) {
            return Err(
                "only hosts can be converted: `{host:puny}`, `{host:idn}`, `{url:puny}`, \
                 `{url:idn}`"
                    .to_owned(),
            );
        }
        let has_delimiters = matches!(
            part,
            Part::Url | Part::Authority | Part::Origin | Part::Surt(_)
        );
        let has_host = matches!(
            part,
            Part::Url | Part::Authority | Part::Origin | Part::Host | Part::Domain(_)
        );
        if modifiers.defang && !has_host {
            return Err(
                "only hosts can be defanged: `{host:defang}`, `{domain:defang}`, \
                        `{authority:defang}`, `{origin:defang}`, `{url:defang}`"
                    .to_owned(),
            );
        }
        if modifiers.decode != Decode::Not && has_delimiters {
            return Err(format!(
                "`{{{rest}}}` cannot be decoded: its delimiters would be lost"
            ));
        }
        Ok(())
    }
}

/// Returns the message about a field without a known component. `rest` is the text in place of the
/// component's name, and `written` also includes the modifiers after it.
fn unknown(rest: &str, written: &str) -> String {
    const ALL: &str = "(see uri get --help)";
    let rest = rest.trim_start_matches("must:");
    let shown = safe(rest);
    match rest.split_once(':') {
        None if rest == "segment" => {
            format!("\"{shown}\" needs a number: `segment:1` is the first segment")
        }
        None if rest == "query-all" => format!("\"{shown}\" needs a name: `query-all:NAME`"),
        Some(("segment", _)) => {
            format!("\"{shown}\" needs a number: 1 is the first segment, and -1 the last")
        }
        Some(("surt", profile)) => {
            let near = did_you_mean(profile, Profile::ALL.map(Profile::name));
            format!("no profile \"{}\"{near} {ALL}", safe(profile))
        }
        // The name is known, so the modifier must be the unknown part.
        Some((name, modifier)) if Part::named(name).is_some() => no_modifier(modifier),
        Some((modifier, name)) if Part::named(name).is_some() => no_modifier(modifier),
        _ => {
            let near = did_you_mean(rest, Part::NAMES);
            let brace = if near.is_empty() && rest == written {
                "; `\\{` is a literal brace"
            } else {
                ""
            };
            format!("no component \"{shown}\"{near} {ALL}{brace}")
        }
    }
}

fn no_modifier(name: &str) -> String {
    let near = did_you_mean(name, Modifiers::NAMES);
    let name = safe(name);
    format!("no modifier \"{name}\"{near} (see uri get --help)")
}

/// Part of a reference that a field selects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
enum Part {
    #[default]
    Url,
    Scheme,
    Authority,
    Userinfo,
    User,
    Password,
    Host,
    /// The kind of the host: a name or an address.
    HostKind,
    /// A part of the host, divided according to the Public Suffix List.
    Domain(DomainPart),
    Port,
    Origin,
    Path,
    Segments,
    /// The segment with this number, counting from 1; negative numbers count from the end.
    Segment(isize),
    /// The last segment.
    File,
    /// The text after the last dot in the last segment.
    Ext,
    Params,
    Query,
    /// The value of the first pair with this name.
    Pair(String),
    /// The values of all pairs with this name.
    Pairs(String),
    Fragment,
    /// The key that web archives use, according to a profile.
    Surt(Profile),
}

impl Part {
    /// The names of all parts.
    const NAMES: [&'static str; 26] = [
        "url",
        "scheme",
        "authority",
        "userinfo",
        "user",
        "password",
        "host",
        "host_kind",
        "domain",
        "suffix",
        "subdomain",
        "port",
        "origin",
        "path",
        "segments",
        "segment",
        "file",
        "ext",
        "params",
        "query",
        "query-all",
        "fragment",
        "surt",
        "surt:ia-python",
        "surt:ia-java",
        "surt:cdxj",
    ];

    /// Returns the part with this name.
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "url" => Self::Url,
            "scheme" => Self::Scheme,
            "authority" => Self::Authority,
            "userinfo" => Self::Userinfo,
            "user" => Self::User,
            "password" => Self::Password,
            "host" => Self::Host,
            "host_kind" => Self::HostKind,
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

    /// Returns true if an argument follows this name and a colon, as in `query:NAME`.
    fn takes_argument(text: &str) -> bool {
        matches!(text, "query" | "query-all" | "segment" | "surt")
    }
}

/// The modifiers of a field, written before or after its name.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // each is a separate modifier
struct Modifiers {
    decode: Decode,
    spelling: Spelling,
    lower: bool,
    normal: bool,
    must: bool,
    strict: bool,
    default: bool,
    private: bool,
    defang: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Decode {
    /// Keeps the value as written.
    #[default]
    Not,
    /// Decodes escapes only.
    Escapes,
    /// Decodes escapes, and replaces `+` with a space.
    Form,
}

impl Modifiers {
    /// The names of all modifiers.
    const NAMES: [&'static str; 11] = [
        "decode", "form", "puny", "idn", "lower", "normal", "must", "strict", "default", "private",
        "defang",
    ];

    /// Adds the modifier with this name. Returns `false` if the name is unknown.
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
            "defang" => self.defang = true,
            _ => return false,
        }
        true
    }

    /// Converts the output after its first `start` bytes to lower case, except for the digits of
    /// escapes.
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

/// Reads a public suffix list from a file.
///
/// # Errors
///
/// Returns the message for a usage error.
pub(crate) fn read_list(path: &str) -> Result<List, String> {
    let text = read_text(Path::new(path)).map_err(|error| io_message(&error))?;
    List::parse(&text).map_err(|error| error.to_string())
}

/// Part of a host name, relative to its public suffix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum DomainPart {
    Registrable,
    Suffix,
    Subdomain,
}

impl DomainPart {
    /// Returns this part of a host. With `private`, suffixes in the private section of the list
    /// also count.
    fn of<'a>(self, host: &'a str, list: &List, private: bool) -> Option<&'a str> {
        let domain: Domain<'_> = list.clone().with_private(private).domain(host)?;
        match self {
            Self::Registrable => domain.registrable(),
            Self::Suffix => Some(domain.suffix()),
            Self::Subdomain => domain.subdomain(),
        }
    }
}
