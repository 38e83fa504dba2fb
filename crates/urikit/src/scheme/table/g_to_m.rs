//! The facts of the schemes from `geo` to `mysql`.

use super::URI_SCHEMES;
use crate::scheme::{Denotes, Facts, Status, Userinfo};

/// Sorted by name.
pub(super) static FACTS: [Facts<'static>; 21] = [
    Facts::new("geo")
        .title("Geographic locations")
        .status(Status::Permanent)
        .denotes(Denotes::Name)
        .specifications(&["RFC 5870"]),
    Facts::new("git")
        .title("Git repositories")
        .status(Status::Provisional)
        .port(9418)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&[URI_SCHEMES, "git-clone(1), GIT URLS"]),
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
    Facts::new("imaps")
        .title("Internet Message Access Protocol, secured by TLS")
        .status(Status::Unregistered)
        .port(993)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&["RFC 8314, 3.2"]),
    Facts::new("ipp")
        .title("Internet Printing Protocol")
        .status(Status::Permanent)
        .port(631)
        .hierarchical()
        .denotes(Denotes::Service)
        .specifications(&["RFC 3510"]),
    Facts::new("ipps")
        .title("Internet Printing Protocol over HTTPS")
        .status(Status::Permanent)
        .port(631)
        .hierarchical()
        .denotes(Denotes::Service)
        .specifications(&["RFC 7472"]),
    Facts::new("irc")
        .title("Internet Relay Chat")
        .status(Status::Provisional)
        .port(6667)
        .userinfo(Userinfo::UserAndPassword)
        .denotes(Denotes::Service)
        .specifications(&[URI_SCHEMES, "RFC 7194"]),
    Facts::new("ircs")
        .title("Internet Relay Chat, secured by TLS")
        .status(Status::Provisional)
        .port(6697)
        .userinfo(Userinfo::UserAndPassword)
        .denotes(Denotes::Service)
        .specifications(&[URI_SCHEMES, "RFC 7194"]),
    Facts::new("ldap")
        .title("Lightweight Directory Access Protocol")
        .status(Status::Permanent)
        .port(389)
        .denotes(Denotes::Object)
        .specifications(&["RFC 1959", "RFC 2255", "RFC 4516"]),
    Facts::new("ldaps")
        .title("Lightweight Directory Access Protocol, secured by TLS")
        .status(Status::Provisional)
        .port(636)
        .denotes(Denotes::Object)
        .specifications(&[URI_SCHEMES]),
    Facts::new("magnet")
        .title("Names of files by their hashes")
        .status(Status::Provisional)
        .denotes(Denotes::Name)
        .specifications(&[URI_SCHEMES]),
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
    Facts::new("mongodb")
        .title("MongoDB databases")
        .status(Status::Provisional)
        .port(27017)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Service)
        .specifications(&[URI_SCHEMES, "MongoDB Manual, Connection Strings"]),
    Facts::new("mongodb+srv")
        .title("MongoDB databases by DNS records")
        .status(Status::Unregistered)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Service)
        .specifications(&["MongoDB Manual, Connection Strings"]),
    Facts::new("mysql")
        .title("MySQL databases")
        .status(Status::Unregistered)
        .port(3306)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Service)
        .specifications(&["MySQL 8.0 Reference Manual, 4.2.5"]),
];
