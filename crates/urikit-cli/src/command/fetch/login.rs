//! Logins: `--user`, and `.netrc` files in the format of ftp(1) and curl.

use crate::files::read_text;
use crate::report::io_message;
use crate::safe::safe;
use clap::ValueHint;
use std::path::{Path, PathBuf};
use urikit::AnyRef;
use urikit_access::Credentials;

/// The options for logins.
#[derive(clap::Args, Debug)]
pub(super) struct LoginOptions {
    /// Log in with this user and password if the URL has no password; they are sent only to the
    /// server in the URL or, for mailto, to the one given by --smtp
    #[arg(short, long, value_name = "USER:PASSWORD")]
    user: Option<String>,

    /// Use the logins in ~/.netrc if neither the URL nor -u has a password
    #[arg(short, long)]
    netrc: bool,

    /// Like --netrc, but with FILE (at most 16 MiB) instead of ~/.netrc
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    netrc_file: Option<PathBuf>,

    /// mailto: log in with this OAuth 2.0 access token (XOAUTH2) and the user name from --user
    #[arg(long, value_name = "TOKEN", requires = "user")]
    oauth2_bearer: Option<String>,
}

impl LoginOptions {
    /// Returns true if the password is an OAuth 2.0 token.
    pub(super) const fn has_token(&self) -> bool {
        self.oauth2_bearer.is_some()
    }

    /// Reads the files, and prompts for a missing password.
    ///
    /// # Errors
    ///
    /// Fails with a message if a file cannot be read, or if a prompt needs a terminal.
    pub(super) fn logins(&self) -> Result<Logins, String> {
        Ok(Logins {
            given: self.credentials()?,
            netrc: self.netrc()?,
        })
    }

    fn netrc(&self) -> Result<Netrc, String> {
        let path = match &self.netrc_file {
            Some(path) => path.clone(),
            None if self.netrc => {
                let home =
                    std::env::home_dir().ok_or("cannot find .netrc: the home folder is unknown")?;
                home.join(".netrc")
            }
            None => return Ok(Netrc::default()),
        };
        Netrc::read(&path)
    }

    fn credentials(&self) -> Result<Option<Credentials>, String> {
        let Some(text) = &self.user else {
            return Ok(None);
        };
        let (user, password) = if let Some(token) = &self.oauth2_bearer {
            (text.clone(), token.clone())
        } else if let Some((user, password)) = text.split_once(':') {
            (user.to_owned(), password.to_owned())
        } else {
            let question = format!("Password for {}: ", safe(text));
            let password = rpassword::prompt_password(question).map_err(|_| {
                "--user has no password, and no terminal is available to ask for it".to_owned()
            })?;
            (text.clone(), password)
        };
        Ok(Some(Credentials { user, password }))
    }
}

/// The known logins.
#[derive(Debug)]
pub(super) struct Logins {
    /// From `--user`.
    given: Option<Credentials>,
    netrc: Netrc,
}

impl Logins {
    /// Returns the login from `--user`, or the one in `.netrc` for the host of a reference.
    pub(super) fn find(&self, reference: AnyRef<'_>) -> Option<Credentials> {
        let in_netrc = || self.netrc.find_for(reference);
        self.given.clone().or_else(in_netrc)
    }
}

/// The logins in a `.netrc` file.
#[derive(Debug, Default)]
struct Netrc(Vec<Entry>);

/// A login. A login without a machine applies to every host.
#[derive(Debug, Default, PartialEq, Eq)]
struct Entry {
    machine: Option<String>,
    user: String,
    password: String,
}

impl Netrc {
    fn read(path: &Path) -> Result<Self, String> {
        let text = read_text(path);
        let text = text.map_err(|error| format!("{}: {}", path.display(), io_message(&error)))?;
        Ok(Self::parse(&text))
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
                    // A macro for ftp(1) ends at an empty line. The commands of a macro are not
                    // logins.
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

    /// Finds the login for the host of a reference, and for its user, if any.
    fn find_for(&self, reference: AnyRef<'_>) -> Option<Credentials> {
        let host = reference.host()?.as_str();
        let user = reference.user().map(|user| user.to_bytes().into_owned());
        let user = user.and_then(|user| String::from_utf8(user).ok());
        self.find(host, user.as_deref())
    }

    /// Finds the login for a host, and for `user` if it is given.
    fn find(&self, host: &str, user: Option<&str>) -> Option<Credentials> {
        let applies = |entry: &&Entry| {
            let machine = entry.machine.as_deref();
            machine.is_none_or(|name| name.eq_ignore_ascii_case(host))
                && user.is_none_or(|user| user == entry.user)
        };
        let entry = self.0.iter().find(applies)?;
        Some(Credentials {
            user: entry.user.clone(),
            password: entry.password.clone(),
        })
    }
}

/// Splits a line into words. A quoted word may contain spaces and `\`-escapes. A `#` at the
/// beginning of a word starts a comment.
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
