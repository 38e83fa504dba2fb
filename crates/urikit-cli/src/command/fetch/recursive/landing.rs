//! Where the redirects of one URL lead.

use super::scope::Scope;
use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};
use urikit::{AnyRef, Standard};
use urikit_access::Redirects;

/// Follows redirects within a scope; without one, all of them.
#[derive(Debug)]
pub(super) struct Landing<'a> {
    scope: Option<&'a Scope>,
    /// What was followed last.
    at: Mutex<Option<String>>,
}

impl<'a> Landing<'a> {
    pub(super) const fn within(scope: Option<&'a Scope>) -> Self {
        let at = Mutex::new(None);
        Self { scope, at }
    }

    /// Whether a redirect was followed.
    pub(super) fn is_redirected(&self) -> bool {
        let at = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        at.is_some()
    }

    /// The URL of what is fetched, and the names of its file: those of the last redirect, or else of
    /// the reference. Without a scope, the last redirect begins one.
    pub(super) fn names(&self, reference: AnyRef<'_>) -> Option<(String, Vec<OsString>)> {
        let at = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        let last = at.as_deref().map(|at| Standard::Rfc3986.parse(at));
        let reference = last.and_then(Result::ok).unwrap_or(reference);
        let names = match self.scope {
            Some(scope) => scope.path(reference),
            None => Scope::of(reference)?.path(reference),
        };
        Some((reference.as_str().to_owned(), names?))
    }
}

impl Redirects for Landing<'_> {
    fn follows(&self, to: AnyRef<'_>) -> bool {
        if self.scope.is_some_and(|scope| scope.path(to).is_none()) {
            return false;
        }
        let mut at = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        *at = Some(to.as_str().to_owned());
        true
    }
}
