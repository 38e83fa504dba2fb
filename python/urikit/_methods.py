"""The functions of ``urikit.columns`` as methods and functions of other libraries."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from urikit import columns

# The parameters that accept a second column.
SECOND = {"resolve": "base", "compare": "other", "query_value": "name"}


def bind(name: str, *arguments: Any, **keywords: Any) -> dict[str, Any]:
    """Returns the arguments after the column, by name. Raises ``TypeError`` for wrong arguments, as
    a call does."""
    signature = inspect.signature(getattr(columns, name))
    bound = signature.bind(None, *arguments, **keywords).arguments
    return {key: value for key, value in bound.items() if key != "column"}


def describe(call: Callable[..., Any], name: str, first: str, kind: str, result: str) -> None:
    """Sets the name, documentation and signature of a function to those of a function in
    ``urikit.columns``, except for the first parameter and the result. ``help`` shows them."""
    function = getattr(columns, name)
    signature = inspect.signature(function)
    _, *rest = signature.parameters.values()
    column = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if first != "self":
        column = inspect.Parameter(first, inspect.Parameter.POSITIONAL_ONLY, annotation=kind)
    call.__name__ = call.__qualname__ = name
    call.__doc__ = function.__doc__
    signature = signature.replace(parameters=[column, *rest], return_annotation=result)
    call.__signature__ = signature  # type: ignore[attr-defined]
