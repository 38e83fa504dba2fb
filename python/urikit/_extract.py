"""Links in text, and references in documents."""

from __future__ import annotations

from typing import NamedTuple

from urikit import _urikit
from urikit._data import Octets, octets
from urikit._names import Format, Standard


class Link(NamedTuple):
    """A link in text. ``text[start:end]`` is the link with its wrapper.

    ``kind`` is ``wrapped``, ``bare``, ``abbreviated``, ``address`` or ``defanged``. A link is
    returned as its author wrote it. If it is not ``valid``, ``repaired`` is the valid reference
    that browsers would use, or ``None`` if it cannot be repaired. ``cut`` is true if the link
    continues after ``end``. ``alternative`` is the alternative reading of a link that was broken at
    a hyphen.
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
    """Returns the links in text, in order.

    ``abbreviated`` also finds ``www.example.org``, ``addresses`` mail addresses, and ``refang``
    defanged links. ``standard`` decides whether a link is valid; by default, a link must be a URI
    or an IRI (RFC 3986 and 3987). Links longer than ``max_length`` bytes are cut off.

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
    """A line and a column, both counting from 1."""

    line: int
    column: int


class Place(NamedTuple):
    """The place of a reference in the markup.

    ``rel`` and ``type`` are the values of other attributes of the same element. ``syntax`` is the
    kind of place in other formats (``link``, ``image``, ``definition``, ``reference``,
    ``autolink``, ``comment``, ``script``, ``json``), and ``field`` is the header field in mail.
    ``entry`` is the path of an entry in a container, such as ``word/document.xml``. In office
    documents, ``sheet`` and ``cell``, ``paragraph`` or ``slide`` identify the place that a reader
    sees, counting from 1.
    """

    element: str | None
    attribute: str | None
    rel: str | None
    type: str | None
    syntax: str | None
    field: str | None
    entry: str | None = None
    sheet: str | None = None
    cell: str | None = None
    paragraph: int | None = None
    slide: int | None = None


class Found(NamedTuple):
    """A reference in a document. ``document[start:end]`` is the reference as stored: ``start`` and
    ``end`` count characters if the document is a string, and bytes if it is bytes. In a container,
    the offsets refer to the bytes of the entry.

    ``text`` is the text of this range, ``uri`` is the text without the escapes of the markup, and
    ``target`` is the reference resolved against ``base``, and repaired first if it is not
    ``valid``. The other fields are those of :class:`Link`. ``place`` is ``None`` for links in text.
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
    """The references in a document, and facts about the document.

    ``malformed`` is the offset of the first malformed markup, in characters if the document is a
    string and otherwise in bytes. The rest was read as text.
    ``failures`` lists the entries of a container that were not read, or not completely, each with
    the reason.
    """

    references: list[Found]
    invalid_bytes: int
    cut_fields: int
    exceeds_limits: bool
    malformed: int | None
    charset: str | None
    failures: list[tuple[str, str]]


def extract(
    document: str | Octets,
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

    ``format`` is one of ``urikit.FORMATS``; by default, it is detected from the content, and
    archives, office documents, e-books, web archives and PDF are unpacked. ``deep`` also finds
    links that are meant for programs (in scripts, JSON-LD, comments, ``data-*``), and
    ``positions`` adds lines and columns. ``charset`` overrides the charset that a document in bytes
    declares.

    The document is bytes or a string. A string is already decoded, so the charset that it declares
    is ignored. Mail that is not US-ASCII and declares a charset other than UTF-8 must be bytes.

    >>> import urikit
    >>> page = '<base href="http://a.example/d/"><a rel=next href="../x y">see</a> http://b.example/'
    >>> for found in urikit.extract(page, "html").references:
    ...     print(found.uri, found.target, found.place and found.place.rel)
    http://a.example/d/ None None
    ../x y http://a.example/x%20y next
    http://b.example/ http://b.example/ None
    """
    wanted = (abbreviated, addresses, refang, standard)
    data = document if isinstance(document, str) else octets(document)
    references, facts = _urikit.extract(
        data, format, base, wanted, deep, positions, charset, max_length
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
