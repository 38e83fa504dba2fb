//! HTTP servers (nginx and Apache) and proxies (Squid and tinyproxy).

use super::{Daemon, Folder, free_port, installed};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// A running nginx. This server serves the subfolder `files` of its folder, and logs each request.
#[derive(Debug)]
pub struct Nginx {
    daemon: Daemon,
    folder: Folder,
}

/// The log entry for a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Logged {
    /// The request line.
    pub request: String,
    /// The status of the response.
    pub status: String,
    /// The `Host` field.
    pub host: String,
    /// The `Authorization` field. This and the next two values are empty if the request lacks the
    /// corresponding field.
    pub authorization: String,
    /// The `Range` field.
    pub range: String,
    /// The `User-Agent` field.
    pub user_agent: String,
    /// The number of the connection.
    pub connection: String,
    /// The port.
    pub port: String,
}

impl Nginx {
    /// Starts nginx on a free loopback port. Returns `None` if nginx is not installed. `locations`
    /// is inserted into the `server` block, and `servers` after that block. Both arguments may
    /// contain the placeholders `{port}` and `{dir}` (the server's folder).
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start(folder: Folder, locations: &str, servers: &str) -> Option<Self> {
        let program = installed("nginx")?;
        let port = free_port();
        let dir = folder.path();
        std::fs::create_dir_all(dir.join("files")).expect("its files");
        let fill = |text: &str| {
            let text = text.replace("{port}", &port.to_string());
            text.replace("{dir}", &dir.display().to_string())
        };
        let configuration = fill(&NGINX_CONFIGURATION.replace("{locations}", locations))
            .replace("{servers}", &fill(servers));
        let path = folder.write("nginx.conf", configuration);
        let mut command = Command::new(program);
        command.arg("-p").arg(dir).arg("-c").arg(path);
        let daemon = Daemon::start(command.arg("-e").arg(dir.join("error.log")), port);
        Some(Self { daemon, folder })
    }

    /// The loopback port.
    pub const fn port(&self) -> u16 {
        self.daemon.port
    }

    /// The server's folder, which contains `files`.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the logged requests, in order. nginx writes to the log after it has sent the
    /// response, so this method waits until `count` requests are logged.
    ///
    /// # Panics
    ///
    /// Panics if fewer requests are logged.
    pub fn log(&self, count: usize) -> Vec<Logged> {
        let begin = Instant::now();
        loop {
            let log = self.folder.read("access.log");
            let requests: Vec<_> = log.lines().filter_map(logged).collect();
            if requests.len() >= count {
                return requests;
            }
            assert!(begin.elapsed() < Duration::from_secs(5), "{log}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn logged(line: &str) -> Option<Logged> {
    let mut fields = line.split('\t').map(str::to_owned);
    Some(Logged {
        request: fields.next()?,
        status: fields.next()?,
        host: fields.next()?,
        authorization: fields.next()?,
        range: fields.next()?,
        user_agent: fields.next()?,
        connection: fields.next()?,
        port: fields.next()?,
    })
}

/// Runs nginx in the foreground, as one process, with all files in the server's folder.
const NGINX_CONFIGURATION: &str = "\
daemon off;
master_process off;
pid {dir}/pid;
events { worker_connections 64; }
http {
    types { text/plain txt; text/html html; }
    default_type application/octet-stream;
    client_body_temp_path {dir}/body;
    proxy_temp_path {dir}/proxy;
    fastcgi_temp_path {dir}/fastcgi;
    uwsgi_temp_path {dir}/uwsgi;
    scgi_temp_path {dir}/scgi;
    large_client_header_buffers 4 128k;
    merge_slashes off;
    log_format fields escape=none '$request\t$status\t$http_host\t$http_authorization\t$http_range\t\
$http_user_agent\t$connection\t$server_port';
    access_log {dir}/access.log fields;
    server {
        listen 127.0.0.1:{port};
        root {dir}/files;
        {locations}
    }
    {servers}
}
";

/// A running Apache. This server serves the subfolder `files` of its folder over http and https,
/// and logs each request. The server also compresses the files under `zip/`, protects `private/`
/// with Digest authentication (user `tim`, password `open sesame`), stores files uploaded under
/// `dav/`, and redirects `moved/` to `dav/`.
#[derive(Debug)]
pub struct Apache {
    daemon: Daemon,
    folder: Folder,
    secure: u16,
}

/// The folder in which Debian installs Apache's modules.
const MODULES: &str = "/usr/lib/apache2/modules";

/// The modules that are not built into Apache.
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
    /// Starts Apache on free loopback ports, with `certificate.pem` and `key.pem` from its folder.
    /// Returns `None` if Apache is not installed.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start(folder: Folder) -> Option<Self> {
        let program = installed("apache2").filter(|_| Path::new(MODULES).is_dir())?;
        let (port, secure) = (free_port(), free_port());
        let dir = folder.path();
        // When started as root, Apache serves requests as another user.
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
        // The user, the realm, and the MD5 hash of the user, the realm and the password (RFC 7616,
        // 3.4.2).
        folder.write("digest", "tim:test:e6559ec18634aac885fc9a8dbe55bbb0\n");
        let modules =
            LOADED.map(|name| format!("LoadModule {name}_module {MODULES}/mod_{name}.so\n"));
        let settings = APACHE_CONFIGURATION
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

    /// The loopback port for http.
    pub const fn port(&self) -> u16 {
        self.daemon.port
    }

    /// The loopback port for https.
    pub const fn secure_port(&self) -> u16 {
        self.secure
    }

    /// The server's folder, which contains `files`.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the logged requests, in order: the request line, the status, the version of TLS or
    /// `-`, and the `Range` field or `-`, separated by tabs. Apache writes to the log after it has
    /// sent the response, so this method waits until `count` requests are logged.
    ///
    /// # Panics
    ///
    /// Panics if fewer requests are logged.
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

/// The part of Apache's configuration that follows the list of modules. The user is needed only if
/// the server is started as root.
const APACHE_CONFIGURATION: &str = r#"
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

/// A running Squid. The proxy connects to any port on the local machine, and caches nothing.
#[derive(Debug)]
pub struct Squid {
    daemon: Daemon,
    folder: Folder,
}

/// The path where Debian installs the helper that checks passwords.
const PASSWORDS: &str = "/usr/lib/squid/basic_ncsa_auth";

impl Squid {
    /// Starts Squid on a free loopback port. Returns `None` if Squid is not installed. With
    /// `has_login`, the proxy requires a login, and accepts the user `tim` with the password
    /// `hunter2`.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start(has_login: bool) -> Option<Self> {
        let program = installed("squid").filter(|_| Path::new(PASSWORDS).is_file())?;
        let (port, folder) = (free_port(), Folder::new("squid"));
        // When started as root, Squid runs as another user.
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o777))
            .expect("its folder's mode");
        let users = folder.write("users", "tim:$apr1$urikit$GOqp3MYzD7RV7DteUYWEk0\n");
        let access = if has_login {
            format!(
                "auth_param basic program {PASSWORDS} {}\n\
                 auth_param basic children 1\n\
                 acl known proxy_auth REQUIRED\n\
                 http_access allow known\n",
                users.display()
            )
        } else {
            "http_access allow all\n".to_owned()
        };
        let configuration = SQUID_CONFIGURATION
            .replace("{port}", &port.to_string())
            .replace("{dir}", &folder.path().display().to_string());
        let path = folder.write("squid.conf", format!("{configuration}{access}"));
        let daemon = Daemon::start(Command::new(program).arg("-N").arg("-f").arg(path), port);
        Some(Self { daemon, folder })
    }

    /// The loopback port.
    pub const fn port(&self) -> u16 {
        self.daemon.port
    }

    /// Waits until the request log contains `text` at least `times` times, and returns the log.
    /// Squid logs a request when the request ends, and a tunnel when the connection ends.
    ///
    /// # Panics
    ///
    /// Panics if `text` occurs fewer than `times` times in the log.
    pub fn log_with(&self, text: &str, times: usize) -> String {
        let begin = Instant::now();
        loop {
            let log = self.folder.read("access.log");
            if log.matches(text).count() >= times {
                return log;
            }
            assert!(begin.elapsed() < Duration::from_secs(5), "{text}: {log}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Runs Squid in the foreground, as one process, with all files in the server's folder.
const SQUID_CONFIGURATION: &str = "\
http_port 127.0.0.1:{port}
visible_hostname localhost
pid_filename none
cache_log {dir}/cache.log
access_log stdio:{dir}/access.log
logfile_rotate 0
coredump_dir {dir}
cache deny all
pinger_enable off
";

/// A running tinyproxy. The proxy connects to any port on the local machine.
#[derive(Debug)]
pub struct Tinyproxy {
    daemon: Daemon,
    _folder: Folder,
}

impl Tinyproxy {
    /// Starts tinyproxy on a free loopback port. Returns `None` if tinyproxy is not installed. If
    /// `login` contains a user and a password, separated by a space, the proxy requires this login.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start(login: Option<&str>) -> Option<Self> {
        let program = installed("tinyproxy")?;
        let (port, folder) = (free_port(), Folder::new("tinyproxy"));
        let login = login.map_or_else(String::new, |login| format!("BasicAuth {login}\n"));
        let configuration = format!(
            "Port {port}\nListen 127.0.0.1\nAllow 127.0.0.1\nMaxClients 20\nTimeout 60\n{login}"
        );
        let path = folder.write("tinyproxy.conf", configuration);
        let daemon = Daemon::start(Command::new(program).arg("-d").arg("-c").arg(path), port);
        Some(Self {
            daemon,
            _folder: folder,
        })
    }

    /// The loopback port.
    pub const fn port(&self) -> u16 {
        self.daemon.port
    }
}
