//! Apache, an HTTP server with TLS, Digest, gzip and `WebDAV`.

use super::{Daemon, Folder, free_port, installed};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// A running Apache, which serves the folder `files` in its own folder by http and https, and logs
/// each request. What is below `zip/` is compressed, `private/` asks `tim` for the password `open
/// sesame` by Digest, what is put below `dav/` is stored, and `moved/` redirects to it.
#[derive(Debug)]
pub struct Apache {
    daemon: Daemon,
    folder: Folder,
    secure: u16,
}

/// Where Debian has its modules.
const MODULES: &str = "/usr/lib/apache2/modules";

/// The modules that are not built in.
const LOADED: [&str; 13] = [
    "mpm_event",
    "alias",
    "authn_core",
    "authn_file",
    "authz_core",
    "authz_user",
    "auth_digest",
    "mime",
    "filter",
    "deflate",
    "ssl",
    "dav",
    "dav_fs",
];

impl Apache {
    /// Starts Apache on free loopback ports, with `certificate.pem` and `key.pem` of its folder; `None`
    /// if it is not installed.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn start(folder: Folder) -> Option<Self> {
        let program = installed("apache2").filter(|_| Path::new(MODULES).is_dir())?;
        let (port, secure) = (free_port(), free_port());
        let dir = folder.path();
        // As root, it serves requests as another user.
        for name in [
            "",
            "files",
            "files/zip",
            "files/private",
            "files/dav",
            "files/dav/private",
        ] {
            let path = dir.join(name);
            std::fs::create_dir_all(&path).expect("its folders");
            std::fs::set_permissions(path, PermissionsExt::from_mode(0o777)).expect("their mode");
        }
        // The user, the realm, and the MD5 hash of both with the password (RFC 7616, 3.4.2).
        folder.write("digest", "tim:test:e6559ec18634aac885fc9a8dbe55bbb0\n");
        let modules =
            LOADED.map(|name| format!("LoadModule {name}_module {MODULES}/mod_{name}.so\n"));
        let settings = CONFIGURATION
            .replace("{port}", &port.to_string())
            .replace("{secure}", &secure.to_string())
            .replace("{dir}", &dir.display().to_string());
        let configuration = modules.concat() + &settings;
        let path = folder.write("apache.conf", configuration);
        let mut command = Command::new(program);
        let daemon = Daemon::start(command.arg("-DFOREGROUND").arg("-f").arg(path), port);
        Some(Self {
            daemon,
            folder,
            secure,
        })
    }

    /// The port of http on loopback.
    pub const fn port(&self) -> u16 {
        self.daemon.port
    }

    /// The port of https on loopback.
    pub const fn secure_port(&self) -> u16 {
        self.secure
    }

    /// Its folder, which contains `files`.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The logged requests, in order: the request line, the status, the version of TLS or `-`, and the
    /// `Range` field or `-`, separated by tabs. Apache writes the log after the response, so this waits
    /// until there are `count` of them.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub fn log(&self, count: usize) -> Vec<String> {
        let begin = Instant::now();
        loop {
            let log = self.folder.read("access.log");
            if log.lines().count() >= count {
                return log.lines().map(str::to_owned).collect();
            }
            assert!(begin.elapsed() < Duration::from_secs(5), "{log}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// What follows the modules. The user is for root only.
const CONFIGURATION: &str = r#"
ServerRoot "{dir}"
DefaultRuntimeDir "{dir}"
PidFile "{dir}/pid"
ErrorLog "{dir}/error.log"
LogFormat "%r\t%>s\t%{SSL_PROTOCOL}x\t%{Range}i" fields
CustomLog "{dir}/access.log" fields
ServerName localhost
User nobody
Group nogroup
StartServers 1
ServerLimit 1
ThreadsPerChild 16
MaxRequestWorkers 16
ThreadLimit 16
MinSpareThreads 1
MaxSpareThreads 16
KeepAliveTimeout 5
Listen 127.0.0.1:{port}
Listen 127.0.0.1:{secure}
TypesConfig /dev/null
AddType text/plain .txt
DocumentRoot "{dir}/files"
DavLockDB "{dir}/lock"
<Directory "{dir}/files">
    Require all granted
</Directory>
<Location /zip>
    SetOutputFilter DEFLATE
</Location>
Redirect 308 /moved/ http://localhost/dav/
<Location /dav>
    Dav On
</Location>
<LocationMatch "^(/dav)?/private/">
    AuthType Digest
    AuthName test
    AuthUserFile "{dir}/digest"
    Require valid-user
</LocationMatch>
<VirtualHost 127.0.0.1:{secure}>
    SSLEngine on
    SSLCertificateFile "{dir}/certificate.pem"
    SSLCertificateKeyFile "{dir}/key.pem"
</VirtualHost>
"#;
