//! Queries the API of a forge about pages that it does not show to anonymous visitors: private
//! projects, and public ones after too many requests.

use super::Network;
use super::attempt::Want;
use crate::{Outcome, Reason};
use urikit::IriRef;

/// A forge whose API is queried.
#[derive(Debug)]
pub(super) struct Forge {
    kind: Kind,
    /// The URL of the API, without a trailing slash.
    api: String,
    token: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Github,
    Gitlab,
}

impl Kind {
    const fn host(self) -> &'static str {
        match self {
            Self::Github => "github.com",
            Self::Gitlab => "gitlab.com",
        }
    }

    /// Returns the path in the API for a page with these segments.
    fn path(self, segments: &[&str]) -> Option<String> {
        match self {
            Self::Github => github(segments),
            Self::Gitlab => gitlab(segments),
        }
    }
}

impl Network {
    /// Sets a token for the API of GitHub, which is queried about github.com pages that are not
    /// shown to anonymous visitors. `api` is usually `https://api.github.com`.
    #[must_use]
    pub fn github(self, api: &str, token: &str) -> Self {
        self.forge(Kind::Github, api, token)
    }

    /// Sets a token for the API of GitLab, which is used as described for [`github`](Self::github).
    /// `api` is usually `https://gitlab.com/api/v4`.
    #[must_use]
    pub fn gitlab(self, api: &str, token: &str) -> Self {
        self.forge(Kind::Gitlab, api, token)
    }

    fn forge(mut self, kind: Kind, api: &str, token: &str) -> Self {
        self.forges.push(Forge {
            kind,
            api: api.trim_end_matches('/').to_owned(),
            token: token.to_owned(),
        });
        self
    }

    /// Returns true if the API of a forge confirms that a page exists, although the forge does not
    /// show it.
    pub(super) fn is_known_to_forge(&self, url: &str, outcome: &Outcome) -> bool {
        let is_hidden = matches!(
            outcome,
            Outcome::Broken(Reason::Status(404))
                | Outcome::Unverifiable(Reason::Status(401 | 403 | 429) | Reason::BotWall)
        );
        if !is_hidden || self.forges.is_empty() {
            return false;
        }
        let Ok(page) = IriRef::parse(url) else {
            return false;
        };
        let host = page.host().map(|host| host.as_str().to_ascii_lowercase());
        let mut forges = self.forges.iter();
        let forge = forges.find(|forge| host.as_deref() == Some(forge.kind.host()));
        let path = page.path().as_str().trim_matches('/');
        let segments: Vec<_> = path
            .split('/')
            .filter(|segment| !segment.is_empty())
            .collect();
        let Some((forge, path)) = forge.and_then(|it| Some((it, it.kind.path(&segments)?))) else {
            return false;
        };
        let url = format!("{}/{path}", forge.api);
        let Ok(reference) = IriRef::parse(&url) else {
            return false;
        };
        let want = Want {
            by_get: true,
            field: Some(("Authorization", format!("Bearer {}", forge.token))),
            ..Want::new(false)
        };
        let fetched = self.fetch(&super::host_of(&url), reference.into(), &want);
        fetched.is_ok()
    }
}

/// Returns the path in GitHub's REST API. A branch with a slash is not recognized.
fn github(segments: &[&str]) -> Option<String> {
    Some(match segments {
        [owner] => format!("users/{owner}"),
        [owner, name] => format!("repos/{owner}/{name}"),
        [owner, name, view, rest @ ..] => {
            let resource = match (*view, rest) {
                ("blob" | "tree" | "raw" | "blame", [branch]) => format!("commits/{branch}"),
                ("blob" | "tree" | "raw" | "blame", [branch, path @ ..]) => {
                    format!("contents/{}?ref={branch}", path.join("/"))
                }
                ("issues", [number]) => format!("issues/{number}"),
                ("pull", [number, ..]) => format!("pulls/{number}"),
                ("commit", [id]) => format!("commits/{id}"),
                ("releases", ["tag", tag]) => format!("releases/tags/{tag}"),
                _ => return None,
            };
            format!("repos/{owner}/{name}/{resource}")
        }
        [] => return None,
    })
}

/// Returns the path in GitLab's REST API.
fn gitlab(segments: &[&str]) -> Option<String> {
    let end = segments.iter().position(|segment| *segment == "-");
    let (project, rest) = segments.split_at_checked(end.unwrap_or(segments.len()))?;
    if project.len() < 2 {
        return None;
    }
    let project = project.join("%2F");
    let resource = match rest {
        [] => return Some(format!("projects/{project}")),
        [_, "blob" | "raw" | "blame", branch, path @ ..] if !path.is_empty() => {
            format!("repository/files/{}?ref={branch}", path.join("%2F"))
        }
        [_, "tree", branch] => format!("repository/commits/{branch}"),
        [_, "issues", number] => format!("issues/{number}"),
        [_, "merge_requests", number, ..] => format!("merge_requests/{number}"),
        [_, "commit", id] => format!("repository/commits/{id}"),
        [_, "tags", tag] => format!("repository/tags/{tag}"),
        [_, "releases", tag] => format!("releases/{tag}"),
        _ => return None,
    };
    Some(format!("projects/{project}/{resource}"))
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn paths() {
        let path = |kind: Kind, page: &str| kind.path(&page.split('/').collect::<Vec<_>>());
        for (page, expected) in [
            ("me", "users/me"),
            ("me/repo", "repos/me/repo"),
            ("me/repo/tree/main", "repos/me/repo/commits/main"),
            (
                "me/repo/blob/main/src/a.rs",
                "repos/me/repo/contents/src/a.rs?ref=main",
            ),
            ("me/repo/issues/7", "repos/me/repo/issues/7"),
            ("me/repo/pull/7/files", "repos/me/repo/pulls/7"),
            ("me/repo/releases/tag/v1", "repos/me/repo/releases/tags/v1"),
            ("me/repo/wiki", ""),
        ] {
            assert_eq!(
                path(Kind::Github, page).unwrap_or_default(),
                expected,
                "{page}"
            );
        }
        for (page, expected) in [
            ("a/b/repo", "projects/a%2Fb%2Frepo"),
            (
                "a/repo/-/blob/main/src/a.rs",
                "projects/a%2Frepo/repository/files/src%2Fa.rs?ref=main",
            ),
            ("a/repo/-/issues/7", "projects/a%2Frepo/issues/7"),
            (
                "a/repo/-/merge_requests/7/diffs",
                "projects/a%2Frepo/merge_requests/7",
            ),
            ("a/repo/-/wikis", ""),
            ("explore", ""),
        ] {
            assert_eq!(
                path(Kind::Gitlab, page).unwrap_or_default(),
                expected,
                "{page}"
            );
        }
    }
}
