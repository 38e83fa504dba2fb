"""Links in text, and references in HTML, Markdown and mail."""

from __future__ import annotations

from typing import NamedTuple

from urikit import _urikit


class Link(NamedTuple):
    """A link in text. ``text[start:end]`` is what is written, with its wrapper.

    ``kind`` is ``wrapped``, ``bare``, ``abbreviated`` or ``address``; ``alternative`` is the other
    reading of a link that was broken at a hyphen.
    """

    start: int
    end: int
    uri: str
    kind: str
    alternative: str | None


def links(
    text: str,
    *,
    abbreviated: bool = False,
    addresses: bool = False,
    max_length: int = 1 << 20,
) -> list[Link]:
    """The links in a text, in order.

    ``abbreviated`` finds ``www.example.org`` too, and ``addresses`` mail addresses. A link longer
    than ``max_length`` bytes is skipped.

    >>> import urikit
    >>> text = "See http://info.cern.ch/ (or <URL:http://ds.internic.\\n   net/rfc>)."
    >>> for link in urikit.links(text):
    ...     print(link.uri, link.kind)
    http://info.cern.ch/ bare
    http://ds.internic.net/rfc wrapped
    >>> [link.uri for link in urikit.links("jim@example.org", addresses=True)]
    ['mailto:jim@example.org']
    """
    found = _urikit.links(text, abbreviated, addresses, max_length)
    return [Link(*link) for link in found]


class Position(NamedTuple):
    """A line and a column, both from 1."""

    line: int
    column: int


class Found(NamedTuple):
    """A reference in a document; ``document[start:end]`` are its bytes as stored."""

    start: int
    end: int
    kind: str
    text: str
    uri: str
    target: str | None
    base: str | None
    base_layer: str | None
    alternative: str | None
    position: Position | None


class Document(NamedTuple):
    """The references of a document, and what was noticed about it."""

    references: list[Found]
    invalid_bytes: int
    cut_fields: int
    exceeds_limits: bool
    charset: str | None


def extract(
    document: bytes | str,
    format: str | None = None,
    *,
    base: str | None = None,
    abbreviated: bool = False,
    addresses: bool = False,
    positions: bool = False,
    max_length: int = 256 << 20,
) -> Document:
    """The references in a document, each resolved against its base.

    ``format`` is ``text``, ``html``, ``mail`` or ``markdown``; without it, the content decides.

    >>> import urikit
    >>> page = '<base href="http://a.example/d/"><a href="../x">one</a> see http://b.example/'
    >>> for found in urikit.extract(page, "html").references:
    ...     print(found.uri, found.target)
    http://a.example/d/ None
    ../x http://a.example/x
    http://b.example/ http://b.example/
    """
    references, facts = _urikit.extract(
        document, format, base, abbreviated, addresses, positions, max_length
    )
    found = [
        Found(
            span[0],
            span[1],
            kind,
            text,
            uri,
            target,
            origin[1] if origin else None,
            origin[0] if origin else None,
            alternative,
            Position(*position) if position else None,
        )
        for span, position, kind, text, uri, target, origin, alternative in references
    ]
    return Document(found, *facts)
