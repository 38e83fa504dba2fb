//! Facts about all known schemes, sorted by name.
//!
//! Generated from `spec/schemes.toml`. Edit that file, and run
//! `URIKIT_UPDATE=1 cargo test -p urikit --test facts`.

use super::{Denotes, Facts, Status, Userinfo};

#[rustfmt::skip]
pub(super) static TABLE: [Facts<'static>; 95] = [
    Facts::new("about").title("Internal resources of a client").status(Status::Permanent)
        .denotes(Denotes::Name).specifications(&["RFC 6694"]),
    Facts::new("acap").title("Application Configuration Access Protocol").status(Status::Permanent)
        .port(674).userinfo(Userinfo::User).hierarchical().denotes(Denotes::Object)
        .specifications(&["RFC 2244, 3.2"]),
    Facts::new("acct").title("User accounts").status(Status::Permanent).denotes(Denotes::Name)
        .specifications(&["RFC 7565"]),
    Facts::new("afs").title("Andrew File System global file names").status(Status::Historical)
        .denotes(Denotes::Object).specifications(&["RFC 1630, BNF for specific URL schemes",
        "RFC 1738, 4"]),
    Facts::new("amqp").title("Advanced Message Queuing Protocol").status(Status::Unregistered)
        .port(5672).userinfo(Userinfo::UserAndPassword).hierarchical().denotes(Denotes::Service)
        .specifications(&["RabbitMQ, AMQP 0-9-1 URI Specification"]),
    Facts::new("amqps").title("Advanced Message Queuing Protocol over TLS")
        .status(Status::Unregistered).port(5671).userinfo(Userinfo::UserAndPassword).hierarchical()
        .denotes(Denotes::Service).specifications(&["RabbitMQ, AMQP 0-9-1 URI Specification"]),
    Facts::new("cid").title("Body part of a message").status(Status::Permanent)
        .denotes(Denotes::Name).specifications(&["RFC 1630, Content-Id", "RFC 2111", "RFC 2392"]),
    Facts::new("coap").title("Constrained Application Protocol").status(Status::Permanent)
        .port(5683).hierarchical().denotes(Denotes::Object).specifications(&["RFC 7252, 6.1"]),
    Facts::new("coap+tcp").title("Constrained Application Protocol over TCP")
        .status(Status::Permanent).port(5683).hierarchical().denotes(Denotes::Object)
        .specifications(&["RFC 8323, 8.1"]),
    Facts::new("coap+ws").title("Constrained Application Protocol over WebSockets")
        .status(Status::Permanent).port(80).hierarchical().denotes(Denotes::Object)
        .specifications(&["RFC 8323, 8.3"]),
    Facts::new("coaps").title("Constrained Application Protocol over DTLS")
        .status(Status::Permanent).port(5684).hierarchical().denotes(Denotes::Object)
        .specifications(&["RFC 7252, 6.2"]),
    Facts::new("coaps+tcp").title("Constrained Application Protocol over TLS")
        .status(Status::Permanent).port(5684).hierarchical().denotes(Denotes::Object)
        .specifications(&["RFC 8323, 8.2"]),
    Facts::new("coaps+ws").title("Constrained Application Protocol over secure WebSockets")
        .status(Status::Permanent).port(443).hierarchical().denotes(Denotes::Object)
        .specifications(&["RFC 8323, 8.4"]),
    Facts::new("coffee").title("Hyper Text Coffee Pot Control Protocol").status(Status::Provisional)
        .denotes(Denotes::Service).specifications(&["RFC 2324, 3"]),
    Facts::new("data").title("Data in the URL itself").status(Status::Permanent)
        .denotes(Denotes::Object).specifications(&["RFC 2397"]),
    Facts::new("dav").title("WebDAV names").status(Status::Permanent).denotes(Denotes::Name)
        .specifications(&["RFC 2518", "RFC 4918, 21.1"]),
    Facts::new("dict").title("Dictionary servers").status(Status::Permanent).port(2628)
        .userinfo(Userinfo::User).denotes(Denotes::Object).specifications(&["RFC 2229, 5"]),
    Facts::new("example").title("Examples in documents").status(Status::Permanent)
        .denotes(Denotes::Name).specifications(&["RFC 7595, 8"]),
    Facts::new("fax").title("Telefax terminals").status(Status::Historical)
        .denotes(Denotes::Service).specifications(&["RFC 3966, 12"]),
    Facts::new("file").title("Host-specific file names").status(Status::Permanent).hierarchical()
        .denotes(Denotes::Object).specifications(&["RFC 1630, file", "RFC 1738, 3.10",
        "RFC 8089, 2"]),
    Facts::new("finger").title("Finger user information").status(Status::Provisional).port(79)
        .userinfo(Userinfo::User).denotes(Denotes::Object)
        .specifications(&["draft-ietf-uri-url-finger-02", "RFC 1288"]),
    Facts::new("ftp").title("File Transfer Protocol").status(Status::Permanent).port(21)
        .userinfo(Userinfo::UserAndPassword).hierarchical().denotes(Denotes::Object)
        .specifications(&["RFC 1630, FTP", "RFC 1738, 3.2"]),
    Facts::new("ftps").title("File Transfer Protocol over TLS").status(Status::Unregistered)
        .port(990).userinfo(Userinfo::UserAndPassword).hierarchical().denotes(Denotes::Object)
        .specifications(&["IANA, Service Names and Port Numbers"]),
    Facts::new("gemini").title("Gemini protocol").status(Status::Unregistered).port(1965)
        .hierarchical().denotes(Denotes::Object)
        .specifications(&["Gemini 0.24.1, The Gemini URI Scheme"]),
    Facts::new("geo").title("Geographic locations").status(Status::Permanent).denotes(Denotes::Name)
        .specifications(&["RFC 5870"]),
    Facts::new("git").title("Git repositories").status(Status::Provisional).port(9418)
        .hierarchical().denotes(Denotes::Object)
        .specifications(&["IANA, Uniform Resource Identifier (URI) Schemes, 2022-11-18",
        "git-clone(1), GIT URLS"]),
    Facts::new("gopher").title("Gopher and Gopher+ protocols").status(Status::Permanent).port(70)
        .denotes(Denotes::Object).specifications(&["RFC 1630, Gopher", "RFC 1738, 3.4",
        "RFC 4266"]),
    Facts::new("http").title("Hypertext Transfer Protocol").status(Status::Permanent).port(80)
        .hierarchical().denotes(Denotes::Object).specifications(&["RFC 1630, HTTP", "RFC 1738, 3.3",
        "RFC 2616, 3.2.2", "RFC 9110, 4.2.1"]),
    Facts::new("https").title("Hypertext Transfer Protocol Secure").status(Status::Permanent)
        .port(443).hierarchical().denotes(Denotes::Object).specifications(&["RFC 2818, 2.4",
        "RFC 9110, 4.2.2"]),
    Facts::new("imap").title("Internet Message Access Protocol").status(Status::Permanent).port(143)
        .userinfo(Userinfo::User).hierarchical().denotes(Denotes::Object)
        .specifications(&["RFC 2192", "RFC 5092"]),
    Facts::new("imaps").title("Internet Message Access Protocol over TLS")
        .status(Status::Unregistered).port(993).userinfo(Userinfo::UserAndPassword).hierarchical()
        .denotes(Denotes::Object).specifications(&["RFC 8314, 3.2"]),
    Facts::new("ipp").title("Internet Printing Protocol").status(Status::Permanent).port(631)
        .hierarchical().denotes(Denotes::Service).specifications(&["RFC 3510"]),
    Facts::new("ipps").title("Internet Printing Protocol over HTTPS").status(Status::Permanent)
        .port(631).hierarchical().denotes(Denotes::Service).specifications(&["RFC 7472"]),
    Facts::new("irc").title("Internet Relay Chat").status(Status::Provisional).port(6667)
        .userinfo(Userinfo::UserAndPassword).denotes(Denotes::Service)
        .specifications(&["IANA, Uniform Resource Identifier (URI) Schemes, 2022-11-18",
        "RFC 7194"]),
    Facts::new("ircs").title("Internet Relay Chat over TLS").status(Status::Provisional).port(6697)
        .userinfo(Userinfo::UserAndPassword).denotes(Denotes::Service)
        .specifications(&["IANA, Uniform Resource Identifier (URI) Schemes, 2022-11-18",
        "RFC 7194"]),
    Facts::new("ldap").title("Lightweight Directory Access Protocol").status(Status::Permanent)
        .port(389).denotes(Denotes::Object).specifications(&["RFC 1959", "RFC 2255", "RFC 4516"]),
    Facts::new("ldaps").title("Lightweight Directory Access Protocol over TLS")
        .status(Status::Provisional).port(636).denotes(Denotes::Object)
        .specifications(&["IANA, Uniform Resource Identifier (URI) Schemes, 2022-11-18"]),
    Facts::new("magnet").title("Files identified by their hashes").status(Status::Provisional)
        .denotes(Denotes::Name)
        .specifications(&["IANA, Uniform Resource Identifier (URI) Schemes, 2022-11-18"]),
    Facts::new("mailserver").title("Data from mail servers").status(Status::Reserved)
        .denotes(Denotes::Object).specifications(&["RFC 1738, 4"]),
    Facts::new("mailto").title("Electronic mail address").status(Status::Permanent)
        .denotes(Denotes::Service).specifications(&["RFC 1630, Mailto", "RFC 1738, 3.5", "RFC 2368",
        "RFC 6068"]),
    Facts::new("mid").title("Mail message").status(Status::Permanent).denotes(Denotes::Name)
        .specifications(&["RFC 1630, Message-Id", "RFC 2111", "RFC 2392"]),
    Facts::new("modem").title("Modem terminals").status(Status::Historical)
        .denotes(Denotes::Service).specifications(&["RFC 3966, 12"]),
    Facts::new("mongodb").title("MongoDB databases").status(Status::Provisional).port(27017)
        .userinfo(Userinfo::UserAndPassword).hierarchical().denotes(Denotes::Service)
        .specifications(&["IANA, Uniform Resource Identifier (URI) Schemes, 2022-11-18",
        "MongoDB Manual, Connection Strings"]),
    Facts::new("mongodb+srv").title("MongoDB databases found through DNS records")
        .status(Status::Unregistered).userinfo(Userinfo::UserAndPassword).hierarchical()
        .denotes(Denotes::Service).specifications(&["MongoDB Manual, Connection Strings"]),
    Facts::new("mysql").title("MySQL databases").status(Status::Unregistered).port(3306)
        .userinfo(Userinfo::UserAndPassword).hierarchical().denotes(Denotes::Service)
        .specifications(&["MySQL 8.0 Reference Manual, 4.2.5"]),
    Facts::new("news").title("Usenet news").status(Status::Permanent).port(119)
        .userinfo(Userinfo::UserAndPassword).denotes(Denotes::Name)
        .specifications(&["RFC 1630, News", "RFC 1738, 3.6", "RFC 5538, 4"]),
    Facts::new("nex").title("Nex protocol").status(Status::Unregistered).port(1900).hierarchical()
        .denotes(Denotes::Object).specifications(&["The Nex Protocol"]),
    Facts::new("nfs").title("Network File System").status(Status::Permanent).port(2049)
        .hierarchical().denotes(Denotes::Object).specifications(&["RFC 1738, 4", "RFC 2224"]),
    Facts::new("nntp").title("Usenet news on one server").status(Status::Permanent).port(119)
        .userinfo(Userinfo::UserAndPassword).hierarchical().denotes(Denotes::Object)
        .specifications(&["RFC 1630, NNTP", "RFC 1738, 3.7", "RFC 5538, 3"]),
    Facts::new("opaquelocktoken").title("WebDAV lock tokens").status(Status::Permanent)
        .denotes(Denotes::Name).specifications(&["RFC 2518, 6.4"]),
    Facts::new("pop").title("Post Office Protocol").status(Status::Permanent).port(110)
        .userinfo(Userinfo::User).denotes(Denotes::Service).specifications(&["RFC 2384"]),
    Facts::new("postgres").title("PostgreSQL databases").status(Status::Unregistered).port(5432)
        .userinfo(Userinfo::UserAndPassword).hierarchical().denotes(Denotes::Service)
        .specifications(&["PostgreSQL 17, 32.1.1.2"]),
    Facts::new("postgresql").title("PostgreSQL databases").status(Status::Unregistered).port(5432)
        .userinfo(Userinfo::UserAndPassword).hierarchical().denotes(Denotes::Service)
        .specifications(&["PostgreSQL 17, 32.1.1.2"]),
    Facts::new("prospero").title("Prospero Directory Service").status(Status::Historical).port(1525)
        .denotes(Denotes::Object).specifications(&["RFC 1630, Prospero", "RFC 1738, 3.11",
        "RFC 4157"]),
    Facts::new("redis").title("Redis databases").status(Status::Provisional).port(6379)
        .userinfo(Userinfo::UserAndPassword).hierarchical().denotes(Denotes::Service)
        .specifications(&["IANA, Uniform Resource Identifier (URI) Schemes, 2022-11-18"]),
    Facts::new("rediss").title("Redis databases over TLS").status(Status::Provisional).port(6379)
        .userinfo(Userinfo::UserAndPassword).hierarchical().denotes(Denotes::Service)
        .specifications(&["IANA, Uniform Resource Identifier (URI) Schemes, 2022-11-18"]),
    Facts::new("rlogin").title("Remote login").status(Status::Historical)
        .userinfo(Userinfo::UserAndPassword).denotes(Denotes::Service)
        .specifications(&["RFC 1630, Telnet, rlogin, tn3270"]),
    Facts::new("rsync").title("Files synchronized by rsync").status(Status::Provisional).port(873)
        .userinfo(Userinfo::UserAndPassword).hierarchical().denotes(Denotes::Object)
        .specifications(&["RFC 5781"]),
    Facts::new("rtmp").title("Real-Time Messaging Protocol").status(Status::Provisional).port(1935)
        .userinfo(Userinfo::UserAndPassword).hierarchical().denotes(Denotes::Object)
        .specifications(&["IANA, Uniform Resource Identifier (URI) Schemes, 2022-11-18"]),
    Facts::new("rtsp").title("Real Time Streaming Protocol").status(Status::Permanent).port(554)
        .hierarchical().denotes(Denotes::Object).specifications(&["RFC 2326, 3.2",
        "RFC 7826, 4.2"]),
    Facts::new("rtsps").title("Real Time Streaming Protocol over TLS").status(Status::Permanent)
        .port(322).hierarchical().denotes(Denotes::Object).specifications(&["RFC 7826, 4.2"]),
    Facts::new("rtspu").title("Real Time Streaming Protocol over UDP").status(Status::Permanent)
        .port(554).hierarchical().denotes(Denotes::Object).specifications(&["RFC 2326, 3.2"]),
    Facts::new("s3").title("Objects in Amazon S3 buckets").status(Status::Unregistered)
        .hierarchical().denotes(Denotes::Object).specifications(&["AWS CLI Command Reference, s3"]),
    Facts::new("service").title("Service location").status(Status::Permanent)
        .denotes(Denotes::Service).specifications(&["RFC 2165, 3.2.1", "RFC 2609"]),
    Facts::new("sftp").title("SSH File Transfer Protocol").status(Status::Provisional).port(22)
        .userinfo(Userinfo::UserAndPassword).hierarchical().denotes(Denotes::Object)
        .specifications(&["IANA, Uniform Resource Identifier (URI) Schemes, 2022-11-18",
        "draft-ietf-secsh-scp-sftp-ssh-uri-04"]),
    Facts::new("sip").title("Session Initiation Protocol").status(Status::Permanent).port(5060)
        .userinfo(Userinfo::UserAndPassword).denotes(Denotes::Service)
        .specifications(&["RFC 3261, 19.1"]),
    Facts::new("sips").title("Session Initiation Protocol over TLS").status(Status::Permanent)
        .port(5061).userinfo(Userinfo::UserAndPassword).denotes(Denotes::Service)
        .specifications(&["RFC 3261, 19.1"]),
    Facts::new("smb").title("Server Message Block shares").status(Status::Provisional).port(445)
        .userinfo(Userinfo::UserAndPassword).hierarchical().denotes(Denotes::Object)
        .specifications(&["IANA, Uniform Resource Identifier (URI) Schemes, 2022-11-18",
        "draft-crhertel-smb-url-12"]),
    Facts::new("smtp").title("Simple Mail Transfer Protocol").status(Status::Provisional).port(25)
        .userinfo(Userinfo::UserAndPassword).denotes(Denotes::Service)
        .specifications(&["IANA, Uniform Resource Identifier (URI) Schemes, 2022-11-18"]),
    Facts::new("smtps").title("Simple Mail Transfer Protocol over TLS").status(Status::Unregistered)
        .port(465).userinfo(Userinfo::UserAndPassword).denotes(Denotes::Service)
        .specifications(&["RFC 8314, 3.3"]),
    Facts::new("snews").title("Usenet news over TLS").status(Status::Historical).port(563)
        .userinfo(Userinfo::UserAndPassword).denotes(Denotes::Name)
        .specifications(&["RFC 5538, 8.1"]),
    Facts::new("spartan").title("Spartan protocol").status(Status::Unregistered).port(300)
        .hierarchical().denotes(Denotes::Object).specifications(&["Spartan, Requests"]),
    Facts::new("ssh").title("Secure Shell").status(Status::Provisional).port(22)
        .userinfo(Userinfo::UserAndPassword).denotes(Denotes::Service)
        .specifications(&["IANA, Uniform Resource Identifier (URI) Schemes, 2022-11-18",
        "draft-ietf-secsh-scp-sftp-ssh-uri-04"]),
    Facts::new("svn").title("Subversion repositories").status(Status::Provisional).port(3690)
        .userinfo(Userinfo::UserAndPassword).hierarchical().denotes(Denotes::Object)
        .specifications(&["IANA, Uniform Resource Identifier (URI) Schemes, 2022-11-18"]),
    Facts::new("svn+ssh").title("Subversion repositories over Secure Shell")
        .status(Status::Unregistered).port(22).userinfo(Userinfo::UserAndPassword).hierarchical()
        .denotes(Denotes::Object).specifications(&["Version Control with Subversion, 6"]),
    Facts::new("tag").title("Names made of a domain and a date").status(Status::Permanent)
        .denotes(Denotes::Name).specifications(&["RFC 4151"]),
    Facts::new("tel").title("Telephone numbers").status(Status::Permanent).denotes(Denotes::Name)
        .specifications(&["RFC 3966"]),
    Facts::new("telnet").title("Telnet Protocol").status(Status::Permanent).port(23)
        .userinfo(Userinfo::UserAndPassword).denotes(Denotes::Service)
        .specifications(&["RFC 1630, Telnet, rlogin, tn3270", "RFC 1738, 3.8", "RFC 4248, 2"]),
    Facts::new("tftp").title("Trivial File Transfer Protocol").status(Status::Permanent).port(69)
        .hierarchical().denotes(Denotes::Object).specifications(&["RFC 3617"]),
    Facts::new("tip").title("Transaction Internet Protocol").status(Status::Permanent).port(3372)
        .denotes(Denotes::Name).specifications(&["RFC 2371, 8"]),
    Facts::new("tn3270").title("Interactive 3270 emulation sessions").status(Status::Permanent)
        .userinfo(Userinfo::UserAndPassword).denotes(Denotes::Service)
        .specifications(&["RFC 1630, Telnet, rlogin, tn3270", "RFC 6270"]),
    Facts::new("tv").title("Television broadcasts").status(Status::Provisional)
        .denotes(Denotes::Object).specifications(&["RFC 2838"]),
    Facts::new("urn").title("Uniform Resource Names").status(Status::Permanent)
        .denotes(Denotes::Name).specifications(&["RFC 1630, URN", "RFC 2141", "RFC 8141"]),
    Facts::new("vemmi").title("Versatile multimedia interface").status(Status::Permanent).port(575)
        .denotes(Denotes::Service).specifications(&["RFC 2122, 3"]),
    Facts::new("vnc").title("Remote Framebuffer Protocol").status(Status::Permanent).port(5900)
        .userinfo(Userinfo::UserAndPassword).denotes(Denotes::Service)
        .specifications(&["RFC 7869"]),
    Facts::new("wais").title("Wide Area Information Servers").status(Status::Historical).port(210)
        .denotes(Denotes::Object).specifications(&["RFC 1630, WAIS", "RFC 1738, 3.9", "RFC 4156"]),
    Facts::new("whois").title("Whois++").status(Status::ForFurtherStudy).denotes(Denotes::Object)
        .specifications(&["RFC 1630, Schemes for Further Study"]),
    Facts::new("ws").title("WebSocket Protocol").status(Status::Permanent).port(80).hierarchical()
        .denotes(Denotes::Service).specifications(&["RFC 6455, 3"]),
    Facts::new("wss").title("WebSocket Protocol over TLS").status(Status::Permanent).port(443)
        .hierarchical().denotes(Denotes::Service).specifications(&["RFC 6455, 3"]),
    Facts::new("x-*").title("Experimental schemes").status(Status::Experimental)
        .denotes(Denotes::Name).specifications(&["RFC 1630, Registration of naming schemes",
        "RFC 1738, 4"]),
    Facts::new("x500").title("X.500 directory names").status(Status::ForFurtherStudy)
        .denotes(Denotes::Name).specifications(&["RFC 1630, Schemes for Further Study"]),
    Facts::new("xmpp").title("Extensible Messaging and Presence Protocol").status(Status::Permanent)
        .userinfo(Userinfo::User).denotes(Denotes::Service).specifications(&["RFC 4622",
        "RFC 5122"]),
    Facts::new("z39.50").title("ANSI Z39.50 services").status(Status::Reserved)
        .denotes(Denotes::Service).specifications(&["RFC 1738, 4"]),
    Facts::new("z39.50r").title("Z39.50 retrieval").status(Status::Permanent).port(210)
        .denotes(Denotes::Object).specifications(&["RFC 2056, 4"]),
    Facts::new("z39.50s").title("Z39.50 sessions").status(Status::Permanent).port(210)
        .denotes(Denotes::Service).specifications(&["RFC 2056, 3"]),
];
