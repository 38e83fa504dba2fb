//! The types of documents, as media types. RFC 1625 leaves them open; these are freeWAIS's.

/// The type of a document for which the server gives none.
pub(super) const DEFAULT_TYPE: &[u8] = b"TEXT";

/// The media type of a document. `None` for a type that is not known: the first bytes then decide.
pub(super) fn media_type(document_type: &[u8]) -> Option<&'static str> {
    Some(match document_type.to_ascii_uppercase().as_slice() {
        b"TEXT" | b"WCAT" | b"URL" => "text/plain",
        b"HTML" => "text/html",
        b"WSRC" => "application/x-wais-source",
        b"PS" => "application/postscript",
        b"GIF" => "image/gif",
        b"JPEG" | b"JPG" => "image/jpeg",
        b"TIFF" => "image/tiff",
        b"PICT" => "image/x-pict",
        b"MPEG" => "video/mpeg",
        b"DVI" => "application/x-dvi",
        _ => return None,
    })
}

/// Whether documents of this type contain a URL.
pub(super) fn is_url(document_type: &[u8]) -> bool {
    document_type.eq_ignore_ascii_case(b"URL")
}

/// Whether documents of this type describe a database.
pub(super) fn is_source(document_type: &[u8]) -> bool {
    document_type.eq_ignore_ascii_case(b"WSRC")
}
