"""The findings that audits report and that errors of gates contain."""

from __future__ import annotations

from typing import NamedTuple

SEVERITIES = ("info", "low", "medium", "high")
"""The severities, from lowest to highest."""


class Finding(NamedTuple):
    """A risk in a URL. ``offset`` is in bytes.

    In an audit with a base, ``reader`` is the reader whose resolved target has the finding, and the
    offset refers to that target. ``reader`` is ``None`` for findings about the complete URL.
    """

    code: str
    severity: str
    offset: int
    message: str
    reader: str | None = None
