//! `--lenient`: references that are not valid are repaired.

use crate::exit::Stop;
use crate::input::Repairs;
use crate::standard::Reader;
use urikit::Standard;

/// The option.
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
}

impl Lenient {
    /// The standard under which inputs are repaired, if they are to be.
    ///
    /// # Errors
    ///
    /// A usage error of `subcommand` if nothing is repaired under `reader`.
    pub(crate) fn standard(
        self,
        subcommand: &'static str,
        reader: Reader,
    ) -> Result<Option<Standard>, Stop> {
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
