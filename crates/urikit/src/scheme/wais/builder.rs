//! From parts to a wais URL.

use super::super::build::{BuildError, Data, ServerParts, UNRESERVED, UrlText, data};
use super::{Wais, WaisTarget};
use crate::component::Encoded;
use crate::grammar::ByteSet;
use crate::op::percent::Component;
use crate::standard::{Rfc3986, Spec};
use crate::{Standard, UriRefBuf};
use alloc::format;
use alloc::vec::Vec;

/// What stands for itself in a search: no `+`, which is a space in RFC 1630.
const SEARCH: ByteSet = UNRESERVED.without(ByteSet::of(b"+"));

/// Makes a wais URL out of parts, which are octets.
///
/// What no client can send, such as a control character in a search, is built all the same; `steps` says so.
///
/// ```
/// use urikit::scheme::Wais;
/// // RFC 1630, References
/// let database = || Wais::to("quake.think.com").database("wais-discussion-archives");
/// let url = database().search("lynch").build()?;
/// assert_eq!(url.as_str(), "wais://quake.think.com/wais-discussion-archives?lynch");
/// // RFC 1738, 3.9: a document-id is opaque
/// let url = Wais::to("h").database("db").document("TEXT", "0 67 /a.txt").build()?;
/// assert_eq!(url.as_str(), "wais://h/db/TEXT/0%2067%20%2Fa.txt");
/// # Ok::<(), urikit::scheme::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WaisBuilder<'a> {
    server: ServerParts<'a>,
    database: Data<'a>,
    target: Target<'a>,
}

/// What the URL is to designate.
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
        fields: Vec<(u32, Data<'a>)>,
    },
}

impl Wais<'_> {
    /// Begins a URL to a host: a name or an address, as a URL has it.
    pub const fn to(host: &str) -> WaisBuilder<'_> {
        WaisBuilder {
            server: ServerParts::new(host),
            database: Data::Borrowed(&[]),
            target: Target::Database,
        }
    }
}

impl<'a> WaisBuilder<'a> {
    /// Another port than 210.
    #[must_use]
    pub const fn port(mut self, port: u16) -> Self {
        self.server.port = Some(port);
        self
    }

    /// The database.
    #[must_use]
    pub fn database<T: AsRef<[u8]> + ?Sized>(mut self, database: &'a T) -> Self {
        self.database = data(database);
        self
    }

    /// A search for these words.
    #[must_use]
    pub fn search<T: AsRef<[u8]> + ?Sized>(mut self, words: &'a T) -> Self {
        self.target = Target::Search(data(words));
        self
    }

    /// A document by its type and its document-id. RFC 1630 has no such URL: it takes
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

    /// A document by its type and the numbered fields of its document-id, as RFC 1630 has it; its delimiters are
    /// escaped from RFC 1738 on.
    ///
    /// ```
    /// use urikit::Rfc1630;
    /// use urikit::scheme::Wais;
    /// let fields = [(1, "h:210"), (2, "db")];
    /// let document = || Wais::to("h").database("db").document_fields("TEXT", &fields);
    /// let url = document().build_as::<Rfc1630>()?;
    /// assert_eq!(url.as_str(), "wais://h/db/TEXT/1=h%3A210;2=db;");
    /// assert_eq!(document().build()?.as_str(), "wais://h/db/TEXT/1%3Dh%3A210%3B2%3Ddb%3B");
    /// # Ok::<(), urikit::scheme::BuildError>(())
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
            fields: fields
                .map(|(number, value)| (*number, data(value)))
                .collect(),
        };
        self
    }

    /// The URL, as a reference of RFC 3986 that RFC 1738 takes too.
    ///
    /// # Errors
    ///
    /// Where the parts make no wais URL, or would be read as others: a field with a `;`, which RFC 1630 alone has.
    pub fn build(self) -> Result<UriRefBuf, BuildError> {
        self.build_as::<Rfc3986>()
    }

    /// The URL, as a reference of `S`.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_as<S: Spec>(self) -> Result<UriRefBuf<S>, BuildError> {
        let mut text = UrlText::<S>::new("wais");
        text.server(&self.server);
        text.push("/");
        text.escape(&self.database, Component::Path, &UNRESERVED);
        match &self.target {
            Target::Database => {}
            Target::Search(words) => {
                text.push("?");
                text.escape(words, Component::Query, &SEARCH);
            }
            Target::Document { wtype, id } => {
                text.push("/");
                text.escape(wtype, Component::Path, &UNRESERVED);
                text.push("/");
                text.escape(id, Component::Path, &UNRESERVED);
            }
            Target::Fields { wtype, fields } => {
                text.push("/");
                text.escape(wtype, Component::Path, &UNRESERVED);
                text.push("/");
                let (equals, end) = match S::STANDARD {
                    Standard::Rfc1630 => ("=", ";"),
                    _ => ("%3D", "%3B"),
                };
                for (number, value) in fields {
                    text.push(&format!("{number}{equals}"));
                    text.escape(value, Component::Path, &UNRESERVED);
                    text.push(end);
                }
            }
        }
        text.finish(|url| {
            let read = Wais::read(url).map_err(BuildError::Scheme)?;
            self.server.check(&read.server)?;
            if !is(read.database(), &self.database) {
                return Err(BuildError::Misread { part: "database" });
            }
            self.target.check(&read)
        })
    }
}

fn is(read: Encoded<'_>, data: &[u8]) -> bool {
    read.decode().eq(data.iter().copied())
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
            (Self::Fields { wtype, fields }, WaisTarget::Document(read)) => {
                let mut found = read.fields().into_iter().flatten();
                let are_fields = fields.iter().all(|(number, value)| {
                    let field = found.next();
                    field.is_some_and(|field| {
                        field.number() == Some(*number) && is(field.value(), value)
                    })
                });
                let is_all = are_fields && found.next().is_none();
                ("document", is_all && is(read.wtype(), wtype))
            }
            _ => ("document", false),
        };
        if is_good {
            Ok(())
        } else {
            Err(BuildError::Misread { part })
        }
    }
}
