//! The facts of the schemes from `about` to `ftps`.

use super::URI_SCHEMES;
use crate::scheme::{Denotes, Facts, Status, Userinfo};

/// Sorted by name.
pub(super) static FACTS: [Facts<'static>; 23] = [
    Facts::new("about")
        .title("Internal resources of a client")
        .status(Status::Provisional)
        .denotes(Denotes::Name)
        .specifications(&["RFC 3986, D.2"]),
    Facts::new("acap")
        .title("Application Configuration Access Protocol")
        .status(Status::Permanent)
        .port(674)
        .userinfo(Userinfo::User)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&["RFC 2244, 3.2"]),
    Facts::new("acct")
        .title("User accounts")
        .status(Status::Permanent)
        .denotes(Denotes::Name)
        .specifications(&["RFC 7565"]),
    Facts::new("afs")
        .title("Andrew File System global file names")
        .status(Status::Historical)
        .denotes(Denotes::Object)
        .specifications(&["RFC 1630, BNF for specific URL schemes", "RFC 1738, 4"]),
    Facts::new("amqp")
        .title("Advanced Message Queuing Protocol")
        .status(Status::Unregistered)
        .port(5672)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Service)
        .specifications(&["RabbitMQ, AMQP 0-9-1 URI Specification"]),
    Facts::new("amqps")
        .title("Advanced Message Queuing Protocol, secured by TLS")
        .status(Status::Unregistered)
        .port(5671)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Service)
        .specifications(&["RabbitMQ, AMQP 0-9-1 URI Specification"]),
    Facts::new("cid")
        .title("Body part of a message")
        .status(Status::Permanent)
        .denotes(Denotes::Name)
        .specifications(&["RFC 1630, Content-Id", "RFC 2111", "RFC 2392"]),
    Facts::new("coap")
        .title("Constrained Application Protocol")
        .status(Status::Permanent)
        .denotes(Denotes::Object)
        .specifications(&["RFC 8615, 5.2"]),
    Facts::new("coap+tcp")
        .title("Constrained Application Protocol over TCP")
        .status(Status::Permanent)
        .denotes(Denotes::Object)
        .specifications(&["RFC 8615, 5.2"]),
    Facts::new("coap+ws")
        .title("Constrained Application Protocol over WebSockets")
        .status(Status::Permanent)
        .denotes(Denotes::Object)
        .specifications(&["RFC 8615, 5.2"]),
    Facts::new("coaps")
        .title("Constrained Application Protocol, secured")
        .status(Status::Permanent)
        .denotes(Denotes::Object)
        .specifications(&["RFC 8615, 5.2"]),
    Facts::new("coaps+tcp")
        .title("Constrained Application Protocol over TCP, secured")
        .status(Status::Permanent)
        .denotes(Denotes::Object)
        .specifications(&["RFC 8615, 5.2"]),
    Facts::new("coaps+ws")
        .title("Constrained Application Protocol over WebSockets, secured")
        .status(Status::Permanent)
        .denotes(Denotes::Object)
        .specifications(&["RFC 8615, 5.2"]),
    Facts::new("coffee")
        .title("Hyper Text Coffee Pot Control Protocol")
        .status(Status::Provisional)
        .denotes(Denotes::Service)
        .specifications(&["RFC 2324, 3"]),
    Facts::new("data")
        .title("Data in the URL itself")
        .status(Status::Permanent)
        .denotes(Denotes::Object)
        .specifications(&["RFC 2397"]),
    Facts::new("dav")
        .title("Names of WebDAV")
        .status(Status::Permanent)
        .denotes(Denotes::Name)
        .specifications(&["RFC 2518", "RFC 3986, D.2"]),
    Facts::new("dict")
        .title("Dictionary servers")
        .status(Status::Permanent)
        .port(2628)
        .userinfo(Userinfo::User)
        .denotes(Denotes::Object)
        .specifications(&["RFC 2229, 5"]),
    Facts::new("example")
        .title("Examples in documents")
        .status(Status::Permanent)
        .denotes(Denotes::Name)
        .specifications(&["RFC 7595, 8"]),
    Facts::new("fax")
        .title("Telefax terminals")
        .status(Status::Historical)
        .denotes(Denotes::Service)
        .specifications(&["RFC 3966, 12"]),
    Facts::new("file")
        .title("Host-specific file names")
        .status(Status::Permanent)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&["RFC 1630, file", "RFC 1738, 3.10", "RFC 8089, 2"]),
    Facts::new("finger")
        .title("Finger user information")
        .status(Status::Provisional)
        .port(79)
        .userinfo(Userinfo::User)
        .denotes(Denotes::Object)
        .specifications(&[URI_SCHEMES, "RFC 1288"]),
    Facts::new("ftp")
        .title("File Transfer Protocol")
        .status(Status::Permanent)
        .port(21)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&["RFC 1630, FTP", "RFC 1738, 3.2"]),
    Facts::new("ftps")
        .title("File Transfer Protocol, secured by TLS")
        .status(Status::Unregistered)
        .port(990)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&["IANA, Service Names and Port Numbers"]),
];
