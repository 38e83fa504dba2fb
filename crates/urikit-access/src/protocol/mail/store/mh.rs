//! MH folders: each message is a file whose name is its number, and folders may be in folders.

use super::{Visitor, folders, in_file, is_regular, local};
use crate::error::Result;
use std::fs;
use std::path::Path;

/// How many folders deep MH mail is searched. Links are not followed, so that there is an end.
const DEPTH: usize = 32;

/// Whether a folder is one of MH: it has a numbered message, MH's own file, or a folder that is.
pub(super) fn is_mh(path: &Path) -> bool {
    is_mh_within(path, DEPTH)
}

fn is_mh_within(path: &Path, depth: usize) -> bool {
    path.join(".mh_sequences").is_file()
        || numbers(path).is_ok_and(|numbers| !numbers.is_empty())
        || depth > 0
            && folders(path).is_ok_and(|folders| {
                let mut folders = folders.iter();
                folders.any(|folder| is_mh_within(folder, depth - 1))
            })
}

/// Visits the messages of a folder by number, and then those of the folders in it by name.
pub(super) fn each_message(path: &Path, visitor: &mut dyn Visitor) -> Result<bool> {
    each_within(path, visitor, DEPTH)
}

fn each_within(path: &Path, visitor: &mut dyn Visitor, depth: usize) -> Result<bool> {
    for number in numbers(path)? {
        if in_file(&path.join(number.to_string()), visitor)? {
            return Ok(true);
        }
    }
    let folders = folders(path)?;
    if depth == 0 {
        for folder in folders {
            visitor.skipped(&folder, "too many folders deep");
        }
        return Ok(false);
    }
    for folder in folders {
        if each_within(&folder, visitor, depth - 1)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The numbers of the messages in a folder, in order.
fn numbers(path: &Path) -> Result<Vec<u64>> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(path).map_err(|error| local(path, error))? {
        let entry = entry.map_err(|error| local(path, error))?;
        let name = entry.file_name();
        let number = name.to_str().filter(|name| is_number(name));
        if let Some(number) = number.and_then(|number| number.parse().ok())
            && is_regular(&entry.path())
        {
            numbers.push(number);
        }
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// Whether this is how MH writes a number: `+1`, `01` and `,1`, a removed message, are not.
fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit()) && !name.starts_with('0')
}
