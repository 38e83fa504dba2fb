//! The facts of the schemes from `news` to `rtspu`.

use super::URI_SCHEMES;
use crate::scheme::{Denotes, Facts, Status, Userinfo};

/// Sorted by name.
pub(super) static FACTS: [Facts<'static>; 16] = [
    Facts::new("news")
        .title("Usenet news")
        .status(Status::Permanent)
        .port(119)
        .userinfo(Userinfo::UserAndPassword)
        .denotes(Denotes::Name)
        .specifications(&["RFC 1630, News", "RFC 1738, 3.6", "RFC 5538, 4"]),
    Facts::new("nfs")
        .title("Network File System")
        .status(Status::Permanent)
        .port(2049)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&["RFC 1738, 4", "RFC 2224"]),
    Facts::new("nntp")
        .title("Usenet news of one server")
        .status(Status::Permanent)
        .port(119)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&["RFC 1630, NNTP", "RFC 1738, 3.7", "RFC 5538, 3"]),
    Facts::new("opaquelocktoken")
        .title("Lock tokens of WebDAV")
        .status(Status::Permanent)
        .denotes(Denotes::Name)
        .specifications(&["RFC 2518, 6.4"]),
    Facts::new("pop")
        .title("Post Office Protocol")
        .status(Status::Permanent)
        .port(110)
        .userinfo(Userinfo::User)
        .denotes(Denotes::Service)
        .specifications(&["RFC 2384"]),
    Facts::new("postgres")
        .title("PostgreSQL databases")
        .status(Status::Unregistered)
        .port(5432)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Service)
        .specifications(&["PostgreSQL 17, 32.1.1.2"]),
    Facts::new("postgresql")
        .title("PostgreSQL databases")
        .status(Status::Unregistered)
        .port(5432)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Service)
        .specifications(&["PostgreSQL 17, 32.1.1.2"]),
    Facts::new("prospero")
        .title("Prospero Directory Service")
        .status(Status::Historical)
        .port(1525)
        .denotes(Denotes::Object)
        .specifications(&["RFC 1630, Prospero", "RFC 1738, 3.11", "RFC 4157"]),
    Facts::new("redis")
        .title("Redis databases")
        .status(Status::Provisional)
        .port(6379)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Service)
        .specifications(&[URI_SCHEMES]),
    Facts::new("rediss")
        .title("Redis databases, secured by TLS")
        .status(Status::Provisional)
        .port(6379)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Service)
        .specifications(&[URI_SCHEMES]),
    Facts::new("rlogin")
        .title("Remote login")
        .status(Status::Historical)
        .userinfo(Userinfo::UserAndPassword)
        .denotes(Denotes::Service)
        .specifications(&["RFC 1630, Telnet, rlogin, tn3270"]),
    Facts::new("rsync")
        .title("Files synchronized by rsync")
        .status(Status::Provisional)
        .port(873)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&["RFC 5781"]),
    Facts::new("rtmp")
        .title("Real-Time Messaging Protocol")
        .status(Status::Provisional)
        .port(1935)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&[URI_SCHEMES]),
    Facts::new("rtsp")
        .title("Real Time Streaming Protocol")
        .status(Status::Permanent)
        .port(554)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&["RFC 2326, 3.2"]),
    Facts::new("rtsps")
        .title("Real Time Streaming Protocol over TLS")
        .status(Status::Permanent)
        .port(322)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&["RFC 7826, 4.2"]),
    Facts::new("rtspu")
        .title("Real Time Streaming Protocol over UDP")
        .status(Status::Permanent)
        .port(554)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&["RFC 2326, 3.2"]),
];
