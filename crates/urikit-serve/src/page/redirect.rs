//! The targets to which each parser resolves a redirect, or a link on a page.

use super::difference::cut;
use urikit_audit::Keep;
use urikit_report::audit::{FindingLine, Site};
use urikit_report::mask::mask;
use urikit_report::safe::safe;

/// A redirect from a base to a target.
pub(super) struct Redirect {
    /// True if the target stays on the site of the base.
    pub(super) passes: bool,
    pub(super) rows: Vec<Row>,
    pub(super) findings: Vec<FindingLine>,
}

/// The result of one parser.
pub(super) struct Row {
    pub(super) reader: &'static str,
    /// The target with masked passwords; `None` if the parser rejects the reference.
    pub(super) target: Option<String>,
    /// True if the target stays on the site.
    pub(super) keeps: bool,
}

/// Resolves a target with each parser.
///
/// # Errors
///
/// Fails unless the base is an http or https URL on which all parsers agree.
pub(super) fn redirect(base: &str, target: &str) -> Result<Redirect, String> {
    let site = Site::new(base.to_owned(), Keep::Origin).map_err(|error| error.to_string())?;
    let Some(audit) = site.audit(target) else {
        return Err("the base cannot be used".to_owned());
    };
    let rows = audit.readings.iter().map(|resolved| Row {
        reader: resolved.reader,
        target: resolved
            .outcome
            .as_ref()
            .ok()
            .map(|destination| safe(&cut(&mask(&destination.target, false))).into_owned()),
        keeps: resolved
            .outcome
            .as_ref()
            .is_ok_and(|destination| destination.keeps()),
    });
    Ok(Redirect {
        passes: audit.answer.passes(),
        rows: rows.collect(),
        findings: audit.lines(false),
    })
}
