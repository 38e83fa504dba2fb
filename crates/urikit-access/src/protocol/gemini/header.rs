//! Headers of responses.
//!
//! ```text
//! reply = "1" DIGIT SP prompt CRLF / "2" DIGIT SP mimetype CRLF body
//!       / "3" DIGIT SP URI-reference CRLF / ( "4" / "5" / "6" ) DIGIT [SP errormsg] CRLF
//! ```

use crate::error::{Error, ErrorKind, Result};
use crate::net::Connection;
use crate::output::Metadata;
use urikit_mime::ContentType;

/// The maximum length of a header in octets. A header consists of a status, a space, and the rest,
/// which version 0.16.1 of the specification limits to 1024 octets.
const MAX_HEADER: usize = 3 + 1024;

/// The header of a response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Header {
    /// A number from 10 to 69, whose first digit is the category.
    pub(super) status: u16,
    /// The rest of the line: a prompt, a media type, a reference or a message.
    pub(super) rest: Vec<u8>,
    /// The line as received.
    pub(super) line: Vec<u8>,
}

/// The category of a response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Category {
    Input { is_secret: bool },
    Success,
    Redirect,
    Failure,
}

impl Header {
    /// Receives the header.
    pub(super) fn receive(connection: &mut Connection) -> Result<Self> {
        let line = connection.read_short_line(MAX_HEADER)?;
        let Some(header) = Self::parse(&line) else {
            let expected = "a Gemini header: a status from 10 to 69, a space, and further text";
            let error = connection.failed(ErrorKind::Protocol(expected));
            return Err(error.with_received(&line));
        };
        connection.record_reply(header.status, &header.rest);
        Ok(header)
    }

    /// Parses a header. If no space follows the status, `rest` is empty, which the specification
    /// allows only for failures.
    fn parse(line: &[u8]) -> Option<Self> {
        let (status, rest) = match *line {
            [first @ b'1'..=b'6', second @ b'0'..=b'9', ref rest @ ..] => (
                u16::from(first - b'0') * 10 + u16::from(second - b'0'),
                rest,
            ),
            _ => return None,
        };
        let rest = match rest {
            [] => rest,
            [b' ', rest @ ..] => rest,
            _ => return None,
        };
        Some(Self {
            status,
            rest: rest.to_vec(),
            line: line.to_vec(),
        })
    }

    /// Returns the category. An undefined status has the meaning of its first digit.
    pub(super) const fn category(&self) -> Category {
        match self.status {
            10..=19 => Category::Input {
                is_secret: self.status == 11,
            },
            20..=29 => Category::Success,
            30..=39 => Category::Redirect,
            _ => Category::Failure,
        }
    }

    /// Returns the rest of the line as text. Octets that are not valid UTF-8 are replaced.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.rest).into_owned()
    }

    /// Returns the metadata of a successful response. If the header has no media type, the body is
    /// gemtext in UTF-8, as in earlier versions of the specification.
    pub(super) fn metadata(&self) -> Metadata {
        let text = self.text();
        let media_type = match text.trim() {
            "" => "text/gemini; charset=utf-8",
            text => text,
        };
        let parsed = ContentType::parse(media_type.as_bytes());
        let language = parsed.and_then(|parsed| {
            let value = parsed.parameter("lang")?;
            Some(String::from_utf8_lossy(&value.octets).into_owned())
        });
        Metadata {
            media_type: Some(media_type.to_owned()),
            attributes: language
                .map(|value| ("lang".to_owned(), value))
                .into_iter()
                .collect(),
            ..Metadata::default()
        }
    }

    /// Returns the error for a response that reports a failure.
    pub(super) fn failure(&self, connection: &Connection) -> Error {
        let kind = match self.status {
            51 | 52 => ErrorKind::NotFound,
            60 | 62 => ErrorKind::LoginRequired,
            61 => ErrorKind::Forbidden,
            status => ErrorKind::server(status, &self.rest),
        };
        let error = connection.failed(kind).with_received(&self.line);
        match self.status {
            40..=49 => error.with_retry_after(self.delay()),
            _ => error,
        }
    }

    /// Returns the number of seconds that status 44 ("slow down") asks the client to wait, as
    /// in version 0.16.1 of the specification.
    fn delay(&self) -> Option<std::time::Duration> {
        let seconds = crate::protocol::parse::number(&self.rest).filter(|_| self.status == 44);
        seconds.map(std::time::Duration::from_secs)
    }
}

#[cfg(test)]
mod tests {
    use super::{Category, Header};

    #[test]
    fn headers_have_two_digits_and_a_space() {
        let parsed = |line: &str| Header::parse(line.as_bytes());
        let header = parsed("20 text/gemini; lang=en").unwrap();
        assert_eq!(
            (header.status, header.text().as_str()),
            (20, "text/gemini; lang=en")
        );
        assert_eq!(header.category(), Category::Success);
        for (line, status, rest) in [("51", 51, ""), ("60 ", 60, ""), ("10  a", 10, " a")] {
            let header = parsed(line).unwrap();
            assert_eq!(
                (header.status, header.text().as_str()),
                (status, rest),
                "{line}"
            );
        }
        for line in [
            "",
            "2",
            "200 OK",
            "2 text/gemini",
            "20text/gemini",
            "20\ttext/gemini",
            "09 a",
            "70 a",
            "\u{FEFF}20 text/gemini",
            "+2 a",
            " 20 a",
        ] {
            assert_eq!(parsed(line), None, "{line:?}");
        }
    }

    #[test]
    fn parameters_of_the_media_type() {
        let metadata = |rest: &str| {
            let line = format!("20 {rest}");
            Header::parse(line.as_bytes()).unwrap().metadata()
        };
        let english = metadata("text/gemini;lang=\"en-GB\"; charset=us-ascii");
        assert_eq!(
            english.attributes,
            [("lang".to_owned(), "en-GB".to_owned())]
        );
        let media_type = "text/gemini;lang=\"en-GB\"; charset=us-ascii";
        assert_eq!(english.media_type.as_deref(), Some(media_type));
        assert_eq!(
            metadata("").media_type.as_deref(),
            Some("text/gemini; charset=utf-8")
        );
        assert!(metadata("image/png").attributes.is_empty());
    }
}
