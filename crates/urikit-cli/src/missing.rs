//! Messages about parts that this program was built without.

/// Returns the message about something that this program lacks, and the cargo feature that adds it.
pub(crate) fn built_without(what: &str, feature: &str) -> String {
    format!("this program was built without {what} (cargo feature `{feature}`)")
}

#[cfg(test)]
mod tests {
    use super::built_without;

    #[test]
    fn the_message_names_the_feature() {
        let message = built_without("Parquet", "parquet");
        assert_eq!(
            message,
            "this program was built without Parquet (cargo feature `parquet`)"
        );
    }
}
