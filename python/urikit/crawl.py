"""The pages of web archives and their links, as Arrow rows.

>>> from urikit import crawl
>>> archive = b'''http://a.example/b/ 127.0.0.1 19961104142103 text/html 20
... <a href="../c#d"></a>'''[:-1]
>>> import io
>>> for rows in crawl.read(io.BytesIO(archive)):
...     for page in rows:
...         print(page["page"], [link["target"] for link in page["links"]])
http://a.example/b/ ['http://a.example/c#d']

``python -m urikit.spark links`` reads archives on a cluster.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from urikit import _urikit
from urikit._urikit import Column, SuffixList

__all__ = ["LINK", "PAGE", "read"]

LINK = ("uri", "base", "target", "host", "domain", "element", "attribute", "rel", "field")
"""The columns of a link, all strings: the reference as written, the base that it is relative to, its
target, the reversed host and registrable domain of the target, and the place in the page: the element,
the attribute and ``rel``, or the header field."""

PAGE = (
    *("file", "url", "page", "host", "domain", "media_type", "problem", "status", "skipped"),
    "links",
)
"""The columns of a page: the archive, the URL as recorded and normalized, the reversed host and
registrable domain, the media type, the reason why the page was not read completely, the status code,
the number of references that are not links, and the links. If a part of the archive cannot be read, a
row has a ``problem`` but no ``url``."""


def read(
    archive: str | os.PathLike[str] | Any,
    *,
    name: str | None = None,
    ranges: Iterable[tuple[int, int]] | None = None,
    text: bool = False,
    private: bool = False,
    suffixes: SuffixList | None = None,
    batch_bytes: int = 8 << 20,
) -> Iterator[Column]:
    """Reads the pages of a WARC, WAT or ARC file, with or without gzip compression, in batches of
    rows.

    ``archive`` is a path, or an open file with the methods ``read`` and ``seek``. ``ranges`` are the
    offsets and lengths of the records to read, as in a CDX index; each range consists of complete
    members. ``name`` is the value of the ``file`` column.

    A link is a reference in markup or in a header field, whose target has a host. Targets are
    resolved, and in the normal form of their scheme, like the results of ``columns.normalize``.
    ``text`` adds the links in text. ``private`` and ``suffixes`` are those of
    ``columns.registrable_domain``.

    A batch has about ``batch_bytes`` bytes, or more if the last page has many links. Memory depends
    on neither the length of the archive nor the speed of the consumer. If the archive is damaged,
    or a range begins or ends after its end, a row reports the problem. An error of the file or its
    file system raises ``OSError``.
    """
    if name is None:
        name = os.fspath(archive) if isinstance(archive, (str, os.PathLike)) else ""
    given = None if ranges is None else list(ranges)
    return _urikit.crawl(archive, name, given, text, private, suffixes, batch_bytes)
