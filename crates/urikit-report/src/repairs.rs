//! `--lenient` and `--guess`: changes to an input before it is parsed.

use crate::input::Unparsed;
use crate::{OptionError, Reader};
use urikit::op::Repair;
use urikit::op::repair::{RepairError, Repaired, repair_pasted};
use urikit::{ParseError, Standard, UriBuf};

/// The allowed changes.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance {
    /// The standard that the input must follow.
    pub reader: Reader,
    /// `--lenient`: the standard under which invalid inputs are repaired.
    pub lenient: Option<Standard>,
    /// `--guess`: guess a missing scheme.
    pub guess: bool,
}

impl Tolerance {
    /// Allows the changes that `--lenient` and `--guess` make. Returns `None` if both are false.
    ///
    /// # Errors
    ///
    /// Fails if inputs cannot be repaired under the standard.
    pub fn new(reader: Reader, lenient: bool, guess: bool) -> Result<Option<Self>, OptionError> {
        let standard = match reader {
            _ if !lenient => None,
            Reader::Rfc(standard) if Repairs::STANDARDS.contains(&standard) => Some(standard),
            Reader::Rfc(standard) => {
                let names = Repairs::STANDARDS.map(Standard::name).join(", ");
                return Err(OptionError(format!(
                    "--lenient does not apply to --standard {}, only to {names}",
                    standard.name()
                )));
            }
            Reader::Whatwg => {
                let message = "--lenient does not apply to --standard whatwg, which always repairs \
                               references";
                return Err(OptionError(message.to_owned()));
            }
        };
        let tolerance = Self {
            reader,
            lenient: standard,
            guess,
        };
        Ok((lenient || guess).then_some(tolerance))
    }
}

/// The outcome of a repair.
#[derive(Debug)]
pub enum Repairs {
    /// The input is valid, or repairs were not requested.
    Unneeded,
    /// The input was changed into another reference.
    Made(Changed),
    /// The input cannot be repaired.
    Failed(Unrepaired),
}

/// The reason why an input cannot be repaired.
#[derive(Clone, Copy, Debug)]
pub enum Unrepaired {
    /// The input is invalid even with all allowed changes.
    Rejected(RepairError),
    /// The input is not UTF-8, and only text can be repaired.
    NotUtf8(ParseError),
}

impl Repairs {
    /// The standards under which inputs are repaired. A repaired reference is a URI under RFC 3986,
    /// and therefore also an IRI. Older standards allow different characters.
    pub const STANDARDS: [Standard; 2] = [Standard::Rfc3986, Standard::Rfc3987];

    /// Guesses the scheme of an input and repairs the input if it is invalid, as far as `tolerance`
    /// allows. `base` returns the base of a relative reference; the scheme of the base determines
    /// the repair.
    pub fn of(
        input: Unparsed<'_>,
        tolerance: Tolerance,
        base: impl FnOnce() -> Option<UriBuf>,
    ) -> Self {
        let guess = input.text.filter(|_| tolerance.guess).and_then(guess);
        if let (Some(text), Some(guess)) = (input.text, guess) {
            let guessed = guess.apply(text);
            if is_valid(&guessed, tolerance.reader) {
                return Self::Made(Changed::guessed(guessed, guess));
            }
            if let (Some(_), Ok(repaired)) = (tolerance.lenient, repair_pasted(&guessed, None)) {
                return Self::Made(Changed::guessed_and_repaired(repaired, guess));
            }
        }
        match tolerance.lenient {
            Some(standard) => Self::repaired(input, standard, base),
            None => Self::Unneeded,
        }
    }

    fn repaired(
        input: Unparsed<'_>,
        standard: Standard,
        base: impl FnOnce() -> Option<UriBuf>,
    ) -> Self {
        let Err(error) = input.parse(standard) else {
            return Self::Unneeded;
        };
        let Some(text) = input.text else {
            return Self::Failed(Unrepaired::NotUtf8(error));
        };
        let base = base();
        match repair_pasted(text, base.as_ref().map(Into::into)) {
            Ok(repaired) => Self::Made(repaired.into()),
            Err(error) => Self::Failed(Unrepaired::Rejected(error)),
        }
    }

    /// Returns the new reference.
    pub const fn made(&self) -> Option<&Changed> {
        match self {
            Self::Made(changed) => Some(changed),
            Self::Unneeded | Self::Failed(_) => None,
        }
    }

    /// Returns the reason why the input cannot be repaired.
    pub const fn failed(&self) -> Option<Unrepaired> {
        match self {
            Self::Failed(why) => Some(*why),
            Self::Unneeded | Self::Made(_) => None,
        }
    }

    /// Adds the length of the text before the reference to all offsets.
    #[must_use]
    pub fn after(mut self, prefix: usize) -> Self {
        if let Self::Made(changed) = &mut self {
            for change in &mut changed.changes {
                change.offset += prefix;
            }
        }
        self
    }
}

/// Returns true if a guessed reference is valid. Under browsers' rules, every reference is valid,
/// because browsers repair it.
fn is_valid(text: &str, reader: Reader) -> bool {
    match reader {
        Reader::Rfc(standard) => standard.parse(text).is_ok(),
        Reader::Whatwg => true,
    }
}

/// The text that replaces an input.
#[derive(Debug)]
pub struct Changed {
    /// The new text.
    pub text: String,
    /// The changes, in order. Offsets are byte positions in the input.
    pub changes: Vec<Change>,
    /// True if the scheme was guessed.
    pub is_guessed: bool,
    /// True if anything else was repaired.
    pub is_repaired: bool,
}

/// One change.
#[derive(Clone, Debug)]
pub struct Change {
    /// The offset in bytes.
    pub offset: usize,
    /// The old text.
    pub found: String,
    /// The new text.
    pub became: String,
}

impl Change {
    /// Applies the change.
    pub fn apply(&self, text: &str) -> String {
        let (before, rest) = text.split_at_checked(self.offset).unwrap_or((text, ""));
        let after = rest.get(self.found.len()..).unwrap_or_default();
        [before, &self.became, after].concat()
    }
}

impl Changed {
    /// Creates a replacement that only adds a guessed scheme.
    pub fn guessed(text: String, guess: Change) -> Self {
        Self {
            text,
            changes: vec![guess],
            is_guessed: true,
            is_repaired: false,
        }
    }

    /// Creates a replacement with a guessed scheme and repairs. The offsets of the repairs refer to
    /// the text with the scheme, so they are converted back.
    pub fn guessed_and_repaired(repaired: Repaired, guess: Change) -> Self {
        let mut changed = Self::from(repaired);
        for change in &mut changed.changes {
            if change.offset > guess.offset {
                change.offset -= guess.became.len();
            }
        }
        let at = changed
            .changes
            .partition_point(|change| change.offset < guess.offset);
        changed.changes.insert(at, guess);
        changed.is_guessed = true;
        changed
    }
}

impl From<Repaired> for Changed {
    fn from(repaired: Repaired) -> Self {
        Self {
            is_guessed: false,
            is_repaired: !repaired.changes.is_empty(),
            changes: repaired.changes.into_iter().map(Change::from).collect(),
            text: repaired.reference.into_string(),
        }
    }
}

impl From<Repair> for Change {
    fn from(repair: Repair) -> Self {
        Self {
            offset: repair.offset,
            found: repair.found,
            became: repair.became,
        }
    }
}

/// Guesses the scheme of an input that begins with a host, as browsers do.
///
/// A name with a dot, `localhost` or an address is a host if it is followed by a port, `/`, `?`,
/// `#` or the end of the input. Therefore `example.com:8080` is treated as having no scheme,
/// although RFC 3986 parses `example.com` as a scheme. The guess is `http` for `localhost`, for
/// addresses and for port 80, and otherwise `https`.
pub fn guess(text: &str) -> Option<Change> {
    let rest = text.trim_start();
    let (authority, slashes) = match rest.strip_prefix("//") {
        Some(authority) => (authority, ""),
        None => (rest, "//"),
    };
    let end = authority.find(['/', '?', '#']).unwrap_or(authority.len());
    let authority = authority.get(..end)?.trim_end();
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    if port.is_some_and(|port| !is_digits(port)) {
        return None;
    }
    let is_plain = match host_kind(host)? {
        HostKind::Local => true,
        HostKind::Public => port == Some("80"),
    };
    let scheme = if is_plain { "http" } else { "https" };
    Some(Change {
        offset: text.len() - rest.len(),
        found: String::new(),
        became: format!("{scheme}:{slashes}"),
    })
}

/// The kinds of hosts that browsers distinguish.
enum HostKind {
    /// `localhost`, or an address.
    Local,
    /// A name with a dot.
    Public,
}

fn host_kind(host: &str) -> Option<HostKind> {
    let name = host.strip_suffix('.').unwrap_or(host);
    let top = name.rsplit('.').next()?;
    if top.eq_ignore_ascii_case("localhost") && name.split('.').all(is_label) {
        return Some(HostKind::Local);
    }
    let address = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let is_v6 = address.is_some_and(|it| it.parse::<std::net::Ipv6Addr>().is_ok());
    if is_v6 || host.parse::<std::net::Ipv4Addr>().is_ok() {
        return Some(HostKind::Local);
    }
    // No top-level domain is a number, so this is a version number such as 1.2, or part of an
    // address.
    let is_name = name.contains('.')
        && name.split('.').all(is_label)
        && !top.bytes().all(|byte| byte.is_ascii_digit());
    is_name.then_some(HostKind::Public)
}

fn is_label(label: &str) -> bool {
    !label.is_empty()
        && label
            .chars()
            .all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}
