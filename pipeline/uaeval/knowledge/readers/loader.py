"""Read the documents of a Python function or LangChain loader: `python:module:function`."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any, Final

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.readers.rows import Row, documents_of, fingerprint_of, reported
from uaeval.knowledge.reading import LoadedDocuments, ReadSettings
from uaeval.user_code import imported

PREFIX: Final = "python:"
_FORM: Final = "python:<module>:<function>"


def read_python(address: str, settings: ReadSettings) -> LoadedDocuments:
    """Read the documents that a function, or the `lazy_load` of a LangChain loader, returns.

    Each document is a LangChain `Document`, a mapping with a text field, or a text.
    """
    places = (f"{address}/{number}" for number in count(1))
    with reported(address):
        return documents_of(zip(places, _rows(address), strict=False), settings)


def python_fingerprint(address: str) -> str:
    """Return a hash of all documents that the function returns."""
    with reported(address):
        return fingerprint_of(address, _rows(address))


def _rows(address: str) -> Iterator[Row]:
    source: Any = imported(address, _FORM)
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
