//! What is known of a scheme apart from any URL.

/// What the text of a scheme says of all its URLs.
///
/// A scheme of one's own begins with [`Facts::new`] and says what differs.
///
/// ```
/// use urikit::scheme::{Denotes, Facts, Status};
/// let facts = Facts::new("x-finger").port(79).denotes(Denotes::Object);
/// assert_eq!(facts.status, Status::Experimental); // RFC 1738, 4: `x-`
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Facts<'a> {
    /// The name, in lower case.
    pub name: &'a str,
    /// What it stands for, such as `File Transfer Protocol`; may be empty.
    pub title: &'a str,
    /// How it stands with the registries.
    pub status: Status,
    /// The port of a server whose URL names none.
    pub port: Option<u16>,
    /// What may stand before the `@`.
    pub userinfo: Userinfo,
    /// Whether the slashes of its paths part levels that relative references go by.
    pub is_hierarchical: bool,
    /// What its URLs are for.
    pub denotes: Denotes,
    /// The texts that say so, the oldest first, each with its section where it has one.
    pub texts: &'a [&'a str],
}

impl<'a> Facts<'a> {
    /// A scheme with neither port nor userinfo, not hierarchical, that names something: experimental where its
    /// name begins with `x-` (RFC 1630, Registration of naming schemes; RFC 1738, 4), else provisional.
    pub const fn new(name: &'a str) -> Self {
        Self {
            name,
            title: "",
            status: match name.as_bytes() {
                [b'x' | b'X', b'-', ..] => Status::Experimental,
                _ => Status::Provisional,
            },
            port: None,
            userinfo: Userinfo::None,
            is_hierarchical: false,
            denotes: Denotes::Name,
            texts: &[],
        }
    }

    /// The same with a title.
    #[must_use]
    pub const fn title(mut self, title: &'a str) -> Self {
        self.title = title;
        self
    }

    /// The same with a status.
    #[must_use]
    pub const fn status(mut self, status: Status) -> Self {
        self.status = status;
        self
    }

    /// The same with a default port.
    #[must_use]
    pub const fn port(mut self, port: u16) -> Self {
        self.port = Some(port);
        self
    }

    /// The same with what may stand before the `@`.
    #[must_use]
    pub const fn userinfo(mut self, userinfo: Userinfo) -> Self {
        self.userinfo = userinfo;
        self
    }

    /// The same with hierarchical paths.
    #[must_use]
    pub const fn hierarchical(mut self) -> Self {
        self.is_hierarchical = true;
        self
    }

    /// The same with what its URLs are for.
    #[must_use]
    pub const fn denotes(mut self, denotes: Denotes) -> Self {
        self.denotes = denotes;
        self
    }

    /// The same with its texts.
    #[must_use]
    pub const fn texts(mut self, texts: &'a [&'a str]) -> Self {
        self.texts = texts;
        self
    }
}

/// An enumeration whose values have names for people and for data.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$value_doc])* $value,)*
        }

        impl $name {
            /// The name, in lower case, as `spec/schemes.toml` has it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$value => $text,)* }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

named! {
    /// How a scheme stands with the registries (RFC 1630, Registration of naming schemes; RFC 1738, 4 and 5; RFC
    /// 7595).
    Status {
        /// Specified by a text in force.
        Permanent = "permanent",
        /// Registered, and not (or not yet) a standard.
        Provisional = "provisional",
        /// No longer in use.
        Historical = "historical",
        /// A name that RFC 1738, 5, keeps for a later text.
        Reserved = "reserved",
        /// A name that RFC 1630 lists "for further study".
        ForFurtherStudy = "for-further-study",
        /// A name that begins with `x-`: among those who agree on it.
        Experimental = "experimental",
    }
}

named! {
    /// What may stand before the `@` of a scheme's URLs.
    Userinfo {
        /// Nothing: there is no `@`.
        None = "none",
        /// A user, and no password.
        User = "user",
        /// A user, and a password behind a colon.
        UserAndPassword = "user-and-password",
    }
}

named! {
    /// What the URLs of a scheme are for (RFC 1738, 3; RFC 2396, 1.2).
    Denotes {
        /// They locate a data object, which a client fetches.
        Object = "object",
        /// They locate a service, which a person uses.
        Service = "service",
        /// They name something, wherever it is.
        Name = "name",
    }
}
