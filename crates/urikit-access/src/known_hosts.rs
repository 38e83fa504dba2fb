//! The certificates of servers that are trusted on first use.
//!
//! ```text
//! example.org 1965 sha256:9f86d081… 2034-01-01T00:00:00Z
//! ```
//!
//! The file has a line for each server, with the host, the port, the SHA-256 digest of the
//! certificate, and the time at which the certificate expires. Lines that begin with `#` are
//! comments. Other processes may use the same file, because it is read before each connection, and
//! locked while it is changed.

use crate::replace::{Lock, replace};
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use std::fmt::{self, Write as _};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The maximum size of a known-hosts file, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// The maximum number of servers that are remembered in memory. A process such as a gateway runs
/// for a long time, and a hostile server can have any number of names.
const MAX_SERVERS: usize = 100_000;

/// The maximum time to wait while another process is changing the file.
const PATIENCE: Duration = Duration::from_secs(10);

/// The certificates of servers that are trusted on first use, in memory or in a file.
///
/// Clones share the certificates. If a server presents a certificate other than its known
/// certificate, the new certificate is refused, unless the known certificate has expired, or a
/// trusted authority has signed the new certificate for the host.
///
/// ```
/// use urikit_access::protocol::GeminiProtocol;
/// use urikit_access::{Client, KnownHosts, Policy};
/// let hosts = KnownHosts::file("known_hosts");
/// let client = Client::new(Policy::new()).protocol(GeminiProtocol::new().known_hosts(hosts));
/// ```
#[derive(Clone, Debug, Default)]
pub struct KnownHosts(Store);

#[derive(Clone, Debug)]
enum Store {
    Memory(Arc<Mutex<Vec<KnownHost>>>),
    File(Arc<Path>),
}

impl Default for Store {
    fn default() -> Self {
        Self::Memory(Arc::default())
    }
}

/// A server and its certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KnownHost {
    /// The host as written in a URL, in lower case.
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) fingerprint: Fingerprint,
    /// The time at which the certificate expires.
    pub(crate) expires: Timestamp,
}

/// The SHA-256 digest of a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fingerprint([u8; 32]);

/// The result of comparing a server's certificate with the known certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Judgement {
    /// The certificate is the server's known certificate.
    Known,
    /// No certificate is known for the server.
    New,
    /// The certificate may replace the server's known certificate.
    Replaced {
        known: KnownHost,
        /// The reason for the replacement, as a clause that follows "because".
        why: &'static str,
    },
    /// The certificate differs from this known certificate, which is still valid.
    Changed(KnownHost),
}

impl KnownHosts {
    /// Keeps certificates in memory only, so each new process again trusts every server on first
    /// use. Remembers at most 100,000 servers, and forgets the oldest first.
    pub fn memory() -> Self {
        Self::default()
    }

    /// Keeps certificates in a file. Storing the first certificate creates the file and its
    /// folder, which only their owner can read.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self(Store::File(path.into().into()))
    }

    /// Returns the path of the file, if any.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.0 {
            Store::Memory(_) => None,
            Store::File(path) => Some(path),
        }
    }

    /// Compares a server's certificate with the known certificate. `is_signed` returns whether a
    /// trusted authority has signed the server's certificate for the host.
    pub(crate) fn judge(
        &self,
        seen: &KnownHost,
        now: Timestamp,
        is_signed: &mut dyn FnMut() -> bool,
    ) -> io::Result<Judgement> {
        let known = match &self.0 {
            Store::Memory(hosts) => find(&locked(hosts), seen),
            Store::File(path) => Lines::read(path)?.find(path, seen)?,
        };
        Ok(compare(known, seen, now, is_signed))
    }

    /// Stores a certificate that was judged trustworthy. If another access has stored a different
    /// certificate for the server in the meantime, returns that certificate instead.
    pub(crate) fn store(
        &self,
        seen: &KnownHost,
        judgement: &Judgement,
    ) -> io::Result<Option<KnownHost>> {
        let expected = match judgement {
            Judgement::Known | Judgement::Changed(_) => return Ok(None),
            Judgement::New => None,
            Judgement::Replaced { known, .. } => Some(known),
        };
        // Another access may also have stored the same certificate.
        let is_taken =
            |known: &KnownHost| known.fingerprint != seen.fingerprint && Some(known) != expected;
        match &self.0 {
            Store::Memory(hosts) => {
                let mut hosts = locked(hosts);
                if let Some(known) = find(&hosts, seen).filter(is_taken) {
                    return Ok(Some(known));
                }
                remember(&mut hosts, seen, MAX_SERVERS);
            }
            Store::File(path) => {
                create(path)?;
                let _lock = Lock::take(path, PATIENCE)?;
                let lines = Lines::read(path)?;
                if let Some(known) = lines.find(path, seen)?.filter(is_taken) {
                    return Ok(Some(known));
                }
                replace(path, |out| out.write_all(lines.with(seen).as_bytes()))?;
            }
        }
        Ok(None)
    }
}

fn locked(hosts: &Mutex<Vec<KnownHost>>) -> MutexGuard<'_, Vec<KnownHost>> {
    hosts.lock().unwrap_or_else(PoisonError::into_inner)
}

fn find(hosts: &[KnownHost], server: &KnownHost) -> Option<KnownHost> {
    let found = hosts.iter().find(|known| known.is_same_server(server));
    found.cloned()
}

/// Stores a certificate. Forgets the oldest certificates if there are more than `max`.
fn remember(hosts: &mut Vec<KnownHost>, seen: &KnownHost, max: usize) {
    hosts.retain(|known| !known.is_same_server(seen));
    let more = (hosts.len() + 1).saturating_sub(max);
    hosts.drain(..more.min(hosts.len()));
    hosts.push(seen.clone());
}

/// Judges a certificate.
fn compare(
    known: Option<KnownHost>,
    seen: &KnownHost,
    now: Timestamp,
    is_signed: &mut dyn FnMut() -> bool,
) -> Judgement {
    let Some(known) = known else {
        return Judgement::New;
    };
    let why = if known.fingerprint == seen.fingerprint {
        return Judgement::Known;
    } else if known.expires < now {
        "the known certificate has expired"
    } else if is_signed() {
        "a trusted authority has signed it"
    } else {
        return Judgement::Changed(known);
    };
    Judgement::Replaced { known, why }
}

impl KnownHost {
    fn is_same_server(&self, other: &Self) -> bool {
        self.host == other.host && self.port == other.port
    }

    /// Parses a line. Returns `None` if the line is not valid.
    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split_ascii_whitespace();
        let host = fields.next()?.to_ascii_lowercase();
        let port = fields.next()?.parse().ok()?;
        let fingerprint = Fingerprint::parse(fields.next()?)?;
        let expires = fields.next()?.parse().ok()?;
        fields.next().is_none().then_some(Self {
            host,
            port,
            fingerprint,
            expires,
        })
    }
}

impl fmt::Display for KnownHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            host,
            port,
            fingerprint,
            expires,
        } = self;
        write!(f, "{host} {port} {fingerprint} {expires}")
    }
}

impl Fingerprint {
    /// Returns the fingerprint of a certificate.
    pub(crate) fn of(certificate: &[u8]) -> Self {
        Self(Sha256::digest(certificate).into())
    }

    fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix("sha256:")?;
        let mut octets = [0; 32];
        if digits.len() != 64 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        for (at, octet) in octets.iter_mut().enumerate() {
            *octet = u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok()?;
        }
        Some(Self(octets))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sha256:")?;
        self.0.iter().try_for_each(|octet| write!(f, "{octet:02x}"))
    }
}

/// The lines of the file.
struct Lines(String);

impl Lines {
    /// Reads the file. A file that does not exist has no lines.
    fn read(path: &Path) -> io::Result<Self> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self(String::new()));
            }
            Err(error) => return Err(error),
        };
        let mut text = String::new();
        file.take(MAX_FILE + 1).read_to_string(&mut text)?;
        if u64::try_from(text.len()).is_ok_and(|length| length > MAX_FILE) {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(Self(text))
    }

    /// Finds a server. Fails if any line is not valid, because a damaged line must not make a known
    /// server seem unknown.
    fn find(&self, path: &Path, server: &KnownHost) -> io::Result<Option<KnownHost>> {
        let mut found = None;
        for (at, line) in self.0.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let Some(known) = KnownHost::parse(line) else {
                let why = format!(
                    "{}, line {}: expected a host, a port, a fingerprint and a time",
                    path.display(),
                    at + 1
                );
                return Err(io::Error::other(why));
            };
            if known.is_same_server(server) {
                found = Some(known);
            }
        }
        Ok(found)
    }

    /// Returns the lines with any earlier entry for this server removed, and its new entry at the
    /// end.
    fn with(&self, server: &KnownHost) -> String {
        let mut text = String::with_capacity(self.0.len() + 128);
        for line in self.0.lines() {
            if !KnownHost::parse(line).is_some_and(|known| known.is_same_server(server)) {
                text.push_str(line);
                text.push('\n');
            }
        }
        let _ = writeln!(text, "{server}");
        text
    }
}

/// Creates an empty file, and its folder, if the file does not exist. The file lists the servers
/// that the user visits, so only the user can read it.
fn create(path: &Path) -> io::Result<()> {
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)?;
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

#[cfg(test)]
mod tests {
    use super::{Fingerprint, Judgement, KnownHost, KnownHosts, remember};
    use jiff::Timestamp;
    use std::fs;
    use std::path::PathBuf;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("urikit-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn seen(port: u16, certificate: &[u8]) -> KnownHost {
        KnownHost {
            host: "example.org".to_owned(),
            port,
            fingerprint: Fingerprint::of(certificate),
            expires: time("2030-01-01T00:00:00Z"),
        }
    }

    /// Judges a certificate, and stores it if it is trusted.
    fn judge(hosts: &KnownHosts, seen: &KnownHost, now: &str) -> Judgement {
        let judgement = hosts.judge(seen, time(now), &mut || false).unwrap();
        assert_eq!(hosts.store(seen, &judgement).unwrap(), None);
        judgement
    }

    #[test]
    fn the_first_certificate_is_trusted_until_it_expires() {
        let folder = folder("known-hosts");
        let file = KnownHosts::file(folder.join("a/known_hosts"));
        for hosts in [KnownHosts::memory(), file] {
            let (first, second) = (seen(1965, b"first"), seen(1965, b"second"));
            let before = "2029-12-31T00:00:00Z";
            assert_eq!(judge(&hosts, &first, before), Judgement::New);
            assert_eq!(judge(&hosts.clone(), &first, before), Judgement::Known);
            let changed = Judgement::Changed(first.clone());
            assert_eq!(judge(&hosts, &second, before), changed);
            // The refused certificate was not stored. Another port is another server.
            assert_eq!(judge(&hosts, &first, before), Judgement::Known);
            assert_eq!(
                judge(&hosts, &seen(1966, b"second"), before),
                Judgement::New
            );
            let after = "2030-01-02T00:00:00Z";
            let is_replaced = |judgement| matches!(judgement, Judgement::Replaced { .. });
            assert!(is_replaced(judge(&hosts, &second, after)));
            assert_eq!(judge(&hosts, &second, before), Judgement::Known);
            assert!(is_replaced(
                hosts.judge(&first, time(before), &mut || true).unwrap()
            ));
            // Meanwhile, another access stores another certificate.
            let new = seen(1967, b"first");
            let judgement = hosts.judge(&new, time(before), &mut || false).unwrap();
            let other = seen(1967, b"other");
            judge(&hosts, &other, before);
            assert_eq!(hosts.store(&new, &judgement).unwrap(), Some(other.clone()));
            assert_eq!(judge(&hosts, &other, before), Judgement::Known);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn memory_has_a_limit() {
        let mut hosts = Vec::new();
        for (port, expected) in [
            (1, vec![1]),
            (2, vec![1, 2]),
            (1, vec![2, 1]),
            (3, vec![1, 3]),
        ] {
            remember(&mut hosts, &seen(port, b"a"), 2);
            let ports: Vec<_> = hosts.iter().map(|known| known.port).collect();
            assert_eq!(ports, expected);
        }
    }

    #[test]
    fn the_file_keeps_comments_and_other_servers() {
        let folder = folder("known-hosts-file");
        fs::create_dir(&folder).unwrap();
        let path = folder.join("known_hosts");
        let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
        let other = format!("other.example 1965 sha256:{digest} 2030-01-01T00:00:00Z\n");
        fs::write(&path, format!("# mine\n\n{other}")).unwrap();
        let hosts = KnownHosts::file(&path);
        // The digest of "test"
        assert_eq!(
            Fingerprint::of(b"test").to_string(),
            format!("sha256:{digest}")
        );
        let now = "2026-01-01T00:00:00Z";
        assert_eq!(judge(&hosts, &seen(1965, b"test"), now), Judgement::New);
        let line = format!("example.org 1965 sha256:{digest} 2030-01-01T00:00:00Z\n");
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            format!("# mine\n\n{other}{line}")
        );
        // A damaged line is an error, and the file stays as it is.
        for damaged in [
            "example.org 1965",
            "example.org 1965 sha256:12 2030-01-01T00:00:00Z",
        ] {
            fs::write(&path, damaged).unwrap();
            let error = hosts.judge(&seen(1965, b"x"), time(now), &mut || true);
            assert!(error.unwrap_err().to_string().contains("line 1"));
            assert_eq!(fs::read_to_string(&path).unwrap(), damaged);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read_the_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = folder("known-hosts-mode");
        let path = folder.join("known_hosts");
        let hosts = KnownHosts::file(&path);
        judge(&hosts, &seen(1965, b"a"), "2026-01-01T00:00:00Z");
        judge(&hosts, &seen(1966, b"a"), "2026-01-01T00:00:00Z");
        for (path, mode) in [(&path, 0o600), (&folder, 0o700)] {
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, mode);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    /// Each thread stores a different server.
    #[test]
    fn concurrent_changes_are_all_kept() {
        let folder = folder("known-hosts-threads");
        let path = folder.join("known_hosts");
        std::thread::scope(|scope| {
            for port in 1..9 {
                let hosts = KnownHosts::file(&path);
                scope.spawn(move || judge(&hosts, &seen(port, b"a"), "2026-01-01T00:00:00Z"));
            }
        });
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 8);
        fs::remove_dir_all(folder).unwrap();
    }
}
