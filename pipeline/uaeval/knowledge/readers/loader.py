"""Read the documents of a Python function or LangChain loader: `python:module:function`.

Each document is a LangChain `Document`, a mapping with a text field, or a text.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any, Final

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.readers.rows import Row, documents_of, fingerprint_of, reported
from uaeval.knowledge.reading import LoadedDocuments, ReadSettings, SourceReader
from uaeval.user_code import imported


def _read(address: str, settings: ReadSettings) -> LoadedDocuments:
    places = (f"{address}/{number}" for number in count(1))
    with reported(address):
        return documents_of(zip(places, _rows(address), strict=False), settings)


def _fingerprint(address: str) -> str:
    with reported(address):
        return fingerprint_of(address, _rows(address))


def _rows(address: str) -> Iterator[Row]:
    source: Any = imported(address, "python:<module>:<function>")
    source = source() if callable(source) else source
    documents = source.lazy_load() if hasattr(source, "lazy_load") else source
    if isinstance(documents, str | Mapping) or not isinstance(documents, Iterable):
        kind = type(documents).__name__
        raise KnowledgeBaseError(f"{address}: it returns a {kind}; return a list of documents")
    return (_row(document, address) for document in documents)


def _row(document: object, address: str) -> Row:
    if isinstance(document, str):
        return {"text": document}
    if isinstance(document, Mapping):
        return document
    text, metadata = getattr(document, "page_content", None), getattr(document, "metadata", {})
    if not isinstance(text, str) or not isinstance(metadata, Mapping):
        kind = type(document).__name__
        raise KnowledgeBaseError(
            f"{address}: a document is a {kind}; return LangChain documents, mappings or texts"
        )
    identity = getattr(document, "id", None)
    return {**({"id": identity} if identity else {}), **metadata, "text": text}


PYTHON_READER: Final = SourceReader(prefix="python:", read=_read, fingerprint=_fingerprint)
