"""Read documents from Python: `python:module:function` names a function or a LangChain loader.

The documents are LangChain documents, mappings with a text field, or texts.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any, Final

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.readers.rows import Row, documents_of, fingerprint_of, reported
from uaeval.knowledge.reading import LoadedDocuments, ReadSettings, SourceReader
from uaeval.user_code import imported


def _read_python(address: str, settings: ReadSettings) -> LoadedDocuments:
    places = (f"{address}/{number}" for number in count(1))
    with reported(address):
        return documents_of(address, zip(places, _python_rows(address), strict=False), settings)


def _python_print(address: str) -> str:
    with reported(address):
        return fingerprint_of(address, _python_rows(address))


def _python_rows(address: str) -> Iterator[Row]:
    source: Any = imported(address, "python:<module>:<function>")
    source = source() if callable(source) else source
    documents = source.lazy_load() if hasattr(source, "lazy_load") else source
    if isinstance(documents, str | Mapping) or not isinstance(documents, Iterable):
        kind = type(documents).__name__
        raise KnowledgeBaseError(f"{address}: it returns a {kind}; return a list of documents")
    return (_python_row(document, address) for document in documents)


def _python_row(document: object, address: str) -> Row:
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


PYTHON_READER: Final = SourceReader(prefix="python:", read=_read_python, fingerprint=_python_print)
