//! `uri fetch --recursive`: copies what each reference leads to, and reports it.

use super::each::Fetch;
use super::failure;
use super::person::{AtTerminal, Teller};
use super::recursive::{self, Copied};
use crate::exit::Exit;
use crate::input::Input;
use crate::mask::mask;
use std::io;
use urikit::AnyRef;
use urikit_access::{Client, Prompt};

impl Fetch {
    /// Copies what the reference leads to.
    pub(super) fn copy(
        &self,
        client: &mut Client,
        input: Input<'_>,
        reference: AnyRef<'_>,
        out: &mut Vec<u8>,
        messages: &mut String,
    ) -> io::Result<Exit> {
        let Some(tree) = &self.tree else {
            return Ok(Exit::Good);
        };
        let login = self.login(reference);
        let request = self.request(reference, login.as_ref());
        let mut teller = Teller(self.output.reporter.quiet);
        let mut person = AtTerminal::default();
        let asked: &mut dyn Prompt = if self.is_interactive {
            &mut person
        } else {
            &mut teller
        };
        let mut worst = Exit::Good;
        recursive::copy(tree, &request, client, asked, &mut |copied| {
            worst = worst.max(self.copied(input, &copied, out, messages)?);
            Ok(())
        })?;
        Ok(worst)
    }

    /// Reports one URL.
    fn copied(
        &self,
        input: Input<'_>,
        copied: &Copied<'_>,
        out: &mut Vec<u8>,
        messages: &mut String,
    ) -> io::Result<Exit> {
        let exit = self.recorded(input, copied.url, copied.response, out, messages)?;
        let url = mask(copied.url, self.output.reporter.show_secrets);
        let (what, advice, exit) = match (&copied.note, copied.response) {
            (Some(note), _) => (note.clone(), String::new(), exit),
            (None, Err(error)) => {
                let exit = exit.max(failure::exit(error));
                (error.to_string(), failure::advice(error), exit)
            }
            (None, Ok(_)) => return Ok(exit),
        };
        if !self.output.json {
            self.say(input, &format!("{url}: {what}"), &advice, messages);
        }
        Ok(exit)
    }
}
