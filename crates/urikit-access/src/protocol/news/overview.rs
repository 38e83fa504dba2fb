//! The overview of an article, one line (RFC 3977, 8.3.2).
//!
//! ```text
//! number TAB subject TAB from TAB date TAB message-id TAB references TAB bytes TAB lines ...
//! ```

use crate::protocol::parse::number;
use mail_parser::MessageParser;
use std::borrow::Cow;

/// The fields of a line. Missing fields at the end are empty.
pub(super) struct Record {
    pub(super) number: u64,
    pub(super) subject: Vec<u8>,
    pub(super) from: Vec<u8>,
    pub(super) date: Vec<u8>,
    /// Including its angle brackets.
    pub(super) message_id: Vec<u8>,
    pub(super) bytes: Option<u64>,
    pub(super) lines: Option<u64>,
}

impl Record {
    /// Reads a line, which must begin with a number and have the five mandatory fields.
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        let mut fields = line.split(|octet| *octet == b'\t');
        let mut next = || fields.next().map(<[u8]>::to_vec);
        let number_field = next()?;
        let (subject, from, date, message_id) = (next()?, next()?, next()?, next()?);
        let (_, bytes, lines) = (next(), next(), next());
        Some(Self {
            number: number(&number_field)?,
            subject,
            from,
            date,
            message_id,
            bytes: bytes.and_then(|bytes| number(&bytes)),
            lines: lines.and_then(|lines| number(&lines)),
        })
    }

    /// The identifier without its angle brackets. `None` if it has none.
    pub(super) fn bare_id(&self) -> Option<&[u8]> {
        let bare = self.message_id.strip_prefix(b"<")?.strip_suffix(b">")?;
        (!bare.is_empty()).then_some(bare)
    }
}

/// Whether a reply to `OVER` means that it is not supported, so that `XOVER` may be.
pub(super) const fn is_refused(code: u16) -> bool {
    matches!(code, 500 | 502 | 503)
}

/// A field with its encoded words (RFC 2047) decoded.
pub(super) fn decoded(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.windows(2).any(|pair| pair == b"=?") {
        return Cow::Borrowed(text);
    }
    let field = [b"Subject: ", text, b"\r\n\r\n"].concat();
    let message = MessageParser::new()
        .with_minimal_headers()
        .parse_headers(&field[..]);
    let message = message.filter(|message| !message.parts.is_empty());
    let subject = message.and_then(|message| message.subject().map(str::to_owned));
    subject.map_or(Cow::Borrowed(text), |subject| {
        Cow::Owned(subject.into_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::{Record, decoded};
    use crate::protocol::message::timestamp;

    #[test]
    fn records() {
        // RFC 3977, 8.3.3
        let line = b"3000234\tI am just a test article\t\"Demo User\" <nobody@example.com>\t\
            6 Oct 1998 04:38:40 -0500\t<45223423@example.com>\t<45454@example.net>\t1234\t17\t\
            Xref: news.example.com misc.test:3000363";
        let record = Record::read(line).unwrap();
        assert_eq!(record.number, 3_000_234);
        assert_eq!(record.bare_id(), Some(&b"45223423@example.com"[..]));
        assert_eq!((record.bytes, record.lines), (Some(1234), Some(17)));
        assert_eq!(
            timestamp(&record.date).unwrap().to_string(),
            "1998-10-06T09:38:40Z"
        );
        for line in [
            &b""[..],
            b"x\ta\tb\tc\td",
            b"1\ta\tb\tc",
            b"-1\ta\tb\tc\td\t",
        ] {
            assert!(Record::read(line).is_none(), "{line:?}");
        }
        assert_eq!(Record::read(b"1\t\t\t\t<>\t\t-5\t").unwrap().bytes, None);
    }

    #[test]
    fn encoded_words() {
        assert_eq!(
            &*decoded(b"=?utf-8?Q?caf=C3=A9?= au lait"),
            "café au lait".as_bytes()
        );
        assert_eq!(&*decoded(b"plain"), b"plain");
    }
}
