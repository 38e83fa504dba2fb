//! Image candidates (HTML living standard, 4.8.4.3.10, "Parsing a srcset attribute").

use std::ops::Range;

/// The ranges of the URLs in a `srcset` or `imagesrcset` attribute.
pub(crate) fn urls(list: &[u8]) -> Vec<Range<usize>> {
    let mut urls = Vec::new();
    let mut at = 0;
    loop {
        while list
            .get(at)
            .is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b',')
        {
            at += 1;
        }
        let start = at;
        while list.get(at).is_some_and(|byte| !byte.is_ascii_whitespace()) {
            at += 1;
        }
        if start == at {
            return urls;
        }
        let url = list.get(start..at).unwrap_or_default();
        let commas = url.iter().rev().take_while(|byte| **byte == b',').count();
        urls.push(start..at - commas);
        if commas == 0 {
            at = descriptors_end(list, at);
        }
    }
}

/// The end of a URL's descriptors: the next comma outside parentheses.
fn descriptors_end(list: &[u8], from: usize) -> usize {
    let mut in_parentheses = false;
    let rest = list.get(from..).unwrap_or_default();
    let comma = rest.iter().position(|byte| {
        match byte {
            b'(' => in_parentheses = true,
            b')' => in_parentheses = false,
            _ => {}
        }
        *byte == b',' && !in_parentheses
    });
    comma.map_or(list.len(), |comma| from + comma)
}

#[cfg(test)]
mod tests {
    use super::urls;

    #[test]
    fn splits_as_the_html_standard_does() {
        for (list, expected) in [
            ("a.jpg", &["a.jpg"][..]),
            ("a.jpg 1x, b.jpg 2x", &["a.jpg", "b.jpg"]),
            (" , a,b.jpg 100w,c.jpg", &["a,b.jpg", "c.jpg"]),
            ("a.jpg, b.jpg,, c.jpg 1x", &["a.jpg", "b.jpg", "c.jpg"]),
            ("data:,a 1x,\n\tb (x, y) 2x , c", &["data:,a", "b", "c"]),
            ("a (", &["a"]),
            (" ,, ", &[]),
        ] {
            let found: Vec<&str> = urls(list.as_bytes())
                .into_iter()
                .map(|range| list.get(range).unwrap())
                .collect();
            assert_eq!(found, expected, "{list}");
        }
    }
}
