//! A field: which part of a reference, and how it is inserted.

use super::how::{Decode, How};
use super::spelling::Spelling;
use super::what::What;
use std::fmt;
use urikit::op::iri::NotADomainName;
use urikit_keys::SurtError;

/// A field, such as `{must:host:decode}`.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(super) what: What,
    pub(super) how: How,
    /// As given.
    pub(super) name: String,
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
