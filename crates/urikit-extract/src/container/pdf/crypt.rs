//! Decryption with the empty password (ISO 32000-2, 7.6; ISO 32000-1, 7.6 for RC4).
//!
//! Files that anyone may open, but not print or change, are encrypted with the empty password.
//! Files that need any other password are reported.

use super::super::Problem;
use super::damaged;
use super::file::File;
use super::object::{Dictionary, Object};
use aes::cipher::block_padding::NoPadding;
use aes::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
use aes::{Aes128, Aes256};
use md5::{Digest, Md5};
use rc4::{KeyInit, Rc4, StreamCipher};
use sha2::{Sha256, Sha384, Sha512};
use std::collections::BTreeMap;

/// The maximum number of named crypt filters.
const MAX_FILTERS: usize = 64;

/// The bytes that pad a password to 32 bytes (7.6.4.3.2). On their own, these bytes represent the
/// empty password.
const PADDING: [u8; 32] = [
    0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41, 0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08,
    0x2E, 0x2E, 0x00, 0xB6, 0xD0, 0x68, 0x3E, 0x80, 0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A,
];

/// A method of encryption (7.6.6, Table 25).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Method {
    None,
    Rc4,
    /// AES with a separate 128-bit key for each object.
    Aes128,
    /// AES with the 256-bit key of the file.
    Aes256,
}

/// The key of a file, and the methods that it uses.
pub(in super::super) struct Decryption {
    key: Vec<u8>,
    pub(in super::super) strings: Method,
    pub(in super::super) streams: Method,
    filters: BTreeMap<Vec<u8>, Method>,
}

impl Decryption {
    /// Reads an encryption dictionary (7.6.2, Table 20), and checks the empty password. `id` is the
    /// first identifier of the file.
    pub(in super::super) fn read(
        file: &File<'_>,
        dictionary: &Dictionary,
        id: &[u8],
    ) -> Result<Self, Problem> {
        let handler = file.get(dictionary, b"Filter")?;
        let handler = handler
            .as_deref()
            .and_then(Object::name)
            .unwrap_or_default();
        if handler != b"Standard" {
            let handler = String::from_utf8_lossy(handler);
            return Err(unsupported(&format!(
                "the PDF is encrypted with the unknown handler {handler}"
            )));
        }
        let number = |key: &[u8]| {
            let value = file.get(dictionary, key)?;
            Ok::<_, Problem>(value.and_then(|value| match *value {
                Object::Integer(number) => Some(number),
                _ => None,
            }))
        };
        let string = |key: &[u8]| {
            let value = file.get(dictionary, key)?;
            Ok::<_, Problem>(match value.as_deref() {
                Some(Object::String(string)) => string.clone(),
                _ => Vec::new(),
            })
        };
        let version = number(b"V")?.unwrap_or(0);
        let revision = number(b"R")?.unwrap_or(0);
        let mut filters = BTreeMap::new();
        let (strings, streams) = match version {
            1 | 2 => (Method::Rc4, Method::Rc4),
            4 | 5 => {
                filters = named_filters(file, dictionary)?;
                let method = |key| {
                    let name = file.get(dictionary, key)?;
                    method(&filters, name.as_deref().and_then(Object::name))
                };
                (method(b"StrF")?, method(b"StmF")?)
            }
            _ => {
                return Err(unsupported(&format!(
                    "the PDF is encrypted with the unknown algorithm {version}"
                )));
            }
        };
        let user = string(b"U")?;
        let key = if revision >= 5 {
            strong_key(revision, &user, &string(b"UE")?)
        } else {
            let length = match version {
                1 => 5,
                2 => number(b"Length")?.unwrap_or(40) / 8,
                _ => 16,
            };
            let length = usize::try_from(length).unwrap_or_default().clamp(5, 16);
            let permissions = number(b"P")?.unwrap_or_default() & 0xFFFF_FFFF;
            let permissions = u32::try_from(permissions).unwrap_or_default();
            let metadata = file.get(dictionary, b"EncryptMetadata")?;
            let is_clear = metadata.is_some_and(|it| *it == Object::Keyword(b"false".to_vec()));
            let owner = string(b"O")?;
            let mut hash = Md5::new();
            hash.update(PADDING);
            hash.update(owner.get(..32).unwrap_or(&owner));
            hash.update(permissions.to_le_bytes());
            hash.update(id);
            if revision >= 4 && is_clear {
                hash.update([0xFF; 4]);
            }
            weak_key(revision, &user, id, length, hash)
        };
        let key = key.ok_or_else(|| unsupported("the PDF is encrypted with a password"))?;
        Ok(Self {
            key,
            strings,
            streams,
            filters,
        })
    }

    /// Returns the method of the crypt filter with this name (7.4.10).
    pub(in super::super) fn named(&self, name: Option<&[u8]>) -> Result<Method, Problem> {
        method(&self.filters, name)
    }

    /// Decrypts a string or stream of the object with this number and generation (7.6.3).
    pub(in super::super) fn decrypt(
        &self,
        method: Method,
        (number, generation): (u32, u32),
        data: &[u8],
    ) -> Vec<u8> {
        let mut data = data.to_vec();
        if matches!(method, Method::None) {
            return data;
        }
        if matches!(method, Method::Aes256) {
            return aes::<cbc::Decryptor<Aes256>>(&self.key, data);
        }
        let mut hash = Md5::new();
        hash.update(&self.key);
        hash.update(number.to_le_bytes().get(..3).unwrap_or_default());
        hash.update(generation.to_le_bytes().get(..2).unwrap_or_default());
        if matches!(method, Method::Aes128) {
            hash.update(b"sAlT");
        }
        let key = hash.finalize();
        let key = key.get(..self.key.len() + 5).unwrap_or(&key);
        if matches!(method, Method::Aes128) {
            return aes::<cbc::Decryptor<Aes128>>(key, data);
        }
        rc4(key, &mut data);
        data
    }

    /// Decrypts the strings in an object.
    pub(in super::super) fn decrypt_strings(&self, id: (u32, u32), object: &mut Object) {
        match object {
            Object::String(string) => *string = self.decrypt(self.strings, id, string),
            Object::Array(items) => {
                for item in items {
                    self.decrypt_strings(id, item);
                }
            }
            Object::Dictionary(dictionary) => {
                for value in dictionary.values_mut() {
                    self.decrypt_strings(id, value);
                }
            }
            _ => {}
        }
    }
}

fn unsupported(what: &str) -> Problem {
    Problem::Unsupported(what.to_owned())
}

/// Reads the methods of the named crypt filters (7.6.6).
fn named_filters(
    file: &File<'_>,
    dictionary: &Dictionary,
) -> Result<BTreeMap<Vec<u8>, Method>, Problem> {
    let named = file.get(dictionary, b"CF")?;
    let named = named.as_deref().and_then(Object::dictionary);
    let mut filters = BTreeMap::new();
    for (name, filter) in named.into_iter().flatten().take(MAX_FILTERS) {
        let filter = file.resolve(filter)?;
        let method = match filter.dictionary() {
            Some(filter) => file.get(filter, b"CFM")?,
            None => None,
        };
        let method = match method.as_deref().and_then(Object::name) {
            Some(b"V2") => Method::Rc4,
            Some(b"AESV2") => Method::Aes128,
            Some(b"AESV3") => Method::Aes256,
            None | Some(b"None") => Method::None,
            // An unknown method matters only if a stream or string uses this filter.
            Some(_) => continue,
        };
        filters.insert(name.clone(), method);
    }
    Ok(filters)
}

fn method(filters: &BTreeMap<Vec<u8>, Method>, name: Option<&[u8]>) -> Result<Method, Problem> {
    match name {
        None | Some(b"Identity") => Ok(Method::None),
        Some(name) => filters
            .get(name)
            .copied()
            .ok_or_else(|| damaged("the PDF is encrypted with an unknown method")),
    }
}

/// Returns the key of a file with revision 2, 3 or 4 (7.6.4.3.2), or `None` if the password is not
/// empty (7.6.4.4.5). `hash` already contains the data that identifies the file.
fn weak_key(revision: i64, user: &[u8], id: &[u8], length: usize, hash: Md5) -> Option<Vec<u8>> {
    let mut key = hash.finalize().to_vec();
    key.truncate(length);
    if revision >= 3 {
        for _ in 0..50 {
            key = Md5::digest(&key).to_vec();
            key.truncate(length);
        }
    }
    if revision < 3 {
        let mut expected = PADDING;
        rc4(&key, &mut expected);
        return (user.get(..32)? == expected).then_some(key);
    }
    let mut hash = Md5::new();
    hash.update(PADDING);
    hash.update(id);
    let mut expected = hash.finalize().to_vec();
    for round in 0..20_u8 {
        let key: Vec<u8> = key.iter().map(|byte| byte ^ round).collect();
        rc4(&key, &mut expected);
    }
    (user.get(..16)? == expected.as_slice()).then_some(key)
}

/// Returns the key of a file with revision 5 or 6 (7.6.4.3.3), or `None` if the password is not
/// empty.
fn strong_key(revision: i64, user: &[u8], encrypted: &[u8]) -> Option<Vec<u8>> {
    let (expected, salt, key_salt) = (user.get(..32)?, user.get(32..40)?, user.get(40..48)?);
    let hash = match revision {
        5 => |salt: &[u8]| Sha256::digest(salt).to_vec(),
        _ => hardened_hash,
    };
    if hash(salt) != expected {
        return None;
    }
    let key = hash(key_salt);
    let mut data = encrypted.get(..32)?.to_vec();
    let cipher = cbc::Decryptor::<Aes256>::new_from_slices(key.get(..32)?, &[0; 16]).ok()?;
    cipher.decrypt_padded::<NoPadding>(&mut data).ok()?;
    Some(data)
}

/// Returns the hash of the empty password with a salt (7.6.4.3.4, algorithm 2.B).
fn hardened_hash(salt: &[u8]) -> Vec<u8> {
    let mut key = Sha256::digest(salt).to_vec();
    // The last byte is at most 255, so the loop ends after at most 287 rounds.
    for round in 1.. {
        let mut data = key.repeat(64);
        let length = data.len();
        let (Some(first), Some(second)) = (key.get(..16), key.get(16..32)) else {
            break;
        };
        let Ok(cipher) = cbc::Encryptor::<Aes128>::new_from_slices(first, second) else {
            break;
        };
        // The length of the data is a multiple of the block length.
        if cipher
            .encrypt_padded::<NoPadding>(&mut data, length)
            .is_err()
        {
            break;
        }
        let first = data.iter().take(16).map(|byte| u32::from(*byte));
        key = match first.sum::<u32>() % 3 {
            0 => Sha256::digest(&data).to_vec(),
            1 => Sha384::digest(&data).to_vec(),
            _ => Sha512::digest(&data).to_vec(),
        };
        let last = data.last().copied().map_or(0, u32::from);
        if round >= 64 && last + 32 <= round {
            break;
        }
    }
    key.truncate(32);
    key
}

fn rc4(key: &[u8], data: &mut [u8]) {
    if let Ok(mut cipher) = Rc4::new_from_slice(key) {
        cipher.apply_keystream(data);
    }
}

/// Decrypts data that follows an initialization vector, and removes the padding. An incomplete
/// block is dropped.
fn aes<C: KeyIvInit + BlockModeDecrypt>(key: &[u8], mut data: Vec<u8>) -> Vec<u8> {
    let length = data.len() / 16 * 16;
    data.truncate(length);
    let Some((vector, blocks)) = data.split_first_chunk_mut::<16>() else {
        return Vec::new();
    };
    let Ok(cipher) = C::new_from_slices(key, vector) else {
        return Vec::new();
    };
    if cipher.decrypt_padded::<NoPadding>(blocks).is_err() {
        return Vec::new();
    }
    let padding = data.last().copied().map_or(0, usize::from);
    if (1..=16).contains(&padding) {
        data.truncate(data.len() - padding);
    }
    data.drain(..data.len().min(16));
    data
}
