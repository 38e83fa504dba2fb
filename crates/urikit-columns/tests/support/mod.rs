//! Test data: strings, and columns of these strings in every layout.

#![allow(dead_code)] // not every test uses all of it
#![allow(clippy::panic)] // a test fails by panicking

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, UInt32Type};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Int8Array, LargeStringArray, StringArray, StringViewArray,
    UInt32Array,
};
use std::sync::Arc;
use urikit_testkit::Random;
use urikit_testkit::data::{references, rejects};

/// References of all kinds, rejected texts, and nulls.
pub(crate) fn texts() -> Vec<Option<String>> {
    let mut texts: Vec<Option<String>> = Vec::new();
    texts.extend(references().into_iter().map(|(_, row)| Some(row.input)));
    texts.extend(rejects().into_iter().map(|(_, row)| Some(row.input)));
    let more = [
        "http://www.Example.co.uk:8080/a/b?x=1&y=%C3%A9&x=2&z#f",
        "http://u@a_b/?q=%ff&r=+&%71=3",
        "http://127.1/",
        "HTTP://A/../%7e",
        "",
        "/../g",
        "http://a/é?日本",
        "http://a.github.io/;jsessionid=1?utm_source=x",
    ];
    texts.extend(more.map(|text| Some(text.to_owned())));
    let mut random = Random::new(20);
    for text in &mut texts {
        if random.chance(10) {
            *text = None;
        }
    }
    texts
}

/// Returns the same column in each layout, sometimes as a slice with an offset.
pub(crate) fn layouts(texts: &[Option<String>]) -> Vec<(&'static str, ArrayRef)> {
    let given = || texts.iter().map(|text| text.as_deref());
    let padded = || {
        let before = [Some("http://before/"), None];
        let after = [Some("|"), Some("http://after/")];
        before.into_iter().chain(given()).chain(after)
    };
    let slice = |array: ArrayRef| array.slice(2, texts.len());
    let mut all: Vec<(&'static str, ArrayRef)> = vec![
        ("Utf8", Arc::new(given().collect::<StringArray>())),
        ("LargeUtf8", Arc::new(given().collect::<LargeStringArray>())),
        ("Utf8View", Arc::new(given().collect::<StringViewArray>())),
        (
            "Utf8, a slice",
            slice(Arc::new(padded().collect::<StringArray>())),
        ),
        (
            "LargeUtf8, a slice",
            slice(Arc::new(padded().collect::<LargeStringArray>())),
        ),
        (
            "Utf8View, a slice",
            slice(Arc::new(padded().collect::<StringViewArray>())),
        ),
    ];
    // Contains each value twice, in another order, with nulls among keys and values.
    let keys: UInt32Array = (0..texts.len())
        .map(|row| (row % 7 != 0 || texts[row].is_some()).then_some(u32::try_from(row).unwrap()))
        .collect();
    let values: ArrayRef = Arc::new(given().chain([Some("unused |")]).collect::<StringArray>());
    let dictionary = DictionaryArray::<UInt32Type>::new(keys, values);
    all.push(("Dictionary", Arc::new(dictionary)));
    let values: ArrayRef = Arc::new(padded().collect::<StringViewArray>());
    let keys: UInt32Array = (0..texts.len() + 2)
        .map(|row| Some(u32::try_from(row).unwrap()))
        .collect();
    let dictionary = DictionaryArray::<UInt32Type>::new(keys, values);
    let dictionary: ArrayRef = Arc::new(dictionary);
    all.push(("Dictionary, a slice", dictionary.slice(2, texts.len())));
    all
}

/// Makes a dictionary with few values for many rows.
pub(crate) fn few_values() -> (Vec<Option<String>>, ArrayRef) {
    let values = ["http://a/x", "http://b c/", "http://a.example:80/"];
    let keys: Int8Array = (0..1000_i32)
        .map(|row| (row % 11 != 0).then_some(i8::try_from(row % 3).unwrap()))
        .collect();
    let texts = keys
        .iter()
        .map(|key| Some(values[usize::try_from(key?).unwrap()].to_owned()))
        .collect();
    let values: ArrayRef = Arc::new(StringArray::from(values.to_vec()));
    (
        texts,
        Arc::new(DictionaryArray::<Int8Type>::new(keys, values)),
    )
}

/// Returns the strings in a column.
pub(crate) fn strings(array: &dyn Array) -> Vec<Option<String>> {
    let own = |text: Option<&str>| text.map(str::to_owned);
    match array.data_type() {
        arrow_schema::DataType::Utf8 => array.as_string::<i32>().iter().map(own).collect(),
        arrow_schema::DataType::LargeUtf8 => array.as_string::<i64>().iter().map(own).collect(),
        arrow_schema::DataType::Utf8View => array.as_string_view().iter().map(own).collect(),
        other => panic!("{other}"),
    }
}
