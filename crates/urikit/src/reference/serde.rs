//! References as strings, for `serde`. Reading one checks it.

use super::UriRef;
use crate::standard::Spec;
use ::serde::de::Error as _;
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

impl<S: Spec> Serialize for UriRef<'_, S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de: 'a, 'a, S: Spec> Deserialize<'de> for UriRef<'a, S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse_as(<&str>::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(feature = "alloc")]
impl<S: Spec> Serialize for super::UriRefBuf<S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(feature = "alloc")]
impl<'de, S: Spec> Deserialize<'de> for super::UriRefBuf<S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = alloc::string::String::deserialize(deserializer)?;
        Self::parse_as(text).map_err(D::Error::custom)
    }
}
