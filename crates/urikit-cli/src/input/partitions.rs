//! Partition columns, as Hive, Spark and DuckDB write them: the name of a folder contains the value
//! of a column (`year=2024`).

use std::path::Path;
use urikit::octet::octets;

/// A partition column, with its name and its value for a file; `None` is null.
pub(crate) type Partition = (String, Option<String>);

/// The value in a folder's name that represents null.
const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

/// Returns the partition columns of a file: each folder `NAME=VALUE` in its path is one. The name
/// and the value may be percent-encoded.
pub(crate) fn partitions(path: &Path) -> Vec<Partition> {
    let folders = path.parent().into_iter().flat_map(Path::components);
    let pairs = folders.filter_map(|folder| folder.as_os_str().to_str()?.split_once('='));
    let decoded = |text: &str| {
        let bytes: Vec<u8> = octets(text.as_bytes()).map(|octet| octet.value).collect();
        String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
    };
    let named = pairs.filter(|(name, _)| !name.is_empty());
    named
        .map(|(name, value)| (decoded(name), (value != NULL).then(|| decoded(value))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::partitions;
    use std::path::Path;

    #[test]
    fn folders_name_partitions() {
        let found = partitions(Path::new(
            "/data/year=2024/k%3Dy=a%2Fb/x=__HIVE_DEFAULT_PARTITION__/=/a=b",
        ));
        let found: Vec<_> = found
            .iter()
            .map(|(name, value)| (&**name, value.as_deref()))
            .collect();
        assert_eq!(
            found,
            [("year", Some("2024")), ("k=y", Some("a/b")), ("x", None)]
        );
        assert_eq!(partitions(Path::new("a=b")), []);
    }
}
