//! Gopher servers: gophernicus under inetd, and pygopherd, which supports Gopher+.

use super::{Daemon, Folder, free_port, installed};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

/// A running gophernicus, which openbsd-inetd starts for each connection. gophernicus does not
/// support Gopher+.
#[derive(Debug)]
pub struct Gophernicus {
    /// The loopback port.
    pub port: u16,
    folder: Folder,
    _daemon: Daemon,
}

impl Gophernicus {
    /// Serves a folder. Returns `None` if gophernicus or inetd is not installed.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start(root: &Folder) -> Option<Self> {
        let (server, inetd) = (installed("gophernicus")?, installed("inetd")?);
        open_to_all(root.path());
        let (folder, port) = (Folder::new("gophernicus"), free_port());
        // inetd runs gophernicus as another user, who must be able to write to the log.
        let log = folder.write("log", "");
        fs::set_permissions(&log, Permissions::from_mode(0o666)).expect("its log");
        let user = if rustix::process::geteuid().is_root() {
            "nobody".to_owned()
        } else {
            std::env::var("USER").unwrap_or_else(|_| "nobody".to_owned())
        };
        let (server, root, log) = (server.display(), root.path().display(), log.display());
        let line = format!(
            "127.0.0.1:{port} stream tcp nowait {user} {server} gophernicus -h 127.0.0.1 \
             -p {port} -r {root} -l {log} \
             -c /cgi-bin/ -nf -nu\n"
        );
        let conf = folder.write("inetd.conf", line);
        let output = File::create(folder.path().join("output")).expect("its output");
        let mut command = Command::new(inetd);
        command.arg("-d").arg(conf).stderr(output);
        Some(Self {
            port,
            _daemon: Daemon::start(&mut command, port),
            folder,
        })
    }

    /// Returns the request log, which is in Apache's format.
    pub fn log(&self) -> String {
        self.folder.read("log")
    }
}

/// A running pygopherd, which supports Gopher+.
#[derive(Debug)]
pub struct Pygopherd {
    /// The loopback port.
    pub port: u16,
    folder: Folder,
    _daemon: Daemon,
}

impl Pygopherd {
    /// Serves a folder. Returns `None` if pygopherd is not installed.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start(root: &Folder) -> Option<Self> {
        let server = installed("pygopherd")?;
        let (folder, port) = (Folder::new("pygopherd"), free_port());
        let types = folder.write(
            "mime.types",
            "text/plain txt\ntext/html html\nimage/gif gif\n",
        );
        let conf = folder.write(
            "pygopherd.conf",
            PYGOPHERD
                .replace("PORT", &port.to_string())
                .replace("ROOT", &root.path().display().to_string())
                .replace("TYPES", &types.display().to_string())
                .replace("FOLDER", &folder.path().display().to_string()),
        );
        let log = File::create(folder.path().join("log")).expect("its log");
        let mut command = Command::new(server);
        command.arg(conf).stdout(log);
        Some(Self {
            port,
            _daemon: Daemon::start(&mut command, port),
            folder,
        })
    }

    /// Returns the log: one line per request, with the detected protocol and the selector.
    pub fn log(&self) -> String {
        self.folder.read("log")
    }
}

/// The configuration of pygopherd, which has no default settings.
const PYGOPHERD: &str = "\
[pygopherd]
interface = 127.0.0.1
servername = 127.0.0.1
port = PORT
root = ROOT
pidfile = FOLDER/pid
detach = no
usechroot = no
enable_tls = no
servertype = ForkingTCPServer
timeout = 60
tracebacks = yes
abstract_headers = off
abstract_entries = unsupported
mimetypes = TYPES
encoding = []
[logger]
logmethod = file
priority = LOG_INFO
facility = LOG_LOCAL3
[GopherEntry]
defaultmimetype = application/octet-stream
mapping = [['text/html', 'h'], ['text/.+', '0'], ['image/gif', 'g'],
    ['application/gopher-menu', '1'], ['application/gopher\\\\+-menu', '1'], ['.*', '9']]
eaexts = {'.abstract': 'ABSTRACT', '.keywords': 'KEYWORDS', '.ask': 'ASK'}
[handlers.HandlerMultiplexer]
handlers = [url.HTMLURLHandler, gophermap.BuckGophermapHandler, UMN.UMNDirHandler,
    file.FileHandler]
[handlers.dir.DirHandler]
ignorepatt = gophermap$|\\.cache$|\\.abstract$|\\.keywords$|\\.ask$
cachetime = 0
cachefile = .cache
[handlers.UMN.UMNDirHandler]
extstrip = none
[protocols.ProtocolMultiplexer]
protocols = [gopherp.GopherPlusProtocol, rfc1436.GopherProtocol]
[protocols.gopherp.GopherPlusProtocol]
admin = Frodo Gophermeister <fng@bogus.edu>
";

/// Makes files readable by all users, as gophernicus requires.
fn open_to_all(path: &Path) {
    let is_folder = path.is_dir();
    let mode = fs::metadata(path)
        .expect("a test file")
        .permissions()
        .mode();
    let readable = if is_folder { 0o555 } else { 0o444 };
    fs::set_permissions(path, Permissions::from_mode(mode | readable)).expect("a test file");
    if is_folder {
        for file in fs::read_dir(path).expect("a test folder") {
            open_to_all(&file.expect("a test file").path());
        }
    }
}
