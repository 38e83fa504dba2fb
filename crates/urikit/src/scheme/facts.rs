//! Facts about a scheme.

/// The facts that a scheme's specification states about all URLs of the scheme.
///
/// For a custom scheme, start from [`Facts::new`] and set the other facts.
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
    /// The title, such as `File Transfer Protocol`. It may be empty.
    pub title: &'a str,
    /// The status of the scheme in the registries.
    pub status: Status,
    /// The default port, for a URL without a port.
    pub port: Option<u16>,
    /// The text that may precede the `@`.
    pub userinfo: Userinfo,
    /// True if slashes in paths separate the levels of a hierarchy, as relative references
    /// require.
    pub is_hierarchical: bool,
    /// The kind of thing that the scheme's URLs identify.
    pub denotes: Denotes,
    /// The specifications, oldest first, with their sections.
    pub specifications: &'a [&'a str],
}

impl<'a> Facts<'a> {
    /// Returns the facts about a scheme whose URLs are names, without a port, a userinfo or a
    /// hierarchy. The scheme is experimental if its name begins with `x-` (RFC 1630, Registration
    /// of naming schemes; RFC 1738, 4), and provisional otherwise.
    ///
    /// The name is not checked.
    ///
    /// ```
    /// use urikit::scheme::{Facts, Status, Userinfo};
    /// const NOTES: Facts<'static> = Facts::new("notes").userinfo(Userinfo::User).hierarchical();
    /// assert_eq!((NOTES.port, NOTES.userinfo), (None, Userinfo::User));
    /// assert_eq!(NOTES.status, Status::Provisional); // no `x-`
    /// ```
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
            specifications: &[],
        }
    }

    /// Sets the title.
    #[must_use]
    pub const fn title(mut self, title: &'a str) -> Self {
        self.title = title;
        self
    }

    /// Sets the status.
    #[must_use]
    pub const fn status(mut self, status: Status) -> Self {
        self.status = status;
        self
    }

    /// Sets the default port.
    #[must_use]
    pub const fn port(mut self, port: u16) -> Self {
        self.port = Some(port);
        self
    }

    /// Sets the text that may precede the `@`.
    #[must_use]
    pub const fn userinfo(mut self, userinfo: Userinfo) -> Self {
        self.userinfo = userinfo;
        self
    }

    /// Makes the paths hierarchical.
    #[must_use]
    pub const fn hierarchical(mut self) -> Self {
        self.is_hierarchical = true;
        self
    }

    /// Sets the kind of thing that the URLs identify.
    #[must_use]
    pub const fn denotes(mut self, denotes: Denotes) -> Self {
        self.denotes = denotes;
        self
    }

    /// Sets the specifications.
    #[must_use]
    pub const fn specifications(mut self, specifications: &'a [&'a str]) -> Self {
        self.specifications = specifications;
        self
    }
}

/// Defines an enum with a name for each value, used for display and in data.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$value_doc])* $value,)*
        }

        impl $name {
            /// Returns the name in lower case.
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
    /// The status of a scheme in the registries (RFC 1630, Registration of naming schemes; RFC
    /// 1738, 4 and 5; RFC 7595).
    Status {
        /// Defined by a specification that is in force.
        Permanent = "permanent",
        /// Registered, but not a standard.
        Provisional = "provisional",
        /// No longer in use.
        Historical = "historical",
        /// A name that RFC 1738, 5, reserves for a later specification.
        Reserved = "reserved",
        /// A name that RFC 1630 lists "for further study".
        ForFurtherStudy = "for-further-study",
        /// A name that begins with `x-`, for experiments among parties that agree on it.
        Experimental = "experimental",
        /// A name in common use that is not in any registry.
        Unregistered = "unregistered",
    }
}

named! {
    /// The text that may precede the `@` in the URLs of a scheme.
    Userinfo {
        /// The URLs contain no `@`.
        None = "none",
        /// A user without a password.
        User = "user",
        /// A user, and a password after a colon.
        UserAndPassword = "user-and-password",
    }
}

named! {
    /// The kind of thing that a scheme's URLs identify (RFC 1738, 3; RFC 2396, 1.2).
    Denotes {
        /// The URLs locate data that a client can fetch.
        Object = "object",
        /// The URLs locate a service for people to use.
        Service = "service",
        /// The URLs identify something without locating it.
        Name = "name",
    }
}
