//! The scripts and styles of the pages, which are part of the program.

/// A script, style or picture.
pub(super) struct Asset {
    name: &'static str,
    pub(super) media_type: &'static str,
    pub(super) content: &'static str,
}

/// The stylesheet of all pages.
pub(super) const STYLE: &str = include_str!("../../assets/page.css");

/// All assets. To add a file, add a row to this table.
static ASSETS: [Asset; 3] = [
    Asset {
        name: "page.css",
        media_type: "text/css; charset=utf-8",
        content: STYLE,
    },
    Asset {
        name: "page.js",
        media_type: "text/javascript; charset=utf-8",
        content: include_str!("../../assets/page.js"),
    },
    Asset {
        name: "icon.svg",
        media_type: "image/svg+xml",
        content: include_str!("../../assets/icon.svg"),
    },
];

/// Returns the asset with this name.
pub(super) fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

#[cfg(test)]
mod tests {
    use super::ASSETS;

    /// The maximum length of a page with its scripts and styles.
    const MOST: usize = 60 << 10;

    #[test]
    fn the_page_is_small() {
        let url = format!(
            "https://user@example.com:8443/a/../b?c=%41&d=e+f{}#top",
            "x".repeat(150)
        );
        let page = crate::page::render(&url);
        let assets: usize = ASSETS.iter().map(|asset| asset.content.len()).sum();
        let all = page.len() + assets;
        assert!(
            all <= MOST,
            "{all} bytes: the page {}, its assets {assets}",
            page.len()
        );
    }
}
