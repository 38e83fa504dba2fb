//! Encrypted PDF (ISO 32000-2, 7.6). `lopdf` encrypts the files.

use crate::build::pdf;
use crate::extracted;
use lopdf::encryption::crypt_filters::{
    Aes128CryptFilter, Aes256CryptFilter, CryptFilter, Rc4CryptFilter,
};
use lopdf::{Document, EncryptionState, EncryptionVersion, Object, Permissions, StringFormat};
use std::collections::BTreeMap;
use std::sync::Arc;

const KEY: [u8; 32] = *b"a key of 32 bytes for AES-256   ";

fn filters(filter: Arc<dyn CryptFilter>) -> BTreeMap<Vec<u8>, Arc<dyn CryptFilter>> {
    BTreeMap::from([(b"StdCF".to_vec(), filter)])
}

/// A method of encryption.
#[derive(Clone, Copy, Debug)]
enum Method {
    Rc4(usize),
    /// Revision 4, with or without encrypted metadata.
    Crypt4 {
        is_aes: bool,
        with_metadata: bool,
    },
    Revision5,
    Revision6,
}

/// Encrypts a file with this password.
fn encrypted(method: Method, user_password: &str) -> Vec<u8> {
    let file = pdf(&[("http://a.example/b", "see http://a.example/c")]);
    let mut document = Document::load_mem(&file).unwrap();
    let id = Object::String(b"0123456789abcdef".to_vec(), StringFormat::Hexadecimal);
    document.trailer.set("ID", vec![id.clone(), id]);
    let permissions = Permissions::PRINTABLE;
    let owner_password = "owner";
    let name = b"StdCF".to_vec();
    let version = match method {
        Method::Rc4(40) => EncryptionVersion::V1 {
            document: &document,
            owner_password,
            user_password,
            permissions,
        },
        Method::Rc4(key_length) => EncryptionVersion::V2 {
            document: &document,
            owner_password,
            user_password,
            key_length,
            permissions,
        },
        Method::Crypt4 {
            is_aes,
            with_metadata,
        } => EncryptionVersion::V4 {
            document: &document,
            encrypt_metadata: with_metadata,
            crypt_filters: if is_aes {
                filters(Arc::new(Aes128CryptFilter))
            } else {
                filters(Arc::new(Rc4CryptFilter))
            },
            stream_filter: name.clone(),
            string_filter: name,
            owner_password,
            user_password,
            permissions,
        },
        #[allow(deprecated)] // files have it
        Method::Revision5 => EncryptionVersion::R5 {
            encrypt_metadata: true,
            crypt_filters: filters(Arc::new(Aes256CryptFilter)),
            file_encryption_key: &KEY,
            stream_filter: name.clone(),
            string_filter: name,
            owner_password,
            user_password,
            permissions,
        },
        Method::Revision6 => EncryptionVersion::V5 {
            encrypt_metadata: true,
            crypt_filters: filters(Arc::new(Aes256CryptFilter)),
            file_encryption_key: &KEY,
            stream_filter: name.clone(),
            string_filter: name,
            owner_password,
            user_password,
            permissions,
        },
    };
    let state = EncryptionState::try_from(version).unwrap();
    document.encrypt(&state).unwrap();
    let mut out = Vec::new();
    document.save_to(&mut out).unwrap();
    assert_eq!(memchr::memmem::find(&out, b"a.example"), None);
    out
}

const METHODS: [Method; 8] = [
    Method::Rc4(40),
    Method::Rc4(64),
    Method::Rc4(128),
    Method::Crypt4 {
        is_aes: false,
        with_metadata: true,
    },
    Method::Crypt4 {
        is_aes: true,
        with_metadata: true,
    },
    Method::Crypt4 {
        is_aes: true,
        with_metadata: false,
    },
    Method::Revision5,
    Method::Revision6,
];

#[test]
fn the_empty_password() {
    for method in METHODS {
        let file = encrypted(method, "");
        let expected = [
            "x.pdf!/1: - http://a.example/b",
            "x.pdf!/1: 1:5 http://a.example/c",
        ];
        assert_eq!(extracted("x.pdf", &file), expected, "{method:?}");
        // Without its table, the file is searched for objects.
        let at = memchr::memmem::rfind(&file, b"startxref").unwrap();
        assert_eq!(extracted("x.pdf", &file[..at]), expected, "{method:?}");
    }
}

#[test]
fn another_password() {
    for method in METHODS {
        let file = encrypted(method, "secret");
        let found = extracted("x.pdf", &file);
        let expected = ["x.pdf: failed: the PDF is encrypted with a password"];
        assert_eq!(found, expected, "{method:?}");
    }
}

/// Unknown methods are reported, and damage causes no panic.
#[test]
fn unknown_methods() {
    let file = encrypted(
        Method::Crypt4 {
            is_aes: true,
            with_metadata: true,
        },
        "",
    );
    let changed = |from: &str, to: &str| {
        assert_eq!(from.len(), to.len());
        let at = memchr::memmem::find(&file, from.as_bytes()).expect(from);
        let mut file = file.clone();
        file[at..at + from.len()].copy_from_slice(to.as_bytes());
        extracted("x.pdf", &file)
    };
    for (from, to, message) in [
        (
            "/Standard",
            "/Custom__",
            "the PDF is encrypted with the unknown handler Custom__",
        ),
        (
            "/V 4",
            "/V 9",
            "the PDF is encrypted with the unknown algorithm 9",
        ),
        (
            "/AESV2",
            "/AESV9",
            "the PDF is encrypted with an unknown method",
        ),
    ] {
        assert_eq!(changed(from, to), [format!("x.pdf: failed: {message}")]);
    }
    let mut random = urikit_testkit::Random::new(9);
    let at = memchr::memmem::find(&file, b"/Standard").unwrap();
    for _ in 0..500 {
        let mut file = file.clone();
        let at = (at + random.below(400))
            .saturating_sub(200)
            .min(file.len() - 1);
        file[at] = u8::try_from(random.below(256)).unwrap();
        extracted("x.pdf", &file);
    }
}
