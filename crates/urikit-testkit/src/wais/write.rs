//! What a server sends.

/// A compressed integer.
pub fn compressed(value: usize) -> Vec<u8> {
    let mut octets = vec![(value & 0x7F) as u8];
    let mut rest = value >> 7;
    while rest > 0 {
        octets.insert(0, (rest & 0x7F) as u8 | 0x80);
        rest >>= 7;
    }
    octets
}

/// A field.
pub fn field(tag: usize, value: &[u8]) -> Vec<u8> {
    [&compressed(tag), &compressed(value.len()), value].concat()
}

/// A number, as a field.
pub fn number(tag: usize, value: usize) -> Vec<u8> {
    let octets = value.to_be_bytes();
    let zeros = octets.iter().take_while(|octet| **octet == 0).count();
    field(tag, &octets[zeros.min(octets.len() - 1)..])
}

/// A diagnostic.
pub fn diagnostic(code: &str, text: &str) -> Vec<u8> {
    let length = (text.len() + 3) as u16;
    [
        &[28][..],
        &length.to_be_bytes(),
        code.as_bytes(),
        text.as_bytes(),
        &[0, 0x1D],
    ]
    .concat()
}

/// An Init response with these fields, as a complete message.
pub fn init_response(fields: &[u8]) -> Vec<u8> {
    apdu(&[&[21, 1], fields].concat(), &[])
}

/// A Search response with these records, as a complete message.
pub fn search_response(records: &[u8]) -> Vec<u8> {
    let header = [&[23, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &field(27, &[0])].concat();
    apdu(&header, &field(99, records))
}

fn apdu(header: &[u8], information: &[u8]) -> Vec<u8> {
    let length = (header.len() as u16).to_be_bytes();
    message(&[&length, header, information].concat())
}

/// A message.
pub fn message(apdu: &[u8]) -> Vec<u8> {
    [
        format!("{:010}z2wais        0", apdu.len()).as_bytes(),
        apdu,
    ]
    .concat()
}
