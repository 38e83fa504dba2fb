//! nginx, an HTTP server.

use super::{Daemon, Folder, free_port, installed};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// A running nginx, which serves the folder `files` in its own folder, and logs each request.
#[derive(Debug)]
pub struct Nginx {
    daemon: Daemon,
    folder: Folder,
}

/// The log entry of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Logged {
    /// The request line.
    pub request: String,
    /// The status of the response.
    pub status: String,
    /// The `Host` field.
    pub host: String,
    /// The `Authorization` field; empty if absent, as are the fields below.
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
    /// Starts nginx on a free loopback port; `None` if it is not installed. `locations` is
    /// inserted into its `server` block, `servers` after that block; both may contain `{port}` and
    /// `{dir}`, its folder.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn start(folder: Folder, locations: &str, servers: &str) -> Option<Self> {
        let program = installed("nginx")?;
        let port = free_port();
        let dir = folder.path();
        std::fs::create_dir_all(dir.join("files")).expect("its files");
        let fill = |text: &str| {
            let text = text.replace("{port}", &port.to_string());
            text.replace("{dir}", &dir.display().to_string())
        };
        let configuration = fill(&CONFIGURATION.replace("{locations}", locations))
            .replace("{servers}", &fill(servers));
        let path = folder.write("nginx.conf", configuration);
        let mut command = Command::new(program);
        command.arg("-p").arg(dir).arg("-c").arg(path);
        let daemon = Daemon::start(command.arg("-e").arg(dir.join("error.log")), port);
        Some(Self { daemon, folder })
    }

    /// The port on loopback.
    pub const fn port(&self) -> u16 {
        self.daemon.port
    }

    /// Its folder, which contains `files`.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The logged requests, in order. nginx writes the log after the response, so this waits until
    /// there are `count` of them.
    ///
    /// # Panics
    ///
    /// If there are fewer.
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

/// In the foreground, as one process, with all files in its folder.
const CONFIGURATION: &str = "\
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
