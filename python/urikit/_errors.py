"""Errors: each is a ``ValueError`` with the place, the expectation, and the rule."""

from __future__ import annotations

from urikit._finding import SEVERITIES, Finding


class UriError(ValueError):
    """The base class of all errors of this package.

    ``offset`` counts bytes of the text in UTF-8, as all of Urikit does and as the message says;
    ``index`` is the same place in characters, as Python counts. Each is ``None`` where an error has
    no place.

    >>> import urikit
    >>> text = "http://é.example/%4g"
    >>> try:
    ...     urikit.parse(text, "rfc3987")
    ... except ValueError as error:
    ...     print(error)
    ...     print(error.offset, text[error.index], error.expected, error.production, error.section)
    expected a hexadecimal digit, but found `g` at byte 20 (pct-encoded, RFC 3987, 2.2)
    20 g a hexadecimal digit pct-encoded RFC 3987, 2.2
    """

    offset: int | None
    index: int | None
    expected: str | None
    found: str | None
    production: str | None
    section: str | None

    def __init__(
        self,
        message: str,
        offset: int | None = None,
        index: int | None = None,
        expected: str | None = None,
        found: str | None = None,
        production: str | None = None,
        section: str | None = None,
    ) -> None:
        super().__init__(message)
        self.offset = offset
        self.index = index
        self.expected = expected
        self.found = found
        self.production = production
        self.section = section

    def __reduce__(self) -> tuple[object, ...]:
        return (
            type(self),
            (
                self.args[0],
                self.offset,
                self.index,
                self.expected,
                self.found,
                self.production,
                self.section,
            ),
        )


class ParseError(UriError):
    """The text is not a reference of the standard."""


class RowError(ParseError):
    """A row is rejected and the caller asked for an error. ``row`` counts from 0."""

    row: int = -1

    def __reduce__(self) -> tuple[object, ...]:
        return (*super().__reduce__(), {"row": self.row})


class EditError(UriError):
    """The components do not form a valid reference, or would parse back differently."""


class ResolveError(UriError):
    """The reference has no target against this base, or the base is not a valid one."""


class RejectedError(UriError):
    """A gate rejects a URL. ``findings`` lists the reasons.

    ``offset`` and ``section`` are those of the worst finding.
    """

    findings: tuple[Finding, ...]

    def __init__(self, findings: list[tuple[str, str, int, str]]) -> None:
        self.findings = tuple(Finding(*finding) for finding in findings)
        worst = max(self.findings, key=lambda one: SEVERITIES.index(one.severity), default=None)
        message = "; ".join(f"{one.code} at byte {one.offset}" for one in self.findings)
        super().__init__(message or "rejected", worst.offset if worst else None)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), ([tuple(finding) for finding in self.findings],))
