"""ZIP archives, as office files and e-books are; locked and damaged ones and bombs are refused."""

import io
import zipfile
from typing import Final

from uaeval.knowledge.reading import UnusableFile

_MAX_UNPACKED: Final = 200_000_000
_MAX_RATIO: Final = 200
_OLE: Final = b"\xd0\xcf\x11\xe0"
"""What an office file begins with if it is encrypted, or older than 2007."""
_LOCKED: Final = 1


def open_archive(data: bytes, kind: str) -> zipfile.ZipFile:
    """Return the archive that a file of this kind (`a Word file`) is.

    Raises:
        UnusableFile: it is none, is encrypted, or would unpack to very much more than it is.
    """
    if data.startswith(_OLE):
        raise UnusableFile(f"it is encrypted or not {kind} of today; save it without a password")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile as error:
        raise UnusableFile(f"it is damaged: not {kind}") from error
    unpacked = sum(entry.file_size for entry in archive.infolist())
    if unpacked > _MAX_UNPACKED or unpacked > max(len(data) * _MAX_RATIO, 1_000_000):
        raise UnusableFile(f"it would unpack to {unpacked:,} bytes, which is not to be trusted")
    if any(entry.flag_bits & _LOCKED for entry in archive.infolist()):
        raise UnusableFile("it is encrypted; save it without a password")
    return archive
