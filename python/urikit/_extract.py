"""Links in text, and references in documents."""

from __future__ import annotations

from typing import NamedTuple

from urikit import _urikit
from urikit._names import Format, Standard


class Link(NamedTuple):
    """A link in text. ``text[start:end]`` is its text, with its wrapper.

    ``kind`` is ``wrapped``, ``bare``, ``abbreviated``, ``address`` or ``defanged``. A link comes as
    its author wrote it: if it is not ``valid``, ``repaired`` is the valid reference that browsers
    make of it, or ``None`` if there is none. ``cut`` says that the link goes on after ``end``.
    ``alternative`` is the other reading of a link that was broken at a hyphen.
    """

    start: int
    end: int
    uri: str
    kind: str
    valid: bool
    cut: bool
    repaired: str | None
    alternative: str | None


def links(
    text: str,
    *,
    abbreviated: bool = False,
    addresses: bool = False,
    refang: bool = False,
    standard: Standard | None = None,
    max_length: int = 1 << 20,
) -> list[Link]:
    """Returns the links in a text, in order.

    ``abbreviated`` finds ``www.example.org`` too, ``addresses`` mail addresses, and ``refang``
    defanged links. A link is valid under ``standard``; without it, as a URI or an IRI (RFC 3986 and
    3987). One that is longer than ``max_length`` bytes is cut.

    >>> import urikit
    >>> text = "See http://info.cern.ch/ (or <URL:http://ds.internic.\\n   net/rfc>)."
    >>> for link in urikit.links(text):
    ...     print(link.uri, link.kind)
    http://info.cern.ch/ bare
    http://ds.internic.net/rfc wrapped
    >>> [link.uri for link in urikit.links("jim@example.org", addresses=True)]
    ['mailto:jim@example.org']
    >>> [link.uri for link in urikit.links("hxxp://a[.]example/b", refang=True)]
    ['http://a.example/b']
    >>> (link,) = urikit.links("http://a.example/?d[page]=1")
    >>> link.uri, link.valid, link.repaired
    ('http://a.example/?d[page]=1', False, 'http://a.example/?d%5Bpage%5D=1')
    """
    wanted = (abbreviated, addresses, refang, standard)
    found = _urikit.links(text, wanted, max_length)
    return [Link(start, end, uri, kind, *marks) for start, end, uri, kind, marks in found]


class Position(NamedTuple):
    """A line and a column, both from 1."""

    line: int
    column: int


class Place(NamedTuple):
    """The place of a reference in the markup.

    The element and the attribute, with the values of ``rel`` and ``type`` beside it; ``syntax`` is
    the kind of place in other formats (``link``, ``image``, ``definition``, ``reference``,
    ``autolink``, ``comment``, ``script``, ``json``), and ``field`` the header field of mail.
    """

    element: str | None
    attribute: str | None
    rel: str | None
    type: str | None
    syntax: str | None
    field: str | None


class Found(NamedTuple):
    """A reference in a document; ``document[start:end]`` are its bytes as stored.

    ``text`` is the text of these bytes, ``uri`` the text without the escapes of the markup, and
    ``target`` the reference resolved against ``base``, repaired first if it is not ``valid``. The
    other fields are those of :class:`Link`; ``place`` is ``None`` for links in text.
    """

    start: int
    end: int
    kind: str
    text: str
    uri: str
    target: str | None
    base: str | None
    base_layer: str | None
    valid: bool
    cut: bool
    repaired: str | None
    alternative: str | None
    position: Position | None
    place: Place | None


class Document(NamedTuple):
    """The references of a document, and facts about the document.

    ``malformed`` is the offset of the first malformed markup. The rest was read as text.
    """

    references: list[Found]
    invalid_bytes: int
    cut_fields: int
    exceeds_limits: bool
    malformed: int | None
    charset: str | None


def extract(
    document: bytes | str,
    format: Format | None = None,
    *,
    base: str | None = None,
    abbreviated: bool = False,
    addresses: bool = False,
    refang: bool = False,
    deep: bool = False,
    standard: Standard | None = None,
    positions: bool = False,
    charset: str | None = None,
    max_length: int = 256 << 20,
) -> Document:
    """Returns the references in a document, each resolved against its base.

    ``format`` is one of ``urikit.FORMATS``; without it, the content decides. ``deep`` finds the
    links that a page has for programs (scripts, JSON-LD, comments, ``data-*``), and ``positions``
    lines and columns. ``charset`` overrides what the document declares.

    >>> import urikit
    >>> page = '<base href="http://a.example/d/"><a rel=next href="../x y">see</a> http://b.example/'
    >>> for found in urikit.extract(page, "html").references:
    ...     print(found.uri, found.target, found.place and found.place.rel)
    http://a.example/d/ None None
    ../x y http://a.example/x%20y next
    http://b.example/ http://b.example/ None
    """
    wanted = (abbreviated, addresses, refang, standard)
    references, facts = _urikit.extract(
        document, format, base, wanted, deep, positions, charset, max_length
    )
    found = [
        Found(
            start,
            end,
            kind,
            text,
            uri,
            target,
            origin[1] if origin else None,
            origin[0] if origin else None,
            *marks,
            Position(*position) if position else None,
            Place(*place) if place else None,
        )
        for (start, end), position, (kind, text, uri, target), origin, marks, place in references
    ]
    return Document(found, *facts)
