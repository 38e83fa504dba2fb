//! Compares plans with the rows of `testdata/schemes/`.

use super::{client, outline, step};
use urikit::Standard;
use urikit_schemes::Edition;
use urikit_testkit::rows::urls;

#[test]
fn a_client_does_what_the_rows_say() {
    let client = client();
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (file, row) in urls() {
        for name in &row.standards {
            let standard: Standard = name.parse().unwrap();
            let place = format!("{file}: {:?} under {name}", row.text);
            let reference = standard.parse(&row.text).unwrap();
            let edition = match row.edition.as_deref() {
                None => Edition::of(standard),
                Some("original") => Edition::Original,
                Some("successor") => Edition::Successor,
                Some(other) => panic!("{other} is no edition"),
            };
            // `urikit-historic` tests these protocols.
            if matches!(reference.scheme(), Some("wais" | "prospero")) {
                continue;
            }
            let plan = outline(&client, reference, edition);
            let found = plan.map(|plan| plan.steps().iter().map(step).collect::<Vec<_>>());
            match (&row.steps, &row.no_steps, found) {
                (Some(expected), _, Ok(found)) if found != *expected => {
                    wrong.push(format!("{place}:\n  does {found:#?}\n  not  {expected:#?}"));
                }
                (Some(_), _, Err(error)) => wrong.push(format!("{place}: {error}")),
                (None, Some(expected), Err(error)) if error.to_string() != *expected => {
                    wrong.push(format!("{place}: no steps because {error}"));
                }
                (None, Some(_), Ok(found)) => wrong.push(format!("{place}: does {found:?}")),
                _ => {}
            }
            compared += usize::from(row.steps.is_some() || row.no_steps.is_some());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 250, "{compared}");
}
