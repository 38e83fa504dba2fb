//! Resolution against a base, step by step as in RFC 3986, 5.2.

use super::difference::cut;
use urikit::op::Options;
use urikit::{AnyRef, Standard};
use urikit_report::Reader;
use urikit_report::base::Base;
use urikit_report::mask::mask;
use urikit_report::safe::safe;

/// The maximum number of steps that remove dot segments.
const MOST_STEPS: usize = 60;

/// The target of a reference, and the steps to it.
pub(super) struct Resolution {
    /// The target, or the reason why none exists.
    pub(super) target: Result<String, String>,
    /// The steps of section 5.2.2, if the standard uses them to resolve references.
    pub(super) steps: Vec<Step>,
    /// The steps of section 5.2.4.
    pub(super) dots: Vec<DotStep>,
    /// True if some steps are not shown.
    pub(super) is_cut: bool,
}

/// A step of section 5.2.2 or 5.2.3.
pub(super) struct Step {
    pub(super) section: &'static str,
    /// The condition or instruction, and its outcome.
    pub(super) words: String,
    /// The values of the components that the step sets.
    pub(super) result: String,
}

/// A step of section 5.2.4.
pub(super) struct DotStep {
    /// The letter of the rule.
    pub(super) rule: &'static str,
    pub(super) output: String,
    pub(super) input: String,
}

/// Resolves a reference under a standard. Passwords are masked.
pub(super) fn resolve(url: &str, base: &str, reader: Reader) -> Resolution {
    let mut resolution = Resolution {
        target: Err(String::new()),
        steps: Vec::new(),
        dots: Vec::new(),
        is_cut: false,
    };
    let resolved = match Base::new(base.into(), reader) {
        Ok(resolver) => resolver
            .resolve(url.into(), Options::default())
            .map_err(|failure| format!("The reference: {}", failure.summary())),
        Err(failure) => Err(format!("The base: {}", failure.summary())),
    };
    let is_masked = [url, base].iter().any(|text| mask(text, false) != **text);
    let standard = match reader {
        Reader::Rfc(standard @ (Standard::Rfc3986 | Standard::Rfc3987)) => Some(standard),
        _ => None,
    };
    // The steps would show parts of a password.
    if let Some(standard) = standard.filter(|_| !is_masked)
        && let (Ok(reference), Ok(base), Ok(target)) =
            (standard.parse(url), standard.parse(base), &resolved)
    {
        resolution.trace(reference, base, &target.text);
    }
    resolution.target = resolved.map(|target| safe(&cut(&mask(&target.text, false))).into_owned());
    resolution
}

/// The five components of RFC 3986, Appendix B.
#[derive(Clone, Default)]
struct Parts {
    scheme: Option<String>,
    authority: Option<String>,
    path: String,
    query: Option<String>,
    fragment: Option<String>,
}

impl Parts {
    fn of(reference: AnyRef<'_>) -> Self {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Self {
            scheme: owned(reference.scheme()),
            authority: owned(reference.authority().map(|authority| authority.as_str())),
            path: reference.path().as_str().to_owned(),
            query: owned(reference.query().map(|query| query.as_str())),
            fragment: owned(reference.fragment().map(|fragment| fragment.as_str())),
        }
    }

    /// Joins the components (RFC 3986, 5.3).
    fn recompose(&self) -> String {
        let mut text = String::new();
        for (before, part, after) in [
            ("", self.scheme.as_deref(), ":"),
            ("//", self.authority.as_deref(), ""),
            ("", Some(self.path.as_str()), ""),
            ("?", self.query.as_deref(), ""),
            ("#", self.fragment.as_deref(), ""),
        ] {
            if let Some(part) = part {
                text.extend([before, part, after]);
            }
        }
        text
    }
}

impl Resolution {
    /// Follows the pseudocode of section 5.2.2, and records each step.
    fn trace(&mut self, reference: AnyRef<'_>, base: AnyRef<'_>, target: &str) {
        let (r, base) = (Parts::of(reference), Parts::of(base));
        let mut t = Parts::default();
        if r.scheme.is_some() {
            self.step(
                "5.2.2",
                "The reference has a scheme",
                value("T.scheme", r.scheme.as_deref()),
            );
            (t.scheme, t.authority) = (r.scheme, r.authority);
            t.path = self.without_dots(&r.path);
            t.query = r.query;
        } else {
            let words = "The reference has no scheme: take that of the base";
            self.step("5.2.2", words, value("T.scheme", base.scheme.as_deref()));
            t.scheme.clone_from(&base.scheme);
            if r.authority.is_some() {
                self.step(
                    "5.2.2",
                    "The reference has an authority",
                    value("T.authority", r.authority.as_deref()),
                );
                t.authority = r.authority;
                t.path = self.without_dots(&r.path);
                t.query = r.query;
            } else {
                let words = "The reference has no authority: take that of the base";
                self.step(
                    "5.2.2",
                    words,
                    value("T.authority", base.authority.as_deref()),
                );
                if r.path.is_empty() {
                    let words = "The path is empty: take that of the base";
                    self.step("5.2.2", words, value("T.path", Some(&base.path)));
                    t.path = base.path;
                    t.query = if r.query.is_some() {
                        r.query
                    } else {
                        base.query
                    };
                } else {
                    t.path = if r.path.starts_with('/') {
                        self.step(
                            "5.2.2",
                            "The path begins with “/”: do not merge",
                            String::new(),
                        );
                        self.without_dots(&r.path)
                    } else {
                        let merged = merge(&base, &r.path);
                        let words = if base.authority.is_some() && base.path.is_empty() {
                            "Merge: the base has an authority and an empty path, so put “/” before"
                        } else {
                            "Merge: replace what follows the last “/” of the base’s path"
                        };
                        self.step("5.2.3", words, value("path", Some(&merged)));
                        self.without_dots(&merged)
                    };
                    t.query = r.query;
                }
                t.authority = base.authority;
            }
        }
        self.step("5.2.2", "The query", value("T.query", t.query.as_deref()));
        t.fragment = r.fragment;
        self.step(
            "5.2.2",
            "The fragment of the reference",
            value("T.fragment", t.fragment.as_deref()),
        );
        let recomposed = t.recompose();
        self.step(
            "5.3",
            "Join the components",
            safe(&cut(&recomposed)).into_owned(),
        );
        if recomposed != target {
            let words = "Write “/.” before a path that would be read as an authority";
            self.step("5.3", words, safe(&cut(target)).into_owned());
        }
    }

    fn step(&mut self, section: &'static str, words: &str, result: String) {
        let words = words.to_owned();
        self.steps.push(Step {
            section,
            words,
            result,
        });
    }

    /// Removes dot segments as section 5.2.4 does, and records each step.
    fn without_dots(&mut self, path: &str) -> String {
        let (mut input, mut output) = (path.to_owned(), String::new());
        let words = "Remove dot segments";
        let at = self.steps.len();
        self.dot_step("1", &output, &input);
        while !input.is_empty() && self.dots.len() < MOST_STEPS {
            let rule = remove_one(&mut input, &mut output);
            self.dot_step(rule, &output, &input);
        }
        if !input.is_empty() {
            self.is_cut = true;
            output = urikit::op::remove_dot_segments(path).into_owned();
        }
        let result = value("T.path", Some(&output));
        let step = Step {
            section: "5.2.4",
            words: words.to_owned(),
            result,
        };
        self.steps.insert(at, step);
        output
    }

    fn dot_step(&mut self, rule: &'static str, output: &str, input: &str) {
        let [output, input] = [output, input].map(|text| safe(&cut(text)).into_owned());
        self.dots.push(DotStep {
            rule,
            output,
            input,
        });
    }
}

/// Merges paths (RFC 3986, 5.2.3).
fn merge(base: &Parts, path: &str) -> String {
    if base.authority.is_some() && base.path.is_empty() {
        return format!("/{path}");
    }
    let end = base.path.rfind('/').map_or(0, |at| at + 1);
    format!("{}{path}", base.path.get(..end).unwrap_or_default())
}

/// Applies the first rule of RFC 3986, 5.2.4, step 2 that matches, and returns its letter.
fn remove_one(input: &mut String, output: &mut String) -> &'static str {
    let replace = |input: &mut String, length: usize, with: &str| {
        input.replace_range(..length, with);
    };
    if input.starts_with("../") {
        replace(input, 3, "");
        "2A"
    } else if input.starts_with("./") {
        replace(input, 2, "");
        "2A"
    } else if input.starts_with("/./") {
        replace(input, 3, "/");
        "2B"
    } else if input == "/." {
        replace(input, 2, "/");
        "2B"
    } else if input.starts_with("/../") || input == "/.." {
        let length = input.len().min(4);
        replace(input, length, "/");
        output.truncate(output.rfind('/').unwrap_or(0));
        "2C"
    } else if input == "." || input == ".." {
        input.clear();
        "2D"
    } else {
        let begin = usize::from(input.starts_with('/'));
        let rest = input.get(begin..).unwrap_or_default();
        let end = rest.find('/').map_or(input.len(), |at| begin + at);
        output.push_str(input.get(..end).unwrap_or_default());
        replace(input, end, "");
        "2E"
    }
}

/// Formats an assignment.
fn value(name: &str, value: Option<&str>) -> String {
    match value {
        Some(value) => format!("{name} = \"{}\"", safe(&cut(value))),
        None => format!("{name} is undefined"),
    }
}

#[cfg(test)]
mod tests {
    use super::resolve;
    use urikit_report::Reader;

    /// Resolves a reference of RFC 3986, 5.4, and returns the last step.
    fn joined(reference: &str) -> String {
        let resolution = resolve(reference, "http://a/b/c/d;p?q", Reader::default());
        let last = resolution.steps.last().unwrap();
        assert_eq!(resolution.target.as_deref(), Ok(last.result.as_str()));
        assert_eq!(
            (last.section, last.words.as_str()),
            ("5.3", "Join the components")
        );
        last.result.clone()
    }

    #[test]
    fn steps_lead_to_the_targets_of_the_rfc() {
        for (reference, target) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y#s", "http://a/b/c/g?y#s"),
            ("#s", "http://a/b/c/d;p?q#s"),
            ("", "http://a/b/c/d;p?q"),
            ("..", "http://a/b/"),
            ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            ("./g/.", "http://a/b/c/g/"),
            ("g;x=1/../y", "http://a/b/c/y"),
            ("http:g", "http:g"),
        ] {
            assert_eq!(joined(reference), target, "{reference}");
        }
    }

    #[test]
    fn dots_are_removed_as_in_the_example() {
        // RFC 3986, 5.2.4
        let resolution = resolve("/a/b/c/./../../g", "http://x", Reader::default());
        let dots = resolution.dots.iter();
        let dots: Vec<_> = dots
            .map(|step| (step.rule, &*step.output, &*step.input))
            .collect();
        let expected = [
            ("1", "", "/a/b/c/./../../g"),
            ("2E", "/a", "/b/c/./../../g"),
            ("2E", "/a/b", "/c/./../../g"),
            ("2E", "/a/b/c", "/./../../g"),
            ("2B", "/a/b/c", "/../../g"),
            ("2C", "/a/b", "/../g"),
            ("2C", "/a", "/g"),
            ("2E", "/a/g", ""),
        ];
        assert_eq!(dots, expected);
    }

    #[test]
    fn steps_lead_to_the_target_of_the_core() {
        let pieces = [
            "", ".", "..", "a", "/", "//", "/.", "/..", "?b", "#c", "s:", "s:/",
        ];
        let bases = [
            "http://a/b/c/d;p?q",
            "http://a",
            "s:",
            "s:/",
            "s:/.//x",
            "s:x/y",
            "s:///x/y#z",
        ];
        let mut count = 0;
        for [first, second, third] in pieces.iter().flat_map(|first| {
            let pairs = pieces
                .iter()
                .flat_map(|b| pieces.iter().map(move |c| (b, c)));
            pairs.map(move |(b, c)| [first, b, c])
        }) {
            for base in bases {
                let reference = [*first, *second, *third].concat();
                let resolution = resolve(&reference, base, Reader::default());
                let (Ok(target), Some(last)) = (&resolution.target, resolution.steps.last()) else {
                    assert!(resolution.target.is_err(), "{reference} {base}");
                    continue;
                };
                assert_eq!(*target, last.result, "{reference} {base}");
                // The core departs from the RFC only where the target would have another authority.
                if last.words != "Join the components" {
                    assert!(target.contains(":/.//"), "{reference} {base}: {target}");
                }
                count += 1;
            }
        }
        assert!(count > 5000, "{count}");
    }

    #[test]
    fn many_dots_are_cut() {
        let resolution = resolve(&"../".repeat(10_000), "http://a/", Reader::default());
        assert!(resolution.is_cut && resolution.dots.len() <= 60);
        assert_eq!(resolution.target.as_deref(), Ok("http://a/"));
    }

    #[test]
    fn passwords_are_masked() {
        let resolution = resolve("b", "http://u:secret@a/", Reader::default());
        assert!(resolution.steps.is_empty());
        assert!(!resolution.target.unwrap().contains("secret"));
    }
}
