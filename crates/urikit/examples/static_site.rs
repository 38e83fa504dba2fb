//! Rewrites the links of a static site so that it works in any folder: absolute links to the site
//! become relative, without a leading slash.
//!
//! `cargo run --example static_site`

use urikit::{Uri, op::RelativeOptions};

fn rewrite(site: Uri<'_>, page: Uri<'_>, link: &str) -> Option<String> {
    let target = page.join(link).ok()?;
    if !target.same_origin(site) {
        return None; // stays as it is
    }
    let options = RelativeOptions::default().no_absolute_path();
    Some(target.relative_to_with(page, options).ok()?.into_string())
}

fn main() -> Result<(), urikit::ParseError> {
    let site = Uri::parse("https://docs.example/")?;
    let page = Uri::parse("https://docs.example/guide/install.html")?;
    for link in [
        "/style.css",
        "https://docs.example/guide/use.html#top",
        "https://other.example/",
        "#end",
    ] {
        println!(
            "{link} -> {}",
            rewrite(site, page, link).as_deref().unwrap_or(link)
        );
    }
    Ok(())
}

#[cfg(test)]
#[test]
fn links_of_the_site_become_relative() {
    let site = Uri::parse("https://d.example/").unwrap();
    let page = Uri::parse("https://d.example/a/b/c.html").unwrap();
    for (link, rewritten) in [
        ("/", Some("../..")),
        ("/a/b/d.html?x#y", Some("d.html?x#y")),
        // This link spells the same origin differently, so no relative reference resolves to
        // exactly this text.
        ("HTTPS://D.example:443/e", Some("HTTPS://D.example:443/e")),
        ("http://d.example/", None),
    ] {
        assert_eq!(rewrite(site, page, link).as_deref(), rewritten, "{link}");
    }
    main().unwrap();
}
