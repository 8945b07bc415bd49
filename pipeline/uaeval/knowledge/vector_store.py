"""Store the vectors of passages in an `.npy` file, so that no passage is embedded twice.

Each record has the key of a passage, a checksum and the vector. Records of an interrupted build are
used again; a record that does not match its checksum is replaced.
"""

import os
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import BinaryIO, Final
from zlib import crc32

import numpy as np
from numpy.lib import format as npy

from uaeval.errors import StorageError
from uaeval.knowledge.embedding import Vectors

KEY_BYTES: Final = 20
_PAGE: Final = 4_096
"""Number of records that are copied at once."""


def update_vectors(
    path: Path, wanted: Collection[bytes], embed: Callable[[Sequence[bytes]], Vectors], at_once: int
) -> dict[bytes, int]:
    """Make the file contain the vectors of exactly these keys; return their rows by key.

    Keys have `KEY_BYTES` bytes. Those that the file lacks are embedded and stored `at_once` many.

    Raises:
        StorageError: the file is damaged, or its vectors have another length.
        OSError: the file cannot be written.
    """
    rows = _keep(path, frozenset(wanted)) if path.exists() else {}
    missing = [key for key in wanted if key not in rows]
    for start in range(0, len(missing), at_once):
        batch = missing[start : start + at_once]
        _append(path, batch, embed(batch))
        rows.update(zip(batch, range(len(rows), len(rows) + len(batch)), strict=True))
    with path.open("rb+") as file:
        _write_header(file, stored_records(path).dtype, len(rows))
    return rows


def stored_records(path: Path) -> np.memmap[tuple[int], np.dtype[np.void]]:
    """Return the complete records, memory-mapped; the count in the header may be wrong."""
    try:
        with path.open("rb") as file:
            npy.read_magic(file)
            _, _, dtype = npy.read_array_header_1_0(file)
            start = file.tell()
        if dtype != _record(dtype["vector"].shape[0]):
            raise ValueError(f"its records are {dtype}")
    except (ValueError, LookupError) as error:
        reason = " ".join(str(error).split())[:200]
        raise StorageError(
            f"{path} is damaged ({reason}); delete it and run again; its passages will "
            "be embedded again"
        ) from error
    number = (path.stat().st_size - start) // dtype.itemsize
    return np.memmap(path, dtype, "r", start, (number,))


def _keep(path: Path, wanted: frozenset[bytes]) -> dict[bytes, int]:
    """Remove records that are damaged, incomplete or not wanted; return the other rows."""
    records = stored_records(path)
    rows: dict[bytes, int] = {}
    for row, (key, check) in enumerate(zip(records["key"], records["check"], strict=True)):
        if key.tobytes() in wanted and crc32(records["vector"][row]) == check:
            rows.setdefault(key.tobytes(), row)
    if len(rows) == len(records):
        os.truncate(path, records.offset + records.nbytes)
        return rows
    kept, part = list(rows.values()), path.with_suffix(".part")
    with part.open("wb") as file:
        _write_header(file, records.dtype, len(kept))
        for start in range(0, len(kept), _PAGE):
            file.write(records[kept[start : start + _PAGE]].tobytes())
    part.replace(path)
    return {key: row for row, key in enumerate(rows)}


def _append(path: Path, keys: Sequence[bytes], vectors: Vectors) -> None:
    new = np.empty(len(keys), _record(vectors.shape[1]))
    new["key"] = np.frombuffer(b"".join(keys), new.dtype["key"])
    new["vector"] = vectors
    new["check"] = [crc32(vector) for vector in vectors]
    with path.open("ab") as file:
        if not file.tell():
            _write_header(file, new.dtype, 0)
        elif (stored := stored_records(path).dtype) != new.dtype:
            lengths = f"{stored['vector'].shape[0]}, and now {new.dtype['vector'].shape[0]}"
            raise StorageError(
                f"{path}: the embedding gave vectors of {lengths} numbers; delete the "
                "file and run again"
            )
        file.write(new.tobytes())


def _record(dimensions: int) -> np.dtype[np.void]:
    return np.dtype([("key", f"V{KEY_BYTES}"), ("check", "<u4"), ("vector", "<f4", (dimensions,))])


def _write_header(file: BinaryIO, record: np.dtype[np.void], number: int) -> None:
    """Write the header for a number of records; its length does not depend on the number."""
    shape = {"descr": npy.dtype_to_descr(record), "fortran_order": False, "shape": (number,)}
    npy.write_array_header_1_0(file, shape)
