{#
    The components of URLs, under the same names in every warehouse. DuckDB and Spark call Urikit's functions,
    which `urikit.duckdb.register` and `urikit.spark.register` add. BigQuery and Snowflake have no
    such functions, so these macros use the nearest built-in one. README.md lists the differences.

    The patterns come from RFC 3986, Appendix B. They find components, but do not validate them.
#}

{% macro uri_scheme(url) %}{{ return(adapter.dispatch('uri_scheme', 'urikit')(url)) }}{% endmacro %}
{% macro default__uri_scheme(url) %}uri_scheme({{ url }}){% endmacro %}
{% macro bigquery__uri_scheme(url) %}regexp_extract({{ url }}, r'^([^:/?#]+):'){% endmacro %}
{% macro snowflake__uri_scheme(url) %}parse_url({{ url }}, 1):scheme::varchar{% endmacro %}

{% macro uri_host(url) %}{{ return(adapter.dispatch('uri_host', 'urikit')(url)) }}{% endmacro %}
{% macro default__uri_host(url) %}uri_host({{ url }}){% endmacro %}
{% macro bigquery__uri_host(url) %}net.host({{ url }}){% endmacro %}
{% macro snowflake__uri_host(url) %}parse_url({{ url }}, 1):host::varchar{% endmacro %}

{% macro uri_port(url) %}{{ return(adapter.dispatch('uri_port', 'urikit')(url)) }}{% endmacro %}
{% macro default__uri_port(url) %}uri_port({{ url }}){% endmacro %}
{% macro bigquery__uri_port(url) %}regexp_extract({{ url }}, r'^(?:[^:/?#]+:)?//[^/?#]*:([0-9]*)(?:[/?#]|$)'){% endmacro %}
{% macro snowflake__uri_port(url) %}parse_url({{ url }}, 1):port::varchar{% endmacro %}

{% macro uri_path(url) %}{{ return(adapter.dispatch('uri_path', 'urikit')(url)) }}{% endmacro %}
{% macro default__uri_path(url) %}uri_path({{ url }}){% endmacro %}
{% macro bigquery__uri_path(url) %}regexp_extract({{ url }}, r'^(?:[^:/?#]+:)?(?://[^/?#]*)?([^?#]*)'){% endmacro %}
{% macro snowflake__uri_path(url) %}regexp_substr({{ url }}, '^([^:/?#]+:)?(//[^/?#]*)?([^?#]*)', 1, 1, 'e', 3){% endmacro %}

{% macro uri_query(url) %}{{ return(adapter.dispatch('uri_query', 'urikit')(url)) }}{% endmacro %}
{% macro default__uri_query(url) %}uri_query({{ url }}){% endmacro %}
{% macro bigquery__uri_query(url) %}regexp_extract({{ url }}, r'^[^?#]*\?([^#]*)'){% endmacro %}
{% macro snowflake__uri_query(url) %}parse_url({{ url }}, 1):query::varchar{% endmacro %}

{% macro uri_fragment(url) %}{{ return(adapter.dispatch('uri_fragment', 'urikit')(url)) }}{% endmacro %}
{% macro default__uri_fragment(url) %}uri_fragment({{ url }}){% endmacro %}
{% macro bigquery__uri_fragment(url) %}regexp_extract({{ url }}, r'^[^#]*#(.*)'){% endmacro %}
{% macro snowflake__uri_fragment(url) %}parse_url({{ url }}, 1):fragment::varchar{% endmacro %}

{% macro uri_query_value(url, name) %}{{ return(adapter.dispatch('uri_query_value', 'urikit')(url, name)) }}{% endmacro %}
{% macro default__uri_query_value(url, name) %}uri_query_value({{ url }}, {{ urikit.literal(name) }}){% endmacro %}
{% macro bigquery__uri_query_value(url, name) %}regexp_extract({{ url }}, r'^[^?#]*\?(?:[^#]*&)?{{ urikit.quote_pattern(name) }}=([^&#]*)'){% endmacro %}
{% macro snowflake__uri_query_value(url, name) %}parse_url({{ url }}, 1):parameters[{{ urikit.literal(name) }}]::varchar{% endmacro %}

{% macro uri_registrable_domain(url) %}{{ return(adapter.dispatch('uri_registrable_domain', 'urikit')(url)) }}{% endmacro %}
{% macro default__uri_registrable_domain(url) %}uri_registrable_domain({{ url }}){% endmacro %}
{% macro bigquery__uri_registrable_domain(url) %}net.reg_domain({{ url }}){% endmacro %}
{% macro snowflake__uri_registrable_domain(url) %}{{ urikit.without('uri_registrable_domain') }}{% endmacro %}

{% macro uri_public_suffix(url) %}{{ return(adapter.dispatch('uri_public_suffix', 'urikit')(url)) }}{% endmacro %}
{% macro default__uri_public_suffix(url) %}uri_public_suffix({{ url }}){% endmacro %}
{% macro bigquery__uri_public_suffix(url) %}net.public_suffix({{ url }}){% endmacro %}
{% macro snowflake__uri_public_suffix(url) %}{{ urikit.without('uri_public_suffix') }}{% endmacro %}

{% macro uri_normalize(url) %}{{ return(adapter.dispatch('uri_normalize', 'urikit')(url)) }}{% endmacro %}
{% macro default__uri_normalize(url) %}uri_normalize({{ url }}){% endmacro %}
{% macro bigquery__uri_normalize(url) %}{{ urikit.without('uri_normalize') }}{% endmacro %}
{% macro snowflake__uri_normalize(url) %}{{ urikit.without('uri_normalize') }}{% endmacro %}

{% macro uri_resolve(url, base) %}{{ return(adapter.dispatch('uri_resolve', 'urikit')(url, base)) }}{% endmacro %}
{% macro default__uri_resolve(url, base) %}uri_resolve({{ url }}, {{ base }}){% endmacro %}
{% macro bigquery__uri_resolve(url, base) %}{{ urikit.without('uri_resolve') }}{% endmacro %}
{% macro snowflake__uri_resolve(url, base) %}{{ urikit.without('uri_resolve') }}{% endmacro %}

{# Escapes a name for a regular expression within a raw string. #}
{% macro quote_pattern(name) %}{{ return(modules.re.escape(name) | replace("'", '\\x27')) }}{% endmacro %}

{% macro literal(name) %}{{ return("'" ~ (name | replace("'", "''")) ~ "'") }}{% endmacro %}

{% macro without(name) %}{{ exceptions.raise_compiler_error(name ~ ' has no counterpart in ' ~ target.type) }}{% endmacro %}
