//! The names of schemes: all that the RFCs define or list, as in `spec/schemes.toml`.
//!
//! A scheme that Urikit reads has its facts in its own module; a row here is for a scheme that is
//! known but not read. No scheme has both, so each port is defined once.

use super::{BUILTIN, Denotes, Facts, Status, Userinfo};

/// What is known of the scheme with that name, in any case, whether Urikit reads it or not.
///
/// ```
/// use urikit::scheme::{Status, find, known};
/// let nfs = known("NFS").unwrap();
/// assert_eq!((nfs.port, nfs.texts), (Some(2049), &["RFC 1738, 4", "RFC 2224"][..]));
/// assert_eq!(known("mailserver").unwrap().status, Status::Reserved); // RFC 1738, 4
/// assert!(find("mailserver").is_none()); // known, and not read
/// assert!(known("magic").is_none());
/// ```
pub fn known(name: &str) -> Option<Facts<'static>> {
    let is_it = |facts: &&Facts<'_>| facts.name.eq_ignore_ascii_case(name);
    let read = BUILTIN.iter().map(|scheme| &scheme.facts);
    read.chain(NAMES.iter()).find(is_it).copied()
}

/// What is known of all schemes: first those that Urikit reads, then the others, each sorted by
/// name.
pub fn all_known() -> impl Iterator<Item = Facts<'static>> {
    let read = BUILTIN.iter().map(|scheme| scheme.facts);
    read.chain(NAMES.iter().copied())
}

/// The schemes that are known but not read.
static NAMES: [Facts<'static>; 37] = [
    Facts::new("about")
        .title("Internal resources of a client")
        .status(Status::Provisional)
        .denotes(Denotes::Name)
        .texts(&["RFC 3986, D.2"]),
    Facts::new("acap")
        .title("Application Configuration Access Protocol")
        .status(Status::Permanent)
        .port(674)
        .userinfo(Userinfo::User)
        .hierarchical()
        .denotes(Denotes::Object)
        .texts(&["RFC 2244, 3.2"]),
    Facts::new("acct")
        .title("User accounts")
        .status(Status::Permanent)
        .denotes(Denotes::Name)
        .texts(&["RFC 7565"]),
    Facts::new("coap")
        .title("Constrained Application Protocol")
        .status(Status::Permanent)
        .denotes(Denotes::Object)
        .texts(&["RFC 8615, 5.2"]),
    Facts::new("coap+tcp")
        .title("Constrained Application Protocol over TCP")
        .status(Status::Permanent)
        .denotes(Denotes::Object)
        .texts(&["RFC 8615, 5.2"]),
    Facts::new("coap+ws")
        .title("Constrained Application Protocol over WebSockets")
        .status(Status::Permanent)
        .denotes(Denotes::Object)
        .texts(&["RFC 8615, 5.2"]),
    Facts::new("coaps")
        .title("Constrained Application Protocol, secured")
        .status(Status::Permanent)
        .denotes(Denotes::Object)
        .texts(&["RFC 8615, 5.2"]),
    Facts::new("coaps+tcp")
        .title("Constrained Application Protocol over TCP, secured")
        .status(Status::Permanent)
        .denotes(Denotes::Object)
        .texts(&["RFC 8615, 5.2"]),
    Facts::new("coaps+ws")
        .title("Constrained Application Protocol over WebSockets, secured")
        .status(Status::Permanent)
        .denotes(Denotes::Object)
        .texts(&["RFC 8615, 5.2"]),
    Facts::new("coffee")
        .title("Hyper Text Coffee Pot Control Protocol")
        .status(Status::Provisional)
        .denotes(Denotes::Service)
        .texts(&["RFC 2324, 3"]),
    Facts::new("dav")
        .title("Names of WebDAV")
        .status(Status::Permanent)
        .denotes(Denotes::Name)
        .texts(&["RFC 2518", "RFC 3986, D.2"]),
    Facts::new("dict")
        .title("Dictionary servers")
        .status(Status::Permanent)
        .port(2628)
        .userinfo(Userinfo::User)
        .denotes(Denotes::Object)
        .texts(&["RFC 2229, 5"]),
    Facts::new("example")
        .title("Examples in documents")
        .status(Status::Permanent)
        .denotes(Denotes::Name)
        .texts(&["RFC 7595, 8"]),
    Facts::new("fax")
        .title("Telefax terminals")
        .status(Status::Historical)
        .denotes(Denotes::Service)
        .texts(&["RFC 3966, 12"]),
    Facts::new("geo")
        .title("Geographic locations")
        .status(Status::Permanent)
        .denotes(Denotes::Name)
        .texts(&["RFC 5870"]),
    Facts::new("imap")
        .title("Internet Message Access Protocol")
        .status(Status::Permanent)
        .port(143)
        .userinfo(Userinfo::User)
        .hierarchical()
        .denotes(Denotes::Object)
        .texts(&["RFC 2192", "RFC 5092"]),
    Facts::new("ldap")
        .title("Lightweight Directory Access Protocol")
        .status(Status::Permanent)
        .port(389)
        .denotes(Denotes::Object)
        .texts(&["RFC 1959", "RFC 2255", "RFC 4516"]),
    Facts::new("mailserver")
        .title("Data from mail servers")
        .status(Status::Reserved)
        .denotes(Denotes::Object)
        .texts(&["RFC 1738, 4"]),
    Facts::new("modem")
        .title("Modem terminals")
        .status(Status::Historical)
        .denotes(Denotes::Service)
        .texts(&["RFC 3966, 12"]),
    Facts::new("nfs")
        .title("Network File System")
        .status(Status::Permanent)
        .port(2049)
        .hierarchical()
        .denotes(Denotes::Object)
        .texts(&["RFC 1738, 4", "RFC 2224"]),
    Facts::new("opaquelocktoken")
        .title("Lock tokens of WebDAV")
        .status(Status::Permanent)
        .denotes(Denotes::Name)
        .texts(&["RFC 2518, 6.4"]),
    Facts::new("pop")
        .title("Post Office Protocol")
        .status(Status::Permanent)
        .port(110)
        .userinfo(Userinfo::User)
        .denotes(Denotes::Service)
        .texts(&["RFC 2384"]),
    Facts::new("rtsp")
        .title("Real Time Streaming Protocol")
        .status(Status::Permanent)
        .port(554)
        .hierarchical()
        .denotes(Denotes::Object)
        .texts(&["RFC 2326, 3.2"]),
    Facts::new("rtspu")
        .title("Real Time Streaming Protocol over UDP")
        .status(Status::Permanent)
        .port(554)
        .hierarchical()
        .denotes(Denotes::Object)
        .texts(&["RFC 2326, 3.2"]),
    Facts::new("service")
        .title("Service location")
        .status(Status::Permanent)
        .denotes(Denotes::Service)
        .texts(&["RFC 2165, 3.2.1", "RFC 2609"]),
    Facts::new("sip")
        .title("Session Initiation Protocol")
        .status(Status::Permanent)
        .port(5060)
        .userinfo(Userinfo::UserAndPassword)
        .denotes(Denotes::Service)
        .texts(&["RFC 3261, 19.1"]),
    Facts::new("sips")
        .title("Session Initiation Protocol, secured")
        .status(Status::Permanent)
        .port(5061)
        .userinfo(Userinfo::UserAndPassword)
        .denotes(Denotes::Service)
        .texts(&["RFC 3261, 19.1"]),
    Facts::new("tag")
        .title("Names by domain and date")
        .status(Status::Permanent)
        .denotes(Denotes::Name)
        .texts(&["RFC 4151"]),
    Facts::new("tip")
        .title("Transaction Internet Protocol")
        .status(Status::Permanent)
        .port(3372)
        .denotes(Denotes::Name)
        .texts(&["RFC 2371, 8"]),
    Facts::new("tv")
        .title("Television broadcasts")
        .status(Status::Provisional)
        .denotes(Denotes::Object)
        .texts(&["RFC 2838"]),
    Facts::new("vemmi")
        .title("Versatile multimedia interface")
        .status(Status::Permanent)
        .port(575)
        .denotes(Denotes::Service)
        .texts(&["RFC 2122, 3"]),
    Facts::new("whois")
        .title("Whois++")
        .status(Status::ForFurtherStudy)
        .denotes(Denotes::Object)
        .texts(&["RFC 1630, Schemes for Further Study"]),
    Facts::new("x500")
        .title("Names of X.500 directories")
        .status(Status::ForFurtherStudy)
        .denotes(Denotes::Name)
        .texts(&["RFC 1630, Schemes for Further Study"]),
    Facts::new("xmpp")
        .title("Extensible Messaging and Presence Protocol")
        .status(Status::Permanent)
        .userinfo(Userinfo::User)
        .denotes(Denotes::Service)
        .texts(&["RFC 4622", "RFC 5122"]),
    Facts::new("z39.50")
        .title("ANSI Z39.50 services")
        .status(Status::Reserved)
        .denotes(Denotes::Service)
        .texts(&["RFC 1738, 4"]),
    Facts::new("z39.50r")
        .title("Z39.50 retrieval")
        .status(Status::Permanent)
        .port(210)
        .denotes(Denotes::Object)
        .texts(&["RFC 2056, 4"]),
    Facts::new("z39.50s")
        .title("Z39.50 sessions")
        .status(Status::Permanent)
        .port(210)
        .denotes(Denotes::Service)
        .texts(&["RFC 2056, 3"]),
];
