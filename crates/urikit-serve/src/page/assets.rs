//! The scripts and styles of the page, which are part of the program.

/// A script or style.
pub(super) struct Asset {
    name: &'static str,
    pub(super) media_type: &'static str,
    pub(super) content: &'static [u8],
}

/// All assets. A new file needs one row.
static ASSETS: [Asset; 1] = [Asset {
    name: "page.css",
    media_type: "text/css; charset=utf-8",
    content: include_bytes!("../../assets/page.css"),
}];

/// Returns the asset with this name.
pub(super) fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}
