//! The components of a reference, as methods of every type but [`AnyRef`](super::AnyRef), which
//! implements them.
//!
//! Each type has the methods itself, so its page lists them, and they are `const` where they can
//! be. `$const` is `const` unless `any` is not. `$lt` is how long a component may be borrowed: as
//! long as the text for a type that borrows it, and as long as the reference for one that owns it.

/// A runnable example for the type `$T`; none for `AnyRefBuf`, whose `parse` takes a standard.
macro_rules! example {
    (AnyRefBuf, $($line:literal)*) => {
        ""
    };
    ($T:ident, $input:literal $($line:literal)*) => {
        concat!(
            "```\nuse urikit::", stringify!($T), ";\nlet url = ", stringify!($T), "::parse(\"", $input, "\")?;\n",
            $($line, "\n",)*
            "# Ok::<(), urikit::ParseError>(())\n```"
        )
    };
}

/// The scheme of a type that always has one.
macro_rules! scheme {
    ($T:ident, $lt:lifetime) => {
        /// The scheme, without its colon and in the case in which it is written (RFC 3986, 3.1).
        ///
        #[doc = crate::reference::getters::example!($T, "HTTP://www.ietf.org/rfc/rfc2396.txt" "assert_eq!(url.scheme(), \"HTTP\");")]
        #[inline]
        pub const fn scheme(&self) -> &$lt str {
            match self.any().scheme() {
                Some(scheme) => scheme,
                None => "", // INVARIANT: this type has a scheme
            }
        }
    };
}

/// The scheme of a type that may be relative, and its form.
macro_rules! maybe_scheme {
    ($T:ident, $lt:lifetime $(, $const:tt)?) => {
        /// The scheme, without its colon and in the case in which it is written (RFC 3986, 3.1);
        /// `None` for a relative reference.
        ///
        #[doc = crate::reference::getters::example!($T, "HTTP://www.ietf.org/rfc/rfc2396.txt" "assert_eq!(url.scheme(), Some(\"HTTP\"));")]
        #[inline]
        pub $($const)? fn scheme(&self) -> Option<&$lt str> {
            self.any().scheme()
        }

        /// Which form it has: what it begins with (RFC 3986, 4.2).
        ///
        #[doc = crate::reference::getters::example!($T, "../g?y#s" "assert_eq!(url.form(), urikit::Form::RelativePath);")]
        pub $($const)? fn form(&self) -> crate::Form {
            self.any().form()
        }
    };
}

/// All other components.
macro_rules! getters {
    ($T:ident, $lt:lifetime $(, $const:tt)? $(; $($P:ident),*)?) => {
        /// The reference as written, byte for byte.
        #[inline]
        pub $($const)? fn as_str(&self) -> &$lt str {
            self.any().as_str()
        }

        /// The authority, without its `//` (RFC 3986, 3.2). `None` where there is no `//`; that of
        /// `file:///etc/motd` is present and empty.
        ///
        #[doc = crate::reference::getters::example!($T, "ftp://foo:@host.dom:21/%2Fetc/motd" "assert_eq!(url.authority().unwrap(), \"foo:@host.dom:21\");")]
        #[inline]
        pub $($const)? fn authority(&self) -> Option<crate::component::Authority<$lt>> {
            self.any().authority()
        }

        /// The userinfo, without its `@`, as written (RFC 3986, 3.2.1). `None` without an `@`;
        /// empty where nothing precedes it.
        ///
        #[doc = crate::reference::getters::example!($T, "ftp://foo:@host.dom:21/%2Fetc/motd" "assert_eq!(url.userinfo().unwrap(), \"foo:\");")]
        #[inline]
        pub $($const)? fn userinfo(&self) -> Option<crate::component::Encoded<$lt>> {
            self.any().userinfo()
        }

        /// The user: the userinfo up to its first colon, as written.
        ///
        #[doc = crate::reference::getters::example!($T, "ftp://my%20name@host.dom/" "assert_eq!(url.user().unwrap(), \"my%20name\");" "assert_eq!(url.user().unwrap().to_utf8().unwrap(), \"my name\");")]
        #[doc(alias = "username")]
        pub fn user(&self) -> Option<crate::component::Encoded<$lt>> {
            self.any().user()
        }

        /// The password: the userinfo after its first colon, as written. `None` where there is no
        /// colon, and empty where nothing follows it (RFC 1738, 3.1).
        ///
        #[doc = crate::reference::getters::example!($T, "ftp://foo:@host.com/" "assert_eq!(url.password().unwrap(), \"\"); // empty, not absent")]
        pub fn password(&self) -> Option<crate::component::Encoded<$lt>> {
            self.any().password()
        }

        /// The host, with the brackets of an IPv6 address (RFC 3986, 3.2.2). It may be empty, and
        /// is absent only with the authority. Its case and escapes are as written; that of an IRI
        /// may have characters beyond US-ASCII, which `to_uri_idna` converts (RFC 3987, 3.1).
        ///
        #[doc = crate::reference::getters::example!($T, "ldap://[2001:db8::7]/c=GB?objectClass?one" "assert_eq!(url.host().unwrap(), \"[2001:db8::7]\");" "assert!(url.host().unwrap().to_ip().unwrap().is_ipv6());")]
        #[doc(alias = "host_str")]
        #[inline]
        pub $($const)? fn host(&self) -> Option<crate::component::Host<$lt>> {
            self.any().host()
        }

        /// What kind of host it is; `None` without an authority.
        ///
        #[doc = crate::reference::getters::example!($T, "http://192.0.2.16:80/" "assert_eq!(url.host_kind(), Some(urikit::HostKind::Ipv4));")]
        #[inline]
        pub $($const)? fn host_kind(&self) -> Option<crate::HostKind> {
            self.any().host_kind()
        }

        /// The port as written: digits of any number, and empty where nothing follows the colon
        /// (RFC 3986, 3.2.3).
        ///
        #[doc = crate::reference::getters::example!($T, "http://a:0080/" "assert_eq!(url.port(), Some(\"0080\"));" "assert_eq!(url.port_number(), Some(80));")]
        #[inline]
        pub $($const)? fn port(&self) -> Option<&$lt str> {
            self.any().port()
        }

        /// The port as a number; `None` where it is absent, empty or above 65535.
        ///
        #[doc = crate::reference::getters::example!($T, "http://a:65616/" "assert_eq!(url.port_number(), None); // not 80")]
        pub fn port_number(&self) -> Option<u16> {
            self.any().port_number()
        }

        /// The path, with its first slash (RFC 3986, 3.3). There is always one; it may be empty.
        ///
        #[doc = crate::reference::getters::example!($T, "http://www.ietf.org/rfc/rfc2396.txt?q" "assert_eq!(url.path(), \"/rfc/rfc2396.txt\");")]
        #[inline]
        pub $($const)? fn path(&self) -> crate::component::Path<$lt> {
            self.any().path()
        }

        /// The segments of the path, as written: what is between its slashes (RFC 3986, 3.3).
        ///
        #[doc = crate::reference::getters::example!($T, "ftp://myname@host.dom/%2Fetc/motd" "let segments: Vec<_> = url.segments().collect();" "assert_eq!(segments, [\"%2Fetc\", \"motd\"]);" "assert_eq!(segments[0].to_utf8().unwrap(), \"/etc\");")]
        #[doc(alias = "path_segments")]
        pub fn segments(&self) -> crate::component::Segments<$lt> {
            self.any().segments()
        }

        /// The query, without its `?`, as written (RFC 3986, 3.4). `None` without a `?`; empty
        /// where nothing follows it. Any further `?` or `/` is part of it (RFC 3986, 3.4).
        ///
        #[doc = crate::reference::getters::example!($T, "foo://example.com:8042/over/there?name=ferret#nose" "assert_eq!(url.query().unwrap(), \"name=ferret\");")]
        #[inline]
        pub $($const)? fn query(&self) -> Option<crate::component::Encoded<$lt>> {
            self.any().query()
        }

        /// The pairs of the query, between ampersands, as written; none where there is no query.
        ///
        #[doc = crate::reference::getters::example!($T, "http://www.example/?q=caf%C3%A9&page&q=" "let pairs: Vec<_> = url.query_pairs().collect();" "assert_eq!(pairs[0].value().unwrap().to_utf8().unwrap(), \"café\");" "assert_eq!((pairs[1].name().as_str(), pairs[1].value()), (\"page\", None)); // absent" "assert_eq!(pairs[2].value().unwrap(), \"\"); // empty")]
        pub fn query_pairs(&self) -> crate::component::Pairs<$lt> {
            self.any().query_pairs()
        }

        /// The first pair of the query with this name, which is compared with the decoded name.
        /// `+` is a plus sign; [`form_get`](Self::form_get) takes it for a space.
        ///
        #[doc = crate::reference::getters::example!($T, "mailto:joe@example.com?cc=bob@example.com&body=hello" "assert_eq!(url.query_get(\"body\").unwrap().value().unwrap(), \"hello\");" "assert!(url.query_get(\"subject\").is_none());")]
        pub fn query_get(&self, name: &str) -> Option<crate::component::Pair<$lt>> {
            self.any().query_get(name)
        }

        /// Every pair of the query with this name, in order.
        ///
        #[doc = crate::reference::getters::example!($T, "http://a/?tag=x&page=1&tag=y" "let tags: Vec<_> = url.query_get_all(\"tag\").filter_map(|pair| pair.value()).collect();" "assert_eq!(tags, [\"x\", \"y\"]);")]
        pub fn query_get_all<'n>(
            &self,
            name: &'n str,
        ) -> impl DoubleEndedIterator<Item = crate::component::Pair<$lt>> + use<$lt, 'n $($(, $P)*)?> {
            self.any().query_get_all(name)
        }

        /// The value of the first pair with this name, both decoded as HTML forms write them: `+`
        /// is a space. A pair without `=` has an empty value.
        ///
        #[doc = crate::reference::getters::example!($T, "http://a/?q=a+b%26c&lang" "assert_eq!(url.form_get(\"q\").unwrap().unwrap(), \"a b&c\");" "assert!(url.form_get(\"page\").is_none());")]
        ///
        /// # Errors
        ///
        /// Where the value is not UTF-8.
        #[cfg(feature = "alloc")]
        pub fn form_get(
            &self,
            name: &str,
        ) -> Option<Result<alloc::borrow::Cow<$lt, str>, crate::component::NotUtf8>> {
            self.any().form_get(name)
        }

        /// The names and values of all pairs, decoded as HTML forms write them: `+` is a space. A
        /// pair without `=` has an empty value, and empty pairs are left out.
        ///
        #[doc = crate::reference::getters::example!($T, "http://a/?q=a+b%26c&lang&&q=d" "let pairs: Vec<_> = url.form_pairs().collect::<Result<_, _>>().unwrap();" "assert_eq!(pairs[0], (\"q\".into(), \"a b&c\".into()));" "assert_eq!(pairs[1], (\"lang\".into(), \"\".into()));" "assert_eq!(pairs.len(), 3);")]
        ///
        /// # Errors
        ///
        /// For each pair whose name or value is not UTF-8.
        #[cfg(feature = "alloc")]
        pub fn form_pairs(
            &self,
        ) -> impl DoubleEndedIterator<Item = crate::component::FormPair<$lt>> + use<$lt $($(, $P)*)?> {
            self.any().form_pairs()
        }

        /// The fragment, without its `#`, as written (RFC 3986, 3.5). `None` without a `#`; empty
        /// where nothing follows it.
        ///
        #[doc = crate::reference::getters::example!($T, "foo://example.com:8042/over/there?name=ferret#nose" "assert_eq!(url.fragment().unwrap(), \"nose\");")]
        #[inline]
        pub $($const)? fn fragment(&self) -> Option<crate::component::Encoded<$lt>> {
            self.any().fragment()
        }
    };
}

pub(crate) use {example, getters, maybe_scheme, scheme};
