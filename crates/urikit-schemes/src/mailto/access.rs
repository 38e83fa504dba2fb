//! What a mailto URL means as data, and what a client does with it (RFC 6068, 3 to 5 and 7).

use super::super::{AccessError, Detail, Details, Line, Step};
use super::{Address, Caution, HeaderField, Mailto};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use urikit::component::Encoded;

impl<'a> Mailto<'a> {
    /// What it means: the addresses (`to`) and the `headers`, decoded; each header with its
    /// caution.
    pub fn details(&self) -> Details<'a> {
        let headers = self.fields.map(|_| Detail::list(self.headers()));
        Details::new("mailto", self.specification())
            .with("to", Detail::list(self.addresses()))
            .with("headers", headers)
    }

    /// What a client does, in words: it composes a message, and sends nothing without asking.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::{Mailto, Step};
    /// let url = Uri::parse("mailto:infobot@example.com?subject=current-issue")?; // RFC 6068, 6.1
    /// let steps = Mailto::read(url)?.steps()?;
    /// assert!(matches!(&steps[1], Step::Act { with, .. } if **with == *b"subject: current-issue"));
    /// // RFC 6068, 5: no line ends in a header field.
    /// let url = Uri::parse("mailto:a@an.example?subject=x%0D%0Abcc:b@an.example")?;
    /// assert!(Mailto::read(url)?.steps().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If an address or a header field decodes to a control character, or the body to one that is
    /// neither a TAB nor part of CR LF.
    pub fn steps(&self) -> Result<Vec<Step<'a>>, AccessError> {
        let mut steps = Vec::new();
        for address in self.addresses() {
            let what = if steps.is_empty() {
                "composes a message to"
            } else {
                "and to"
            };
            steps.push(Step::act_in_line(what, address.encoded(), "address")?);
        }
        if steps.is_empty() {
            steps.push(Step::say("composes a message"));
        }
        for header in self.headers() {
            steps.push(step(header)?);
        }
        steps.push(Step::say(
            "shows all of it to the person, who may change it, and send it or not",
        ));
        Ok(steps)
    }
}

/// The step for a header field or the body.
fn step(header: HeaderField<'_>) -> Result<Step<'_>, AccessError> {
    let what = match header.caution() {
        Caution::Ignored => {
            return Ok(Step::act("leaves out the header field", header.name()));
        }
        _ if header.is_body() => {
            check_body(header.value())?;
            return Ok(Step::act("with the text", header.value()));
        }
        Caution::Safe => "with the header field",
        Caution::Suspect => "with the header field, if the person agrees",
    };
    let mut line = Line::command("");
    line.push(header.name().decode(), "header field")?;
    line.push(*b": ", "header field")?;
    line.push(header.value().decode(), "header field")?;
    let with = Cow::Owned(line.octets().to_vec());
    Ok(Step::Act { what, with })
}

/// RFC 6068, 5: line breaks in the body are `%0D%0A`.
fn check_body(body: Encoded<'_>) -> Result<(), AccessError> {
    let mut octets = body.decode().octets().peekable();
    while let Some(octet) = octets.next() {
        let is_text = match octet {
            b'\r' => octets.next_if_eq(&b'\n').is_some(),
            b'\t' => true,
            _ => octet >= b' ' && octet != 0x7F,
        };
        if !is_text {
            let part = "body";
            return Err(AccessError::Control { octet, part });
        }
    }
    Ok(())
}

impl<'a> From<Address<'a>> for Detail<'a> {
    fn from(address: Address<'a>) -> Self {
        Self::Fields(Vec::from([
            ("address", address.encoded().into()),
            ("local_part", address.local_part().into()),
            ("domain", address.domain().into()),
        ]))
    }
}

impl<'a> From<HeaderField<'a>> for Detail<'a> {
    fn from(header: HeaderField<'a>) -> Self {
        Self::Fields(Vec::from([
            ("name", header.name().into()),
            ("value", header.value().into()),
            ("caution", header.caution().as_str().into()),
        ]))
    }
}
