"""Documents that a Python function returns: `python:module:function`, or a loader of LangChain."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.readers.rows import documents_of
from uaeval.knowledge.reading import LoadedDocuments, ReadSettings
from uaeval.user_code import CallOutcome, described, imported

PREFIX: Final = "python:"
_FORM: Final = "python:<module>:<function>"


def read_python(address: str, settings: ReadSettings) -> LoadedDocuments:
    """Read what a function returns, or what the `lazy_load` of a LangChain loader does.

    Each document is a LangChain `Document`, a mapping with a text field, or a text.

    Raises:
        KnowledgeBaseError: the code raises an error, or a document is none of these.
        ConfigError: it cannot be imported.
    """
    places = (f"{address}/{number}" for number in range(1, 1 << 62))
    return documents_of(zip(places, _rows(address), strict=False), settings)


def python_fingerprint(address: str) -> str:
    """Hash all that the function returns."""
    digest = hashlib.sha256(address.encode())
    for row in _rows(address):
        digest.update(repr(sorted(row.items())).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()


def _rows(address: str) -> Iterator[Mapping[str, object]]:
    documents = iter(_documents(address))
    while True:
        with CallOutcome() as outcome:
            outcome.value = next(documents)
        if isinstance(outcome.error, StopIteration):
            return
        if outcome.error:
            raise KnowledgeBaseError(f"{address}: {described(outcome.error)}") from outcome.error
        yield _row(outcome.value, address)


def _documents(address: str) -> Iterable[object]:
    source = imported(address, _FORM)
    with CallOutcome() as outcome:
        source = source() if callable(source) else source
        outcome.value = source.lazy_load() if hasattr(source, "lazy_load") else source
    if outcome.error:
        raise KnowledgeBaseError(f"{address}: {described(outcome.error)}") from outcome.error
    if isinstance(outcome.value, Iterable) and not isinstance(outcome.value, str | Mapping):
        return outcome.value
    kind = type(outcome.value).__name__
    raise KnowledgeBaseError(f"{address}: it gives a {kind}; return a list of documents")


def _row(document: object, address: str) -> Mapping[str, object]:
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
