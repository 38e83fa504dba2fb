//! The options for access that apply only where something is fetched.

use super::retry::RetryOptions;
use clap::ValueHint;
use std::path::PathBuf;
use urikit_access::Policy;
use urikit_access::policy::SchemeRules;
use urikit_access::protocol::Mail;

/// Options of access that `uri send` does not have.
#[derive(clap::Args, Debug)]
pub(super) struct Receiving {
    #[command(flatten)]
    pub(super) retry: RetryOptions,

    /// Refuse a list of more than N entries
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_items: u64,

    /// Follow at most N redirects
    #[arg(long, value_name = "N", default_value_t = 10)]
    max_redirs: usize,

    /// Allow redirects to these schemes, in the form of --proto; by default from http and https to
    /// these two, from prospero also to ftp, gopher and wais, and from any other scheme to itself
    #[arg(long, value_name = "SCHEMES", allow_hyphen_values = true)]
    proto_redir: Option<SchemeRules>,

    /// mid, cid: search this mailbox, Maildir, MH folder or message; may be repeated
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    mail: Vec<PathBuf>,

    /// mailto: send the message, instead of printing it
    #[arg(long, requires_all = ["smtp", "mail_from"])]
    send: bool,
}

impl Receiving {
    /// The policy for lists and redirects.
    pub(super) fn policy(&self, policy: Policy) -> Policy {
        let policy = policy
            .max_items(self.max_items)
            .max_redirects(self.max_redirs);
        match &self.proto_redir {
            Some(rules) => policy.network_schemes(rules.clone()),
            None => policy,
        }
    }

    /// The most entries of a list.
    pub(super) const fn max_items(&self) -> u64 {
        self.max_items
    }

    /// Whether a message of mailto is sent.
    pub(super) const fn sends(&self) -> bool {
        self.send
    }

    /// Where messages are searched for.
    pub(super) fn mail(&self) -> Mail {
        let mut mail = Mail::new();
        for path in &self.mail {
            mail = mail.store(path);
        }
        mail
    }
}
