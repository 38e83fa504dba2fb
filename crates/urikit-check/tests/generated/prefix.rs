//! A site with a prefix, whose links are looked up in a folder.

use crate::truth::{Generated, Row, Truth, assert_equal, found, truth};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use urikit_check::{Check, Offline, OutcomeKind, Preset, Rule, Site, Source};

/// The links of a site with a prefix, redirects, and the rules of a host.
const SITE: [Row; 23] = [
    ("https://x.example/docs/a.html", OutcomeKind::Ok, &[]),
    ("HTTPS://X.example:443/docs/a.html", OutcomeKind::Ok, &[]),
    ("https://x.example/docs/a", OutcomeKind::Ok, &[]),
    ("https://x.example/docs/a/", OutcomeKind::Ok, &[]),
    ("https://x.example/docs/sub/", OutcomeKind::Ok, &[]),
    ("https://x.example/docs/empty/", OutcomeKind::Broken, &[]),
    ("https://x.example/docs", OutcomeKind::Ok, &[]),
    ("https://x.example/other", OutcomeKind::NotChecked, &[]),
    (
        "https://x.example/docs/old",
        OutcomeKind::Ok,
        &[Rule::RedirectPermanent],
    ),
    (
        "https://x.example/docs/now",
        OutcomeKind::Ok,
        &[Rule::RedirectTemporary],
    ),
    (
        "https://x.example/docs/away",
        OutcomeKind::NotChecked,
        &[Rule::RedirectTemporary],
    ),
    (
        "https://x.example/docs/lost",
        OutcomeKind::Broken,
        &[Rule::RedirectTemporary],
    ),
    ("rewritten#here", OutcomeKind::Ok, &[]),
    ("https://x.example/docs/gone", OutcomeKind::Broken, &[]),
    ("old#here", OutcomeKind::Ok, &[Rule::RedirectPermanent]),
    (
        "now#absent",
        OutcomeKind::Ok,
        &[Rule::RedirectTemporary, Rule::FragmentMissing],
    ),
    // The fragment of a redirect takes the place of that of the link.
    ("part", OutcomeKind::Ok, &[Rule::RedirectPermanent]),
    ("part#absent", OutcomeKind::Ok, &[Rule::RedirectPermanent]),
    (
        "nopart",
        OutcomeKind::Ok,
        &[Rule::RedirectTemporary, Rule::FragmentMissing],
    ),
    (
        "nopart#here",
        OutcomeKind::Ok,
        &[Rule::RedirectTemporary, Rule::FragmentMissing],
    ),
    ("a#here", OutcomeKind::Ok, &[]),
    ("a#absent", OutcomeKind::Ok, &[Rule::FragmentMissing]),
    (
        "../../../a.html",
        OutcomeKind::NotChecked,
        &[Rule::OutsideSite],
    ),
];

#[test]
fn sites_map_their_prefix_to_a_folder() {
    let root = std::env::temp_dir().join(format!("urikit-check-prefix-{}", std::process::id()));
    let generated = Generated {
        root: root.clone(),
        documents: BTreeMap::new(),
    };
    for folder in ["sub", "empty"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    let redirects = "/docs/old /docs/a 301\n/docs/now /docs/a 302\n/docs/away https://y.example/\n\
                     /docs/lost /docs/nowhere\n/docs/gone /docs/a 410\n/docs/loop1 /docs/loop2\n\
                     /docs/loop2 /docs/loop1\n/docs/part /docs/a#here 301\n\
                     /docs/nopart /docs/a#absent 302\n/docs/rewritten /docs/a.html?x=1 200\n";
    fs::write(root.join("_redirects"), redirects).unwrap();
    fs::write(root.join("a.html"), "<p id=here>").unwrap();
    fs::write(root.join("sub/index.html"), "").unwrap();
    let mut page = String::new();
    let mut truths: Vec<Truth> = SITE.iter().map(|row| truth(row, 0)).collect();
    truths.push(Truth {
        reference: "loop1".to_owned(),
        outcome: OutcomeKind::Broken,
        rules: vec![Rule::RedirectTemporary],
    });
    for truth in &truths {
        writeln!(page, "<a href=\"{}\">x</a>", truth.reference).unwrap();
    }
    fs::write(root.join("index.html"), page).unwrap();
    let site = || Site::new("https://x.example/docs/", &root, Preset::CloudflarePages).unwrap();
    let report = Check::new()
        .site(site())
        .run([Source::found(root.join("index.html"), &root)], &Offline);
    assert_equal(
        &found(&report),
        &BTreeMap::from([(root.join("index.html"), truths)]),
    );
    let steps = Check::new()
        .site(site())
        .explain("https://x.example/docs/old");
    let folder = &root;
    assert_eq!(
        steps,
        [
            format!("site: https://x.example/docs/={}", folder.display()),
            "_redirects:1: 301 /docs/a".to_owned(),
            format!("site: https://x.example/docs/={}", folder.display()),
            format!(
                "preset cloudflare-pages: {}",
                folder.join("a.html").display()
            ),
        ]
    );
    drop(generated);
}
