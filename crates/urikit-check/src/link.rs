//! A link in a document, and the results of checking it.

use crate::{Outcome, Reason, Rule, moved};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use urikit::Standard;
use urikit::percent::{self, Place};
use urikit_access::mask::MaskedUrl;

/// A reference in a document.
#[derive(Clone, PartialEq, Eq)]
pub struct Link {
    /// The document: a path as the user gave it or as it was found, `-` or a URL.
    pub document: Arc<str>,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, counting from 1.
    pub column: usize,
    /// The bytes of the reference in the document as written, without the quotes of its syntax;
    /// `None` if the document is compressed, or the reference is not contiguous.
    pub range: Option<Range<usize>>,
    /// The reference as written, after decoding the syntax of the document.
    pub reference: String,
    /// The absolute URI after resolution against the document's base; `None` if this failed.
    pub target: Option<String>,
}

impl fmt::Debug for Link {
    /// Masks passwords in URLs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link")
            .field("document", &MaskedUrl(&self.document))
            .field("line", &self.line)
            .field("column", &self.column)
            .field("range", &self.range)
            .field("reference", &MaskedUrl(&self.reference))
            .field("target", &self.target.as_deref().map(MaskedUrl))
            .finish()
    }
}

/// A rule that a link breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// One sentence without its full stop.
    pub message: String,
    /// A better reference, if one is known.
    pub suggestion: Option<Suggestion>,
}

/// A better reference.
#[derive(Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The reference to write instead, without the escapes of the document's syntax.
    pub reference: String,
    /// True if `--fix` may write the reference.
    pub is_certain: bool,
}

impl fmt::Debug for Suggestion {
    /// Masks passwords in URLs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Suggestion")
            .field("reference", &MaskedUrl(&self.reference))
            .field("is_certain", &self.is_certain)
            .finish()
    }
}

/// A link with its results.
#[derive(Clone, PartialEq, Eq)]
pub struct Checked {
    /// The link.
    pub link: Link,
    /// The outcome.
    pub outcome: Outcome,
    /// The findings, except the one that the outcome itself represents.
    pub findings: Vec<Finding>,
    /// The URI to which redirects led, if it differs from the target.
    pub redirected: Option<String>,
}

impl fmt::Debug for Checked {
    /// Masks passwords in URLs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checked")
            .field("link", &self.link)
            .field("outcome", &self.outcome)
            .field("findings", &self.findings)
            .field("redirected", &self.redirected.as_deref().map(MaskedUrl))
            .finish()
    }
}

impl Checked {
    /// Returns the rules that the link breaks: the rule of its outcome, and the rules of its
    /// findings.
    pub fn rules(&self) -> impl Iterator<Item = Rule> {
        let findings = self.findings.iter().map(|finding| finding.rule);
        self.outcome.rule().into_iter().chain(findings)
    }

    /// Returns a replacement for a broken reference: the new path of a file that has moved, or the
    /// name of a similar file.
    pub fn suggestion(&self) -> Option<Suggestion> {
        if let Outcome::Broken(Reason::Moved { to }) = &self.outcome {
            let link = &self.link;
            let target = link.target.as_deref()?;
            return Some(Suggestion {
                reference: moved::reference(&link.document, &link.reference, target, to)?,
                is_certain: true,
            });
        }
        let Outcome::Broken(Reason::NoSuchFile {
            nearest: Some(nearest),
        }) = &self.outcome
        else {
            return None;
        };
        let reference = &self.link.reference;
        let end = reference.find(['?', '#']).unwrap_or(reference.len());
        let (path, rest) = reference.split_at_checked(end)?;
        let folder = path.rfind('/').map_or(0, |at| at + 1);
        let nearest = percent::encode(nearest, Place::Segment, Standard::Rfc3987).ok()?;
        Some(Suggestion {
            reference: format!("{}{nearest}{rest}", path.get(..folder)?),
            is_certain: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Checked, Link};
    use crate::{Outcome, Probed, Request, RequestId};

    #[test]
    fn debug_masks_passwords() {
        let url = "http://u:topsecret@a.example/";
        let link = Link {
            document: url.into(),
            line: 1,
            column: 1,
            range: None,
            reference: url.to_owned(),
            target: Some(url.to_owned()),
        };
        let checked = Checked {
            link,
            outcome: Outcome::Ok,
            findings: Vec::new(),
            redirected: Some(url.to_owned()),
        };
        let request = Request {
            id: RequestId(0),
            url: url.to_owned(),
            needs_content: false,
            is_page: false,
            is_source: false,
            fragments: Vec::new(),
            validators: None,
        };
        let probed = Probed {
            redirected: Some(url.to_owned()),
            ..Outcome::Ok.into()
        };
        let shown = format!("{checked:?} {request:?} {probed:?}");
        assert!(!shown.contains("topsecret"), "{shown}");
        assert_eq!(
            shown.matches("http://u:***@a.example/").count(),
            6,
            "{shown}"
        );
    }
}
