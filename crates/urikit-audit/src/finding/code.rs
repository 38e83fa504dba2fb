//! The codes of findings, each with its severity, sentence and source.

use super::Severity;
use std::fmt;
use std::str::FromStr;

/// Defines the codes.
macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $name:literal, $severity:ident, $sentence:literal, $source:literal;)*) => {
        /// What a finding is. The names are a public interface, as in `--json` of the command.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $sentence] $code,)*
        }

        impl Code {
            /// All codes.
            pub const ALL: &[Self] = &[$(Self::$code,)*];

            /// The name, such as `host-disagreement`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$code => $name,)* }
            }

            /// How bad it is.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$code => Severity::$severity,)* }
            }

            /// What it is, and why it matters: one sentence.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$code => $sentence,)* }
            }

            /// The specifications that say so, and vulnerabilities that come of it.
            pub const fn source(self) -> &'static str {
                match self { $(Self::$code => $source,)* }
            }
        }
    };
}

codes! {
    // Disagreements

    HostDisagreement = "host-disagreement", High,
        "Readers name different hosts, so a check may approve one and the client connect to \
         another.",
        "RFC 3986, 7.6; OWASP SSRF Prevention Cheat Sheet";
    SchemeDisagreement = "scheme-disagreement", High,
        "Readers name different schemes.",
        "RFC 3986, 3.1";
    PortDisagreement = "port-disagreement", Medium,
        "Readers name different ports.",
        "RFC 3986, 3.2.3";
    UserinfoDisagreement = "userinfo-disagreement", Medium,
        "Readers name different users or passwords.",
        "RFC 3986, 3.2.1";
    ValidityDisagreement = "validity-disagreement", Medium,
        "Only one of RFC 3986 and the WHATWG URL Standard accepts it.",
        "RFC 3986, Appendix A; WHATWG URL, 4.4";
    PathDisagreement = "path-disagreement", Info,
        "Readers give different paths, also after normalization.",
        "RFC 3986, 6.2.2";
    NullHost = "null-host", Low,
        "java.net.URI gives null for the host, so that a check may be skipped.",
        "java.net.URI: registry-based naming authorities";

    // Validity

    Invalid = "invalid", Medium,
        "Neither RFC 3986 nor the WHATWG URL Standard accepts it.",
        "RFC 3986, Appendix A";
    BadEscape = "bad-escape", Medium,
        "Two hexadecimal digits do not follow a `%`; readers keep, decode or reject it.",
        "RFC 3986, 2.1";
    NotAscii = "not-ascii", Low,
        "It has characters beyond US-ASCII, which URIs do not have.",
        "RFC 3986, 2; RFC 3987, 3.1";

    // Characters

    Backslash = "backslash", High,
        "A backslash: browsers read it as a slash, so that the host ends there for them; \
         others do not.",
        "WHATWG URL, 4.4; CVE-2021-23401";
    BackslashInRest = "backslash-in-rest", Low,
        "A backslash after the authority: browsers read it as a slash in the path.",
        "WHATWG URL, 4.4";
    ControlCharacter = "control-character", High,
        "A control character, which parsers remove, reject or keep.",
        "RFC 3986, 2; WHATWG URL, 4.4";
    StrippedCharacter = "stripped-character", High,
        "A tab or a line break: browsers and Python remove it before they parse, so that \
         checks of the text fail.",
        "WHATWG URL, 4.4; CVE-2022-0391";
    SurroundingBlank = "surrounding-blank", Medium,
        "A blank or control character at the beginning or the end, which some parsers strip.",
        "WHATWG URL, 4.4; CVE-2023-24329";
    Space = "space", Medium,
        "A space.",
        "RFC 3986, 2; RFC 3986, Appendix C";
    InvisibleCharacter = "invisible-character", Medium,
        "A character that is not visible, or that changes the direction of text.",
        "UTS #39; RFC 3987, 4.1";
    EscapedLineBreak = "escaped-line-break", Medium,
        "An escaped CR or LF: decoded in a line protocol, it begins another command or \
         header.",
        "RFC 1738, 6; CVE-2019-9740";
    EscapedNull = "escaped-null", Medium,
        "An escaped U+0000, which ends a string in C.",
        "RFC 3986, 7.3";
    EscapedControl = "escaped-control", Low,
        "An escaped control character.",
        "RFC 3986, 7.3";
    EscapedInvisible = "escaped-invisible", Low,
        "An escaped character that is not visible, or that changes the direction of text.",
        "UTS #39; RFC 3987, 4.1";
    ProtocolInjection = "protocol-injection", High,
        "An escaped line break in a URL whose parts are sent as lines: it begins a command of \
         the attacker's.",
        "RFC 1738, 6; CVE-2012-0036";

    // Authority

    SeveralAt = "several-at", High,
        "More than one `@` in the authority: readers end the userinfo at the first or at the \
         last.",
        "RFC 3986, 3.2.1; CVE-2016-8624";
    MisplacedBracket = "misplaced-bracket", Medium,
        "A bracket that is not around an IP address.",
        "RFC 3986, 3.2.2; CVE-2024-11168";
    EscapedDelimiterInHost = "escaped-delimiter-in-host", High,
        "An escaped delimiter in the host: decoded, the host ends there.",
        "RFC 3986, 2.2; CVE-2022-27780";
    EscapeInHost = "escape-in-host", Medium,
        "An escape in the host, which some readers decode and others keep.",
        "RFC 3986, 3.2.2";
    DelimiterInHost = "delimiter-in-host", Medium,
        "A character in the host that a host name cannot contain.",
        "RFC 3986, 3.2.2; WHATWG URL, 3.2";
    UnusualSlashes = "unusual-slashes", Medium,
        "Not two slashes after the scheme: browsers and curl take the next word for the host.",
        "WHATWG URL, 4.4";
    MissingHost = "missing-host", Medium,
        "A scheme that needs a host, without one.",
        "RFC 9110, 4.2.1";
    Password = "password", Medium,
        "A password, visible to everyone who sees the URL.",
        "RFC 3986, 3.2.1 and 7.5";
    HostLikeUser = "host-like-user", Medium,
        "What precedes the `@` looks like a host, but is not the host.",
        "RFC 3986, 7.6";
    LeadingDash = "leading-dash", High,
        "It begins with a dash where a program may take it for an option.",
        "CVE-2017-1000117";

    // Addresses

    UnusualIpv4 = "unusual-ipv4", High,
        "An IPv4 address that is not written as four decimal numbers: some readers see a \
         name.",
        "RFC 3986, 7.4; CVE-2021-29922";
    MappedIpv4 = "mapped-ipv4", Medium,
        "An IPv6 address that contains one of IPv4.",
        "RFC 4291, 2.5.5; CVE-2024-24790";
    Zone = "zone", Medium,
        "A zone in an IPv6 address.",
        "RFC 6874; CVE-2025-22870";
    LoopbackAddress = "loopback-address", Medium,
        "The address is that of this machine.",
        "RFC 1122, 3.2.1.3; RFC 6761, 6.3";
    PrivateAddress = "private-address", Medium,
        "The address is of a private network.",
        "RFC 1918; RFC 4193; RFC 6598";
    LinkLocalAddress = "link-local-address", Medium,
        "The address is on the same link.",
        "RFC 3927; RFC 4291, 2.5.6";
    MetadataAddress = "metadata-address", High,
        "The address is that of the metadata service of a cloud.",
        "RFC 3927; OWASP SSRF Prevention Cheat Sheet";
    SpecialAddress = "special-address", Medium,
        "The address is not for connections to a host: unspecified, multicast or reserved.",
        "RFC 6890";

    // Ports

    DefaultPort = "default-port", Info,
        "The default port of the scheme, which may be left out.",
        "RFC 3986, 3.2.3";
    EmptyPort = "empty-port", Info,
        "An empty port, which may be left out with its colon.",
        "RFC 3986, 3.2.3";
    BlockedPort = "blocked-port", Medium,
        "A port that browsers block, since other protocols use it.",
        "WHATWG Fetch, 2.9";
    PortRange = "port-range", Medium,
        "A port above 65535, which some parsers take modulo 65536.",
        "RFC 9293, 3.1; CVE-2019-5435";
    BadPort = "bad-port", Medium,
        "A port that is not a decimal number.",
        "RFC 3986, 3.2.3";
    PortZero = "port-zero", Low,
        "Port 0, at which no server can listen.",
        "RFC 6335, 6";

    // Names

    MixedScript = "mixed-script", Medium,
        "A host with letters of several scripts, of which some may look like others.",
        "UTS #39, 5.1";
    LookAlike = "look-alike", High,
        "A host that looks like a name in US-ASCII, but is not one.",
        "UTS #39, 4";
    Punycode = "punycode", Medium,
        "A label that begins with `xn--`, but is not what IDNA makes of any name.",
        "RFC 5891, 5.4; CVE-2024-12224";
    MappedName = "mapped-name", Medium,
        "A name that IDNA changes into one with other characters.",
        "UTS #46, 4; CVE-2022-42916";
    OverlongName = "overlong-name", Medium,
        "A host name or label that is longer than the DNS allows.",
        "RFC 1035, 2.3.4";
    Overlong = "overlong", Low,
        "It is longer than many parsers accept.",
        "RFC 9110, 4.1; CVE-2019-5435";

    // Paths and the rest

    DotSegment = "dot-segment", Info,
        "A dot segment, which normalization or resolution removes.",
        "RFC 3986, 5.2.4";
    AboveRoot = "above-root", Low,
        "Dot segments that lead above the root.",
        "RFC 3986, 5.4.2; CVE-2022-32190";
    EscapedDotSegment = "escaped-dot-segment", Medium,
        "A dot segment with escapes or parameters: a check of the text does not see it, and \
         the server may follow it.",
        "WHATWG URL, 4.4; RFC 3986, 6.2.2";
    EscapedSlash = "escaped-slash", Low,
        "An escaped slash or backslash in the path, which a server may take for a separator.",
        "RFC 3986, 2.2 and 7.3";
    DoubleEncoding = "double-encoding", Low,
        "An escape of an escape: decoded twice, it is another character.",
        "RFC 3986, 2.4";

    // Schemes

    ScriptScheme = "script-scheme", Medium,
        "A scheme whose URLs contain a program or a document.",
        "RFC 2397; WHATWG HTML, `javascript:` URLs";
    DisguisedScript = "disguised-script", High,
        "A script or data URL in disguise: with blanks, control characters, escapes or \
         capitals in its scheme.",
        "WHATWG URL, 4.4; CVE-2023-24329";
    HostLikeScheme = "host-like-scheme", Low,
        "What looks like a host and a port is read as a scheme and a path.",
        "RFC 3986, 3.1";
    DriveLetter = "drive-letter", Low,
        "A drive letter, which is a host or a path.",
        "RFC 8089, E.2; CVE-2019-15601";
    FileHost = "file-host", Medium,
        "A `file` URL with a host, or with a path that Windows takes for one, to which some \
         systems connect.",
        "RFC 8089, 2; CVE-2019-15601";

    // The gate

    NotAbsolute = "not-absolute", Medium,
        "It is not a URI: it has no scheme.",
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

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The error for a name that is not a [`Code`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownCode;

impl fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected the name of a finding, such as `host-disagreement`")
    }
}

impl std::error::Error for UnknownCode {}

impl FromStr for Code {
    type Err = UnknownCode;

    /// Reads a name.
    fn from_str(text: &str) -> Result<Self, UnknownCode> {
        let is_it = |code: &&Self| code.as_str() == text;
        Self::ALL.iter().find(is_it).copied().ok_or(UnknownCode)
    }
}
