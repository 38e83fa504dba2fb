//! The facts of the schemes from `about` to `modem`.

use crate::scheme::{Denotes, Facts, Status, Userinfo};

/// Sorted by name.
pub(super) static FACTS: [Facts<'static>; 29] = [
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
    Facts::new("ftp")
        .title("File Transfer Protocol")
        .status(Status::Permanent)
        .port(21)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&["RFC 1630, FTP", "RFC 1738, 3.2"]),
    Facts::new("geo")
        .title("Geographic locations")
        .status(Status::Permanent)
        .denotes(Denotes::Name)
        .specifications(&["RFC 5870"]),
    Facts::new("gopher")
        .title("Gopher and Gopher+ protocols")
        .status(Status::Permanent)
        .port(70)
        .denotes(Denotes::Object)
        .specifications(&["RFC 1630, Gopher", "RFC 1738, 3.4", "RFC 4266"]),
    Facts::new("http")
        .title("Hypertext Transfer Protocol")
        .status(Status::Permanent)
        .port(80)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&[
            "RFC 1630, HTTP",
            "RFC 1738, 3.3",
            "RFC 2616, 3.2.2",
            "RFC 9110, 4.2.1",
        ]),
    Facts::new("https")
        .title("Hypertext Transfer Protocol Secure")
        .status(Status::Permanent)
        .port(443)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&["RFC 2818, 2.4", "RFC 9110, 4.2.2"]),
    Facts::new("imap")
        .title("Internet Message Access Protocol")
        .status(Status::Permanent)
        .port(143)
        .userinfo(Userinfo::User)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&["RFC 2192", "RFC 5092"]),
    Facts::new("ldap")
        .title("Lightweight Directory Access Protocol")
        .status(Status::Permanent)
        .port(389)
        .denotes(Denotes::Object)
        .specifications(&["RFC 1959", "RFC 2255", "RFC 4516"]),
    Facts::new("mailserver")
        .title("Data from mail servers")
        .status(Status::Reserved)
        .denotes(Denotes::Object)
        .specifications(&["RFC 1738, 4"]),
    Facts::new("mailto")
        .title("Electronic mail address")
        .status(Status::Permanent)
        .denotes(Denotes::Service)
        .specifications(&["RFC 1630, Mailto", "RFC 1738, 3.5", "RFC 2368", "RFC 6068"]),
    Facts::new("mid")
        .title("Message of mail")
        .status(Status::Permanent)
        .denotes(Denotes::Name)
        .specifications(&["RFC 1630, Message-Id", "RFC 2111", "RFC 2392"]),
    Facts::new("modem")
        .title("Modem terminals")
        .status(Status::Historical)
        .denotes(Denotes::Service)
        .specifications(&["RFC 3966, 12"]),
];
