//! An object of a directory server: what a URL, a link or `FORWARDED` names.

use super::command::{Attributes, Command, Quoted};
use super::text::Place;
use crate::command::Argument;
use crate::error::{Error, ErrorKind, Result};
use crate::url_error::UrlError;
use std::net::SocketAddrV4;
use urikit_schemes::Prospero as Url;

/// An object, and the server to ask about it. The octets are decoded.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Object {
    /// The host, as written in a URL.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) name: Vec<u8>,
    version: Option<Vec<u8>>,
    fields: Vec<(Vec<u8>, Vec<u8>)>,
    /// RFC 1630's attributes.
    attributes: Option<Vec<u8>>,
}

/// The default port (RFC 1738, 3.11).
const PORT: u16 = 1525;

impl Object {
    /// What a URL names.
    pub(super) fn of(url: &Url<'_>) -> Result<Self> {
        let fields = url.fields().filter(|field| !field.is_version());
        let fields = fields.map(|field| {
            let (name, value) = (field.name.to_bytes(), field.value.to_bytes());
            (name.into_owned(), value.into_owned())
        });
        Ok(Self {
            host: url.host().as_str().to_owned(),
            port: url.port().ok_or(UrlError::NoPort)?,
            name: url.hsoname().to_bytes().into_owned(),
            version: url.version().map(|version| version.to_bytes().into_owned()),
            fields: fields.collect(),
            attributes: url.attributes().map(|names| names.to_bytes().into_owned()),
        })
    }

    /// What a server names. `None` if it is on no host of the Internet, or has no name in ASCII.
    pub(super) fn at(place: &Place<'_>) -> Option<Self> {
        let (host, port) = host_and_port(&place.host)?;
        let is_known = *place.host_type == *b"INTERNET-D" && *place.name_type == *b"ASCII";
        let is_current = matches!(&*place.version, b"" | b"0");
        let id = |id: &[u8]| (b"ID".to_vec(), [b"REMOTE ", id].concat());
        is_known.then(|| Self {
            host,
            port: port.unwrap_or(PORT),
            name: place.name.to_vec(),
            version: (!is_current).then(|| place.version.to_vec()),
            fields: place.remote_id().map(id).into_iter().collect(),
            attributes: None,
        })
    }

    /// The same object on the server at another address.
    pub(super) fn on(&self, server: SocketAddrV4) -> Self {
        Self {
            host: server.ip().to_string(),
            port: server.port(),
            ..self.clone()
        }
    }

    /// What is the same for the same object: hosts are compared without regard to case.
    pub(super) fn key(&self) -> Self {
        Self {
            host: self.host.to_ascii_lowercase(),
            ..self.clone()
        }
    }

    /// Its URL.
    ///
    /// # Errors
    ///
    /// If the host, which a server named, is none.
    pub(super) fn url(&self) -> Result<String> {
        let mut url = Url::builder(&self.host).hsoname(&self.name);
        if self.port != PORT {
            url = url.port(self.port);
        }
        if let Some(version) = &self.version {
            url = url.version(version);
        }
        for (name, value) in &self.fields {
            url = url.field(name, value);
        }
        let expected = Error::new(ErrorKind::Protocol("a host and an object name"));
        let url = url
            .build()
            .map_err(|_| expected.received(self.host.as_bytes()))?;
        Ok(url.into_string())
    }

    /// Asks for the attributes.
    pub(super) fn information(&self) -> Result<Vec<Command>> {
        let attributes = match &self.attributes {
            None => Attributes::All,
            Some(names) => Attributes::AllAnd(Argument::new(names.iter().copied(), "attributes")?),
        };
        self.get_object_info(attributes)
    }

    /// Asks for the contents.
    pub(super) fn contents(&self) -> Result<Vec<Command>> {
        self.get_object_info(Attributes::Contents)
    }

    /// Asks for the links of a directory.
    pub(super) fn listing(&self) -> Result<Vec<Command>> {
        let version = match &self.version {
            None => None,
            Some(_) => Some(self.version()?),
        };
        let directory = Command::Directory {
            name: self.name()?,
            version,
        };
        let mut commands = self.request(directory)?;
        commands.push(Command::List);
        Ok(commands)
    }

    fn get_object_info(&self, attributes: Attributes) -> Result<Vec<Command>> {
        self.request(Command::GetObjectInfo {
            attributes,
            name: self.name()?,
            version: self.version()?,
        })
    }

    /// The lines before a command, and the fields after it.
    fn request(&self, command: Command) -> Result<Vec<Command>> {
        let mut commands = vec![Command::Version, Command::Authenticate, command];
        let word = |octets: &[u8]| Quoted::new(octets.iter().copied(), "field");
        for (name, value) in &self.fields {
            let value = value.split(|octet| *octet == b' ');
            commands.push(Command::Select {
                name: word(name)?,
                value: value.map(word).collect::<std::result::Result<_, _>>()?,
            });
        }
        Ok(commands)
    }

    fn name(&self) -> Result<Quoted> {
        Ok(Quoted::new(self.name.iter().copied(), "object name")?)
    }

    fn version(&self) -> Result<Quoted> {
        let version = self.version.as_deref().unwrap_or(b"0");
        Ok(Quoted::new(version.iter().copied(), "version")?)
    }
}

/// A host as servers write it: `HOST`, or `HOST(150)` with a port. The host is not checked.
pub(super) fn host_and_port(text: &[u8]) -> Option<(String, Option<u16>)> {
    let text = std::str::from_utf8(text).ok()?;
    let (host, port) = match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((host, port)) => {
            let is_number = port.bytes().all(|octet| octet.is_ascii_digit());
            (host, Some(port.parse().ok().filter(|_| is_number)?))
        }
        None => (text, None),
    };
    (!host.is_empty()).then(|| (host.to_owned(), port))
}

#[cfg(test)]
mod tests {
    use super::{Object, host_and_port};
    use crate::protocol::prospero::command::text;
    use crate::protocol::prospero::text::Record;
    use urikit::Standard;
    use urikit_schemes::Prospero;

    fn object(url: &str) -> Object {
        let url = Standard::Rfc3986.parse(url).unwrap();
        Object::of(&Prospero::read(url).unwrap()).unwrap()
    }

    #[test]
    fn hosts() {
        for (text, expected) in [
            ("h.dom", Some(("h.dom", None))),
            ("h.dom(1526)", Some(("h.dom", Some(1526)))),
            ("h(65536)", None),
            ("h(+1)", None),
            ("h()", None),
            ("(1)", None),
            ("", None),
            ("h(1", Some(("h(1", None))),
        ] {
            let expected = expected.map(|(host, port): (&str, _)| (host.to_owned(), port));
            assert_eq!(host_and_port(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn requests() {
        let begin = "VERSION 5 urikit\nAUTHENTICATE '' UNAUTHENTICATED anonymous\n";
        let object = object("prospero://h//two%20words;OBJECT-VERSION=2;ID=REMOTE%205;x=a%20b");
        let fields = "SELECT OBJECT FIELD ID REMOTE 5\nSELECT OBJECT FIELD x SEQUENCE a b\n";
        for (commands, expected) in [
            (
                object.information(),
                format!("GET-OBJECT-INFO '#ALL' ASCII '/two words' 2\n{fields}"),
            ),
            (
                object.contents(),
                format!("GET-OBJECT-INFO CONTENTS ASCII '/two words' 2\n{fields}"),
            ),
            (
                object.listing(),
                format!(
                    "DIRECTORY ASCII '/two words' 2\n{fields}LIST 'ATTRIBUTES(#ALL)' COMPONENTS \n"
                ),
            ),
        ] {
            let sent = String::from_utf8(text(&commands.unwrap())).unwrap();
            assert_eq!(sent, format!("{begin}{expected}"));
        }
    }

    #[test]
    fn places_and_their_urls() {
        for (place, url) in [
            (
                "INTERNET-D h.dom ASCII /pros/name 0",
                Some("prospero://h.dom//pros/name"),
            ),
            (
                "INTERNET-D h(191) ASCII 'a b;c' 2",
                Some("prospero://h:191/a%20b%3Bc;OBJECT-VERSION=2"),
            ),
            (
                "INTERNET-D h ASCII /a 0 ID REMOTE 5",
                Some("prospero://h//a;ID=REMOTE%205"),
            ),
            ("INTERNET-D h/evil ASCII /a 0", None),
            ("INTERNET-D u@h ASCII /a 0", None),
            ("X25 h ASCII /a 0", None),
            ("INTERNET-D h BINARY /a 0", None),
        ] {
            let line = format!("FORWARDED {place}");
            let Ok(Record::Forwarded(place)) = Record::read(line.as_bytes()) else {
                panic!("{line}")
            };
            let built = Object::at(&place).and_then(|object| object.url().ok());
            assert_eq!(built.as_deref(), url, "{line}");
            if let Some(url) = url {
                assert_eq!(object(url), Object::at(&place).unwrap());
            }
        }
        let moved = object("prospero://h//a;x=y").on("192.0.2.1:191".parse().unwrap());
        assert_eq!(moved.url().unwrap(), "prospero://192.0.2.1:191//a;x=y");
    }
}
