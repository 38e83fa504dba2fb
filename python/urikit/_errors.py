"""Errors: each is a ``ValueError`` with the offset, what was expected, and the rule."""

from __future__ import annotations

from urikit._finding import SEVERITIES, Finding


class UriError(ValueError):
    """The base class of all errors of this package.

    ``offset`` is in bytes of the text in UTF-8, as everywhere in Urikit and in the message.
    ``index`` is the same position in characters, as Python counts. Both are ``None`` if an error
    has no position.

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
    """The text is not a valid reference under the standard."""


class RowError(ParseError):
    """A row was rejected, and the caller requested an error. ``row`` counts from 0.

    If the base of the row is not valid, ``offset`` and ``index`` are positions in the base.
    """

    row: int = -1

    def __reduce__(self) -> tuple[object, ...]:
        return (*super().__reduce__(), {"row": self.row})


class EditError(UriError):
    """The components do not form a valid reference, or would parse back differently.

    ``offset`` and ``index`` are positions in the component that is not valid, as written.
    """


class ResolveError(UriError):
    """The reference cannot be resolved against this base, or the base is not valid."""


class RejectedError(UriError):
    """A gate rejected a URL. ``findings`` lists the reasons.

    ``offset`` and ``index`` come from the most severe finding.
    """

    findings: tuple[Finding, ...]

    def __init__(self, findings: list[tuple[str, str, int, str]], text: str | None = None) -> None:
        self.findings = tuple(Finding(*finding) for finding in findings)
        worst = max(self.findings, key=lambda one: SEVERITIES.index(one.severity), default=None)
        message = "; ".join(f"{one.code} at byte {one.offset}" for one in self.findings)
        super().__init__(message or "rejected", worst.offset if worst else None)
        if worst and text is not None:
            self.index = len(text.encode()[: worst.offset].decode(errors="replace"))

    def __reduce__(self) -> tuple[object, ...]:
        # The text may contain a password.
        findings = [tuple(finding) for finding in self.findings]
        return (type(self), (findings,), {"index": self.index})
