//! Plain results of `uri parse`.

use crate::support::{uri, uri_with};

#[test]
fn components_are_lines() {
    let outcome = uri(["parse", "ftp://foo:@host.dom:21/%2Fetc/motd;type=a"]);
    assert_eq!(
        outcome.out,
        "form\tabsolute\nscheme\tftp\nauthority\tfoo:@host.dom:21\nuserinfo\tfoo:\nuser\tfoo\n\
         password\t\nhost\thost.dom\nhost_kind\tname\nport\t21\npath\t/%2Fetc/motd;type=a\n"
    );
    assert_eq!(outcome.err, "");
    assert_eq!(outcome.status, 0);
}

#[test]
fn an_absent_component_has_no_line() {
    assert_eq!(
        uri(["parse", "?"]).out,
        "form\tquery-only\npath\t\nquery\t\n"
    );
    assert_eq!(
        uri(["parse", "#f"]).out,
        "form\tfragment-only\npath\t\nfragment\tf\n"
    );
}

#[test]
fn components_depend_on_the_standard() {
    let parse = |standard, text| uri(["parse", "--standard", standard, text]).out;
    assert_eq!(
        parse("rfc2396", "mailto:a@b?x=y"),
        "form\tabsolute\nscheme\tmailto\npath\ta@b?x=y\nopaque\ttrue\n"
    );
    assert_eq!(
        parse("RFC1808", "a;b?c"),
        "form\trelative-path\npath\ta\nparams\tb\nquery\tc\n"
    );
    assert_eq!(
        parse("whatwg", "HTTP://Ex.COM:80"),
        "form\tabsolute\nscheme\thttp\nauthority\tex.com\nhost\tex.com\nhost_kind\tname\npath\t/\n"
    );
}

#[test]
fn inputs_are_separated_by_a_blank_line() {
    let outcome = uri_with(["parse"], b"a:b\n^\n#\n");
    assert_eq!(
        outcome.out,
        "form\tabsolute\nscheme\ta\npath\tb\n\n\nform\tfragment-only\npath\t\nfragment\t\n"
    );
    assert_eq!(outcome.status, 1);
}

#[test]
fn plain_results_are_exact() {
    let outcome = uri(["parse", "http://u:secret@h/"]);
    assert!(outcome.out.contains("\nuserinfo\tu:secret\n"));
    assert!(outcome.out.contains("\npassword\tsecret\n"));
}

#[test]
fn components_are_generic_if_only_the_generic_production_matches() {
    let outcome = uri(["parse", "--standard", "rfc1738", "http:xyz"]);
    assert_eq!(
        outcome.out,
        "form\tabsolute\nscheme\thttp\npath\txyz\nopaque\ttrue\n"
    );
    assert_eq!(outcome.status, 1);
    assert!(outcome.err.starts_with("uri: argument 1: "));
}
