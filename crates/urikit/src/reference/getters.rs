//! Macros that define the getters of every type except [`AnyRef`](super::AnyRef), which implements
//! them.
//!
//! Each type has its own methods, which appear on its page in rustdoc. The getters are `const`
//! where possible: `$const` is `const` where `any` is a `const` function. `$lt` is the lifetime of
//! the returned component: that of the text for a borrowed type, that of the reference for an owned
//! one.

/// A runnable example for the type `$T`. `AnyRefBuf` has no example: its `parse` requires a
/// standard too.
macro_rules! example {
    (AnyRefBuf, $($line:literal)*) => {
        ""
    };
    ($T:ident, $input:literal $($line:literal)*) => {
        concat!(
            "```\nuse urikit::", stringify!($T), ";\n",
            "let url = ", stringify!($T), "::parse(\"", $input, "\")?;\n",
            $($line, "\n",)*
            "# Ok::<(), urikit::ParseError>(())\n```"
        )
    };
}

/// Defines the scheme getter of a type that always has a scheme.
macro_rules! scheme {
    ($T:ident, $lt:lifetime) => {
        /// Returns the scheme, without its colon (RFC 3986, 3.1). The case is as written; schemes
        /// are case-insensitive.
        ///
        #[doc = crate::reference::getters::example!(
            $T, "HTTP://www.ietf.org/rfc/rfc2396.txt"
            "assert_eq!(url.scheme(), \"HTTP\");"
        )]
        #[inline]
        pub const fn scheme(&self) -> &$lt str {
            match self.any().scheme() {
                Some(scheme) => scheme,
                None => "", // INVARIANT: this type has a scheme
            }
        }
    };
}

/// Defines the scheme and form getters of a type that may be a relative reference.
macro_rules! maybe_scheme {
    ($T:ident, $lt:lifetime $(, $const:tt)?) => {
        /// Returns the scheme, without its colon, or `None` for a relative reference (RFC 3986,
        /// 3.1). The case is as written; schemes are case-insensitive.
        ///
        #[doc = crate::reference::getters::example!(
            $T, "HTTP://www.ietf.org/rfc/rfc2396.txt"
            "assert_eq!(url.scheme(), Some(\"HTTP\"));"
        )]
        #[inline]
        pub $($const)? fn scheme(&self) -> Option<&$lt str> {
            self.any().scheme()
        }

        /// Returns the form of the reference: absolute, or one of the relative forms (RFC 3986,
        /// 4.2).
        ///
        #[doc = crate::reference::getters::example!(
            $T, "../g?y#s"
            "assert_eq!(url.form(), urikit::Form::RelativePath);"
        )]
        pub $($const)? fn form(&self) -> crate::Form {
            self.any().form()
        }
    };
}

/// Defines the getters for all components except the scheme.
macro_rules! getters {
    ($T:ident, $lt:lifetime $(, $const:tt)? $(; $($P:ident),*)?) => {
        /// Returns the reference as written, byte for byte.
        #[inline]
        pub $($const)? fn as_str(&self) -> &$lt str {
            self.any().as_str()
        }

        /// Returns the authority, without its `//` (RFC 3986, 3.2): userinfo, host and port, as
        /// written. Returns `None` if the reference has no `//`. The authority of
        /// `file:///etc/motd` is present and empty.
        ///
        #[doc = crate::reference::getters::example!(
            $T, "ftp://foo:@host.dom:21/%2Fetc/motd"
            "assert_eq!(url.authority().unwrap(), \"foo:@host.dom:21\");"
        )]
        #[inline]
        pub $($const)? fn authority(&self) -> Option<crate::component::Authority<$lt>> {
            self.any().authority()
        }

        /// Returns the userinfo, without its `@`, still percent-encoded (RFC 3986, 3.2.1).
        /// Returns `None` if the authority has no `@`, and an empty value if nothing precedes the
        /// `@`.
        ///
        #[doc = crate::reference::getters::example!(
            $T, "ftp://foo:@host.dom:21/%2Fetc/motd"
            "assert_eq!(url.userinfo().unwrap(), \"foo:\");"
        )]
        #[inline]
        pub $($const)? fn userinfo(&self) -> Option<crate::component::Encoded<$lt>> {
            self.any().userinfo()
        }

        /// Returns the user, still percent-encoded: the userinfo up to its first colon. Returns
        /// `None` if the authority has no `@`.
        ///
        #[doc = crate::reference::getters::example!(
            $T, "ftp://my%20name@host.dom/"
            "assert_eq!(url.user().unwrap(), \"my%20name\");"
            "assert_eq!(url.user().unwrap().decode_utf8().unwrap(), \"my name\");"
        )]
        #[doc(alias = "username")]
        pub fn user(&self) -> Option<crate::component::Encoded<$lt>> {
            self.any().user()
        }

        /// Returns the password, still percent-encoded: the userinfo after its first colon.
        /// Returns `None` if the userinfo has no colon, and an empty value if nothing follows the
        /// colon (RFC 1738, 3.1).
        ///
        #[doc = crate::reference::getters::example!(
            $T, "ftp://foo:@host.com/"
            "assert_eq!(url.password().unwrap(), \"\"); // empty, not absent"
        )]
        pub fn password(&self) -> Option<crate::component::Encoded<$lt>> {
            self.any().password()
        }

        /// Returns the host as written, including the brackets of an IPv6 address (RFC 3986,
        /// 3.2.2). Returns `None` if the reference has no authority; the host of an authority may
        /// be empty.
        ///
        /// Nothing is decoded or converted to lower case. The host of an IRI may contain non-ASCII
        /// characters; `to_uri_idna` converts it to its DNS name (RFC 3987, 3.1).
        ///
        #[doc = crate::reference::getters::example!(
            $T, "ldap://[2001:db8::7]/c=GB?objectClass?one"
            "assert_eq!(url.host().unwrap(), \"[2001:db8::7]\");"
            "assert!(url.host().unwrap().to_ip().unwrap().is_ipv6());"
        )]
        #[doc(alias = "host_str")]
        #[inline]
        pub $($const)? fn host(&self) -> Option<crate::component::Host<$lt>> {
            self.any().host()
        }

        /// Returns the kind of the host: a name, an IP address, and so on. Returns `None` if the
        /// reference has no authority.
        ///
        #[doc = crate::reference::getters::example!(
            $T, "http://192.0.2.16:80/"
            "assert_eq!(url.host_kind(), Some(urikit::HostKind::Ipv4));"
        )]
        #[inline]
        pub $($const)? fn host_kind(&self) -> Option<crate::HostKind> {
            self.any().host_kind()
        }

        /// Returns the port as written, which may have any number of digits (RFC 3986, 3.2.3).
        /// Returns `None` if no colon follows the host, and an empty value if no digits follow the
        /// colon.
        ///
        #[doc = crate::reference::getters::example!(
            $T, "http://a:0080/"
            "assert_eq!(url.port(), Some(\"0080\"));"
            "assert_eq!(url.port_number(), Some(80));"
        )]
        #[inline]
        pub $($const)? fn port(&self) -> Option<&$lt str> {
            self.any().port()
        }

        /// Returns the port as a number, or `None` if the port is absent, empty or above 65535.
        ///
        #[doc = crate::reference::getters::example!(
            $T, "http://a:65616/"
            "assert_eq!(url.port_number(), None); // not 80"
        )]
        pub fn port_number(&self) -> Option<u16> {
            self.any().port_number()
        }

        /// Returns the path as written, including its leading slash (RFC 3986, 3.3). Every
        /// reference has a path, but it may be empty.
        ///
        #[doc = crate::reference::getters::example!(
            $T, "http://www.ietf.org/rfc/rfc2396.txt?q"
            "assert_eq!(url.path(), \"/rfc/rfc2396.txt\");"
        )]
        #[inline]
        pub $($const)? fn path(&self) -> crate::component::Path<$lt> {
            self.any().path()
        }

        /// Returns the segments of the path (the parts between slashes), still percent-encoded
        /// (RFC 3986, 3.3).
        ///
        #[doc = crate::reference::getters::example!(
            $T, "ftp://myname@host.dom/%2Fetc/motd"
            "let segments: Vec<_> = url.segments().collect();"
            "assert_eq!(segments, [\"%2Fetc\", \"motd\"]);"
            "assert_eq!(segments[0].decode_utf8().unwrap(), \"/etc\");"
        )]
        #[doc(alias = "path_segments")]
        pub fn segments(&self) -> crate::component::Segments<$lt> {
            self.any().segments()
        }

        /// Returns the query, without its `?`, still percent-encoded (RFC 3986, 3.4). Returns
        /// `None` if the reference has no `?`, and an empty value if nothing follows the `?`.
        /// Further `?` and `/` are part of the query.
        ///
        #[doc = crate::reference::getters::example!(
            $T, "foo://example.com:8042/over/there?name=ferret#nose"
            "assert_eq!(url.query().unwrap(), \"name=ferret\");"
        )]
        #[inline]
        pub $($const)? fn query(&self) -> Option<crate::component::Encoded<$lt>> {
            self.any().query()
        }

        /// Iterates over the `name=value` pairs of the query, split at `&` and still
        /// percent-encoded. Yields nothing if the query is absent.
        ///
        #[doc = crate::reference::getters::example!(
            $T, "http://www.example/?q=caf%C3%A9&page&q="
            "let pairs: Vec<_> = url.query_pairs().collect();"
            "assert_eq!(pairs[0].value().unwrap().decode_utf8().unwrap(), \"café\");"
            "assert_eq!((pairs[1].name().as_str(), pairs[1].value()), (\"page\", None)); // absent"
            "assert_eq!(pairs[2].value().unwrap(), \"\"); // empty"
        )]
        pub fn query_pairs(&self) -> crate::component::Pairs<$lt> {
            self.any().query_pairs()
        }

        /// Returns the first pair of the query with this name, or `None` if no pair has the name.
        /// Names are decoded before they are compared; the value of the pair is still
        /// percent-encoded.
        ///
        /// `+` is a plus sign here. In a query from an HTML form, `+` means a space: use
        /// `form_get_decoded` for such queries.
        ///
        #[doc = crate::reference::getters::example!(
            $T, "mailto:joe@example.com?cc=bob@example.com&body=hello"
            "assert_eq!(url.query_get_raw(\"body\").unwrap().value().unwrap(), \"hello\");"
            "assert!(url.query_get_raw(\"subject\").is_none());"
        )]
        pub fn query_get_raw(&self, name: &str) -> Option<crate::component::Pair<$lt>> {
            self.any().query_get_raw(name)
        }

        /// Iterates over all pairs of the query with this name, in order. Names are decoded before
        /// they are compared; the values are still percent-encoded.
        ///
        #[doc = crate::reference::getters::example!(
            $T, "http://a/?tag=x&page=1&tag=y"
            "let tags: Vec<_> = url.query_get_all_raw(\"tag\").filter_map(|pair| pair.value()).collect();"
            "assert_eq!(tags, [\"x\", \"y\"]);"
        )]
        pub fn query_get_all_raw<'n>(
            &self,
            name: &'n str,
        ) -> impl DoubleEndedIterator<Item = crate::component::Pair<$lt>> + use<$lt, 'n $($(, $P)*)?> {
            self.any().query_get_all_raw(name)
        }

        /// Returns the value of the first pair with this name, decoded as HTML form data: `+` is a
        /// space, and escapes are UTF-8. The name is decoded in the same way. Returns `None` if no
        /// pair has the name; a pair without `=` has an empty value.
        ///
        #[doc = crate::reference::getters::example!(
            $T, "http://a/?q=a+b%26c&lang"
            "assert_eq!(url.form_get_decoded(\"q\").unwrap().unwrap(), \"a b&c\");"
            "assert!(url.form_get_decoded(\"page\").is_none());"
        )]
        ///
        /// # Errors
        ///
        /// Fails if the decoded value is not UTF-8.
        #[cfg(feature = "alloc")]
        pub fn form_get_decoded(
            &self,
            name: &str,
        ) -> Option<Result<alloc::borrow::Cow<$lt, str>, crate::component::NotUtf8>> {
            self.any().form_get_decoded(name)
        }

        /// Iterates over the names and values of all pairs, decoded as HTML form data: `+` is a
        /// space, and escapes are UTF-8. A pair without `=` has an empty value. Empty pairs (`&&`)
        /// are skipped.
        ///
        #[doc = crate::reference::getters::example!(
            $T, "http://a/?q=a+b%26c&lang&&q=d"
            "let pairs: Vec<_> = url.form_pairs_decoded().collect::<Result<_, _>>().unwrap();"
            "assert_eq!(pairs[0], (\"q\".into(), \"a b&c\".into()));"
            "assert_eq!(pairs[1], (\"lang\".into(), \"\".into()));"
            "assert_eq!(pairs.len(), 3);"
        )]
        ///
        /// # Errors
        ///
        /// Yields an error for each pair whose name or value is not UTF-8.
        #[cfg(feature = "alloc")]
        pub fn form_pairs_decoded(
            &self,
        ) -> impl DoubleEndedIterator<Item = crate::component::FormPair<$lt>> + use<$lt $($(, $P)*)?> {
            self.any().form_pairs_decoded()
        }

        /// Returns the fragment, without its `#`, still percent-encoded (RFC 3986, 3.5).
        /// Returns `None` if the reference has no `#`, and an empty value if nothing follows the
        /// `#`.
        ///
        #[doc = crate::reference::getters::example!(
            $T, "foo://example.com:8042/over/there?name=ferret#nose"
            "assert_eq!(url.fragment().unwrap(), \"nose\");"
        )]
        #[inline]
        pub $($const)? fn fragment(&self) -> Option<crate::component::Encoded<$lt>> {
            self.any().fragment()
        }
    };
}

pub(crate) use {example, getters, maybe_scheme, scheme};
