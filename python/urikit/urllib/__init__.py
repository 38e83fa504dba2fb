"""A drop-in for ``urllib.parse``: ``from urikit.urllib import parse``."""

from urikit.urllib import parse

__all__ = ["parse"]
