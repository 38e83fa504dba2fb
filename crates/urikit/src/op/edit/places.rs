//! Where the components were put, to be compared with where the parser finds them.

use super::error::{Component, EditError, Invalid};
use crate::layout::Layout;
use crate::{ParseError, Rejected};
use alloc::boxed::Box;
use alloc::string::String;

/// Where the components are meant to be: the offsets of their delimiters.
#[derive(Default)]
pub(super) struct Places {
    pub(super) scheme: Option<usize>,
    pub(super) authority: bool,
    pub(super) userinfo: Option<usize>,
    pub(super) host_end: usize,
    pub(super) path: usize,
    pub(super) params: Option<usize>,
    pub(super) query: Option<usize>,
    pub(super) fragment: Option<usize>,
}

impl Places {
    /// Checks that the components are there: the text is the same, so its delimiters decide.
    pub(super) fn compare(&self, layout: &Layout) -> Result<(), EditError> {
        let authority = layout.host_kind.is_some();
        let host_end = if authority {
            layout.host_end as usize
        } else {
            0
        };
        let pairs = [
            (Component::Scheme, self.scheme == layout.scheme.get()),
            (Component::Host, self.authority == authority),
            (Component::Userinfo, self.userinfo == layout.userinfo.get()),
            (Component::Host, self.host_end == host_end),
            (Component::Path, self.path == layout.path as usize),
            (Component::Params, self.params == layout.params.get()),
            (Component::Query, self.query == layout.query.get()),
            (Component::Fragment, self.fragment == layout.fragment.get()),
        ];
        match pairs.into_iter().find(|(_, same)| !same) {
            Some((component, _)) => Err(EditError::Misread { component }),
            None => Ok(()),
        }
    }

    /// The error of a result that is not valid, with the component in which it lies.
    pub(super) fn invalid(&self, text: &str, error: ParseError) -> EditError {
        let at = error.offset();
        let after_scheme = self.scheme.map_or(0, |colon| colon + 1);
        let host = match self.userinfo {
            _ if !self.authority => None,
            Some(at_sign) => Some(at_sign + 1),
            None => Some(after_scheme + 2),
        };
        let after = |delimiter: Option<usize>| delimiter.map(|delimiter| delimiter + 1);
        let port = (self.authority && self.host_end < self.path).then_some(self.host_end + 1);
        let starts = [
            (Component::Fragment, after(self.fragment)),
            (Component::Query, after(self.query)),
            (Component::Params, after(self.params)),
            (Component::Path, Some(self.path)),
            (Component::Port, port),
            (Component::Host, host),
            (Component::Userinfo, self.userinfo.map(|_| after_scheme + 2)),
        ];
        let mut starts = starts
            .into_iter()
            .filter_map(|(component, start)| Some((component, start?)));
        EditError::Invalid(Box::new(Invalid {
            component: starts.find(|(_, start)| *start <= at),
            result: Rejected::new(String::from(text), error),
        }))
    }
}
