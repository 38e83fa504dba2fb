"""Counts hosts with Dask: each worker calls the accessor of pandas for its partition.

    pip install "dask[dataframe]"
    python with_dask.py
"""

import dask.dataframe
import pandas


def hosts(urls: pandas.Series) -> pandas.Series:
    # Importing the module in the function registers the accessor on each worker.
    import urikit.pandas  # noqa: F401

    return urls.uri.host()


def count(frame: dask.dataframe.DataFrame) -> dict[str, int]:
    """Counts the rows for each host. Rejected rows are left out."""
    host = frame["url"].map_partitions(hosts, meta=("host", "string"))
    return host.value_counts().compute().to_dict()


if __name__ == "__main__":
    urls = pandas.DataFrame({"url": ["http://a.example/", "http://b.example/", "http://a.example/x", "|"]})
    counted = count(dask.dataframe.from_pandas(urls, npartitions=2))
    assert counted == {"a.example": 2, "b.example": 1}, counted
    print(counted)
