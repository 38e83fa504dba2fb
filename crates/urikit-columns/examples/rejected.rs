//! Counts the registrable domains in a column of URLs, and the reasons why rows have no domain.
//!
//! ```sh
//! cargo run --example rejected < urls.txt
//! ```

use std::collections::BTreeMap;
use std::io::{self, BufRead as _};

use urikit_columns::arrow_array::cast::AsArray as _;
use urikit_columns::arrow_array::{Array as _, StringArray};
use urikit_columns::urikit_domains::List;
use urikit_columns::{ColumnError, Options, diagnose, registrable_domain};

type Counts = BTreeMap<String, usize>;

/// Counts the domains, and the reasons why rows are rejected.
fn counts(urls: &StringArray) -> Result<(Counts, Counts), ColumnError> {
    let (mut domains, mut reasons) = (Counts::new(), Counts::new());
    let found = registrable_domain(urls, &List::builtin(), Options::new())?;
    for domain in found.as_string::<i32>().iter().flatten() {
        *domains.entry(domain.to_lowercase()).or_default() += 1;
    }
    let diagnoses = diagnose(urls, Options::new())?;
    if let Some(section) = diagnoses.column_by_name("section") {
        for section in section.as_string::<i32>().iter().flatten() {
            *reasons.entry(section.to_owned()).or_default() += 1;
        }
    }
    debug_assert_eq!(found.len(), urls.len());
    Ok((domains, reasons))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let lines = io::stdin().lock().lines().collect::<Result<Vec<_>, _>>()?;
    let (domains, reasons) = counts(&StringArray::from(lines))?;
    for (domain, count) in domains {
        println!("{count} {domain}");
    }
    for (section, count) in reasons {
        println!("{count} rejected by {section}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_domains_and_reasons() -> Result<(), ColumnError> {
        let urls = [
            "http://a.Example.com/",
            "http://example.com/x",
            "http://a/|",
            "http://[::1]/",
        ];
        let (domains, reasons) = counts(&StringArray::from(urls.to_vec()))?;
        assert_eq!(domains, Counts::from([("example.com".to_owned(), 2)]));
        assert_eq!(reasons, Counts::from([("RFC 3986, 3.3".to_owned(), 1)]));
        Ok(())
    }
}
