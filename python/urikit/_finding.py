"""Findings: what audits report, and what errors of gates carry."""

from __future__ import annotations

from typing import NamedTuple

SEVERITIES = ("info", "low", "medium", "high")
"""From the least to the worst."""


class Finding(NamedTuple):
    """What could go wrong; ``offset`` counts bytes."""

    code: str
    severity: str
    offset: int
    message: str
