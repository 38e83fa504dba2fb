//! The interface to the network: a [`Prober`] checks URLs.

use crate::{Finding, Outcome, Reason};
use std::fmt;
use std::time::Duration;
use urikit_access::mask::MaskedUrl;
use urikit_extract::document::Format;

/// The number of a request within a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RequestId(pub usize);

/// A distinct request.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// The number of the request, which the answer repeats.
    pub id: RequestId,
    /// The URL without a fragment.
    pub url: String,
    /// True if the content is needed because a link has a fragment or the page's links will be
    /// checked.
    pub needs_content: bool,
    /// True if the page's links will be checked, in which case a stored answer is not enough.
    pub is_page: bool,
    /// True if the user named the page, so that it is also read if it is a container such as PDF.
    pub is_source: bool,
    /// The fragments of the links, as written and without `#`.
    pub fragments: Vec<String>,
    /// The validators of an earlier answer, for a conditional request.
    pub validators: Option<Validators>,
}

impl fmt::Debug for Request {
    /// Masks passwords in URLs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("id", &self.id)
            .field("url", &MaskedUrl(&self.url))
            .field("needs_content", &self.needs_content)
            .field("is_page", &self.is_page)
            .field("is_source", &self.is_source)
            .field("fragments", &self.fragments)
            .field("validators", &self.validators)
            .finish()
    }
}

/// The validators of a representation (RFC 9110, 8.8).
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Validators {
    /// The field `ETag`.
    pub etag: Option<String>,
    /// The field `Last-Modified`.
    pub modified: Option<String>,
}

/// The answer to a request.
#[derive(Clone, PartialEq, Eq)]
pub struct Probed {
    /// The outcome of every link with this target.
    pub outcome: Outcome,
    /// Findings about the target: redirects, certificates, parked domains.
    pub findings: Vec<Finding>,
    /// The URL to which redirects led, if it differs from the requested one. If a redirect
    /// specifies a fragment, the URL contains it.
    pub redirected: Option<String>,
    /// The content, if the request needs it and the server sent it.
    pub content: Option<Content>,
    /// True if all fragments of the request are known to exist, so that the content is not needed.
    pub fragments_found: bool,
    /// The exceptions: fragments of the request that a store does not contain. Links with these
    /// fragments are not checked.
    pub fragments_not_stored: Vec<String>,
    /// The validators of the answer.
    pub validators: Option<Validators>,
    /// True if the page has not changed since the server sent the validators of the request.
    pub not_modified: bool,
}

impl fmt::Debug for Probed {
    /// Masks passwords in URLs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Probed")
            .field("outcome", &self.outcome)
            .field("findings", &self.findings)
            .field("redirected", &self.redirected.as_deref().map(MaskedUrl))
            .field("content", &self.content)
            .field("fragments_found", &self.fragments_found)
            .field("fragments_not_stored", &self.fragments_not_stored)
            .field("validators", &self.validators)
            .field("not_modified", &self.not_modified)
            .finish()
    }
}

impl From<Outcome> for Probed {
    fn from(outcome: Outcome) -> Self {
        Self {
            outcome,
            findings: Vec::new(),
            redirected: None,
            content: None,
            fragments_found: false,
            fragments_not_stored: Vec::new(),
            validators: None,
            not_modified: false,
        }
    }
}

/// The content of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Content {
    /// The format; `None` if it is binary.
    pub format: Option<Format>,
    /// The charset that the server specified, as a label of the Encoding standard.
    pub charset: Option<String>,
    /// The bytes, without a content coding.
    pub bytes: Vec<u8>,
}

/// The requests to one host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostSummary {
    /// The host, with its port if it is not the default.
    pub host: String,
    /// The number of requests.
    pub requests: u64,
    /// The time that requests waited because the host asked for pauses.
    pub waited: Duration,
    /// The number of requests that failed.
    pub failures: u64,
}

/// Checks URLs by requesting them.
pub trait Prober: Sync {
    /// Answers all requests, and returns when none is left. Calls `done` once for each request,
    /// from any thread. `done` returns further requests to make.
    fn probe(
        &self,
        requests: Vec<Request>,
        done: &(dyn Fn(RequestId, Probed) -> Vec<Request> + Sync),
    );

    /// Returns the counts for each host.
    fn hosts(&self) -> Vec<HostSummary> {
        Vec::new()
    }
}

/// A prober that requests nothing and reports every URL as not checked.
///
/// ```
/// use urikit_check::{Check, Offline, Source};
/// let report = Check::new().run([Source::text("a.txt", "see http://a.example/")], &Offline);
/// let document = report.documents().next().unwrap();
/// let checked = document.links().next().unwrap();
/// assert_eq!(checked.outcome.reason().unwrap().to_string(), "network access is switched off");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Offline;

impl Prober for Offline {
    fn probe(
        &self,
        requests: Vec<Request>,
        done: &(dyn Fn(RequestId, Probed) -> Vec<Request> + Sync),
    ) {
        let mut waiting = requests;
        while let Some(request) = waiting.pop() {
            let probed = Probed::from(Outcome::NotChecked(Reason::Offline));
            waiting.extend(done(request.id, probed));
        }
    }
}
