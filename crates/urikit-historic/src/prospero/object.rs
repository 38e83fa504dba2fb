//! Objects on a directory server, the lines in requests about them (Prospero protocol, version 5),
//! and the plan for the messages to send.

use super::text::{Place, quote};
use crate::default_port;
use std::borrow::Cow;
use std::net::SocketAddrV4;
use urikit_access::{
    Action, Argument, Command as Sent, Error, ErrorKind, Plan, Request, Result, UrlError, Wanted,
    Wire,
};
use urikit_schemes::Prospero as Url;

/// A line in a request.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Command {
    /// `VERSION`: the version of the protocol, and the name of this program.
    Version,
    /// `AUTHENTICATE`: introduces the user as `anonymous`, without authentication.
    Authenticate,
    /// `GET-OBJECT-INFO`: requests attributes of an object.
    GetObjectInfo {
        /// The attributes that the client requests.
        attributes: Attributes,
        /// The object.
        name: Quoted,
        /// The version of the object, or 0 for the current version.
        version: Quoted,
    },
    /// `DIRECTORY`: specifies the directory for `LIST`.
    Directory {
        /// The directory.
        name: Quoted,
        /// The version of the directory, or `None` for the current version.
        version: Option<Quoted>,
    },
    /// `SELECT`: adds an identifying field to the object in the preceding line.
    Select {
        /// The name of the field.
        name: Quoted,
        /// The words of the field's value.
        value: Vec<Quoted>,
    },
    /// `LIST`: requests the links in the directory, with all attributes.
    List,
}

/// The attributes that a request selects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Attributes {
    /// `#ALL`: all attributes except the contents.
    All,
    /// `#ALL` and the attribute that the URL specifies according to RFC 1630.
    AllAnd(Argument),
    /// `CONTENTS`: the contents.
    Contents,
}

/// A word, which is quoted if the protocol requires it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quoted(Argument);

impl Quoted {
    /// Creates a word from decoded octets.
    ///
    /// ```
    /// use urikit_historic::prospero::Quoted;
    /// let name = Quoted::new(*b"/two words", "object name")?;
    /// assert_eq!(name.octets(), b"'/two words'");
    /// assert!(Quoted::new(*b"a\nLIST", "object name").is_err());
    /// # Ok::<(), urikit_access::UrlError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the octets contain a control character. The error names `part`, such as
    /// `object name`.
    pub fn new(
        octets: impl IntoIterator<Item = u8>,
        part: &'static str,
    ) -> std::result::Result<Self, UrlError> {
        let octets: Vec<u8> = octets.into_iter().collect();
        Argument::new(quote(&octets).iter().copied(), part).map(Self)
    }

    /// Returns the octets exactly as they are sent.
    pub fn octets(&self) -> &[u8] {
        self.0.octets()
    }
}

impl Sent for Command {
    fn name(&self) -> &'static str {
        match self {
            Self::Version => "VERSION",
            Self::Authenticate => "AUTHENTICATE",
            Self::GetObjectInfo { .. } => "GET-OBJECT-INFO",
            Self::Directory { .. } => "DIRECTORY",
            Self::Select { .. } => "SELECT",
            Self::List => "LIST",
        }
    }

    fn write(&self, wire: &mut Wire) {
        wire.word(self.name());
        match self {
            Self::Version => {
                wire.word(" 5 urikit");
            }
            Self::Authenticate => {
                wire.word(" '' UNAUTHENTICATED anonymous");
            }
            Self::GetObjectInfo {
                attributes,
                name,
                version,
            } => {
                match attributes {
                    Attributes::All => wire.word(" '#ALL'"),
                    Attributes::AllAnd(name) => wire.word(" '#ALL+").argument(name).word("'"),
                    Attributes::Contents => wire.word(" CONTENTS"),
                };
                wire.word(" ASCII ").argument(&name.0);
                wire.word(" ").argument(&version.0);
            }
            Self::Directory { name, version } => {
                wire.word(" ASCII ").argument(&name.0);
                if let Some(version) = version {
                    wire.word(" ").argument(&version.0);
                }
            }
            Self::Select { name, value } => {
                wire.word(" OBJECT FIELD ").argument(&name.0);
                // The type is omitted only for `ID`, because servers know the type of no other
                // field.
                if name.octets() != b"ID" {
                    wire.word(" SEQUENCE");
                }
                for word in value {
                    wire.word(" ").argument(&word.0);
                }
            }
            Self::List => {
                // An empty list means all components. The space before the list is required.
                wire.word(" 'ATTRIBUTES(#ALL)' COMPONENTS ");
            }
        }
    }
}

/// Returns the text of a request. Each line ends in LF.
pub(super) fn request_text(commands: &[Command]) -> Vec<u8> {
    let mut text = Vec::new();
    for command in commands {
        text.append(&mut command.octets());
        text.push(b'\n');
    }
    text
}

/// An object, and the server that it resides on. The octets of its name are percent-decoded.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Object {
    /// The host as written in a URL.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) name: Vec<u8>,
    version: Option<Vec<u8>>,
    fields: Vec<(Vec<u8>, Vec<u8>)>,
    /// The attributes that the URL specifies according to RFC 1630.
    attributes: Option<Vec<u8>>,
}

impl Object {
    /// Reads the URL of a request.
    pub(super) fn of(request: &Request<'_>) -> Result<Self> {
        if request.proxy.is_some() {
            let what = "a proxy must be an HTTP server, not a Prospero server";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        Self::of_url(&Url::read_as(request.reference, request.edition)?)
    }

    fn of_url(url: &Url<'_>) -> Result<Self> {
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

    /// Returns the object at a location that a server sent, or `None` if the host is not on the
    /// Internet or the name is not ASCII.
    pub(super) fn at(place: &Place<'_>) -> Option<Self> {
        let (host, port) = host_and_port(&place.host)?;
        let is_known = *place.host_type == *b"INTERNET-D" && *place.name_type == *b"ASCII";
        let is_current = matches!(&*place.version, b"" | b"0");
        let id = |id: &[u8]| (b"ID".to_vec(), [b"REMOTE ", id].concat());
        is_known.then(|| Self {
            host,
            port: port.unwrap_or_else(|| default_port("prospero")),
            name: place.name.to_vec(),
            version: (!is_current).then(|| place.version.to_vec()),
            fields: place.remote_id().map(id).into_iter().collect(),
            attributes: None,
        })
    }

    /// Returns the object that `line`, which a server sent, forwards to. Fails if [`at`](Self::at)
    /// returns `None`.
    pub(super) fn forwarded(place: &Place<'_>, line: &[u8]) -> Result<Self> {
        let expected = "an Internet host and an ASCII name";
        Self::at(place).ok_or_else(|| Error::new(ErrorKind::Protocol(expected)).with_received(line))
    }

    /// Returns the same object on the server at another address.
    pub(super) fn on(&self, server: SocketAddrV4) -> Self {
        Self {
            host: server.ip().to_string(),
            port: server.port(),
            ..self.clone()
        }
    }

    /// Returns a key that is equal for equal objects. Hosts are compared ignoring case.
    pub(super) fn key(&self) -> Self {
        Self {
            host: self.host.to_ascii_lowercase(),
            ..self.clone()
        }
    }

    /// Returns the URL of the object.
    ///
    /// # Errors
    ///
    /// Fails if the host, which a server may have sent, is invalid.
    pub(super) fn url(&self) -> Result<String> {
        let mut url = Url::builder(&self.host).hsoname(&self.name);
        if self.port != default_port("prospero") {
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
            .map_err(|_| expected.with_received(self.host.as_bytes()))?;
        Ok(url.into_string())
    }

    /// Returns a request for the attributes.
    pub(super) fn information(&self) -> Result<Vec<Command>> {
        let attributes = match &self.attributes {
            None => Attributes::All,
            Some(names) => Attributes::AllAnd(Argument::new(names.iter().copied(), "attributes")?),
        };
        self.get_object_info(attributes)
    }

    /// Returns a request for the contents.
    pub(super) fn contents(&self) -> Result<Vec<Command>> {
        self.get_object_info(Attributes::Contents)
    }

    /// Returns a request for the links in a directory.
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

    /// Returns a request that consists of the introductory lines, the command, and the fields of
    /// the object.
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

    /// Plans the requests that will be sent.
    pub(super) fn plan(&self, wanted: Wanted) -> Result<Plan> {
        let mut plan = Plan::new();
        plan.push(Action::Connect(self.host.clone(), self.port));
        for command in self.information()? {
            plan.send(command);
        }
        let (contents, listing) = (self.contents()?, self.listing()?);
        if wanted == Wanted::Body {
            plan.step_if(Condition::AccessMethod, Step::FollowAccessMethod);
            for command in contents {
                plan.send_if(Condition::OnlyContents, command);
            }
            for command in listing {
                plan.send_if(Condition::NoAccessMethod, command);
            }
            plan.step_if(Condition::UnionLinks, Step::ListUnionLinks);
        }
        Ok(plan)
    }
}

/// A condition in a Prospero plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// The server lists an access method that can be followed.
    AccessMethod,
    /// Only Prospero's own access method is listed, or the other access method fails.
    OnlyContents,
    /// The object has no access method, or exists only as a directory.
    NoAccessMethod,
    /// The directory has union links.
    UnionLinks,
}

/// A step in a Prospero plan, other than a command.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Follows the URL of an access method that the server lists.
    FollowAccessMethod,
    /// Lists the targets of the directory's union links, each on its own server.
    ListUnionLinks,
}

impl urikit_access::Condition for Condition {
    fn words(&self) -> &'static str {
        match self {
            Self::AccessMethod => "ftp, gopher or wais is one of them",
            Self::OnlyContents => "only Prospero has the contents, or fetching the URL fails",
            Self::NoAccessMethod => "the object is a directory",
            Self::UnionLinks => "the directory has union links",
        }
    }
}

impl urikit_access::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        let words = match self {
            Self::FollowAccessMethod => "follows the URL of one of the access methods",
            Self::ListUnionLinks => "lists the directories that union links refer to",
        };
        (words, Cow::Borrowed(&[]))
    }
}

/// Splits a host in the form that servers write: `HOST`, or `HOST(150)` with a port. Does not
/// check whether the host is valid.
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
    use super::super::text::Record;
    use super::{Object, host_and_port, request_text};
    use urikit::Standard;
    use urikit_schemes::Prospero;

    fn object(url: &str) -> Object {
        let url = Standard::Rfc3986.parse(url).unwrap();
        Object::of_url(&Prospero::read(url).unwrap()).unwrap()
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
            let sent = String::from_utf8(request_text(&commands.unwrap())).unwrap();
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
