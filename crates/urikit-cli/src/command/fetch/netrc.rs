//! Logins in a `.netrc` file, in the format of ftp(1) and curl.

use crate::report::io_message;
use std::path::{Path, PathBuf};
use urikit::AnyRef;
use urikit_access::Credentials;

/// The logins of a file.
#[derive(Debug, Default)]
pub(super) struct Netrc(Vec<Entry>);

/// A login; without a machine, it is for every one.
#[derive(Debug, Default, PartialEq, Eq)]
struct Entry {
    machine: Option<String>,
    user: String,
    password: String,
}

impl Netrc {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// A message, if it cannot be read.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| format!("{}: {}", path.display(), io_message(&error)))?;
        Ok(Self::parse(&text))
    }

    /// The file in the user's home folder.
    pub(super) fn path() -> Option<PathBuf> {
        std::env::home_dir().map(|home| home.join(".netrc"))
    }

    fn parse(text: &str) -> Self {
        let mut entries: Vec<Entry> = Vec::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let mut words = words(line).into_iter();
            while let Some(word) = words.next() {
                match (word.as_str(), entries.last_mut()) {
                    ("machine", _) => entries.push(Entry {
                        machine: words.next(),
                        ..Entry::default()
                    }),
                    ("default", _) => entries.push(Entry::default()),
                    ("login", Some(entry)) => entry.user = words.next().unwrap_or_default(),
                    ("password", Some(entry)) => entry.password = words.next().unwrap_or_default(),
                    ("account", _) => drop(words.next()),
                    // Commands for ftp(1), up to an empty line.
                    ("macdef", _) => {
                        lines
                            .by_ref()
                            .take_while(|line| !line.is_empty())
                            .for_each(drop);
                        break;
                    }
                    _ => {}
                }
            }
        }
        Self(entries)
    }

    /// The login for the host of a reference, and for its user if it names one.
    pub(super) fn find_for(&self, reference: AnyRef<'_>) -> Option<Credentials> {
        let host = reference.host()?.as_str();
        let user = reference.user().map(|user| user.to_bytes().into_owned());
        let user = user.and_then(|user| String::from_utf8(user).ok());
        self.find(host, user.as_deref())
    }

    /// The login for a host, and for this user if there is one.
    fn find(&self, host: &str, user: Option<&str>) -> Option<Credentials> {
        let is_it = |entry: &&Entry| {
            let machine = entry.machine.as_deref();
            machine.is_none_or(|name| name.eq_ignore_ascii_case(host))
                && user.is_none_or(|user| user == entry.user)
        };
        let entry = self.0.iter().find(is_it)?;
        Some(Credentials {
            user: entry.user.clone(),
            password: entry.password.clone(),
        })
    }
}

/// The words of a line; one in quotation marks may contain spaces and `\`-escapes. A `#` that begins
/// a word begins a comment.
fn words(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut characters = line.chars().peekable();
    loop {
        while characters.next_if(|c| c.is_whitespace()).is_some() {}
        let mut word = String::new();
        match characters.peek() {
            None | Some('#') => return found,
            Some('"') => {
                characters.next();
                while let Some(c) = characters.next() {
                    match c {
                        '"' => break,
                        '\\' => word.extend(characters.next()),
                        c => word.push(c),
                    }
                }
            }
            Some(_) => {
                while let Some(c) = characters.next_if(|c| !c.is_whitespace()) {
                    word.push(c);
                }
            }
        }
        found.push(word);
    }
}

#[cfg(test)]
mod tests {
    use super::Netrc;

    #[test]
    fn logins_are_found_by_host_and_user() {
        let netrc = Netrc::parse(
            "# comment\nmachine h.dom login tim password \"a b\\\"c\"\n\
             machine h.dom\n  login other\n  password p#q\n\
             macdef init\nmachine x login y\n\nmachine i.dom login only\n\
             default login anonymous password me@example.org\n",
        );
        let found = |host: &str, user: Option<&str>| {
            let login = netrc.find(host, user)?;
            Some(format!("{} {}", login.user, login.password))
        };
        for (host, user, login) in [
            ("h.dom", None, Some("tim a b\"c")),
            ("H.DOM", Some("other"), Some("other p#q")),
            ("h.dom", Some("third"), None),
            ("i.dom", None, Some("only ")),
            ("x", None, Some("anonymous me@example.org")),
            ("x", Some("y"), None),
        ] {
            assert_eq!(found(host, user).as_deref(), login, "{host} {user:?}");
        }
        assert!(Netrc::parse("login a password b").find("h", None).is_none());
    }
}
