//! Converts access methods to URLs.
//!
//! ```text
//! AFTP    host-type host name-type name BINARY|TEXT      GOPHER  … item type     NFS    …
//! FTP     … BINARY|TEXT                                  WAIS    …               LOCAL  …
//! PROSPERO-CONTENTS …      the contents are an attribute of the object
//! ```
//!
//! If a word in an access method is empty, the value from the link or the request is used instead.

use super::object::host_and_port;
use super::text::Word;
use crate::default_port;
use urikit::octet::octets;
use urikit_schemes::{BuildError, Ftp, FtpBuilder, Gopher, Typecode, Wais, WaisBuilder};

/// The name of an attribute that contains an access method.
pub(super) const ACCESS_METHOD: &[u8] = b"ACCESS-METHOD";

/// The prefix of names that a directory server's WAIS gateway creates.
const WAIS_GATEWAY: &[u8] = b"WAIS-GW/";

/// The words of an access method, and the values that replace empty words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Method<'a> {
    pub(super) words: &'a [Word<'a>],
    /// The host of the link, or of the request. The port after the host is not used, because it is
    /// the port of the directory server.
    pub(super) host: &'a str,
    pub(super) name: &'a [u8],
}

impl Method<'_> {
    fn word(&self, index: usize) -> &[u8] {
        self.words.get(index).map_or(&[], |word| word)
    }

    /// Returns true if the contents are an attribute of the object.
    pub(super) fn is_contents(&self) -> bool {
        self.word(0) == b"PROSPERO-CONTENTS"
    }

    /// Returns the URL for the access method. Returns `None` if methods of this kind are never
    /// followed, such as `LOCAL` and `NFS`, or if the words do not form a URL.
    pub(super) fn url(&self) -> Option<String> {
        let is_known = matches!(self.word(1), b"" | b"INTERNET-D");
        let (host, port) = match self.word(2) {
            b"" => (self.host.to_owned(), None),
            host => host_and_port(host)?,
        };
        let name = match self.word(4) {
            b"" => self.name,
            name => name,
        };
        if !is_known || !matches!(self.word(3), b"" | b"ASCII") {
            return None;
        }
        let (host, mode) = (&*host, self.word(5));
        let url = match self.word(0) {
            b"AFTP" => ftp(host, port, name, mode),
            b"FTP" => ftp_from_root(host, port, name, mode),
            b"GOPHER" => gopher(host, port, name, item_type(mode, name)?),
            b"WAIS" => return wais(host, port, name),
            _ => return None,
        };
        url.ok()
    }
}

/// Returns the anonymous FTP URL of a file. The name is relative to the initial directory.
fn ftp(host: &str, port: Option<u16>, name: &[u8], mode: &[u8]) -> Result<String, BuildError> {
    let mut url = Ftp::builder(host);
    if let Some(port) = port {
        url = url.port(port);
    }
    let mut parts: Vec<_> = name.split(|octet| *octet == b'/').collect();
    let file = parts.pop().unwrap_or_default();
    for part in parts.into_iter().filter(|part| !part.is_empty()) {
        url = url.cwd(part);
    }
    build_ftp(url.file(file), mode)
}

/// Returns the URL of a file for FTP with a login. The first directory is absolute, because a
/// session with a login begins in the user's home directory (RFC 1738, 3.2.2).
fn ftp_from_root(
    host: &str,
    port: Option<u16>,
    name: &[u8],
    mode: &[u8],
) -> Result<String, BuildError> {
    let Some(at) = name.iter().rposition(|octet| *octet == b'/') else {
        return ftp(host, port, name, mode);
    };
    let (directory, file) = name.split_at_checked(at).unwrap_or((&[], name));
    let directory = if directory.is_empty() {
        b"/"
    } else {
        directory
    };
    let mut url = Ftp::builder(host);
    if let Some(port) = port {
        url = url.port(port);
    }
    build_ftp(
        url.cwd(directory).file(file.get(1..).unwrap_or_default()),
        mode,
    )
}

/// Adds the typecode, and builds the URL. `BINARY` needs no typecode, because it is the default.
fn build_ftp(url: FtpBuilder<'_>, mode: &[u8]) -> Result<String, BuildError> {
    let url = match mode {
        b"TEXT" => url.typecode(Typecode::Ascii(None)),
        b"DIRECTORY" => url.typecode(Typecode::Directory),
        _ => url,
    };
    url.build().map(|url| url.into_string())
}

fn gopher(host: &str, port: Option<u16>, selector: &[u8], kind: u8) -> Result<String, BuildError> {
    let mut url = Gopher::builder(host).item(kind, selector);
    if let Some(port) = port.filter(|port| *port != default_port("gopher")) {
        url = url.port(port);
    }
    url.build().map(|url| url.into_string())
}

/// Returns the item type for `mode`, which is one character or a word. If `mode` is empty, the
/// type is the first character of the selector.
fn item_type(mode: &[u8], selector: &[u8]) -> Option<u8> {
    match mode {
        b"" => selector.first().copied(),
        [kind] => Some(*kind),
        b"TEXT" | b"DOCUMENT" => Some(b'0'),
        b"DIRECTORY" => Some(b'1'),
        b"SEARCH" => Some(b'7'),
        b"BINARY" => Some(b'9'),
        _ => None,
    }
}

/// Returns the URL for `database`, `database/type/document-id`, or a gateway's
/// `WAIS-GW/host(port)/type/database/document-id`, in which the document-id is percent-encoded.
fn wais(host: &str, port: Option<u16>, name: &[u8]) -> Option<String> {
    if let Some(rest) = name.strip_prefix(WAIS_GATEWAY) {
        let mut parts = rest.splitn(4, |octet| *octet == b'/');
        let (host, port) = host_and_port(parts.next()?)?;
        let [document_type, database, id] = [parts.next()?, parts.next()?, parts.next()?];
        let id: Vec<u8> = octets(id).map(|octet| octet.value).collect();
        return build_wais(wais_database(&host, port, database).document(document_type, &id));
    }
    let mut parts = name.splitn(3, |octet| *octet == b'/');
    let database = parts.next()?;
    build_wais(match (parts.next(), parts.next()) {
        (Some(document_type), Some(id)) => {
            wais_database(host, port, database).document(document_type, id)
        }
        _ => wais_database(host, port, name),
    })
}

fn wais_database<'a>(host: &'a str, port: Option<u16>, database: &'a [u8]) -> WaisBuilder<'a> {
    let url = Wais::builder(host).database(database);
    match port.filter(|port| *port != default_port("wais")) {
        Some(port) => url.port(port),
        None => url,
    }
}

fn build_wais(url: WaisBuilder<'_>) -> Option<String> {
    url.build().ok().map(|url| url.into_string())
}

#[cfg(test)]
mod tests {
    use super::super::text::words;
    use super::Method;

    #[test]
    fn urls() {
        for (method, url) in [
            (
                "AFTP INTERNET-D h.dom ASCII '/pub/hello.txt' BINARY",
                Some("ftp://h.dom/pub/hello.txt"),
            ),
            (
                "AFTP INTERNET-D h(2121) ASCII pub/a TEXT",
                Some("ftp://h:2121/pub/a;type=a"),
            ),
            ("AFTP '' '' '' '' BINARY", Some("ftp://link.dom/of/link")),
            (
                "AFTP INTERNET-D h ASCII '/a b;c' BINARY",
                Some("ftp://h/a%20b%3Bc"),
            ),
            (
                "AFTP INTERNET-D h ASCII /pub DIRECTORY",
                Some("ftp://h/pub;type=d"),
            ),
            (
                "FTP INTERNET-D h ASCII /a/b/c BINARY",
                Some("ftp://h/%2Fa%2Fb/c"),
            ),
            ("FTP INTERNET-D h ASCII /c BINARY", Some("ftp://h/%2F/c")),
            ("FTP INTERNET-D h ASCII c BINARY", Some("ftp://h/c")),
            (
                "GOPHER INTERNET-D h(70) ASCII 1'/menu' DIRECTORY",
                Some("gopher://h/11/menu"),
            ),
            (
                "GOPHER INTERNET-D h(7070) ASCII 0/a 9",
                Some("gopher://h:7070/90/a"),
            ),
            ("GOPHER INTERNET-D h(70) ASCII 0/a", Some("gopher://h/00/a")),
            ("GOPHER INTERNET-D h(70) ASCII 0/a PORTAL", None),
            ("WAIS INTERNET-D h(2100) ASCII db", Some("wais://h:2100/db")),
            (
                "WAIS INTERNET-D h ASCII 'db/TEXT/1 2'",
                Some("wais://h/db/TEXT/1%202"),
            ),
            (
                "WAIS INTERNET-D g ASCII 'WAIS-GW/w(210)/TEXT/db/a%20%2F'",
                Some("wais://w/db/TEXT/a%20%2F"),
            ),
            ("WAIS INTERNET-D g ASCII 'WAIS-GW/w(210)/TEXT/db'", None),
            ("AFTP INTERNET-D h/evil ASCII /a BINARY", None),
            ("AFTP INTERNET-D -x@h ASCII /a BINARY", None),
            ("AFTP X25 h ASCII /a BINARY", None),
            ("LOCAL '' '' '' ''", None),
            ("NFS INTERNET-D h ASCII /a /mnt", None),
            ("AFS INTERNET-D h ASCII /a", None),
            ("PROSPERO-CONTENTS '' '' '' ''", None),
            ("", None),
        ] {
            let words = words(method.as_bytes()).unwrap();
            let method_ = Method {
                words: &words,
                host: "link.dom",
                name: b"/of/link",
            };
            assert_eq!(method_.url().as_deref(), url, "{method}");
            assert_eq!(
                method_.is_contents(),
                method.starts_with("PROSPERO-CONTENTS")
            );
        }
    }
}
