"""A plugin for dbt-duckdb, which adds the functions of ``urikit.duckdb`` to each connection.

In ``profiles.yml``::

    type: duckdb
    plugins:
      - module: urikit.dbt
        config:
          reader: java-net-uri  # optional; the default is rfc3986

The macros for dbt are in the project's folder ``python/dbt``.
"""

from __future__ import annotations

from typing import Any

from dbt.adapters.duckdb.plugins import BasePlugin

import urikit.duckdb

__all__ = ["Plugin"]


class Plugin(BasePlugin):  # type: ignore[misc]
    """The class that dbt-duckdb looks up in the module."""

    def configure_connection(self, conn: Any) -> None:
        """Registers the functions. ``conn`` is dbt's connection, which has DuckDB's methods."""
        urikit.duckdb.register(conn, reader=self._config.get("reader", "rfc3986"))

    def initialize(self, plugin_config: dict[str, Any]) -> None:
        """Keeps the configuration. It is checked when the first connection opens."""
        self._config = plugin_config
