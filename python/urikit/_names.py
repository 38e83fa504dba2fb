"""The names of standards, readers and other choices, as types. A test compares them with the
constants of the extension."""

from typing import Literal, Union

Standard = Literal["rfc1630", "rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986", "rfc3987"]
Reader = Union[Standard, Literal["whatwg", "java-net-uri", "urllib", "lenient"]]
"""The readers for columns."""
AuditReader = Union[Reader, Literal["curl", "legacy-ipv4"]]
Level = Literal["case", "escapes", "path", "scheme"]
Place = Literal[
    "userinfo",
    "user",
    "password",
    "host",
    "path",
    "segment",
    "first-segment",
    "params",
    "parameter",
    "query",
    "query-name",
    "query-value",
    "fragment",
]
Format = Literal[
    "text",
    "html",
    "mail",
    "markdown",
    "xml",
    "css",
    "csv",
    "tsv",
    "rst",
    "asciidoc",
    "org",
    "latex",
    "roff",
    "jupyter",
    "icalendar",
    "har",
    "gemtext",
    "wat",
]
SurtProfile = Literal["urikit", "ia-python", "ia-java", "cdxj"]
OnError = Literal["null", "raise", "keep"]
Decoding = Literal["written", "decoded", "form"]
Keep = Literal["origin", "domain"]
