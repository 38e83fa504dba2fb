//! `--lenient` and `--guess`: references as people write them.

use crate::exit::Stop;
use crate::input::{Repairs, Tolerance};
use crate::standard::Reader;
use urikit::Standard;

/// The options.
#[derive(clap::Args, Clone, Copy, Default, Debug)]
pub(crate) struct Lenient {
    /// Repair references that are not valid, as browsers do
    ///
    /// It applies to RFC 3986 and RFC 3987. White space around the reference, tabs and line ends are removed; characters that are not
    /// allowed are escaped; `\` becomes `/` where the scheme is http, https, ws, wss, ftp or file;
    /// a host beyond US-ASCII becomes its name in the DNS. It stays an error if a change would
    /// decide which host is meant: a second `@`, or a space in the host. A valid reference is never
    /// changed. A repaired one counts as valid; a warning says what was changed, and with --json
    /// the key `repaired` does.
    #[arg(long, help_heading = crate::help::SHARED)]
    lenient: bool,

    /// Read `example.com/x` as `https://example.com/x`, as browsers do, and report it
    ///
    /// A name with a dot, `localhost` or an address is a host, also before a colon and digits,
    /// which are then its port. The guessed scheme is https, but http for `localhost`, for
    /// addresses and for port 80. A warning says what was added, and with --json the key
    /// `repaired` does.
    #[arg(long)]
    guess: bool,
}

impl Lenient {
    /// What may be changed in inputs, if anything.
    ///
    /// # Errors
    ///
    /// A usage error of `subcommand` if nothing is repaired under `reader`.
    pub(crate) fn tolerance(
        self,
        subcommand: &'static str,
        reader: Reader,
    ) -> Result<Option<Tolerance>, Stop> {
        let tolerance = Tolerance {
            reader,
            lenient: self.standard(subcommand, reader)?,
            guess: self.guess,
        };
        Ok((self.lenient || self.guess).then_some(tolerance))
    }

    /// The standard under which inputs are repaired, if they are to be.
    fn standard(self, subcommand: &'static str, reader: Reader) -> Result<Option<Standard>, Stop> {
        if !self.lenient {
            return Ok(None);
        }
        match reader {
            Reader::Rfc(standard) if Repairs::STANDARDS.contains(&standard) => Ok(Some(standard)),
            Reader::Rfc(standard) => {
                let names = Repairs::STANDARDS.map(Standard::name).join(", ");
                let message = format!(
                    "--lenient does not apply to --standard {}, only to {names}",
                    standard.name()
                );
                Err(Stop::usage(subcommand, message))
            }
            Reader::Whatwg => {
                let message = "--lenient does not apply to --standard whatwg, by which references \
                               are always repaired";
                Err(Stop::usage(subcommand, message))
            }
        }
    }
}
