"""Types for pydantic's models. They check a string and keep it exactly as written.

>>> from pydantic import BaseModel
>>> from urikit.pydantic import HttpUrl
>>> class Page(BaseModel):
...     url: HttpUrl
>>> page = Page(url="https://Example.com")
>>> page.url  # no slash is added, and no case is changed
HttpUrl('https://Example.com')
>>> page.model_dump_json()
'{"url":"https://Example.com"}'
>>> page.url.reference.host
'Example.com'

Each type is a subclass of ``str``, so a value can be stored, compared and passed on like any
string. Errors of a model contain the offset in bytes and the section of the standard.

>>> from pydantic import ValidationError
>>> try:
...     Page(url="https://a/{x}")
... except ValidationError as error:
...     error.errors()[0]["type"], error.errors()[0]["ctx"]["offset"]
('uri_syntax', 10)

==============  ======================================================================
``Uri``         an absolute URI, with or without a fragment (RFC 3986)
``UriRef``      a URI or a relative reference (RFC 3986)
``Iri``         an absolute IRI (RFC 3987)
``IriRef``      an IRI or a relative reference (RFC 3987)
``HttpUrl``     a ``Uri`` with the scheme ``http`` or ``https`` and a host (RFC 9110, 4.2)
==============  ======================================================================
"""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema
from typing_extensions import Self

from urikit._errors import ParseError
from urikit._names import Standard
from urikit._urikit import Reference, parse

__all__ = ["HttpUrl", "Iri", "IriRef", "Uri", "UriRef"]


class _Text(str):
    """A string that is valid under a standard. The constructor raises ``ParseError`` for invalid
    strings, and ``ValueError`` if the reference is not of this type."""

    __slots__ = ()

    _standard: ClassVar[Standard] = "rfc3986"
    _format: ClassVar[str]  # of JSON Schema (2020-12, validation, 7.3.5)

    def __new__(cls, text: str) -> Self:
        cls._check(parse(text, cls._standard))
        return super().__new__(cls, text)

    @classmethod
    def _check(cls, reference: Reference) -> None:
        """Raises ``ValueError`` for a valid reference that this type excludes."""

    @property
    def reference(self) -> Reference:
        """The parsed reference."""
        return parse(self, self._standard)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str.__repr__(self)})"

    def __str__(self) -> str:
        """The text as a plain ``str``."""
        return str.__str__(self)

    @classmethod
    def _validate(cls, text: str) -> Self:
        try:
            return cls(text)
        except ParseError as error:
            context = {"offset": error.offset, "section": error.section, "message": str(error)}
            raise PydanticCustomError("uri_syntax", "{message}", context) from None
        except ValueError as error:
            raise PydanticCustomError("uri_kind", "{message}", {"message": str(error)}) from None

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: type[Any], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_after_validator_function(cls._validate, core_schema.str_schema())

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {**handler(schema), "format": cls._format}


class UriRef(_Text):
    """A URI or a relative reference (RFC 3986, 4.1).

    >>> from urikit.pydantic import UriRef
    >>> UriRef("../a?b")
    UriRef('../a?b')
    """

    __slots__ = ()
    _format = "uri-reference"


class IriRef(_Text):
    """An IRI or a relative reference (RFC 3987, 2.2).

    >>> from urikit.pydantic import IriRef
    >>> IriRef("/résumé")
    IriRef('/résumé')
    """

    __slots__ = ()
    _standard = "rfc3987"
    _format = "iri-reference"


class _Absolute(_Text):
    __slots__ = ()

    @classmethod
    def _check(cls, reference: Reference) -> None:
        if not reference.is_absolute:
            raise ValueError("expected a scheme, as in `https://example.com/`, but found none")


class Uri(_Absolute):
    """An absolute URI, with or without a fragment (RFC 3986, 3).

    >>> from urikit.pydantic import Uri
    >>> Uri("urn:isbn:0451450523")
    Uri('urn:isbn:0451450523')
    >>> Uri("example.com/a")
    Traceback (most recent call last):
    ...
    ValueError: expected a scheme, as in `https://example.com/`, but found none
    """

    __slots__ = ()
    _format = "uri"


class Iri(_Absolute):
    """An absolute IRI, with or without a fragment (RFC 3987, 2.2).

    >>> from urikit.pydantic import Iri
    >>> Iri("http://résumé.example.org/")
    Iri('http://résumé.example.org/')
    """

    __slots__ = ()
    _standard = "rfc3987"
    _format = "iri"


class HttpUrl(Uri):
    """A URI with the scheme ``http`` or ``https`` and a host (RFC 9110, 4.2).

    >>> from urikit.pydantic import HttpUrl
    >>> HttpUrl("HTTP://example.com:8080/a").reference.port
    8080
    >>> HttpUrl("mailto:a@b.example")
    Traceback (most recent call last):
    ...
    ValueError: expected the scheme http or https, but found `mailto`
    """

    __slots__ = ()

    @classmethod
    def _check(cls, reference: Reference) -> None:
        super()._check(reference)
        scheme = (reference.scheme or "").lower()
        if scheme not in ("http", "https"):
            raise ValueError(f"expected the scheme http or https, but found `{scheme}`")
        if not reference.host:
            raise ValueError("expected a host, but found none")
