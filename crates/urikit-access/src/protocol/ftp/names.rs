//! The names in directory listings, and their URLs.
//!
//! In RFC 959, a line from `NLST` is a name. In RFC 1123 (4.1.2.7), the line is a pathname that can
//! be used with `RETR`. For a directory `sub`, some servers therefore list `sub/file`, and others
//! `file`.

use super::job::Job;
use crate::listing::{Entry, EntryKind, set_text};
use std::borrow::Cow;
use std::fmt::Write as _;
use urikit::component::Encoded;
use urikit::grammar::{ByteSet, rfc1738};
use urikit::percent::encode_with;
use urikit_schemes::{Ftp as Url, FtpBuilder};

/// The directory that is being listed.
pub(super) struct Directory<'a> {
    url: Url<'a>,
    scheme: &'static str,
    port: Option<u16>,
    user: Option<Cow<'a, [u8]>>,
    directories: Vec<Cow<'a, [u8]>>,
    /// The argument of the listing command, or empty if the current directory is listed.
    name: Cow<'a, [u8]>,
    /// The URL of the current directory, which ends in a slash.
    current_url: Option<String>,
    /// The URL of `name` in the current directory, which also ends in a slash.
    within_url: Option<String>,
}

/// A name in a listing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'l> {
    /// A file name or a pathname.
    pub(super) text: &'l [u8],
    /// True if the text is relative to the listed directory. Otherwise, the text is relative to the
    /// current directory.
    is_within: bool,
    /// True if a slash at the end of the name marked it as a directory.
    is_directory: bool,
}

impl<'a> Directory<'a> {
    /// Returns the directory that the URL refers to. `is_entered` is true if a `CWD` with the last
    /// segment of the URL was sent.
    pub(super) fn new(job: &Job<'a>, is_entered: bool) -> Self {
        let url = job.url;
        let mut directory = Self {
            scheme: job.settings.security.scheme(),
            port: job.explicit_port(),
            user: url.user().map(Encoded::to_bytes),
            directories: url.cwd().map(Encoded::to_bytes).collect(),
            name: url.name().to_bytes(),
            current_url: None,
            within_url: None,
            url,
        };
        if is_entered && !directory.name.is_empty() {
            let name = std::mem::take(&mut directory.name);
            directory.directories.push(name);
        }
        [directory.current_url, directory.within_url] = directory.urls();
        directory
    }

    /// Parses a line from `NLST`. Returns `None` for an empty line, `.` and `..`.
    pub(super) fn parse<'l>(&self, line: &'l [u8]) -> Option<Name<'l>> {
        // Some servers add a slash to the names of directories. A file name cannot end in a slash.
        let path = line.strip_suffix(b"/").unwrap_or(line);
        let is_directory = path.len() < line.len();
        let below = path.strip_prefix(&self.name[..]);
        let below = below.and_then(|rest| rest.strip_prefix(b"/"));
        let (text, is_within) = if let Some(below) = below.filter(|_| !self.name.is_empty()) {
            (below, true)
        } else {
            let path = path.strip_prefix(b"./").unwrap_or(path);
            let is_elsewhere = path.contains(&b'/') || path == &self.name[..] || self.is_pattern();
            (path, !is_elsewhere)
        };
        if matches!(text, b"" | b"." | b"..") {
            return None;
        }
        Some(Name {
            text,
            is_within: is_within && !self.name.is_empty(),
            is_directory,
        })
    }

    /// Returns a name in the listed directory.
    pub(super) fn within<'l>(&self, name: &'l [u8]) -> Name<'l> {
        Name {
            text: name,
            is_within: !self.name.is_empty(),
            is_directory: false,
        }
    }

    /// Returns whether servers may expand the argument of `NLST` to several names.
    fn is_pattern(&self) -> bool {
        self.name.iter().any(|octet| b"*?[{".contains(octet))
    }

    /// Sets the name, the kind and the URL of an entry. If `kind` is `None`, only a name that
    /// ended in a slash is a directory.
    pub(super) fn describe(&self, entry: &mut Entry, name: Name<'_>, kind: Option<EntryKind>) {
        let is_directory = name.is_directory || kind == Some(EntryKind::Directory);
        entry.kind = match kind {
            Some(kind) => kind,
            None if is_directory => EntryKind::Directory,
            None => EntryKind::Other,
        };
        set_text(&mut entry.name, name.text);
        let url = entry.reference.take().unwrap_or_default();
        entry.reference = self.reference(url, name, is_directory);
    }

    /// Builds the URL of a name from the escaped name and the URL of its directory, which is built
    /// only once. Reuses the memory of `url`.
    fn reference(&self, mut url: String, name: Name<'_>, is_directory: bool) -> Option<String> {
        let base = if name.is_within {
            &self.within_url
        } else {
            &self.current_url
        };
        let base = base.as_deref()?;
        url.clear();
        url.reserve(base.len() + name.text.len() + 1);
        url.push_str(base);
        // In a listing of 100,000 names, a fifth of the time was spent on escaping names that need
        // no escapes.
        let is_literal = name.text.iter().all(|octet| SEGMENT.contains(*octet));
        match std::str::from_utf8(name.text) {
            Ok(text) if is_literal => url.push_str(text),
            // INVARIANT: writing to a string never fails.
            _ => drop(write!(url, "{}", encode_with(name.text, &SEGMENT))),
        }
        if is_directory {
            url.push('/');
        }
        Some(url)
    }

    /// Builds the URLs of the current directory and of the listed directory, without a password.
    fn urls(&self) -> [Option<String>; 2] {
        let host = self.url.host();
        let mut to = Url::builder(host.as_str());
        if let Some(port) = self.port {
            to = to.port(port);
        }
        if let Some(user) = &self.user {
            to = to.user(&user[..]);
        }
        for directory in &self.directories {
            to = to.cwd(&directory[..]);
        }
        let text = |to: FtpBuilder<'_>| {
            let url = to.build().ok()?;
            let rest = url.as_str().strip_prefix("ftp")?;
            Some([self.scheme, rest].concat())
        };
        [text(to.clone()), text(to.cwd(&self.name[..]))]
    }
}

/// The characters of an `fsegment` (RFC 1738, 5) that no standard requires to be escaped. `?` is
/// not one of these characters, because it begins the query in later standards.
static SEGMENT: ByteSet = rfc1738::UNRESERVED.set().or(ByteSet::of(b":@&="));

#[cfg(test)]
mod tests {
    use super::super::job::Job;
    use super::super::settings::FtpProtocol;
    use super::{Directory, Name};
    use crate::listing::{Entry, EntryKind};
    use crate::request::Request;
    use urikit::UriRef;

    fn url_of(directory: &Directory<'_>, name: Name<'_>) -> Option<String> {
        let mut entry = Entry::new(EntryKind::Other, b"before").reference("before");
        directory.describe(&mut entry, name, None);
        entry.reference
    }

    /// The builder of `urikit-schemes` escapes the same octets.
    #[test]
    fn names_are_escaped_as_in_built_urls() {
        let url = UriRef::parse("ftp://u@h:2121/a%20b/").unwrap();
        let settings = FtpProtocol::new();
        let job = Job::new(&settings, &Request::new(url)).unwrap();
        let directory = Directory::new(&job, true);
        for octet in 0..=255_u8 {
            let text = [b'x', octet];
            let Some(name) = directory.parse(&text).filter(|name| name.text == text) else {
                continue; // a slash at the end
            };
            let built = super::Url::builder("h")
                .port(2121)
                .user("u")
                .cwd("a b")
                .file(&text);
            let found = url_of(&directory, name);
            assert_eq!(found, built.build().ok().map(|url| url.as_str().to_owned()));
        }
    }

    #[test]
    fn urls_of_listed_names() {
        for (url, line, reference) in [
            ("ftp://h/", "a", Some("ftp://h/a")),
            ("ftp://h/", "./a", Some("ftp://h/a")),
            ("ftp://h/", "a/", Some("ftp://h/a/")),
            ("ftp://h/", "/pub/a", Some("ftp://h/%2Fpub%2Fa")),
            ("ftp://h/", "", None),
            ("ftp://h/", ".", None),
            ("ftp://h/", "..", None),
            ("ftp://h/", "/", None),
            (
                "ftp://u:p@h:2121/x/",
                "a;b?#%",
                Some("ftp://u@h:2121/x/a%3Bb%3F%23%25"),
            ),
            ("ftp://h//%2Fx/", "a", Some("ftp://h//%2Fx/a")),
            ("ftp://h/x/sub;type=d", "a", Some("ftp://h/x/sub/a")),
            ("ftp://h/x/sub;type=d", "sub/a", Some("ftp://h/x/sub/a")),
            ("ftp://h/x/sub;type=d", "sub/a/", Some("ftp://h/x/sub/a/")),
            ("ftp://h/x/sub;type=d", "sub/.", None),
            ("ftp://h/x/sub;type=d", "sub", Some("ftp://h/x/sub")),
            (
                "ftp://h/x/sub;type=d",
                "/x/sub/a",
                Some("ftp://h/x/%2Fx%2Fsub%2Fa"),
            ),
            ("ftp://h/x/*.c;type=d", "a.c", Some("ftp://h/x/a.c")),
        ] {
            let url = UriRef::parse(url).unwrap();
            let settings = FtpProtocol::new();
            let job = Job::new(&settings, &Request::new(url)).unwrap();
            let directory = Directory::new(&job, false);
            let name = directory.parse(line.as_bytes());
            let found = name.and_then(|name| url_of(&directory, name));
            assert_eq!(found.as_deref(), reference, "{url} {line}");
        }
    }
}
