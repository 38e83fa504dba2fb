//! Runs real servers as child processes, in temporary folders.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A running server in its own process group. Dropping the server kills its process group.
#[derive(Debug)]
pub struct Daemon {
    child: Child,
    /// The loopback port.
    pub port: u16,
}

impl Daemon {
    /// Starts a server that runs in the foreground, and waits until it accepts connections on
    /// `port`. The server's output goes to the test's standard error.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start within ten seconds.
    pub fn start(command: &mut Command, port: u16) -> Self {
        let started = command.stdin(Stdio::null()).process_group(0).spawn();
        let mut daemon = Self {
            child: started.unwrap_or_else(|error| panic!("{command:?}: {error}")),
            port,
        };
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let begin = Instant::now();
        while TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_err() {
            let ended = daemon.child.try_wait().expect("its state");
            assert!(ended.is_none(), "{command:?} ended: {ended:?}");
            assert!(
                begin.elapsed() < Duration::from_secs(10),
                "{command:?} does not accept connections"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        daemon
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        if let Some(group) = i32::try_from(self.child.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

/// Returns an unused loopback port.
///
/// The port is never ephemeral (on Linux, 32768 or higher), because another test that binds port 0
/// could get an ephemeral port before the server does.
///
/// # Panics
///
/// Panics if no port is free.
pub fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let start = std::process::id(); // concurrent processes rarely start at the same port
    let is_free = |port: &u16| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok();
    let next = || start.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % 12_000;
    (0..12_000)
        .filter_map(|_| u16::try_from(20_000 + next()).ok())
        .find(is_free)
        .expect("a free port")
}

/// Finds an installed program on `PATH` or where Debian installs servers. Returns `None` if
/// `URIKIT_SERVERS=hidden` is set.
pub fn installed(program: &str) -> Option<PathBuf> {
    if super::are_hidden() {
        return None;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/sbin".into()]);
    folders
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

/// A temporary folder for a test, which is removed when the value is dropped. All users can read
/// the folder, because some servers run as another user.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Creates an empty folder.
    ///
    /// # Panics
    ///
    /// Panics if the folder cannot be created.
    pub fn new(name: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("urikit-{name}-{}-{count}", std::process::id()));
        fs::create_dir_all(&path).expect("a test folder");
        Self(path)
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file in the folder, creating parent folders if necessary, and returns the file's
    /// path.
    ///
    /// # Panics
    ///
    /// Panics if the file cannot be written.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).expect("test folders");
        }
        fs::write(&path, content).expect("a test file");
        path
    }

    /// Writes an executable file in the folder, and returns its path.
    ///
    /// # Panics
    ///
    /// Panics if the file cannot be written.
    pub fn program(&self, name: &str, script: impl AsRef<[u8]>) -> PathBuf {
        let (text, path) = (
            self.write(&format!("{name}.text"), script),
            self.0.join(name),
        );
        // A separate process writes the program. If the test's own process wrote the program, a
        // child started by another test at that moment would inherit the open file, and running the
        // program would fail with "Text file busy".
        let status = Command::new("install")
            .args(["-m", "755"])
            .args([&text, &path])
            .status();
        assert!(
            status.is_ok_and(|status| status.success()),
            "cannot write {name}"
        );
        fs::remove_file(text).expect("a test file");
        path
    }

    /// Returns the content of a file in the folder, or an empty string if the file does not exist.
    pub fn read(&self, name: &str) -> String {
        let bytes = fs::read(self.0.join(name)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
