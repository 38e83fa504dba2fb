//! A document in a database: its type and its document-id.

use super::super::shape::split_at_octet;
use urikit::component::Encoded;

/// A document in a database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaisDocument<'a> {
    wtype: Encoded<'a>,
    wpath: Encoded<'a>,
    is_rfc1630: bool,
}

/// A numbered field of a document-id (RFC 1630, WAIS).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaisField<'a> {
    number: Encoded<'a>,
    value: Encoded<'a>,
}

/// The form in which the delimiters between fields are written.
#[derive(Clone, Copy)]
enum Written {
    /// Written literally.
    Plain,
    /// The delimiters may be literal or escaped.
    Decoded,
}

impl<'a> WaisDocument<'a> {
    pub(super) const fn new(wtype: Encoded<'a>, wpath: Encoded<'a>, is_rfc1630: bool) -> Self {
        Self {
            wtype,
            wpath,
            is_rfc1630,
        }
    }

    /// Returns the type of the object, such as `TEXT`, as written. Clients must know the type to
    /// interpret the object.
    pub const fn wtype(self) -> Encoded<'a> {
        self.wtype
    }

    /// Returns the document-id, as written. In RFC 1630, the document-id consists of
    /// [`fields`](Self::fields). From RFC 1738 on, the document-id is opaque.
    pub const fn wpath(self) -> Encoded<'a> {
        self.wpath
    }

    /// Returns true if the wpath has the form that RFC 1630 defines. Clients convert such a wpath
    /// to a document-id.
    #[cfg(feature = "alloc")]
    pub const fn is_rfc1630(self) -> bool {
        self.is_rfc1630
    }

    /// Returns the numbered fields of the document-id. Returns `None` if the document-id does not
    /// consist of fields (`digits=value;`, once or more).
    ///
    /// Under RFC 1630 every document-id has fields. In RFC 1738, the `=` and `;` of fields are
    /// escaped, but are still delimiters. If any delimiters are written literally (from RFC 1808
    /// on), escaped delimiters are data. A number and a slash before the fields are the document's
    /// [`length`](Self::length).
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::{Wais, WaisTarget};
    /// let url = Uri::parse("wais://h/db/TEXT/1%3Dh%3A210%3B2%3Ddb%3B")?;
    /// let WaisTarget::Document(document) = Wais::read(url)?.target() else { panic!() };
    /// let mut fields = document.fields().unwrap();
    /// let server = fields.next().unwrap();
    /// assert_eq!((server.number(), server.name()), (Some(1), Some("original-server")));
    /// assert_eq!(server.value(), "h%3A210");
    /// assert_eq!(fields.next().unwrap().value(), "db");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fields(self) -> Option<impl Iterator<Item = WaisField<'a>> + use<'a>> {
        let (fields, written) = self.split_length()?.1;
        let mut rest = fields;
        Some(core::iter::from_fn(move || {
            let (field, after) = written.split_field(rest)?;
            rest = after;
            Some(field)
        }))
    }

    /// Returns the length of the document in octets. W3C's libwww writes the length before the
    /// fields, with a slash after it. RFC 1630 does not define this length.
    pub fn length(self) -> Option<u64> {
        self.split_length()?.0.and_then(number)
    }

    /// Returns the length, the fields, and the form in which their delimiters are written. Returns
    /// `None` if the document-id does not consist of fields.
    #[allow(clippy::type_complexity)] // the caller destructures the result at once
    fn split_length(self) -> Option<(Option<Encoded<'a>>, (Encoded<'a>, Written))> {
        let ways: &[Written] = if self.is_rfc1630 {
            &[Written::Plain]
        } else {
            &[Written::Plain, Written::Decoded]
        };
        ways.iter().find_map(|written| {
            let (length, fields) = match written.split(self.wpath, b'/') {
                Some((length, fields)) if !self.is_rfc1630 && is_digits(length) => {
                    (Some(length), fields)
                }
                _ => (None, self.wpath),
            };
            let is_fields = written.are_fields(fields);
            is_fields.then_some((length, (fields, *written)))
        })
    }
}

impl Written {
    /// Splits the text at the first delimiter.
    fn split(self, text: Encoded<'_>, delimiter: u8) -> Option<(Encoded<'_>, Encoded<'_>)> {
        match self {
            Self::Plain => text.split_once(char::from(delimiter)),
            Self::Decoded => split_at_octet(text, delimiter),
        }
    }

    /// Splits the first field off the text.
    fn split_field(self, text: Encoded<'_>) -> Option<(WaisField<'_>, Encoded<'_>)> {
        let (number, after) = self.split(text, b'=')?;
        let (value, after) = self.split(after, b';')?;
        is_digits(number).then_some((WaisField { number, value }, after))
    }

    fn are_fields(self, text: Encoded<'_>) -> bool {
        let mut rest = text;
        while let Some((_, after)) = self.split_field(rest) {
            if after.is_empty() {
                return true;
            }
            rest = after;
        }
        false
    }
}

impl<'a> WaisField<'a> {
    /// Returns the number of the field. Returns `None` if the number is above 4294967295.
    pub fn number(self) -> Option<u32> {
        number(self.number).and_then(|number| number.try_into().ok())
    }

    /// Returns the name of the field in freeWAIS and libwww. Returns `None` for a number that
    /// neither program uses. RFC 1630 does not name the fields.
    pub fn name(self) -> Option<&'static str> {
        match self.number()? {
            1 => Some("original-server"),
            2 => Some("original-database"),
            3 => Some("original-local-id"),
            4 => Some("distributor-server"),
            5 => Some("distributor-database"),
            6 => Some("distributor-local-id"),
            7 => Some("copyright-disposition"),
            _ => None,
        }
    }

    /// Returns the contents, as written. The decoded contents are octets, not necessarily text.
    pub const fn value(self) -> Encoded<'a> {
        self.value
    }
}

fn is_digits(text: Encoded<'_>) -> bool {
    !text.is_empty() && text.decode().octets().all(|octet| octet.is_ascii_digit())
}

/// Returns the value of the digits. Returns `None` if the value exceeds 64 bits.
fn number(digits: Encoded<'_>) -> Option<u64> {
    digits.decode().octets().try_fold(0_u64, |value, octet| {
        let digit = char::from(octet).to_digit(10)?;
        value.checked_mul(10)?.checked_add(digit.into())
    })
}
