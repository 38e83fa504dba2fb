//! Tests which redirect targets are allowed by default, and how settings change this.

use super::{BAD_PORTS, Policy, Refusal, SchemeRules, Source};

/// The targets of `http` and `https`.
const HTTP: &[&str] = &["http", "https"];

#[test]
fn no_setting_allows_redirects_to_this_machine() {
    for rules in ["all", "=file,telnet,mailto,FTP"] {
        let rules: SchemeRules = rules.parse().unwrap();
        let policy = Policy::permissive().network_schemes(rules);
        for scheme in super::LOCAL {
            for from in ["http", "ftp", scheme] {
                assert!(
                    policy.check_redirect(from, scheme, &[]).is_err(),
                    "{scheme}"
                );
            }
            let upper = scheme.to_uppercase();
            assert!(
                policy.check_redirect("http", &upper, &[]).is_err(),
                "{scheme}"
            );
            assert!(
                policy.check_scheme(scheme, Source::User).is_ok(),
                "{scheme}"
            );
        }
        assert!(policy.check_redirect("http", "ftp", &[]).is_ok());
    }
    let policy = Policy::permissive().schemes(["http"]);
    assert!(policy.check_scheme("ftp", Source::User).is_err());
}

#[test]
fn redirects_by_default_and_by_rules() {
    let schemes = [
        "http", "https", "ftp", "gopher", "news", "wais", "prospero", "x-a",
    ];
    // The allowed redirects from one scheme to another. Each scheme may also redirect to itself.
    let by_default = [
        ("http", "https"),
        ("https", "http"),
        ("prospero", "ftp"),
        ("prospero", "gopher"),
        ("prospero", "wais"),
    ];
    let policy = Policy::permissive();
    for from in schemes {
        let of_from = |(a, b): &(&'static str, &'static str)| (*a == from).then_some(*b);
        let targets: Vec<_> = by_default.iter().filter_map(of_from).collect();
        for to in schemes {
            let leads = from == to || by_default.contains(&(from, to));
            let allowed = policy.check_redirect(from, &to.to_uppercase(), &targets);
            assert_eq!(allowed.is_ok(), leads, "{from} {to}");
        }
    }
    for (proto, redirects, from, to, leads) in [
        ("all", "+gopher", "http", "gopher", true),
        ("all", "+gopher", "http", "https", true),
        ("all", "=http,https", "ftp", "http", true),
        ("all", "=http,https", "ftp", "ftp", false),
        ("all", "-ftp", "ftp", "ftp", false),
        ("all", "all", "gopher", "wais", true),
        ("all", "=https", "https", "http", false),
        // Not overridden by the rules for redirects, as with curl.
        ("-gopher", "all", "http", "gopher", false),
        ("=http", "all", "http", "https", false),
    ] {
        let policy = Policy::permissive()
            .schemes(proto.parse::<SchemeRules>().unwrap())
            .network_schemes(redirects.parse::<SchemeRules>().unwrap());
        let allowed = policy.check_redirect(from, to, HTTP);
        assert_eq!(allowed.is_ok(), leads, "{proto} {redirects} {from} {to}");
    }
}

#[test]
fn only_a_permissive_policy_allows_downgrades() {
    let (permissive, policy) = (Policy::permissive(), Policy::new());
    assert!(permissive.check_redirect("https", "http", HTTP).is_ok());
    let refused = policy.check_redirect("HTTPS", "HTTP", HTTP);
    assert_eq!(refused, Err(Refusal::Downgrade));
    assert!(policy.check_redirect("http", "https", HTTP).is_ok());
    assert!(policy.check_redirect("http", "http", HTTP).is_ok());
}

#[test]
fn only_a_permissive_policy_allows_local_schemes() {
    let (permissive, policy) = (Policy::permissive(), Policy::new());
    for scheme in [
        "file", "data", "mailto", "telnet", "rlogin", "tn3270", "mid", "cid", "FILE",
    ] {
        assert!(permissive.check_scheme(scheme, Source::User).is_ok());
        assert!(
            policy.check_scheme(scheme, Source::User).is_err(),
            "{scheme}"
        );
        // A list of schemes cannot allow local schemes. Only `allow_local` can.
        let listed = policy.clone().schemes([scheme]);
        assert!(listed.check_scheme(scheme, Source::User).is_err());
        let local = policy.clone().allow_local(true);
        assert!(local.check_scheme(scheme, Source::User).is_ok());
        assert!(local.check_scheme(scheme, Source::Network).is_err());
    }
    for scheme in ["http", "https", "ftp", "gopher", "news", "wais"] {
        assert!(policy.check_scheme(scheme, Source::User).is_ok());
    }
}

#[test]
fn ports() {
    let policy = Policy::permissive();
    assert!(policy.check_port(21, &[21]).is_ok());
    assert!(policy.check_port(25, &[21]).is_err());
    assert!(policy.check_port(0, &[0]).is_err());
    assert!(policy.check_port(8080, &[80]).is_ok());
    assert!(policy.clone().allow_port(25).check_port(25, &[]).is_ok());
    assert!(policy.allow_port(0).check_port(0, &[]).is_err());
}

#[test]
fn addresses() {
    let (public, free) = (
        Policy::permissive(),
        Policy::permissive().allow_private(true),
    );
    for (address, by_default, with_private) in [
        ("93.184.216.34", true, true),
        ("127.0.0.1", false, true),
        ("::1", false, true),
        ("::ffff:192.168.0.1", false, true),
        ("169.254.169.254", false, false),
        ("0.0.0.0", false, false),
        ("224.0.0.1", false, false),
    ] {
        let address = address.parse().unwrap();
        assert_eq!(
            public.check_address(address).is_ok(),
            by_default,
            "{address}"
        );
        assert_eq!(
            free.check_address(address).is_ok(),
            with_private,
            "{address}"
        );
    }
}

#[test]
fn bad_ports_are_sorted_and_complete() {
    assert!(BAD_PORTS.is_sorted());
    assert_eq!(BAD_PORTS.len(), 82);
    let policy = Policy::new();
    for (port, is_allowed) in [
        (25, false),
        (6669, false),
        (10080, false),
        (80, true),
        (70, true),
        (8080, true),
        (6664, true),
    ] {
        assert_eq!(policy.check_port(port, &[]).is_ok(), is_allowed, "{port}");
    }
}

#[test]
fn datagrams_go_to_own_and_allowed_ports_only() {
    let (policy, own) = (Policy::new(), [1525, 191]);
    for port in 0..=u16::MAX {
        let is_allowed = policy.check_datagram_port(port, &own).is_ok();
        assert_eq!(is_allowed, own.contains(&port), "{port}");
    }
    let policy = policy.allow_port(8191).allow_port(0);
    assert!(policy.check_datagram_port(8191, &own).is_ok());
    assert!(policy.check_datagram_port(0, &own).is_err());
}
