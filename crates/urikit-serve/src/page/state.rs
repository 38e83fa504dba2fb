//! The state of a page, as stored in its address.

use urikit::grammar::rfc3986::UNRESERVED;
use urikit::percent::encode_with;
use urikit_report::Reader;

/// The state of the page that explains a reference.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct State {
    /// The reference.
    pub(super) url: String,
    /// The base; empty if none is given.
    pub(super) base: String,
    /// The reference to compare with; empty if none is given.
    pub(super) and: String,
    /// The chosen standard.
    pub(super) standard: Reader,
}

impl State {
    /// Reads the query of an address. Unknown parameters are ignored, so that old addresses
    /// continue to work.
    pub(super) fn from_query(query: &str) -> Self {
        let value = |name| crate::api::form_value(query, name).unwrap_or_default();
        Self {
            url: value("url"),
            base: value("base"),
            and: value("and"),
            standard: value("standard").parse().unwrap_or_default(),
        }
    }

    /// Returns true if there is nothing to explain. With a base, an empty reference is valid.
    pub(super) fn is_empty(&self) -> bool {
        self.url.is_empty() && self.base.is_empty() && self.and.is_empty()
    }

    /// Returns the address.
    pub(super) fn address(&self) -> String {
        let standard = match self.standard {
            standard if standard == Reader::default() => "",
            standard => standard.name(),
        };
        let mut address = String::from("/");
        for (name, value) in [
            ("url", self.url.as_str()),
            ("base", &self.base),
            ("and", &self.and),
            ("standard", standard),
        ] {
            if !value.is_empty() {
                address.push(if address.len() == 1 { '?' } else { '&' });
                address.push_str(name);
                address.push('=');
                address.push_str(&escaped(value));
            }
        }
        address
    }
}

/// Escapes the value of a parameter.
pub(super) fn escaped(value: &str) -> String {
    encode_with(value, UNRESERVED.set()).to_string()
}

/// Returns the address that explains a reference.
pub(super) fn explains(url: &str) -> String {
    let url = url.to_owned();
    State {
        url,
        ..State::default()
    }
    .address()
}

#[cfg(test)]
mod tests {
    use super::State;

    #[test]
    fn addresses_are_read_back() {
        let state = State {
            url: "http://a/b c?d=e&f=+%20#\"<é\r\n".to_owned(),
            base: "http://base/?x&y".to_owned(),
            and: "#".to_owned(),
            standard: "whatwg".parse().unwrap(),
        };
        let address = state.address();
        assert!(
            address.is_ascii() && !address.contains(['"', ' ', '#']),
            "{address}"
        );
        assert_eq!(
            State::from_query(address.strip_prefix("/?").unwrap()),
            state
        );
        assert_eq!(State::default().address(), "/");
    }
}
