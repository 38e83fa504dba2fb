"""The findings that audits report and that errors of gates carry."""

from __future__ import annotations

from typing import NamedTuple

SEVERITIES = ("info", "low", "medium", "high")
"""The severities, from the least to the worst."""


class Finding(NamedTuple):
    """A risk in a URL. ``offset`` counts bytes."""

    code: str
    severity: str
    offset: int
    message: str
