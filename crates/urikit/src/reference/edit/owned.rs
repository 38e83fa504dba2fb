//! The same edits on a reference that owns its text: each one at once, or not at all.

use super::super::owned::UriRefBuf;
use super::value::{Change, Value};
use super::{Edit, EditError};
use crate::standard::Spec;
use alloc::string::String;

/// Setters that make one change to the text.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident = $edit:ident($($argument:ident: $type:ty),*);)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        ///
        /// When the result would be no reference of `S`, or not the one that is meant; the reference then stays as it
        /// was.
        pub fn $name<'v>(&mut self, $($argument: impl Into<$type>),*) -> Result<(), EditError> {
            $(let $argument: $type = $argument.into();)*
            let edit = self.as_uri_ref().as_any().edit();
            let (text, parts) = finish(&edit.$edit($($argument),*))?;
            *self = Self::from_parts(text, parts);
            Ok(())
        }
    )*};
}

fn finish(edit: &Edit<'_>) -> Result<(String, crate::parse::Parts), EditError> {
    let mut text = String::new();
    let parts = edit.append(&mut text)?;
    Ok((text, parts))
}

impl<S: Spec> UriRefBuf<S> {
    setters! {
        /// Sets or removes the scheme.
        ///
        /// ```
        /// use urikit::UriRefBuf;
        /// let mut url: UriRefBuf = "http://a/b;c?#".parse()?;
        /// url.set_scheme("https")?;
        /// url.set_host("[2001:db8::7]")?;
        /// url.set_port(8080)?;
        /// assert_eq!(url.as_str(), "https://[2001:db8::7]:8080/b;c?#");
        /// url.set_scheme(None)?;
        /// url.set_query(None)?;
        /// assert_eq!(url.as_str(), "//[2001:db8::7]:8080/b;c#");
        /// assert!(url.set_path("relative").is_err()); // it would go into the port
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        set_scheme = scheme(change: Change<'v>);
        /// Sets or removes the whole userinfo: user, and password behind the first colon.
        set_userinfo = userinfo(change: Change<'v>);
        /// Sets or removes the user. A password must not be there without one.
        set_user = user(change: Change<'v>);
        /// Sets or removes the password. It needs a user, if an empty one.
        set_password = password(change: Change<'v>);
        /// Sets the host, or removes the authority when it is nothing but a host.
        set_host = host(change: Change<'v>);
        /// Sets or removes the port.
        set_port = port(change: Change<'v>);
        /// Sets the path, which begins with a slash where there is an authority.
        set_path = path(path: Value<'v>);
        /// Sets or removes RFC 1808's params.
        set_params = params(change: Change<'v>);
        /// Sets or removes the query.
        set_query = query(change: Change<'v>);
        /// Sets or removes the fragment.
        set_fragment = fragment(change: Change<'v>);

        /// Appends a segment to the path; a last one that is empty is filled. See [`Edit::push_segment`].
        ///
        /// ```
        /// use urikit::UriRefBuf;
        /// let mut url: UriRefBuf = "http://h/a/?q".parse()?;
        /// url.push_segment("b/c")?;
        /// url.insert_segment(1, "é")?;
        /// assert_eq!(url.as_str(), "http://h/a/%C3%A9/b%2Fc?q");
        /// url.remove_segment(0)?;
        /// assert_eq!(url.as_str(), "http://h/%C3%A9/b%2Fc?q");
        /// assert!(url.push_segment("..").is_err());
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        push_segment = push_segment(segment: Value<'v>);
        /// Appends a pair to the query. See [`Edit::query_append`].
        ///
        /// ```
        /// use urikit::{UriRefBuf, Value};
        /// let mut url: UriRefBuf = "http://h/?a=%7e&b&a=2&c".parse()?;
        /// url.query_append("d&e", "1=1")?;
        /// url.query_set("a", "x y")?;
        /// assert_eq!(url.as_str(), "http://h/?a=x%20y&b&c&d%26e=1=1");
        /// url.query_set("plus", Value::raw("1+1"))?;
        /// url.query_remove("d&e")?;
        /// url.query_append("alone", None)?;
        /// assert_eq!(url.as_str(), "http://h/?a=x%20y&b&c&plus=1%2B1&alone");
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        query_append = query_append(name: Value<'v>, value: Change<'v>);
        /// Sets the value of the first pair with this name and removes the others, or appends the pair. See
        /// [`Edit::query_set`].
        query_set = query_set(name: Value<'v>, value: Change<'v>);
        /// Removes every pair with this name. See [`Edit::query_remove`].
        query_remove = query_remove(name: Value<'v>);
    }

    /// Puts a segment before the one at `index`, or behind the last. See [`Edit::insert_segment`].
    ///
    /// # Errors
    ///
    /// As the setters'.
    pub fn insert_segment<'v>(
        &mut self,
        index: usize,
        segment: impl Into<Value<'v>>,
    ) -> Result<(), EditError> {
        let segment: Value<'v> = segment.into();
        let edit = self.as_uri_ref().as_any().edit();
        let (text, parts) = finish(&edit.insert_segment(index, segment))?;
        *self = Self::from_parts(text, parts);
        Ok(())
    }

    /// Removes the segment at `index`. See [`Edit::remove_segment`].
    ///
    /// # Errors
    ///
    /// As the setters'.
    pub fn remove_segment(&mut self, index: usize) -> Result<(), EditError> {
        let edit = self.as_uri_ref().as_any().edit();
        let (text, parts) = finish(&edit.remove_segment(index))?;
        *self = Self::from_parts(text, parts);
        Ok(())
    }
}
