//! Which part of a reference a field is.

use super::domain::DomainPart;
use urikit_keys::Profile;

/// A part of a reference.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum What {
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
    pub(super) fn named(name: &str) -> Option<Self> {
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
    pub(super) fn takes_argument(text: &str) -> bool {
        matches!(text, "query" | "query-all" | "segment" | "surt")
    }
}
