//! Parses server data from memory, for fuzz targets.

use super::options::Options;
use super::parser::{Parser, Token};

/// Parses the octets in pieces, and answers the server's commands. Returns the data, the answers
/// and the error, if any.
pub fn session(octets: &[u8], piece: usize) -> String {
    let (mut parser, mut data, mut answers) = (Parser::default(), Vec::new(), Vec::new());
    let mut options = Options::new(Some("VT100".to_owned()), Some((80, 24)));
    let mut read = |mut piece: &[u8]| {
        while let Some(token) = parser.next(&mut piece)? {
            match token {
                Token::Data(octets) => data.extend_from_slice(octets),
                Token::Negotiation(verb, option) => {
                    options.negotiate(verb, option, &mut answers)?;
                }
                Token::Subnegotiation(option) => {
                    options.subnegotiate(option, parser.content(), &mut answers)?;
                }
            }
        }
        Ok::<(), crate::Error>(())
    };
    let outcome = octets.chunks(piece.max(1)).try_for_each(&mut read);
    let outcome = outcome.map_err(|error| error.to_string());
    let echoes = options.server_echoes();
    let (data, answers) = (data.escape_ascii(), answers.escape_ascii());
    format!("{data}\n{answers}\n{echoes} {outcome:?}")
}
