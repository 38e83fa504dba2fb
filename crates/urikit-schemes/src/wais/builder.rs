//! Builds wais URLs.

use super::super::build::{
    BuildError, Data, Parts, ServerParts, UNRESERVED, UrlText, build_methods, data, is, set_port,
    unchanged,
};
use super::{DEFINITION, Wais, WaisTarget};
use alloc::format;
use alloc::vec::Vec;
use urikit::grammar::ByteSet;
use urikit::percent::Place;
use urikit::{AnyRef, Standard};

/// The characters that stay unescaped in a search. A `+` is escaped, because it represents a space
/// in RFC 1630.
const SEARCH: ByteSet = UNRESERVED.without(ByteSet::of(b"+"));

/// Builds a wais URL from parts that are passed as octets.
///
/// The builder also accepts data that no client can send, such as a control character in a search.
/// Clients reject these URLs.
///
/// ```
/// use urikit_schemes::Wais;
/// // RFC 1630, References
/// let database = || Wais::builder("quake.think.com").database("wais-discussion-archives");
/// let url = database().search("lynch").build()?;
/// assert_eq!(url.as_str(), "wais://quake.think.com/wais-discussion-archives?lynch");
/// // RFC 1738, 3.9: a document-id is opaque
/// let url = Wais::builder("h").database("db").document("TEXT", "0 67 /a.txt").build()?;
/// assert_eq!(url.as_str(), "wais://h/db/TEXT/0%2067%20%2Fa.txt");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WaisBuilder<'a> {
    server: ServerParts<'a>,
    database: Data<'a>,
    target: Target<'a>,
}

/// The object to which the URL refers.
#[derive(Clone, Debug)]
enum Target<'a> {
    Database,
    Search(Data<'a>),
    Document {
        wtype: Data<'a>,
        id: Data<'a>,
    },
    Fields {
        wtype: Data<'a>,
        length: Option<u64>,
        fields: Vec<(u32, Data<'a>)>,
    },
}

impl Wais<'_> {
    /// Starts building a URL with a host: a name or an address, written as in a URL.
    pub const fn builder(host: &str) -> WaisBuilder<'_> {
        WaisBuilder {
            server: ServerParts::new(host),
            database: Data::Borrowed(&[]),
            target: Target::Database,
        }
    }
}

set_port!(WaisBuilder, server, "210");

impl<'a> WaisBuilder<'a> {
    /// Sets the database.
    #[must_use]
    pub fn database<T: AsRef<[u8]> + ?Sized>(mut self, database: &'a T) -> Self {
        self.database = data(database);
        self
    }

    /// Makes the URL a search for these words.
    #[must_use]
    pub fn search<T: AsRef<[u8]> + ?Sized>(mut self, words: &'a T) -> Self {
        self.target = Target::Search(data(words));
        self
    }

    /// Makes the URL refer to a document with this type and document-id. For RFC 1630, use
    /// [`document_fields`](Self::document_fields).
    #[must_use]
    pub fn document<T: AsRef<[u8]> + ?Sized, I: AsRef<[u8]> + ?Sized>(
        mut self,
        wtype: &'a T,
        id: &'a I,
    ) -> Self {
        let (wtype, id) = (data(wtype), data(id));
        self.target = Target::Document { wtype, id };
        self
    }

    /// Makes the URL refer to a document with this type, and with a document-id that consists of
    /// these numbered fields. The delimiters between the fields are written literally under RFC
    /// 1630, and escaped under RFC 1738 and later standards.
    ///
    /// ```
    /// use urikit::Standard;
    /// use urikit_schemes::Wais;
    /// let fields = [(1, "h:210"), (2, "db")];
    /// let document = || Wais::builder("h").database("db").document_fields("TEXT", &fields);
    /// let url = document().build_any(Standard::Rfc1630)?;
    /// assert_eq!(url.as_str(), "wais://h/db/TEXT/1=h%3A210;2=db;");
    /// assert_eq!(document().build()?.as_str(), "wais://h/db/TEXT/1%3Dh%3A210%3B2%3Ddb%3B");
    /// # Ok::<(), urikit_schemes::BuildError>(())
    /// ```
    #[must_use]
    pub fn document_fields<T: AsRef<[u8]> + ?Sized, V: AsRef<[u8]>>(
        mut self,
        wtype: &'a T,
        fields: &'a [(u32, V)],
    ) -> Self {
        let fields = fields.iter();
        self.target = Target::Fields {
            wtype: data(wtype),
            length: None,
            fields: fields
                .map(|(number, value)| (*number, data(value)))
                .collect(),
        };
        self
    }

    /// Makes the URL refer to a document with this type, this length in octets, and a document-id
    /// that consists of these numbered fields. W3C's libwww and Lynx use this form too. Only RFC
    /// 4156 allows a slash after the length, so the URL is not valid under the standards before
    /// RFC 3986.
    ///
    /// ```
    /// use urikit_schemes::Wais;
    /// let fields = [(2, "db"), (3, "0 67 /a;b")];
    /// let document = Wais::builder("h").database("db").document_of_length("TEXT", 67, &fields);
    /// let url = document.build()?;
    /// assert_eq!(url.as_str(), "wais://h/db/TEXT/67/2=db;3=0%2067%20%2Fa%3Bb;");
    /// # Ok::<(), urikit_schemes::BuildError>(())
    /// ```
    #[must_use]
    pub fn document_of_length<T: AsRef<[u8]> + ?Sized, V: AsRef<[u8]>>(
        self,
        wtype: &'a T,
        length: u64,
        fields: &'a [(u32, V)],
    ) -> Self {
        let mut builder = self.document_fields(wtype, fields);
        if let Target::Fields { length: none, .. } = &mut builder.target {
            *none = Some(length);
        }
        builder
    }
}

build_methods!(
    WaisBuilder,
    /// Builds the URL as an RFC 3986 URI that is also valid under RFC 1738, except for a document
    /// [with its length](Self::document_of_length).
    build,
    /// Fails if the parts do not form a wais URL or would be parsed back into different parts, for
    /// example because a field contains a `;`, which only RFC 1630 allows.
    errors
);

impl Parts for WaisBuilder<'_> {
    fn scheme(&self) -> &'static str {
        DEFINITION.facts.name
    }

    fn write(&self, text: &mut UrlText) {
        text.server(&self.server);
        text.push("/");
        text.escape(&self.database, Place::Path, &UNRESERVED);
        match &self.target {
            Target::Database => {}
            Target::Search(words) => {
                text.push("?");
                text.escape(words, Place::Query, &SEARCH);
            }
            Target::Document { wtype, id } => {
                text.push("/");
                text.escape(wtype, Place::Path, &UNRESERVED);
                text.push("/");
                text.escape(id, Place::Path, &UNRESERVED);
            }
            Target::Fields {
                wtype,
                length,
                fields,
            } => {
                text.push("/");
                text.escape(wtype, Place::Path, &UNRESERVED);
                text.push("/");
                if let Some(length) = length {
                    text.push(&format!("{length}/"));
                }
                let (equals, end) = match (text.standard(), length) {
                    (Standard::Rfc1630, _) | (_, Some(_)) => ("=", ";"),
                    _ => ("%3D", "%3B"),
                };
                for (number, value) in fields {
                    text.push(&format!("{number}{equals}"));
                    text.escape(value, Place::Path, &UNRESERVED);
                    text.push(end);
                }
            }
        }
    }

    fn check(&self, url: AnyRef<'_>, _: Standard) -> Result<(), BuildError> {
        let read = Wais::read(url)?;
        self.server.check(&read.server)?;
        unchanged("database", is(read.database(), &self.database))?;
        self.target.check(&read)
    }
}

impl Target<'_> {
    fn check(&self, wais: &Wais<'_>) -> Result<(), BuildError> {
        let (part, is_good) = match (self, wais.target()) {
            (Self::Database, WaisTarget::Database) => return Ok(()),
            (Self::Search(words), WaisTarget::Search(_)) => {
                let read = wais.words().into_iter().flatten();
                ("search", read.eq(words.iter().copied()))
            }
            (Self::Document { wtype, id }, WaisTarget::Document(read)) => {
                let is_id = is(read.wpath(), id);
                ("document", is_id && is(read.wtype(), wtype))
            }
            (
                Self::Fields {
                    wtype,
                    length,
                    fields,
                },
                WaisTarget::Document(read),
            ) => {
                let mut found = read.fields().into_iter().flatten();
                let are_fields = fields.iter().all(|(number, value)| {
                    let field = found.next();
                    field.is_some_and(|field| {
                        field.number() == Some(*number) && is(field.value(), value)
                    })
                });
                let is_all = are_fields && found.next().is_none() && read.length() == *length;
                ("document", is_all && is(read.wtype(), wtype))
            }
            _ => ("document", false),
        };
        unchanged(part, is_good)
    }
}
