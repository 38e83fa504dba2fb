//! The kinds of IP addresses: loopback, private, public and so on.

use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The kind of an IP address: the purpose of the range that contains the address.
///
/// A host name has no kind until it is resolved. After resolving a name, check the address that
/// you connect to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AddressKind {
    /// An address on the Internet.
    Public,
    /// This machine (127/8, `::1`).
    Loopback,
    /// A private network: RFC 1918, the shared space of RFC 6598, unique local addresses (RFC
    /// 4193).
    Private,
    /// An address on the same link (169.254/16, `fe80::/10`), and all addresses at which cloud
    /// providers serve instance metadata.
    LinkLocal,
    /// A multicast group (224/4, `ff00::/8`), or the broadcast address 255.255.255.255.
    Multicast,
    /// This network (0/8, `::`). Operating systems treat an unspecified address as the local
    /// machine.
    Unspecified,
    /// An address that cannot be a destination: unassigned, or reserved for documentation or
    /// benchmarks.
    Reserved,
}

impl AddressKind {
    /// Returns the kind of `address`. If an IPv6 address contains an IPv4 address, the kind is that
    /// of the IPv4 address. This applies to mapped (RFC 4291), translated (NAT64, RFC 6052) and
    /// tunnelled addresses (6to4, RFC 3056; ISATAP, RFC 5214).
    ///
    /// ```
    /// use urikit::component::AddressKind;
    /// assert_eq!(AddressKind::of("::ffff:127.0.0.1".parse()?), AddressKind::Loopback);
    /// // 169.254.169.254 through NAT64
    /// assert_eq!(AddressKind::of("64:ff9b::a9fe:a9fe".parse()?), AddressKind::LinkLocal);
    /// # Ok::<(), std::net::AddrParseError>(())
    /// ```
    pub fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => of_v4(address),
            IpAddr::V6(address) => of_v6(address),
        }
    }

    /// Returns a description, such as `a loopback address`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Public => "a public address",
            Self::Loopback => "a loopback address",
            Self::Private => "a private address",
            Self::LinkLocal => "a link-local address",
            Self::Multicast => "a multicast address",
            Self::Unspecified => "an unspecified address",
            Self::Reserved => "a reserved address",
        }
    }
}

impl AddressKind {
    /// Returns whether the kind is [`Public`](Self::Public).
    pub const fn is_public(self) -> bool {
        matches!(self, Self::Public)
    }
}

impl fmt::Display for AddressKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

fn of_v4(address: Ipv4Addr) -> AddressKind {
    match address.octets() {
        [0, ..] => AddressKind::Unspecified,
        [127, ..] => AddressKind::Loopback,
        [10, ..] | [192, 168, ..] => AddressKind::Private,
        [172, b, ..] if b & 0xF0 == 16 => AddressKind::Private,
        // The last two addresses are the metadata services of Alibaba and Azure.
        [169, 254, ..] | [100, 100, 100, 200] | [168, 63, 129, 16] => AddressKind::LinkLocal,
        [100, b, ..] if b & 0xC0 == 64 => AddressKind::Private,
        [224..=239, ..] | [255, 255, 255, 255] => AddressKind::Multicast,
        // RFC 6890: protocol assignments, documentation, 6to4 relays, benchmarks, and class E.
        [192, 0, 0 | 2, _]
        | [192, 88, 99, _]
        | [198, 18 | 19, ..]
        | [198, 51, 100, _]
        | [203, 0, 113, _]
        | [240..=255, ..] => AddressKind::Reserved,
        _ => AddressKind::Public,
    }
}

fn of_v6(address: Ipv6Addr) -> AddressKind {
    let kind = match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => AddressKind::Unspecified,
        [0, 0, 0, 0, 0, 0, 0, 1] => AddressKind::Loopback,
        // The metadata services of Amazon, Google, Oracle and Scaleway.
        [0xFD00, 0xEC2, 0, 0, 0, 0, 0, 0x254]
        | [0xFD20, 0xCE, 0, 0, 0, 0, 0, 0x254]
        | [0xFD00, 0xC1, 0, 0, 0, 0, 0xA9FE, 0xA9FE]
        | [0xFD00, 0x42, 0, 0, 0, 0, 0, 0x42]
        | [0xFE80..=0xFEBF, ..] => AddressKind::LinkLocal,
        // `64:ff9b:1::/48` is for local translation (RFC 8215); the embedded IPv4 address is
        // unknown.
        [0xFC00..=0xFDFF | 0xFEC0..=0xFEFF, ..] | [0x64, 0xFF9B, 1, ..] => AddressKind::Private,
        [0xFF00..=0xFFFF, ..] => AddressKind::Multicast,
        // Teredo, ORCHID and others in 2001::/23; documentation (RFC 3849, RFC 9637).
        [0x2001, 0..=0x1FF | 0xDB8, ..] | [0x3FFF, 0..=0xFFF, ..] => AddressKind::Reserved,
        // NAT64, and global unicast.
        [0x64, 0xFF9B, 0, 0, 0, 0, ..] | [0x2000..=0x3FFF, ..] => AddressKind::Public,
        // All other addresses, including the deprecated IPv4-compatible addresses (RFC 4291,
        // 2.5.5.1).
        _ => AddressKind::Reserved,
    };
    match embedded_ipv4(address).map(of_v4) {
        Some(inner) if inner != AddressKind::Public => inner,
        _ => kind,
    }
}

/// Returns the IPv4 address that an IPv6 address contains: mapped or compatible (RFC 4291, 2.5.5),
/// translated (NAT64, RFC 6052), or tunnelled (6to4, RFC 3056; ISATAP, RFC 5214).
///
/// ```
/// use std::net::Ipv6Addr;
/// use urikit::component::embedded_ipv4;
/// let embedded = |address: &str| embedded_ipv4(address.parse::<Ipv6Addr>().unwrap());
/// assert_eq!(embedded("2002:7f00:1::"), Some([127, 0, 0, 1].into()));
/// assert_eq!(embedded("fe80::5efe:10.0.0.1"), Some([10, 0, 0, 1].into()));
/// assert_eq!(embedded("2001:db8::1"), None);
/// ```
pub const fn embedded_ipv4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let (high, low) = match address.segments() {
        [0, 0, 0, 0, 0, 0xFFFF, high, low]
        | [0x64, 0xFF9B, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..]
        // ISATAP addresses can have any prefix (RFC 5214, 6.1).
        | [.., 0 | 0x200, 0x5EFE, high, low] => (high, low),
        [0, 0, 0, 0, 0, 0, high, low] if high > 0 => (high, low),
        _ => return None,
    };
    let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
    Some(Ipv4Addr::new(a, b, c, d))
}

#[cfg(test)]
mod tests {
    use super::AddressKind::{self, *};

    #[test]
    fn kinds() {
        for (address, kind) in [
            ("8.8.8.8", Public),
            ("127.1.2.3", Loopback),
            ("0.0.0.0", Unspecified),
            ("0.1.2.3", Unspecified),
            ("10.0.0.1", Private),
            ("172.15.255.255", Public),
            ("172.16.0.0", Private),
            ("172.31.255.255", Private),
            ("172.32.0.0", Public),
            ("192.168.1.1", Private),
            ("192.169.1.1", Public),
            ("100.63.255.255", Public),
            ("100.64.0.1", Private),
            ("100.127.255.255", Private),
            ("100.128.0.0", Public),
            ("169.254.169.254", LinkLocal),
            ("224.0.0.1", Multicast),
            ("239.255.255.255", Multicast),
            ("240.0.0.1", Reserved),
            ("255.255.255.255", Multicast),
            ("192.0.2.1", Reserved),
            ("198.18.0.1", Reserved),
            ("198.19.255.255", Reserved),
            ("198.20.0.0", Public),
            ("::", Unspecified),
            ("::1", Loopback),
            ("::ffff:10.0.0.1", Private),
            ("::127.0.0.1", Loopback),
            ("::8.8.8.8", Reserved),
            ("64:ff9b::8.8.8.8", Public),
            ("64:ff9b::10.0.0.1", Private),
            ("64:ff9b:1::1", Private),
            ("2002:7f00:1::", Loopback),
            ("2002:808:808::1", Public),
            ("2606:4700::5efe:7f00:1", Loopback),
            ("2606:4700::200:5efe:10.0.0.1", Private),
            ("2606:4700::5efe:8.8.8.8", Public),
            ("fe80::5efe:8.8.8.8", LinkLocal),
            ("2606:4700::100:5efe:7f00:1", Public),
            ("2001::1", Reserved),
            ("2001:db8::1", Reserved),
            ("2001:4860:4860::8888", Public),
            ("2606:4700::1111", Public),
            ("fc00::1", Private),
            ("fd00:ec2::254", LinkLocal),
            ("fd20:ce::254", LinkLocal),
            ("fd00:c1::a9fe:a9fe", LinkLocal),
            ("fd00:42::42", LinkLocal),
            ("fd00:ec2::255", Private),
            ("100.100.100.200", LinkLocal),
            ("168.63.129.16", LinkLocal),
            ("fe80::1", LinkLocal),
            ("fec0::1", Private),
            ("ff02::1", Multicast),
            ("3fff::1", Reserved),
            ("4000::1", Reserved),
            ("100::1", Reserved),
        ] {
            assert_eq!(AddressKind::of(address.parse().unwrap()), kind, "{address}");
        }
    }
}
