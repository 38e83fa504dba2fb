//! Init: client and server agree on the size of messages.

use super::reader::{DecodeError, Reader};
use super::{encode, tag};

const INIT: u8 = 20;
const INIT_RESPONSE: u8 = 21;

/// Version 1, the first bit of a bitmap.
const VERSION_1: u8 = 0x80;

/// The request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Init<'a> {
    /// The services that the client will use: the first bit is Search, the second Present.
    pub options: u8,
    /// The largest message in octets, also sent as the largest record.
    pub max_message: u32,
    /// The name of the client.
    pub implementation_name: &'a [u8],
    /// Its version.
    pub implementation_version: &'a [u8],
}

impl Init<'_> {
    /// The service Search alone, by which documents are fetched too. freeWAIS declines a client
    /// that wants Present (and answers it all the same).
    pub const SEARCH: u8 = 0x80;

    /// The APDU.
    pub fn encode(&self) -> Vec<u8> {
        let mut header = vec![INIT];
        encode::field(&mut header, tag::PROTOCOL_VERSION, &[VERSION_1]);
        encode::field(&mut header, tag::OPTIONS, &[self.options]);
        let max = self.max_message.into();
        encode::number(&mut header, tag::PREFERRED_MESSAGE_SIZE, max);
        encode::number(&mut header, tag::MAXIMUM_RECORD_SIZE, max);
        let (name, version) = (self.implementation_name, self.implementation_version);
        encode::field(&mut header, tag::IMPLEMENTATION_NAME, name);
        encode::field(&mut header, tag::IMPLEMENTATION_VERSION, version);
        encode::apdu(&header, &[])
    }
}

/// The answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InitResponse<'a> {
    /// 1 where the server accepts the client. Some servers send 0 and answer all the same.
    pub result: u8,
    /// What it says of itself, and the sizes.
    pub fields: InitResponseFields<'a>,
}

/// The fields of the answer, as far as it has them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct InitResponseFields<'a> {
    /// The preferred size of messages in octets.
    pub preferred_message_size: Option<u64>,
    /// The largest record in octets.
    pub maximum_record_size: Option<u64>,
    /// Who made the server.
    pub implementation_id: &'a [u8],
    /// The name of the server.
    pub implementation_name: &'a [u8],
    /// Its version.
    pub implementation_version: &'a [u8],
}

impl<'a> InitResponse<'a> {
    /// Decodes an APDU. User information is ignored.
    ///
    /// # Errors
    ///
    /// If it is no Init response.
    pub fn decode(apdu: &'a [u8]) -> Result<Self, DecodeError> {
        let mut header = header_part(&mut Reader::new(apdu), INIT_RESPONSE)?;
        let result = header.octet("the result of Init")?;
        let mut fields = InitResponseFields::default();
        while let Some((tag, value)) = header.tagged()? {
            match tag {
                tag::PREFERRED_MESSAGE_SIZE => {
                    fields.preferred_message_size = Some(value.number()?);
                }
                tag::MAXIMUM_RECORD_SIZE => fields.maximum_record_size = Some(value.number()?),
                tag::IMPLEMENTATION_ID => fields.implementation_id = value.rest(),
                tag::IMPLEMENTATION_NAME => fields.implementation_name = value.rest(),
                tag::IMPLEMENTATION_VERSION => fields.implementation_version = value.rest(),
                _ => {}
            }
        }
        Ok(Self { result, fields })
    }

    /// The largest message that both sides allow, in octets; `None` if the server does not say.
    pub fn agreed(&self) -> Option<u64> {
        let sizes = [
            self.fields.preferred_message_size,
            self.fields.maximum_record_size,
        ];
        sizes.into_iter().flatten().filter(|size| *size > 0).min()
    }
}

/// The header part of an APDU of this type, after the type.
pub(super) fn header_part<'a>(
    apdu: &mut Reader<'a>,
    pdu_type: u8,
) -> Result<Reader<'a>, DecodeError> {
    let length = apdu.binary(2, "the length of the APDU's header part")?;
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let mut header = apdu.take(length, "a header part that ends within the message")?;
    let place = header;
    if header.octet("the type of the APDU")? == pdu_type {
        return Ok(header);
    }
    Err(place.error(match pdu_type {
        INIT_RESPONSE => "an Init response (21)",
        _ => "a Search response (23)",
    }))
}
