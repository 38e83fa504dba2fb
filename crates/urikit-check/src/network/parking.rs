//! Signs of domains that are parked: registered, but without a site. Parking services show
//! advertisements, or offer the domain for sale.

use crate::probe::Content;
use urikit::IriRef;
use urikit_extract::document::{Format, HtmlPart, html_parts};

/// The signs, each with its source.
const SIGNS: &str = include_str!("parking.tsv");

/// A sign of a parked domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Sign {
    place: &'static str,
    text: &'static str,
    service: &'static str,
}

fn signs(place: &str) -> impl Iterator<Item = Sign> {
    let rows = SIGNS.lines().filter(|line| !line.starts_with('#'));
    let signs = rows.filter_map(|line| {
        let mut columns = line.split('\t');
        Some(Sign {
            place: columns.next()?,
            text: columns.next()?,
            service: columns.next()?,
        })
    });
    signs.filter(move |sign| sign.place == place)
}

/// Returns the service to whose pages a host redirects.
pub(super) fn by_address(host: &str, url: &str) -> Option<&'static str> {
    let to = location(url)?;
    let found = signs("address").find(|sign| matches(&to, sign.text));
    found
        .filter(|sign| !matches(host, sign.text))
        .map(|sign| sign.service)
}

/// Returns the service whose page a host shows.
pub(super) fn by_content(host: &str, content: &Content) -> Option<&'static str> {
    if content.format != Some(Format::Html) {
        return None;
    }
    let (mut service, mut text) = (None, String::new());
    html_parts(&content.bytes, &["src", "href"], &mut |part| match part {
        HtmlPart::Element(element) => {
            let is_loaded = ["script", "iframe", "frame", "img"];
            let attribute = match () {
                () if is_loaded.iter().any(|name| element.is(name)) => "src",
                () if element.is("link") => "href",
                () => return,
            };
            let Some(url) = element.attribute(attribute) else {
                return;
            };
            if let Some(from) = location(&url) {
                let found = signs("resource").find(|sign| matches(&from, sign.text));
                let found = found.filter(|sign| !matches(host, sign.text));
                service = service.or(found.map(|sign| sign.service));
            }
        }
        HtmlPart::Text(piece) => {
            text.push_str(&piece);
            text.push(' ');
        }
        _ => {}
    });
    service.or_else(|| {
        let words: Vec<_> = text.split_whitespace().collect();
        let text = words.join(" ").to_lowercase();
        let found = signs("text").find(|sign| text.contains(&sign.text.to_lowercase()));
        found.map(|sign| sign.service)
    })
}

/// Returns the host and the path of an absolute URL, in lower case. `//host/path` also counts as
/// absolute.
fn location(url: &str) -> Option<String> {
    let url = url.trim();
    let reference = IriRef::parse(url).ok()?;
    let host = reference.host()?.as_str();
    Some(format!("{host}{}", reference.path().as_str()).to_ascii_lowercase())
}

/// Returns true if `location` begins with the sign, or with a subdomain of the sign. Both consist
/// of a host, which a path may follow.
fn matches(location: &str, sign: &str) -> bool {
    let (host, _) = location.split_once('/').unwrap_or((location, ""));
    let sign_host = sign.split('/').next().unwrap_or(sign);
    let Some(before) = host.strip_suffix(sign_host) else {
        return false;
    };
    let rest = location.get(before.len()..).unwrap_or_default();
    (before.is_empty() || before.ends_with('.')) && rest.starts_with(sign)
}

#[cfg(test)]
mod tests {
    use super::{by_address, by_content, signs};
    use crate::probe::Content;
    use urikit_extract::document::Format;

    fn service(page: &str) -> Option<&'static str> {
        let content = Content {
            format: Some(Format::Html),
            charset: None,
            bytes: page.as_bytes().to_vec(),
        };
        by_content("a.example", &content)
    }

    #[test]
    fn pages_of_parking_services() {
        for (page, expected) in [
            (
                "<script src=//parking3.parklogic.com/page/x.js></script>",
                "ParkLogic",
            ),
            ("<img src='https://img.sedoparking.com/a.png'>", "Sedo"),
            (
                "<script src=\"https://www.google.com/adsense/domains/caf.js\"></script>",
                "AdSense for Domains",
            ),
            (
                "<script defer src=https://img1.wsimg.com/parking-lander/static/js/main.js></script>",
                "GoDaddy",
            ),
            (
                "<p>This Web page is\n parked <b>for</b> FREE, courtesy of X",
                "GoDaddy",
            ),
        ] {
            assert_eq!(service(page), Some(expected), "{page}");
        }
        for page in [
            "<p>We wrote about sedoparking.com: <a href=https://sedoparking.com/>look</a>",
            "<script src=https://www.google.com/adsense/search.js></script>",
            "<script src=https://notsedo.com/x.js></script><img src=/sedoparking.com/x>",
            "<p>Free parking",
        ] {
            assert_eq!(service(page), None, "{page}");
        }
    }

    #[test]
    fn redirects_to_parking_services() {
        let to = "https://www.dan.com/buy-domain/a.example";
        assert_eq!(by_address("a.example", to), Some("Dan.com"));
        assert_eq!(by_address("dan.com", to), None);
        assert_eq!(by_address("a.example", "https://jordan.com/"), None);
    }

    #[test]
    fn each_sign_has_a_source() {
        let rows = super::SIGNS.lines().filter(|line| !line.starts_with('#'));
        for row in rows.clone() {
            let columns: Vec<_> = row.split('\t').collect();
            assert_eq!(columns.len(), 4, "{row}");
            let is_explained = super::SIGNS.contains(&format!("# {}: ", columns[3]));
            assert!(
                is_explained && columns.iter().all(|column| !column.is_empty()),
                "{row}"
            );
        }
        let all = ["address", "resource", "text"].map(|place| signs(place).count());
        assert_eq!(all.iter().sum::<usize>(), rows.count());
    }
}
