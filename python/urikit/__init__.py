"""URIs, URLs and IRIs, exactly as their standards define them.

>>> import urikit
>>> url = urikit.parse("http://user@example.com:8042/over/there?name=ferret#nose")
>>> url.host
'example.com'

Text is parsed under RFC 3986, or the standard that you specify. An error contains the offset, what
was found and expected, and the section:

>>> try:
...     urikit.parse("http://a/b c")
... except urikit.ParseError as error:
...     error.offset, error.found, error.section
(10, 'a space', 'RFC 3986, 3.3')

====================  =====================================================================
``urikit``            one reference at a time: parse, resolve, normalize, compare, replace;
                      links in text and documents; the audit; domains and archive keys
``urikit.columns``    Arrow columns, of pyarrow, Polars, pandas, DuckDB and others
``urikit.crawl``      the pages of web archives and their links, as Arrow rows
``urikit.duckdb``     column functions in DuckDB's SQL, and ``urikit.datafusion`` in
                      DataFusion's; ``urikit.polars`` and ``urikit.pandas`` provide them
                      as namespaces
``urikit.pydantic``   types for the fields of pydantic's models
``urikit.spark``      column functions in Spark's SQL, and batch jobs
``urikit.urllib``     a drop-in for ``urllib.parse``
====================  =====================================================================
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from urikit._audit import (
    Agreement,
    Audit,
    Checked,
    Destination,
    Gate,
    Reading,
    Rejection,
    SameSite,
    agree,
    audit,
    read,
    same_site,
)
from urikit._data import Change, Data, Repaired, decode, encode, repair
from urikit._errors import EditError, ParseError, RejectedError, ResolveError, RowError, UriError
from urikit._extract import Document, Found, Link, Place, Position, extract, links
from urikit._finding import Finding
from urikit._keys import Domain, domain, surt, surt_range
from urikit._urikit import (
    CODES,
    FORMATS,
    LEVELS,
    PLACES,
    READERS,
    STANDARDS,
    STEPS,
    SUFFIX_LIST_DATE,
    SUFFIX_LIST_VERSION,
    SURT_PROFILES,
    VOTERS,
    Reference,
    SuffixList,
    WhatwgUrl,
    __version__,
    parse,
    validate,
)

if TYPE_CHECKING:
    from urikit import columns, crawl, datafusion, duckdb, pandas, polars, pydantic, spark, urllib

__all__ = [
    "CODES",
    "FORMATS",
    "LEVELS",
    "PLACES",
    "READERS",
    "STANDARDS",
    "STEPS",
    "SUFFIX_LIST_DATE",
    "SUFFIX_LIST_VERSION",
    "SURT_PROFILES",
    "VOTERS",
    "Agreement",
    "Audit",
    "Change",
    "Checked",
    "Data",
    "Destination",
    "Document",
    "Domain",
    "EditError",
    "Finding",
    "Found",
    "Gate",
    "Link",
    "ParseError",
    "Place",
    "Position",
    "Reading",
    "Reference",
    "RejectedError",
    "Rejection",
    "Repaired",
    "ResolveError",
    "RowError",
    "SameSite",
    "SuffixList",
    "UriError",
    "WhatwgUrl",
    "__version__",
    "agree",
    "audit",
    "decode",
    "domain",
    "encode",
    "extract",
    "links",
    "parse",
    "read",
    "repair",
    "same_site",
    "surt",
    "surt_range",
    "validate",
]

# These modules load on first use. Some import pandas, Polars or DuckDB, which `import urikit` must
# not require.
_MODULES = (
    "columns",
    "crawl",
    "datafusion",
    "duckdb",
    "pandas",
    "polars",
    "pydantic",
    "spark",
    "urllib",
)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"urikit.{name}")
    raise AttributeError(f"module 'urikit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})


# Tracebacks and pickles name the package, not the private module that defines the class.
for _name in __all__:
    if getattr(globals()[_name], "__module__", "").startswith("urikit._"):
        globals()[_name].__module__ = "urikit"
