//! The values of parameters, from a query or from JSON.

use super::parameters::Parameter;
use crate::problem::{Problem, ProblemType};
use serde_json::Value;
use std::fmt::Display;
use std::str::FromStr;
use urikit::octet::octets;

/// The values of parameters. Each value is a string of bytes, which need not be UTF-8.
#[derive(Clone, Default, Debug)]
pub(crate) struct Values(Vec<(&'static str, Vec<u8>)>);

/// The maximum number of values.
const MOST: usize = 64;

impl Values {
    /// Reads the query of a URL in the form that HTML forms use: `+` is a space.
    ///
    /// # Errors
    ///
    /// Fails if a name is not one of `parameters`.
    pub(crate) fn from_query(
        query: &str,
        parameters: &[&'static Parameter],
    ) -> Result<Self, Problem> {
        let mut values = Self::default();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decoded(name);
            values.add(&String::from_utf8_lossy(&name), decoded(value), parameters)?;
        }
        Ok(values)
    }

    /// Reads a JSON object. Numbers, `true` and `false` are converted to text; a list is a repeated
    /// parameter.
    ///
    /// # Errors
    ///
    /// Fails if a key is not one of `parameters`, or a value is an object.
    pub(crate) fn from_json(
        object: serde_json::Map<String, Value>,
        parameters: &[&'static Parameter],
    ) -> Result<Self, Problem> {
        let mut values = Self::default();
        for (name, value) in object {
            match value {
                Value::Array(all) => {
                    for value in all {
                        values.add_json(&name, value, parameters)?;
                    }
                }
                value => values.add_json(&name, value, parameters)?,
            }
        }
        Ok(values)
    }

    fn add_json(
        &mut self,
        name: &str,
        value: Value,
        parameters: &[&'static Parameter],
    ) -> Result<(), Problem> {
        let text = match value {
            Value::Null => return Ok(()),
            Value::String(text) => text,
            Value::Bool(is) => is.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Array(_) | Value::Object(_) => {
                let detail = "expected a string, a Boolean, a number, or a list of these";
                return Err(Problem::new(ProblemType::InvalidJson, detail));
            }
        };
        self.add(name, text.into_bytes(), parameters)
    }

    /// Adds a value.
    pub(crate) fn add(
        &mut self,
        name: &str,
        value: Vec<u8>,
        parameters: &[&'static Parameter],
    ) -> Result<(), Problem> {
        let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
            let names: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
            let detail = match names.as_slice() {
                [] => "unknown parameter; expected none".to_owned(),
                names => format!("unknown parameter; expected {}", names.join(", ")),
            };
            return Err(Problem::new(ProblemType::InvalidParameter, detail));
        };
        if !parameter.is_list() && self.get(parameter.name).is_some() {
            return Err(Problem::parameter(parameter.name, "given more than once"));
        }
        if self.0.len() >= MOST {
            return Err(Problem::parameter(parameter.name, "too many values"));
        }
        self.0.push((parameter.name, value));
        Ok(())
    }

    /// Adds the values of parameters that are not yet set.
    pub(crate) fn or(mut self, defaults: &Self) -> Self {
        let given: Vec<_> = self.0.iter().map(|(name, _)| *name).collect();
        let missing = defaults.0.iter().filter(|(name, _)| !given.contains(name));
        self.0.extend(missing.cloned());
        self
    }

    /// Returns the total length of all values, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.0.iter().map(|(_, value)| value.len()).sum()
    }

    /// Returns the value of a parameter, as bytes.
    pub(crate) fn get(&self, name: &str) -> Option<&[u8]> {
        let found = self.0.iter().find(|(own, _)| *own == name)?;
        Some(&found.1)
    }

    /// Returns the value of a required parameter.
    pub(crate) fn required(&self, name: &'static str) -> Result<&[u8], Problem> {
        self.get(name)
            .ok_or_else(|| Problem::parameter(name, "missing"))
    }

    /// Returns the value of a parameter as text.
    pub(crate) fn text(&self, name: &'static str) -> Result<Option<&str>, Problem> {
        let text = self.get(name).map(std::str::from_utf8).transpose();
        text.map_err(|_| Problem::parameter(name, "not UTF-8"))
    }

    /// Parses the value of a parameter.
    pub(crate) fn parsed<T: FromStr<Err: Display>>(
        &self,
        name: &'static str,
    ) -> Result<Option<T>, Problem> {
        let parsed = self.text(name)?.map(str::parse).transpose();
        parsed.map_err(|error: T::Err| Problem::parameter(name, error.to_string()))
    }

    /// Returns true if a flag is set: `true`, `1`, `on` or nothing.
    pub(crate) fn flag(&self, name: &'static str) -> Result<bool, Problem> {
        match self.get(name) {
            None | Some(b"false" | b"0" | b"off") => Ok(false),
            Some(b"true" | b"1" | b"on" | b"") => Ok(true),
            Some(_) => Err(Problem::parameter(name, "expected true or false")),
        }
    }

    /// Parses the values in a list. Each value may contain several items, separated by commas.
    pub(crate) fn list<T: FromStr<Err: Display>>(
        &self,
        name: &'static str,
    ) -> Result<Vec<T>, Problem> {
        let mut all = Vec::new();
        for (_, value) in self.0.iter().filter(|(own, _)| *own == name) {
            let text = std::str::from_utf8(value);
            let text = text.map_err(|_| Problem::parameter(name, "not UTF-8"))?;
            for word in text.split(',') {
                let parsed = word.parse();
                all.push(
                    parsed.map_err(|error: T::Err| Problem::parameter(name, error.to_string()))?,
                );
            }
        }
        Ok(all)
    }
}

/// Decodes a name or value of a form.
pub(super) fn decoded(text: &str) -> Vec<u8> {
    let octets = octets(text.as_bytes());
    let decoded = octets.map(|octet| match octet.value {
        b'+' if !octet.is_escaped => b' ',
        value => value,
    });
    decoded.collect()
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn forms_are_decoded() {
        for (text, expected) in [
            ("a+b%20c%2B", &b"a b c+"[..]),
            ("%", b"%"),
            ("%4", b"%4"),
            ("%+1%zz", b"% 1%zz"),
            ("%ff%00", b"\xff\0"),
            ("", b""),
        ] {
            assert_eq!(decoded(text), expected, "{text}");
        }
    }
}
