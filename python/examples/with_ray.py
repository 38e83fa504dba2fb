"""Adds hosts to a Ray dataset: each worker calls the column functions for its batches.

    pip install "ray[data]"
    python with_ray.py
"""

import pyarrow
import ray.data

from urikit import columns


def with_hosts(batch: pyarrow.Table) -> pyarrow.Table:
    """Adds a column with the host of each URL, null for rejected ones."""
    host = columns.host(batch["url"], threads=1)  # Ray starts a worker for each processor
    return batch.append_column("host", pyarrow.chunked_array(host))


def add(dataset: ray.data.Dataset) -> ray.data.Dataset:
    return dataset.map_batches(with_hosts, batch_format="pyarrow")


if __name__ == "__main__":
    urls = ["http://a.example/", "http://b.example/x", "|"]
    rows = add(ray.data.from_items([{"url": url} for url in urls])).take_all()
    assert sorted(str(row["host"]) for row in rows) == ["None", "a.example", "b.example"], rows
    print(rows)
