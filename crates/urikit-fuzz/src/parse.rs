//! The parser against the oracle: the same verdict and the same offset.

use crate::input;
use std::cell::RefCell;
use std::collections::HashMap;
use urikit::{AnyRef, ParseError, Standard};
use urikit_testkit::abnf::{Grammar, Judgement, Recogniser, dir};

/// The oracle takes microseconds for an octet, and longer texts show nothing new.
const LONGEST: usize = 256;

thread_local! {
    static ORACLES: RefCell<HashMap<(Standard, bool), Recogniser>> = RefCell::default();
}

fn judge(standard: Standard, is_generic: bool, text: &str) -> Judgement {
    ORACLES.with_borrow_mut(|oracles| {
        let oracle = oracles.entry((standard, is_generic)).or_insert_with(|| {
            let grammar = Grammar::load(&dir(), standard.name()).unwrap();
            let start = if is_generic {
                grammar.generic().unwrap()
            } else {
                grammar.start()
            };
            Recogniser::new(&grammar, start)
        });
        oracle.judge(text)
    })
}

fn agree(text: &str, found: Result<AnyRef<'_>, ParseError>, oracle: Judgement) {
    match found {
        Ok(reference) => {
            assert!(
                oracle.valid,
                "{text:?}: valid, and by the oracle {oracle:?}"
            );
            assert_eq!(reference.as_str(), text);
        }
        Err(error) => {
            assert!(!oracle.valid, "{text:?}: {error}, and valid by the oracle");
            assert_eq!(error.offset(), oracle.viable, "{text:?}: {error}");
            // Whatever was found can be described.
            assert!(!error.to_string().is_empty());
        }
    }
}

/// A standard by the first octet, and a text.
pub(crate) fn parse(data: &[u8]) {
    let Some((standard, text)) = input::by_standard(data) else {
        return;
    };
    if text.len() > LONGEST {
        return;
    }
    let found = standard.parse(&text);
    assert_eq!(found.err(), standard.parse_const(&text).err(), "{text:?}");
    agree(&text, found, judge(standard, false, &text));
    if matches!(standard, Standard::Rfc1630 | Standard::Rfc1738) {
        let found = standard.parse_generic(&text);
        agree(&text, found, judge(standard, true, &text));
    }
}
