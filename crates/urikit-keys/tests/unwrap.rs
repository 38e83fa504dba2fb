//! Tests the targets of redirectors and archives.

use std::time::{Duration, Instant};
use urikit::Standard;
use urikit_keys::{Canonicalizer, Step, Steps, unwrap_redirect};

/// A URL, and its target.
const ROWS: &[(&str, &str)] = &[
    // Safe Links from mail to public lists.
    (
        "https://nam11.safelinks.protection.outlook.com/?url=https%3A%2F%2Flists.freedesktop.org\
         %2Fmailman%2Flistinfo%2Famd-gfx&data=02%7C01%7C&sdata=A%2F",
        "https://lists.freedesktop.org/mailman/listinfo/amd-gfx",
    ),
    // Links from versions 1, 2 and 3 of Proofpoint.
    (
        "https://urldefense.proofpoint.com/v1/url?u=http://www.bouncycastle.org/&k=oIvRg1%2B",
        "http://www.bouncycastle.org/",
    ),
    (
        "https://urldefense.proofpoint.com/v1/url?u=http%3A%2F%2Fa.example%2F%3Fb%3D1\
         %26amp%3Bc&k=x",
        "http://a.example/?b=1&c",
    ),
    (
        "https://urldefense.proofpoint.com/v2/url?u=https-3A__a.example_b-5Fc-2Dd-3Fe-3D-2525&d=x",
        "https://a.example/b_c-d?e=%25",
    ),
    (
        "https://urldefense.com/v3/__https://lore.kernel.org/linux-scsi/Ykqg0kr0F*2Fyzk2XW\
         @infradead.org/__;JQ!!ACWV5N9M2RV99hQ!MwAZ$",
        "https://lore.kernel.org/linux-scsi/Ykqg0kr0F%2Fyzk2XW@infradead.org/",
    ),
    (
        "https://urldefense.com/v3/__https://bugzilla.kernel.org/show_bug.cgi?id=208045__;!!Gq!O$",
        "https://bugzilla.kernel.org/show_bug.cgi?id=208045",
    ),
    // `**B` represents three characters, and a slash was dropped.
    (
        "https://urldefense.com/v3/__https:/a.example/x**By*z__;JTI1Lg!!k!t$",
        "https://a.example/x%25y.z",
    ),
    // These links are from search engines and social networks.
    (
        "https://www.google.com/url?sa=t&url=https%3A%2F%2Fa.example%2F%3Fq%3D%2523&usg=x",
        "https://a.example/?q=%23",
    ),
    (
        "http://google.com/url?q=http://a.example/",
        "http://a.example/",
    ),
    (
        "https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2F&h=AT",
        "https://a.example/",
    ),
    (
        "https://lm.facebook.com/l.php?h=AT&u=https%3A%2F%2Fa.example",
        "https://a.example",
    ),
    (
        "https://l.instagram.com/?u=https%3A%2F%2Fa.example%2F&e=AT",
        "https://a.example/",
    ),
    (
        "https://www.youtube.com/redirect?event=x&q=https%3A%2F%2Fa.example",
        "https://a.example",
    ),
    (
        "https://duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2Fb&rut=c",
        "https://a.example/b",
    ),
    (
        "https://out.reddit.com/t3_x?url=https%3A%2F%2Fa.example&token=y",
        "https://a.example",
    ),
    (
        "https://vk.com/away.php?to=http%3A%2F%2Fa.example",
        "http://a.example",
    ),
    (
        "https://anonym.to/?https://a.example/b?c=d",
        "https://a.example/b?c=d",
    ),
    // URLs of pages in web archives.
    (
        "https://web.archive.org/web/2020/http://a.example/?b#c",
        "http://a.example/?b#c",
    ),
    (
        "http://web.archive.org/web/20200102030405id_/https:/a.example/",
        "https://a.example/",
    ),
    (
        "https://web.archive.org/web/20200102030405/a.example/b",
        "http://a.example/b",
    ),
    (
        "https://arquivo.pt/wayback/20061230093552/http://a.example:80/b",
        "http://a.example:80/b",
    ),
    (
        "https://wayback.archive-it.org/1234/20200102/https://a.example/",
        "https://a.example/",
    ),
    // The host may have any case and port, and browsers would repair the target.
    (
        "HTTPS://WWW.GOOGLE.COM:443/url?q=HTTP%3A%2F%2FA.example%2Fa%20b",
        "HTTP://A.example/a%20b",
    ),
    (
        "https://www.google.com/url?q=http%3A%2F%2Fa.example%2F%C3%A9",
        "http://a.example/%C3%A9",
    ),
    // One redirector contains another.
    (
        "https://l.facebook.com/l.php?u=https%3A%2F%2Fweb.archive.org%2Fweb%2F2020\
         %2Fhttp%3A%2F%2Fa.example%2F",
        "http://a.example/",
    ),
];

#[test]
fn targets_are_found() {
    for (url, target) in ROWS {
        assert_eq!(unwrap_redirect(url).as_deref(), Some(*target), "{url}");
        assert!(Standard::Rfc3986.parse(target).is_ok(), "{target}");
        let mut out = String::new();
        Canonicalizer::new(Steps::NONE.with(Step::Unwrap)).write_split(url, &mut out);
        assert_eq!(out, *target);
    }
}

#[test]
fn other_urls_stay_as_written() {
    for url in [
        "",
        "a",
        "mailto:a@b",
        "https://a.example/url?q=http://b.example/",
        // No rule matches these hosts or paths.
        "https://www.google.com.evil.example/url?q=http://b.example/",
        "https://evilgoogle.com/url?q=http://b.example/",
        "https://safelinks.protection.outlook.com/?url=http%3A%2F%2Fb.example",
        "https://www.google.com/urls?q=http://b.example/",
        "https://www.google.com/search?q=http://b.example/",
        "https://www.google.com@evil.example/url?q=http://b.example/",
        // These URLs have no target, or a target that is not on the web.
        "https://www.google.com/url",
        "https://www.google.com/url?q=",
        "https://www.google.com/url?q=words",
        "https://www.google.com/url?q=javascript%3Aalert(1)",
        "https://www.google.com/url?q=http%3A%2F%2F",
        "https://www.google.com/url?q=%FF",
        "https://www.google.com/url?q=http%3A%2F%2Fa%40b%40c",
        // Calendar and search pages of an archive.
        "https://web.archive.org/web/2020*/http://a.example/",
        "https://web.archive.org/web/*/http://a.example/",
        "https://web.archive.org/web/",
        "https://web.archive.org/save/http://a.example/",
        // These URLs are damaged.
        "https://urldefense.com/v3/__https://a.example/*__;!!k",
        "https://urldefense.com/v3/__https://a.example/**A__;JQ!!k",
        "https://urldefense.com/v3/__https://a.example/*__;?Q!!k",
        "https://urldefense.com/v3/__https://a.example/",
        "https://urldefense.proofpoint.com/v2/url?x=y",
    ] {
        assert_eq!(unwrap_redirect(url), None, "{url}");
        let mut out = String::new();
        Canonicalizer::new(Steps::NONE.with(Step::Unwrap)).write_split(url, &mut out);
        assert_eq!(out, url);
    }
}

#[test]
fn the_other_steps_apply_to_the_target() {
    let steps = Steps::NONE.with(Step::Unwrap).with(Step::StripTracking);
    let mut out = String::new();
    let url = "https://www.google.com/url?utm_source=x&q=http%3A%2F%2Fa%2F%3Futm_source%3Dy%26b";
    Canonicalizer::new(steps).write_split(url, &mut out);
    assert_eq!(out, "http://a/?b");
    assert_eq!(
        steps.without(Step::Unwrap),
        Steps::NONE.with(Step::StripTracking)
    );
}

#[test]
fn hostile_input_takes_linear_time() {
    let start = Instant::now();
    let level = "https://web.archive.org/web/2020/";
    let deep = level.repeat(1000) + "http://a.example/";
    let target = unwrap_redirect(&deep);
    assert_eq!(
        target.map(|target| target.len()),
        Some(deep.len() - 32 * level.len())
    );
    let long = format!(
        "https://www.google.com/url?{}q=http://a/",
        "a&".repeat(100_000)
    );
    assert_eq!(unwrap_redirect(&long).as_deref(), Some("http://a/"));
    let tokens = format!(
        "https://urldefense.com/v3/__{}__;JQ!!",
        "**_".repeat(100_000)
    );
    assert_eq!(unwrap_redirect(&tokens), None);
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn the_table_is_complete() {
    let table = include_str!("../src/unwrap/redirectors.tsv");
    let rows: Vec<_> = table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    assert!(rows.len() > 25 && rows.is_sorted());
    for row in rows {
        let cells: Vec<_> = row.split('\t').collect();
        let [host, path, rule, date, source] = cells[..] else {
            panic!("expected five cells: {row}");
        };
        assert!(host.contains('.') && path.starts_with('/') && !rule.is_empty());
        assert!(
            date.len() == 10 && date.starts_with("20") && !source.is_empty(),
            "{row}"
        );
    }
}
