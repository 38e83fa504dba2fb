//! The rules by which hosts find a file for a path.

use std::fmt;
use std::str::FromStr;
use urikit::{UnknownName, names_of_all};

/// The rules of a host for index files and extensions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Preset {
    /// A server that has rules only for index files, such as nginx and Apache in their usual setup.
    #[default]
    Plain,
    /// GitHub Pages.
    GithubPages,
    /// GitLab Pages.
    GitlabPages,
    /// Netlify.
    Netlify,
    /// Vercel without `cleanUrls`.
    Vercel,
    /// Cloudflare Pages.
    CloudflarePages,
}

impl Preset {
    /// All presets.
    pub const ALL: [Self; 6] = [
        Self::Plain,
        Self::GithubPages,
        Self::GitlabPages,
        Self::Netlify,
        Self::Vercel,
        Self::CloudflarePages,
    ];

    /// Returns the name, as in `--preset NAME`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::GithubPages => "github-pages",
            Self::GitlabPages => "gitlab-pages",
            Self::Netlify => "netlify",
            Self::Vercel => "vercel",
            Self::CloudflarePages => "cloudflare-pages",
        }
    }

    /// Returns true if the host serves `x.html` for `/x`.
    pub(super) const fn adds_extension(self) -> bool {
        !matches!(self, Self::Plain | Self::Vercel)
    }

    /// Returns the status of a rule in `_redirects` that specifies none.
    pub(super) const fn redirect_status(self) -> u16 {
        match self {
            Self::CloudflarePages => 302,
            _ => 301,
        }
    }

    /// Returns true if the host serves `x.html` for `/x/`, directly or after a redirect.
    pub(super) const fn ignores_slash(self) -> bool {
        matches!(self, Self::Netlify | Self::CloudflarePages)
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Preset {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &names_of_all!(Preset, name);
        let known = Self::ALL.into_iter().find(|value| value.name() == name);
        known.ok_or(UnknownName::new("preset", NAMES))
    }
}
