//! The facts of the schemes from `s3` to `z39.50s`.

use super::URI_SCHEMES;
use crate::scheme::{Denotes, Facts, Status, Userinfo};

/// Sorted by name.
pub(super) static FACTS: [Facts<'static>; 32] = [
    Facts::new("s3")
        .title("Objects in Amazon S3 buckets")
        .status(Status::Unregistered)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&["AWS CLI Command Reference, s3"]),
    Facts::new("service")
        .title("Service location")
        .status(Status::Permanent)
        .denotes(Denotes::Service)
        .specifications(&["RFC 2165, 3.2.1", "RFC 2609"]),
    Facts::new("sftp")
        .title("SSH File Transfer Protocol")
        .status(Status::Provisional)
        .port(22)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&[URI_SCHEMES, "draft-ietf-secsh-scp-sftp-ssh-uri-04"]),
    Facts::new("sip")
        .title("Session Initiation Protocol")
        .status(Status::Permanent)
        .port(5060)
        .userinfo(Userinfo::UserAndPassword)
        .denotes(Denotes::Service)
        .specifications(&["RFC 3261, 19.1"]),
    Facts::new("sips")
        .title("Session Initiation Protocol, secured")
        .status(Status::Permanent)
        .port(5061)
        .userinfo(Userinfo::UserAndPassword)
        .denotes(Denotes::Service)
        .specifications(&["RFC 3261, 19.1"]),
    Facts::new("smb")
        .title("Server Message Block shares")
        .status(Status::Provisional)
        .port(445)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&[URI_SCHEMES, "draft-crhertel-smb-url-12"]),
    Facts::new("smtp")
        .title("Simple Mail Transfer Protocol")
        .status(Status::Provisional)
        .port(25)
        .userinfo(Userinfo::UserAndPassword)
        .denotes(Denotes::Service)
        .specifications(&[URI_SCHEMES]),
    Facts::new("smtps")
        .title("Simple Mail Transfer Protocol, secured by TLS")
        .status(Status::Unregistered)
        .port(465)
        .userinfo(Userinfo::UserAndPassword)
        .denotes(Denotes::Service)
        .specifications(&["RFC 8314, 3.3"]),
    Facts::new("snews")
        .title("Usenet news over TLS")
        .status(Status::Historical)
        .port(563)
        .userinfo(Userinfo::UserAndPassword)
        .denotes(Denotes::Name)
        .specifications(&["RFC 5538, 8.1"]),
    Facts::new("ssh")
        .title("Secure Shell")
        .status(Status::Provisional)
        .port(22)
        .userinfo(Userinfo::UserAndPassword)
        .denotes(Denotes::Service)
        .specifications(&[URI_SCHEMES, "draft-ietf-secsh-scp-sftp-ssh-uri-04"]),
    Facts::new("svn")
        .title("Subversion repositories")
        .status(Status::Provisional)
        .port(3690)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&[URI_SCHEMES]),
    Facts::new("svn+ssh")
        .title("Subversion repositories over Secure Shell")
        .status(Status::Unregistered)
        .port(22)
        .userinfo(Userinfo::UserAndPassword)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&["Version Control with Subversion, 6"]),
    Facts::new("tag")
        .title("Names by domain and date")
        .status(Status::Permanent)
        .denotes(Denotes::Name)
        .specifications(&["RFC 4151"]),
    Facts::new("tel")
        .title("Telephone numbers")
        .status(Status::Permanent)
        .denotes(Denotes::Name)
        .specifications(&["RFC 3966"]),
    Facts::new("telnet")
        .title("Telnet Protocol")
        .status(Status::Permanent)
        .port(23)
        .userinfo(Userinfo::UserAndPassword)
        .denotes(Denotes::Service)
        .specifications(&[
            "RFC 1630, Telnet, rlogin, tn3270",
            "RFC 1738, 3.8",
            "RFC 4248, 2",
        ]),
    Facts::new("tftp")
        .title("Trivial File Transfer Protocol")
        .status(Status::Permanent)
        .port(69)
        .hierarchical()
        .denotes(Denotes::Object)
        .specifications(&["RFC 3617"]),
    Facts::new("tip")
        .title("Transaction Internet Protocol")
        .status(Status::Permanent)
        .port(3372)
        .denotes(Denotes::Name)
        .specifications(&["RFC 2371, 8"]),
    // RFC 1738, 5, reserves the name; RFC 6270 registered it.
    Facts::new("tn3270")
        .title("Interactive 3270 emulation sessions")
        .status(Status::Permanent)
        .userinfo(Userinfo::UserAndPassword)
        .denotes(Denotes::Service)
        .specifications(&["RFC 1630, Telnet, rlogin, tn3270"]),
    Facts::new("tv")
        .title("Television broadcasts")
        .status(Status::Provisional)
        .denotes(Denotes::Object)
        .specifications(&["RFC 2838"]),
    Facts::new("urn")
        .title("Uniform Resource Names")
        .status(Status::Permanent)
        .denotes(Denotes::Name)
        .specifications(&["RFC 1630, URN", "RFC 2141", "RFC 8141"]),
    Facts::new("vemmi")
        .title("Versatile multimedia interface")
        .status(Status::Permanent)
        .port(575)
        .denotes(Denotes::Service)
        .specifications(&["RFC 2122, 3"]),
    Facts::new("vnc")
        .title("Remote Framebuffer Protocol")
        .status(Status::Permanent)
        .port(5900)
        .userinfo(Userinfo::UserAndPassword)
        .denotes(Denotes::Service)
        .specifications(&["RFC 7869"]),
    Facts::new("wais")
        .title("Wide Area Information Servers")
        .status(Status::Historical)
        .port(210)
        .denotes(Denotes::Object)
        .specifications(&["RFC 1630, WAIS", "RFC 1738, 3.9", "RFC 4156"]),
    Facts::new("whois")
        .title("Whois++")
        .status(Status::ForFurtherStudy)
        .denotes(Denotes::Object)
        .specifications(&["RFC 1630, Schemes for Further Study"]),
    Facts::new("ws")
        .title("WebSocket Protocol")
        .status(Status::Permanent)
        .port(80)
        .hierarchical()
        .denotes(Denotes::Service)
        .specifications(&["RFC 6455, 3", "RFC 8615, 5.2"]),
    Facts::new("wss")
        .title("WebSocket Protocol, secured by TLS")
        .status(Status::Permanent)
        .port(443)
        .hierarchical()
        .denotes(Denotes::Service)
        .specifications(&["RFC 6455, 3", "RFC 8615, 5.2"]),
    Facts::new("x-*")
        .title("Experimental schemes")
        .specifications(&["RFC 1630, Registration of naming schemes", "RFC 1738, 4"]),
    Facts::new("x500")
        .title("Names of X.500 directories")
        .status(Status::ForFurtherStudy)
        .denotes(Denotes::Name)
        .specifications(&["RFC 1630, Schemes for Further Study"]),
    Facts::new("xmpp")
        .title("Extensible Messaging and Presence Protocol")
        .status(Status::Permanent)
        .userinfo(Userinfo::User)
        .denotes(Denotes::Service)
        .specifications(&["RFC 4622", "RFC 5122"]),
    Facts::new("z39.50")
        .title("ANSI Z39.50 services")
        .status(Status::Reserved)
        .denotes(Denotes::Service)
        .specifications(&["RFC 1738, 4"]),
    Facts::new("z39.50r")
        .title("Z39.50 retrieval")
        .status(Status::Permanent)
        .port(210)
        .denotes(Denotes::Object)
        .specifications(&["RFC 2056, 4"]),
    Facts::new("z39.50s")
        .title("Z39.50 sessions")
        .status(Status::Permanent)
        .port(210)
        .denotes(Denotes::Service)
        .specifications(&["RFC 2056, 3"]),
];
