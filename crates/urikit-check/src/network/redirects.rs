//! Findings about the redirects of a request.

use crate::{Finding, Rule, Suggestion};
use urikit::IriRef;
use urikit_access::Hop;
use urikit_domains::List;

/// A redirect that was followed.
struct Redirect<'h> {
    is_permanent: bool,
    to: &'h str,
}

/// Returns the URL to which redirects led, with the fragment that the last redirect with a fragment
/// specifies; `None` without redirects.
///
/// A redirect without a fragment keeps the fragment of the URL before it (RFC 9110, 10.2.2). This
/// function does not know the fragments of links, so it adds none of them.
pub(super) fn target(hops: &[Hop]) -> Option<String> {
    let fragments = followed(hops).filter_map(|redirect| redirect.to.split_once('#'));
    let fragment = fragments.last().map(|(_, fragment)| fragment);
    followed(hops).next()?;
    let url = &hops.last()?.uri;
    Some(fragment.map_or_else(|| url.clone(), |fragment| format!("{url}#{fragment}")))
}

/// Returns the number of redirects.
pub(super) fn count(hops: &[Hop]) -> usize {
    followed(hops).count()
}

fn followed(hops: &[Hop]) -> impl Iterator<Item = Redirect<'_>> {
    hops.iter().filter_map(|hop| {
        let status = hop.status?;
        let to = hop.location.as_deref()?;
        matches!(status, 301 | 302 | 303 | 307 | 308).then_some(Redirect {
            is_permanent: matches!(status, 301 | 308),
            to,
        })
    })
}

/// Returns the findings about the redirects from `url` to the last URL.
pub(super) fn findings(url: &str, hops: &[Hop]) -> Vec<Finding> {
    let Some(last) = target(hops) else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    let suggested = |to: &str| Suggestion {
        reference: to.to_owned(),
        is_certain: false,
    };
    if is_home(&last) && !is_home(url) {
        findings.push(Finding {
            rule: Rule::RedirectHome,
            message: format!("the page redirects to the home page {last}"),
            suggestion: None,
        });
    }
    if let (Some(from), Some(to)) = (domain(url), domain(&last))
        && from != to
    {
        findings.push(Finding {
            rule: Rule::RedirectOtherDomain,
            message: format!("the server redirects to another domain: {last}"),
            suggestion: None,
        });
    }
    let is_doubtful = !findings.is_empty();
    let permanent = followed(hops).take_while(|redirect| redirect.is_permanent);
    if let Some(moved) = permanent.last() {
        let is_complete = followed(hops).all(|redirect| redirect.is_permanent);
        let to = if is_complete { &*last } else { moved.to };
        findings.push(Finding {
            rule: Rule::RedirectPermanent,
            message: format!("the page has moved to {to}"),
            // If the new URL is certain, the run adds a suggestion later, with the fragment of each
            // link.
            suggestion: (is_doubtful || !is_complete).then(|| suggested(to)),
        });
    }
    if let Some(redirect) = followed(hops).find(|redirect| !redirect.is_permanent) {
        findings.push(Finding {
            rule: Rule::RedirectTemporary,
            message: format!("the server temporarily redirects to {}", redirect.to),
            suggestion: None,
        });
    }
    findings
}

/// Returns true if a URL points to a home page.
pub(super) fn is_home(url: &str) -> bool {
    IriRef::parse(url).is_ok_and(|url| {
        matches!(url.path().as_str(), "" | "/") && url.query().is_none_or(|query| query.is_empty())
    })
}

/// Returns the registrable domain of a URL in lower case, or its host if it has none.
fn domain(url: &str) -> Option<String> {
    let url = IriRef::parse(url).ok()?;
    let host = url.host()?.as_str().to_ascii_lowercase();
    // Two projects on github.io count as separate domains.
    let list = List::builtin().with_private(true);
    let domain = list.domain(&host);
    let registrable = domain.and_then(|domain| domain.registrable().map(str::to_owned));
    Some(registrable.unwrap_or(host))
}
