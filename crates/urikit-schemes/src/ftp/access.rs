//! What an ftp URL means as data, and what a client does with it (RFC 1738, 3.2.1 to 3.2.3).

use super::super::{AccessError, Detail, Details, Line, Step};
use super::{Ftp, Typecode};
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

impl<'a> Ftp<'a> {
    /// Its meaning as named values: `cwd`, `name` and `type`, decoded.
    pub fn details(&self) -> Details<'a> {
        let name = self.name();
        Details::new("ftp", self.specification())
            .with("cwd", Detail::list(self.cwd()))
            .with("name", name)
            .with("type", self.typecode().map(|code| code.to_string()))
    }

    /// The commands that a client sends, in order, and what it asks the person.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::{Ftp, Step};
    /// let url = Uri::parse("ftp://host.dom/%2Fetc/motd;type=a")?; // RFC 1738, 3.2.2
    /// let steps = Ftp::read(url)?.steps()?;
    /// let lines: Vec<_> = steps.iter().filter_map(|step| match step {
    ///     Step::Send(line) => Some(line.octets()),
    ///     _ => None,
    /// }).collect();
    /// assert_eq!(lines, [&b"USER anonymous"[..], b"CWD /etc", b"TYPE A", b"RETR motd"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a part decodes to a control character, or the port is above 65535.
    pub fn steps(&self) -> Result<Vec<Step<'a>>, AccessError> {
        let mut steps = Vec::new();
        steps.push(Step::connect(self.host(), self.port())?);
        match (self.user(), self.password()) {
            (None, _) => {
                steps.push(Step::Send(Line::command("USER anonymous")));
                steps.push(Step::say("sends a mail address as the password, if asked"));
            }
            (Some(user), password) => {
                steps.push(Step::Send(Line::with_argument("USER", user, "user")?));
                steps.push(match password {
                    Some(password) => Step::Send(Line::with_secret("PASS", password, "password")?),
                    None => Step::say("asks the person for the password, if asked for one"),
                });
            }
        }
        for cwd in self.cwd() {
            steps.push(Step::Send(Line::with_argument("CWD", cwd, "directory")?));
        }
        let name = self.name();
        let typecode = self.typecode().unwrap_or_else(|| self.guess());
        if typecode == Typecode::Directory || name.is_empty() {
            steps.push(Step::Send(if name.is_empty() {
                Line::command("NLST")
            } else {
                Line::with_argument("NLST", name, "name")?
            }));
            return Ok(steps);
        }
        let mut line = Line::command("TYPE ");
        line.push(command_code(typecode).into_bytes(), "typecode")?;
        steps.push(Step::Send(line));
        steps.push(Step::Send(Line::with_argument("RETR", name, "name")?));
        Ok(steps)
    }
}

/// A typecode as in the `TYPE` command: in upper case, with the space that RFC 1630 leaves out.
fn command_code(typecode: Typecode<'_>) -> String {
    let mut code = typecode.to_string().to_ascii_uppercase();
    if code.len() > 1 {
        code.insert(1, ' ');
    }
    code
}
