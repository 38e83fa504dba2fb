//! Claims about the components of a valid reference: the rules that match them, and those that do
//! not.

use urikit::{AnyRef, HostKind, Standard};

/// A claim about one reference: a rule, a text, and whether the rule must match it.
pub(super) type Claim<'a> = (&'static str, &'a str, bool);

/// Returns the claims about a reference under its standard.
pub(super) fn claims(reference: AnyRef<'_>) -> Vec<Claim<'_>> {
    match reference.standard() {
        Standard::Rfc1630 => claims_1630(reference),
        Standard::Rfc1738 => claims_1738(reference),
        Standard::Rfc1808 => claims_1808(reference),
        Standard::Rfc2396 | Standard::Rfc2732 => claims_2396(reference),
        Standard::Rfc3986 => claims_3986(reference, &NAMES_3986),
        _ => claims_3986(reference, &NAMES_3987),
    }
}

/// Returns the text up to the fragment.
fn without_fragment(reference: AnyRef<'_>) -> &str {
    reference.as_str().split('#').next().unwrap()
}

/// Returns the text from the scheme's colon to the fragment.
fn scheme_part(reference: AnyRef<'_>) -> &str {
    let start = reference.scheme().map_or(0, |scheme| scheme.len() + 1);
    without_fragment(reference).get(start..).unwrap()
}

fn claims_1630(reference: AnyRef<'_>) -> Vec<Claim<'_>> {
    let mut claims = Vec::new();
    let text = without_fragment(reference);
    if let Some(scheme) = reference.scheme() {
        claims.push(("generic-scheme", scheme, true));
        if scheme != "url" {
            claims.push(("prefixedurl", text, false));
        }
    }
    claims.push(("partial", text, reference.scheme().is_none()));
    let words = reference
        .path()
        .segments()
        .map(urikit::component::Segment::as_str);
    for word in words.chain(reference.port()) {
        // The part after Prospero's `%00`, which `hsoname` also matches.
        claims.push(("version", word, is_all(word, |c| c.is_ascii_digit())));
        let is_attribute = is_all(word, |c| c.is_ascii_alphanumeric());
        claims.push(("attribute", word, is_attribute));
        claims.push(("attributes", word, is_attribute));
        claims.push(("alphanums", word, is_attribute));
    }
    if let Some(authority) = reference.authority() {
        claims.push(("login", authority.as_str(), !authority.as_str().is_empty()));
        let host = authority.host();
        if host.kind() != HostKind::Empty {
            claims.push(("hostnumber", host.as_str(), host.kind() == HostKind::Ipv4));
            claims.push(("host", host.as_str(), true));
            claims.push(("cellname", host.as_str(), host.kind() != HostKind::Ipv4));
        }
        claims.extend(authority.user().map(|user| ("user", user.as_str(), true)));
        claims.extend(
            authority
                .password()
                .map(|word| ("password", word.as_str(), true)),
        );
        claims.extend(authority.port().map(|port| ("port", port, true)));
    }
    claims
}

/// Returns whether a word is not empty and `kind` accepts all its characters.
fn is_all(word: &str, kind: impl Fn(char) -> bool) -> bool {
    !word.is_empty() && word.chars().all(kind)
}

fn claims_1738(reference: AnyRef<'_>) -> Vec<Claim<'_>> {
    let mut claims = vec![("schemepart", scheme_part(reference), true)];
    if let Some(scheme) = reference.scheme() {
        claims.push(("scheme", scheme, true));
        let other = ![
            "ftp", "http", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero",
        ]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known));
        if other {
            claims.push((
                "ip-schemepart",
                scheme_part(reference),
                reference.authority().is_some(),
            ));
        }
        if scheme.eq_ignore_ascii_case("gopher") {
            // 3.4.3 and 3.4.4: the fields that `%09` separates, which `selector` also matches.
            let mut fields = reference
                .path()
                .as_str()
                .get(2..)
                .unwrap_or_default()
                .splitn(3, "%09");
            claims.extend(fields.next().map(|field| ("selector", field, true)));
            claims.extend(fields.nth(1).map(|field| ("gopher+_string", field, true)));
        }
        if scheme.eq_ignore_ascii_case("wais") {
            claims.push((
                "waisindex",
                without_fragment(reference),
                reference.query().is_some(),
            ));
            let slashes = reference.path().segments().count();
            claims.push(("waisdoc", without_fragment(reference), slashes == 3));
        }
    }
    if let Some(authority) = reference.authority() {
        let host = authority.host();
        if host.kind() != HostKind::Empty {
            claims.push(("login", authority.as_str(), true));
            claims.push(("host", host.as_str(), true));
            claims.push(("hostnumber", host.as_str(), host.kind() == HostKind::Ipv4));
            claims.push(("hostname", host.as_str(), host.kind() != HostKind::Ipv4));
        }
        claims.extend(authority.user().map(|user| ("user", user.as_str(), true)));
        claims.extend(
            authority
                .password()
                .map(|word| ("password", word.as_str(), true)),
        );
        claims.extend(authority.port().map(|port| ("port", port, true)));
    }
    claims.extend(reference.fragment().map(|f| ("fragment", f.as_str(), true)));
    claims
}

fn claims_1808(reference: AnyRef<'_>) -> Vec<Claim<'_>> {
    let mut claims = Vec::new();
    if let Some(scheme) = reference.scheme() {
        claims.push(("scheme", scheme, true));
        claims.push(("absoluteURL", without_fragment(reference), true));
        // If the hierarchical alternative matches, the parsing order of 2.4 splits the URL as its
        // rules do.
        claims.push((
            "generic-RL",
            without_fragment(reference),
            is_generic_rl(reference),
        ));
    } else {
        claims.push(("relativeURL", without_fragment(reference), true));
    }
    claims.extend(reference.authority().map(|a| ("net_loc", a.as_str(), true)));
    let path = reference.path().as_str();
    if !path.is_empty() && is_generic_rl(reference) {
        let relative = path.strip_prefix('/').unwrap_or(path);
        claims.push(("path", relative, !relative.is_empty()));
    }
    claims.extend(reference.params().map(|p| ("params", p.as_str(), true)));
    claims.extend(reference.query().map(|q| ("query", q.as_str(), true)));
    claims.extend(reference.fragment().map(|f| ("fragment", f.as_str(), true)));
    claims
}

/// Returns whether the first segment of a path is not empty, which `generic-RL` requires.
fn is_generic_rl(reference: AnyRef<'_>) -> bool {
    !reference.path().as_str().starts_with("//")
}

fn claims_2396(reference: AnyRef<'_>) -> Vec<Claim<'_>> {
    let text = without_fragment(reference);
    let mut claims = vec![("absoluteURI", text, reference.scheme().is_some())];
    claims.extend(reference.scheme().map(|scheme| ("scheme", scheme, true)));
    let part = scheme_part(reference);
    if reference.scheme().is_some() {
        claims.push(("opaque_part", part, reference.is_opaque()));
        claims.push(("hier_part", part, !reference.is_opaque()));
    }
    let hierarchical = part.split('?').next().unwrap();
    if hierarchical.starts_with("//") {
        claims.push(("net_path", hierarchical, true));
    }
    let path = reference.path().as_str();
    if path.starts_with('/') || reference.is_opaque() || path.is_empty() {
        claims.push(("path", path, true));
    }
    if let Some(authority) = reference.authority() {
        let whole = authority.as_str();
        let host = authority.host();
        let reg_name = authority.is_registry_based();
        claims.push(("server", whole, !reg_name));
        claims.push(("authority", whole, true));
        if reg_name {
            claims.push(("reg_name", whole, true));
        } else if host.kind() != HostKind::Empty {
            claims.push(("hostport", whole.rsplit('@').next().unwrap(), true));
            claims.push(("IPv4address", host.as_str(), host.kind() == HostKind::Ipv4));
            let is_name = host.kind() == HostKind::Name || host.kind() == HostKind::RegName;
            claims.push(("hostname", host.as_str(), is_name));
        }
        claims.extend(authority.userinfo().map(|u| ("userinfo", u.as_str(), true)));
        claims.extend(authority.port().map(|port| ("port", port, true)));
    }
    claims.extend(reference.query().map(|q| ("query", q.as_str(), true)));
    claims.extend(reference.fragment().map(|f| ("fragment", f.as_str(), true)));
    claims
}

/// The rules that have different names in RFC 3987.
struct Names {
    authority: &'static str,
    userinfo: &'static str,
    host: &'static str,
    reg_name: &'static str,
    path: &'static str,
    query: &'static str,
    fragment: &'static str,
    whole: &'static str,
    absolute: &'static str,
    relative: &'static str,
}

const NAMES_3986: Names = Names {
    authority: "authority",
    userinfo: "userinfo",
    host: "host",
    reg_name: "reg-name",
    path: "path",
    query: "query",
    fragment: "fragment",
    whole: "URI",
    absolute: "absolute-URI",
    relative: "relative-ref",
};

const NAMES_3987: Names = Names {
    authority: "iauthority",
    userinfo: "iuserinfo",
    host: "ihost",
    reg_name: "ireg-name",
    path: "ipath",
    query: "iquery",
    fragment: "ifragment",
    whole: "IRI",
    absolute: "absolute-IRI",
    relative: "irelative-ref",
};

fn claims_3986<'a>(reference: AnyRef<'a>, names: &Names) -> Vec<Claim<'a>> {
    let text = reference.as_str();
    let has_scheme = reference.scheme().is_some();
    let mut claims = vec![
        (names.whole, text, has_scheme),
        (names.relative, text, !has_scheme),
        (
            names.absolute,
            text,
            has_scheme && reference.fragment().is_none(),
        ),
        (names.path, reference.path().as_str(), true),
    ];
    claims.extend(reference.scheme().map(|scheme| ("scheme", scheme, true)));
    if let Some(authority) = reference.authority() {
        claims.push((names.authority, authority.as_str(), true));
        let host = authority.host();
        claims.push((names.host, host.as_str(), true));
        claims.push(("IPv4address", host.as_str(), host.kind() == HostKind::Ipv4));
        let in_brackets = matches!(host.kind(), HostKind::Ipv6 | HostKind::IpvFuture);
        claims.push(("IP-literal", host.as_str(), in_brackets));
        claims.push((names.reg_name, host.as_str(), !in_brackets));
        claims.extend(
            authority
                .userinfo()
                .map(|u| (names.userinfo, u.as_str(), true)),
        );
        claims.extend(authority.port().map(|port| ("port", port, true)));
    }
    claims.extend(reference.query().map(|q| (names.query, q.as_str(), true)));
    claims.extend(
        reference
            .fragment()
            .map(|f| (names.fragment, f.as_str(), true)),
    );
    claims
}
