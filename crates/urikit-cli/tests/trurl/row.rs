//! The rows of the suite.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::{env, fmt, fs};

/// A command line of trurl and its output.
pub(crate) struct Row {
    /// The position in the suite, counting from 1.
    pub(crate) number: usize,
    /// A hash, in case a later edition has a different row at this position.
    pub(crate) hash: String,
    pub(crate) arguments: Vec<String>,
    /// The output: a string, or the objects of JSON.
    pub(crate) output: Value,
    /// True if trurl exits with status 0.
    pub(crate) is_good: bool,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {:?}", self.number, self.hash, self.arguments)
    }
}

/// The project's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All rows, if the suite is available.
///
/// # Panics
///
/// Panics if `URIKIT_SHARED` names a folder without the suite.
pub(crate) fn load() -> Option<Vec<Row>> {
    const FILE: &str = "vectors/security/trurl_tests.json";
    let path = match env::var_os("URIKIT_SHARED") {
        Some(shared) => PathBuf::from(shared).join(FILE),
        None => Some(root().join("../shared").join(FILE)).filter(|path| path.is_file())?,
    };
    let text = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rows: Vec<Value> = serde_json::from_slice(&text).expect("the suite is JSON");
    Some(rows.iter().zip(1..).map(read).collect())
}

fn read((row, number): (&Value, usize)) -> Row {
    let arguments = &row["input"]["arguments"];
    let expected = &row["expected"];
    Row {
        number,
        hash: format!("{:08x}", fnv(&arguments.to_string())),
        arguments: serde_json::from_value(arguments.clone()).expect("a list of strings"),
        output: expected["stdout"].clone(),
        is_good: expected["returncode"] == 0,
    }
}

/// Computes the FNV-1a hash.
fn fnv(text: &str) -> u32 {
    let step = |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    text.bytes().fold(0x811c_9dc5, step)
}
