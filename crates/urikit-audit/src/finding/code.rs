//! The codes of findings, each with its severity, sentence and source.

use super::Severity;
use std::fmt;
use std::str::FromStr;
use urikit::UnknownName;

/// Defines the enum of codes from a table: name, severity, sentence and source.
macro_rules! codes {
    ($($code:ident = $name:literal, $severity:ident, $sentence:literal, $source:literal;)*) => {
        /// The kind of a finding. The names are stable, because the command prints them with
        /// `--json`.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $sentence] $code,)*
        }

        /// The names of all codes.
        const NAMES: &[&str] = &[$($name,)*];

        impl Code {
            /// All codes.
            pub const ALL: &[Self] = &[$(Self::$code,)*];

            /// Returns the name, such as `host-disagreement`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$code => $name,)* }
            }

            /// Returns the usual severity of findings with this code. A finding may have a lower
            /// severity: see [`Finding::severity`](super::Finding::severity).
            pub const fn severity(self) -> Severity {
                match self { $(Self::$code => Severity::$severity,)* }
            }

            /// Returns a sentence that says what was found and why it matters.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$code => $sentence,)* }
            }

            /// Returns the specifications that define the issue, and vulnerabilities that it has
            /// caused.
            pub const fn source(self) -> &'static str {
                match self { $(Self::$code => $source,)* }
            }
        }
    };
}

codes! {
    // Disagreements

    HostDisagreement = "host-disagreement", High,
        "Readers find different hosts, so a check may approve one while the client connects to \
         another.",
        "RFC 3986, 7.6; OWASP SSRF Prevention Cheat Sheet";
    SchemeDisagreement = "scheme-disagreement", High,
        "Readers find different schemes.",
        "RFC 3986, 3.1";
    PortDisagreement = "port-disagreement", Medium,
        "Readers find different ports.",
        "RFC 3986, 3.2.3";
    UserinfoDisagreement = "userinfo-disagreement", Medium,
        "Readers find different users or passwords.",
        "RFC 3986, 3.2.1";
    ValidityDisagreement = "validity-disagreement", Medium,
        "RFC 3986 and the WHATWG URL Standard disagree on whether the input is valid.",
        "RFC 3986, Appendix A; WHATWG URL, 4.4";
    PathDisagreement = "path-disagreement", Info,
        "Readers find different paths, even after normalization.",
        "RFC 3986, 6.2.2";
    NullHost = "null-host", Low,
        "java.net.URI returns null for the host, so a check of the host may be skipped.",
        "java.net.URI: registry-based naming authorities";

    // Validity

    Invalid = "invalid", Medium,
        "Neither RFC 3986 nor the WHATWG URL Standard accepts the input.",
        "RFC 3986, Appendix A";
    BadEscape = "bad-escape", Medium,
        "A `%` is not followed by two hexadecimal digits; readers keep, decode or reject it.",
        "RFC 3986, 2.1";
    NotAscii = "not-ascii", Low,
        "The URL contains non-ASCII characters, which URIs do not allow.",
        "RFC 3986, 2; RFC 3987, 3.1";

    RelativeReference = "relative-reference", Medium,
        "The input is a relative reference, so its target depends on the base.",
        "RFC 3986, 4.2 and 5";

    // Characters

    Backslash = "backslash", High,
        "The URL contains a backslash: under schemes such as http, browsers read it as a slash, \
         which ends the host, but other readers do not.",
        "WHATWG URL, 4.4; CVE-2021-23401";
    BackslashInRest = "backslash-in-rest", Low,
        "The URL contains a backslash after the authority, which browsers read as a slash.",
        "WHATWG URL, 4.4";
    ControlCharacter = "control-character", High,
        "The URL contains a control character, which parsers remove, reject or keep.",
        "RFC 3986, 2; WHATWG URL, 4.4";
    StrippedCharacter = "stripped-character", High,
        "The URL contains a tab or line break: browsers and Python remove it before parsing, so \
         checks of the original text fail.",
        "WHATWG URL, 4.4; CVE-2022-0391";
    SurroundingBlank = "surrounding-blank", Medium,
        "The input begins or ends with a space or control character, which some parsers remove.",
        "WHATWG URL, 4.4; CVE-2023-24329";
    Space = "space", Medium,
        "The input contains a space.",
        "RFC 3986, 2; RFC 3986, Appendix C";
    InvisibleCharacter = "invisible-character", Medium,
        "The URL contains a character that is invisible or changes the direction of text.",
        "UTS #39; RFC 3987, 4.1";
    EscapedLineBreak = "escaped-line-break", Medium,
        "The URL contains an escaped CR or LF: decoded in a line-based protocol, it begins another \
         command or header.",
        "RFC 1738, 6; CVE-2019-9740";
    EscapedNull = "escaped-null", Medium,
        "The URL contains an escaped U+0000, which ends a string in C.",
        "RFC 3986, 7.3";
    EscapedControl = "escaped-control", Low,
        "The URL contains an escaped control character.",
        "RFC 3986, 7.3";
    EscapedInvisible = "escaped-invisible", Low,
        "The URL contains an escaped character that is invisible or changes the direction of text.",
        "UTS #39; RFC 3987, 4.1";
    ProtocolInjection = "protocol-injection", High,
        "The URL contains an escaped line break, and its protocol is line-based: whatever follows \
         the break is read as a separate command.",
        "RFC 1738, 6; CVE-2012-0036";

    // Authority

    SeveralAt = "several-at", High,
        "The authority contains more than one `@`: some readers end the userinfo at the first, \
         others at the last.",
        "RFC 3986, 3.2.1; CVE-2016-8624";
    MisplacedBracket = "misplaced-bracket", Medium,
        "The URL contains a bracket that does not enclose an IP address.",
        "RFC 3986, 3.2.2; CVE-2024-11168";
    EscapedDelimiterInHost = "escaped-delimiter-in-host", High,
        "The host contains an escaped delimiter: once decoded, it ends the host.",
        "RFC 3986, 2.2; CVE-2022-27780";
    EscapeInHost = "escape-in-host", Medium,
        "The host contains an escape, which some readers decode and others keep.",
        "RFC 3986, 3.2.2";
    DelimiterInHost = "delimiter-in-host", Medium,
        "The host contains a character that host names do not allow.",
        "RFC 3986, 3.2.2; WHATWG URL, 3.2";
    UnusualSlashes = "unusual-slashes", Medium,
        "The scheme is not followed by exactly two slashes: browsers and curl read the next word \
         as the host.",
        "WHATWG URL, 4.4";
    MissingHost = "missing-host", Medium,
        "The URL has no host, although its scheme requires one.",
        "RFC 9110, 4.2.1";
    Password = "password", Medium,
        "The URL contains a password, which everyone who sees the URL can read.",
        "RFC 3986, 3.2.1 and 7.5";
    HostLikeUser = "host-like-user", Medium,
        "The text before the `@` looks like a host, but is not the host.",
        "RFC 3986, 7.6";
    LeadingDash = "leading-dash", High,
        "The host or the user begins with a dash, so a program may read it as an option.",
        "CVE-2017-1000117";

    // Addresses

    UnusualIpv4 = "unusual-ipv4", High,
        "The IPv4 address is not written as four decimal numbers, so some readers see a name.",
        "RFC 3986, 7.4; CVE-2021-29922";
    MappedIpv4 = "mapped-ipv4", Medium,
        "The IPv6 address contains an IPv4 address.",
        "RFC 4291, 2.5.5; CVE-2024-24790";
    Zone = "zone", Medium,
        "The IPv6 address has a zone.",
        "RFC 9844; CVE-2025-22870";
    LoopbackAddress = "loopback-address", Medium,
        "The address is a loopback address of this machine.",
        "RFC 1122, 3.2.1.3; RFC 6761, 6.3";
    PrivateAddress = "private-address", Medium,
        "The address belongs to a private network.",
        "RFC 1918; RFC 4193; RFC 6598";
    LinkLocalAddress = "link-local-address", Medium,
        "The address is link-local: only hosts on the same link can reach it.",
        "RFC 3927; RFC 4291, 2.5.6";
    MetadataAddress = "metadata-address", High,
        "The address belongs to the metadata service of a cloud.",
        "RFC 3927; OWASP SSRF Prevention Cheat Sheet";
    SpecialAddress = "special-address", Medium,
        "The address is not meant for connections to a host: it is unspecified, multicast or \
         reserved.",
        "RFC 6890";

    // Ports

    DefaultPort = "default-port", Info,
        "The port is the default of the scheme and can be omitted.",
        "RFC 3986, 3.2.3";
    EmptyPort = "empty-port", Info,
        "The port is empty and can be omitted along with its colon.",
        "RFC 3986, 3.2.3";
    BlockedPort = "blocked-port", Medium,
        "Browsers block the port because other protocols use it.",
        "WHATWG Fetch, 2.9";
    PortRange = "port-range", Medium,
        "The port is above 65535; some parsers reduce it modulo 65536.",
        "RFC 9293, 3.1; CVE-2019-5435";
    BadPort = "bad-port", Medium,
        "The port is not a decimal number.",
        "RFC 3986, 3.2.3";
    PortZero = "port-zero", Low,
        "The port is 0, on which no server can listen.",
        "RFC 6335, 6";

    // Names

    MixedScript = "mixed-script", Medium,
        "The host contains letters of several scripts, some of which may look alike.",
        "UTS #39, 5.1";
    LookAlike = "look-alike", High,
        "The host looks like a name in US-ASCII, but is a different name.",
        "UTS #39, 4";
    Punycode = "punycode", Medium,
        "A label begins with `xn--`, but is not one that IDNA produces.",
        "RFC 5891, 5.4; CVE-2024-12224";
    MappedName = "mapped-name", Medium,
        "IDNA maps the host name to a name with other characters.",
        "UTS #46, 4; CVE-2022-42916";
    OverlongName = "overlong-name", Medium,
        "The host name or one of its labels is longer than the DNS allows.",
        "RFC 1035, 2.3.4";
    Overlong = "overlong", Low,
        "The input is longer than many parsers accept.",
        "RFC 9110, 4.1; CVE-2019-5435";

    // Paths and queries

    DotSegment = "dot-segment", Info,
        "The path contains a dot segment, which normalization and resolution remove.",
        "RFC 3986, 5.2.4";
    AboveRoot = "above-root", Low,
        "The path contains dot segments that climb above its root.",
        "RFC 3986, 5.4.2; CVE-2022-32190";
    EscapedDotSegment = "escaped-dot-segment", Medium,
        "The path contains a dot segment with escapes or parameters: a check of the text misses \
         it, but the server may apply it.",
        "WHATWG URL, 4.4; RFC 3986, 6.2.2";
    EscapedSlash = "escaped-slash", Low,
        "The path contains an escaped slash or backslash, which a server may read as a \
         separator.",
        "RFC 3986, 2.2 and 7.3";
    DoubleEncoding = "double-encoding", Low,
        "The URL contains an escaped escape: decoded twice, it becomes another character.",
        "RFC 3986, 2.4";

    // Schemes

    ScriptScheme = "script-scheme", Medium,
        "URLs of this scheme contain a program or a document.",
        "RFC 2397; WHATWG HTML, `javascript:` URLs";
    DisguisedScript = "disguised-script", High,
        "The input is a script or data URL in disguise: its scheme contains spaces, control \
         characters, escapes or capitals.",
        "WHATWG URL, 4.4; CVE-2023-24329";
    NestedUrl = "nested-url", Medium,
        "The URL contains another URL after a prefix that Python, Java or browsers remove; a check \
         of the scheme or host misses what they open.",
        "RFC 3986, Appendix C; java.net.JarURLConnection; WHATWG URL, 4.7";
    HostLikeScheme = "host-like-scheme", Low,
        "The input looks like a host and a port, but is read as a scheme and a path.",
        "RFC 3986, 3.1";
    DriveLetter = "drive-letter", Low,
        "The URL contains a drive letter, which readers interpret as a host or as a path.",
        "RFC 8089, E.2; CVE-2019-15601";
    FileHost = "file-host", Medium,
        "The `file` URL has a host, or a path that Windows reads as one, and some systems \
         connect to it.",
        "RFC 8089, 2; CVE-2019-15601";

    // The base

    LeavesSite = "leaves-site", High,
        "A reader leaves the site of the base.",
        "WHATWG HTML, origin; CWE-601";
    Downgrade = "downgrade", High,
        "A reader goes from https to http, where anyone on the network path can read and \
         change the traffic.",
        "RFC 9110, 4.2.2; RFC 6797, 7.2";

    // The gate

    NotAbsolute = "not-absolute", Medium,
        "The input is a relative reference: it has no scheme.",
        "RFC 3986, 3";
    SchemeNotAllowed = "scheme-not-allowed", Medium,
        "The scheme is not on the gate's list.",
        "OWASP SSRF Prevention Cheat Sheet";
    HostNotAllowed = "host-not-allowed", Medium,
        "The host is not on the gate's list.",
        "OWASP SSRF Prevention Cheat Sheet";
    PortNotAllowed = "port-not-allowed", Medium,
        "The port is not on the gate's list.",
        "OWASP SSRF Prevention Cheat Sheet";
}

impl Code {
    /// Returns whether a finding with this code means that an address is not public.
    pub(crate) const fn is_address(self) -> bool {
        matches!(
            self,
            Self::LoopbackAddress
                | Self::PrivateAddress
                | Self::LinkLocalAddress
                | Self::MetadataAddress
                | Self::SpecialAddress
        )
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Code {
    type Err = UnknownName;

    /// Reads a [name](Self::as_str).
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let is_it = |code: &&Self| code.as_str() == text;
        let error = UnknownName::new("finding", NAMES);
        Self::ALL.iter().find(is_it).copied().ok_or(error)
    }
}
