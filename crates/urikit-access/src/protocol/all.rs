//! The list of protocols.

use super::{
    Data, File, Ftp, Ftps, Gopher, Http, Mail, Mailto, News, Protocol, Rlogin, Telnet, Tn3270,
};

/// All protocols, with their default settings.
#[rustfmt::skip] // one per line
pub fn all() -> Vec<Box<dyn Protocol>> {
    vec![
        Box::new(Data::new()),
        Box::new(File::new()),
        Box::new(Ftp::new()),
        Box::new(Ftps::new()),
        Box::new(Gopher::new()),
        Box::new(Http::new()),
        Box::new(Mail::new()),
        Box::new(Mailto::new()),
        Box::new(News::new()),
        Box::new(Rlogin::new()),
        Box::new(Telnet::new()),
        Box::new(Tn3270::new()),
    ]
}
