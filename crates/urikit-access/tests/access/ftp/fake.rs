//! An FTP server that behaves correctly, except where a test specifies otherwise.

use std::io::Write as _;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use urikit_testkit::servers::{Conversation, Scripted};

/// A control connection, on the server's side.
pub(crate) struct Control<'a> {
    pub(crate) client: &'a mut Conversation,
    data: Option<TcpListener>,
}

/// The content of every file on the server.
pub(crate) const FILE: &[u8] = b"hello";
pub(crate) const NAMES: &str = "a\r\nb\r\n";
pub(crate) const FACTS: &str = "type=file;size=5;modify=20200101000000; a\r\n\
                                type=dir;size=4096; b\r\ntype=cdir; .\r\ntype=dir; ..\r\n";
pub(crate) const UNIX: &str = "-rw-r--r-- 1 ftp ftp 5 Jan 01 2020 a\r\n";

/// Starts a server. `answer` receives each command, beginning with an empty one for the greeting,
/// and returns whether it replied.
pub(crate) fn start(
    answer: impl Fn(&mut Control<'_>, &str) -> bool + Send + Sync + 'static,
) -> Scripted {
    Scripted::start(move |client| {
        let mut control = Control { client, data: None };
        let mut next = Some(String::new());
        while let Some(line) = next {
            if !answer(&mut control, &line) {
                control.answer(&line);
            }
            next = control.client.line();
        }
    })
}

impl Control<'_> {
    pub(crate) fn say(&mut self, reply: &str) {
        self.client.say(format!("{reply}\r\n"));
    }

    /// Opens a port for data.
    pub(crate) fn listen(&mut self) -> u16 {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        self.data = Some(listener);
        port
    }

    /// Accepts the data connection.
    pub(crate) fn data(&mut self) -> TcpStream {
        self.data.take().unwrap().accept().unwrap().0
    }

    /// Sends data, and the completion reply.
    pub(crate) fn transfer(&mut self, data: &[u8]) {
        self.say("150 here it comes");
        let _ = self.data().write_all(data);
        self.say("226 that was it");
    }

    /// Replies correctly.
    pub(crate) fn answer(&mut self, line: &str) {
        match line.split(' ').next().unwrap_or_default() {
            "" => self.say("220 hello"),
            "USER" => self.say("331 password?"),
            "PASS" => self.say("230 in"),
            "CWD" => self.say("250 there"),
            "TYPE" | "NOOP" => self.say("200 yes"),
            "SIZE" => self.say("213 5"),
            "MDTM" => self.say("213 20200101000000"),
            "FEAT" => self.say("211-these\r\n SIZE\r\n MLST type*;size*;\r\n211 all"),
            "MLST" => self.say("250-this\r\n type=file;size=5;modify=20200101000000; a\r\n250 all"),
            "REST" => self.say("350 from there"),
            "EPSV" => {
                let port = self.listen();
                self.say(&format!("229 there (|||{port}|)"));
            }
            "PASV" => {
                let port = self.listen();
                let (high, low) = (port / 256, port % 256);
                self.say(&format!("227 there (127,0,0,1,{high},{low})"));
            }
            "RETR" => self.transfer(FILE),
            "NLST" => self.transfer(NAMES.as_bytes()),
            "MLSD" => self.transfer(FACTS.as_bytes()),
            "LIST" => self.transfer(UNIX.as_bytes()),
            "QUIT" => {
                self.say("221 bye");
                self.client.close();
            }
            _ => self.say("500 what?"),
        }
    }
}
