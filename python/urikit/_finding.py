"""The findings that audits report and that errors of gates carry."""

from __future__ import annotations

from typing import NamedTuple

SEVERITIES = ("info", "low", "medium", "high")
"""The severities, from the least to the worst."""


class Finding(NamedTuple):
    """A risk in a URL. ``offset`` counts bytes.

    An audit with a base names the ``reader`` in whose resolved target the finding is, and the offset
    is one in that target. ``reader`` is ``None`` for findings about the URL as a whole.
    """

    code: str
    severity: str
    offset: int
    message: str
    reader: str | None = None
