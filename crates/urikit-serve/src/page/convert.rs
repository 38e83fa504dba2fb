//! Percent-encoding and decoding of text.

use std::borrow::Cow;
use urikit::percent::Place;
use urikit_report::percent::{Direction, Options};
use urikit_report::safe::quoted;

/// The state of the page that encodes and decodes text.
#[derive(Default)]
pub(super) struct Conversions {
    pub(super) text: String,
    /// The component; `None` for data that is safe in all components.
    pub(super) component: Option<Place>,
    /// True if a space in a query is written as `+`.
    pub(super) form: bool,
    pub(super) results: Vec<Conversion>,
}

/// One result.
pub(super) struct Conversion {
    pub(super) name: &'static str,
    /// The result, or the reason why there is none.
    pub(super) result: Result<String, String>,
}

impl Conversions {
    /// Reads the query of an address, and converts its text.
    pub(super) fn from_query(query: &str) -> Self {
        let value = |name| crate::api::form_value(query, name).unwrap_or_default();
        let text = value("text");
        let component = value("component").parse().ok();
        let form = !value("form").is_empty() && component.is_some_and(Place::is_query);
        let convert = |name, options: Options| Conversion {
            name,
            result: convert(text.as_bytes(), options),
        };
        let mut results = Vec::new();
        if !text.is_empty() {
            let options = |direction| Options {
                component,
                form,
                ..Options::new(direction)
            };
            let complete = |direction| Options {
                is_complete: true,
                ..Options::new(direction)
            };
            results.push(convert("Encoded", options(Direction::Encode)));
            results.push(convert("Decoded", options(Direction::Decode)));
            results.push(convert("IRI to URI", complete(Direction::Encode)));
            results.push(convert(
                "IRI to URI, with the host for the DNS",
                Options {
                    idna: true,
                    ..complete(Direction::Encode)
                },
            ));
            results.push(convert("URI to IRI", complete(Direction::Decode)));
        }
        Self {
            text,
            component,
            form,
            results,
        }
    }

    /// Returns the name of the component; empty for all components.
    pub(super) fn chosen(&self) -> &'static str {
        self.component.map_or("", Place::as_str)
    }
}

/// Converts text. A result with invisible characters is quoted.
fn convert(text: &[u8], options: Options) -> Result<String, String> {
    let conversion = options.check().map_err(|error| error.to_string())?;
    let result = conversion
        .convert(text)
        .map_err(|failure| failure.summary().into_owned())?;
    let quoted = quoted(&result);
    let plain = String::from_utf8(Cow::into_owned(result)).ok();
    let is_plain = |text: &String| text.chars().all(urikit_report::safe::is_safe);
    Ok(plain.filter(is_plain).unwrap_or(quoted))
}

#[cfg(test)]
mod tests {
    use super::Conversions;

    #[test]
    fn text_is_encoded_and_decoded() {
        let results = |query| {
            let conversions = Conversions::from_query(query);
            let results = conversions.results.into_iter().map(|it| it.result);
            results.collect::<Vec<_>>()
        };
        let all = results("text=a%20b%26%2541&component=query-value&form=on");
        assert_eq!(
            all[..2],
            [Ok("a+b%26%2541".to_owned()), Ok("a b&A".to_owned())]
        );
        assert_eq!(results("text=%2500")[1], Ok("\"\\u{0}\"".to_owned()));
        let all = results("text=http://%C3%A9.example/");
        assert_eq!(all[3], Ok("http://xn--9ca.example/".to_owned()));
        assert!(all[4].is_err());
        assert!(results("").is_empty());
    }
}
