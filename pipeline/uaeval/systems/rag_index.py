"""The index of the built-in RAG: the dataset's, or another run's."""

from uaeval.config import EvaluationConfig
from uaeval.errors import StorageError
from uaeval.knowledge.embedding import Embedding, embedding_named
from uaeval.knowledge.index import HybridIndex, build_or_open
from uaeval.run_folder import RunFolder
from uaeval.storage import read_journal
from uaeval.types import Chunk


def indexed_run(config: EvaluationConfig) -> RunFolder:
    """Return the finished run whose index `rag` answers from: the dataset's, or that of `index`."""
    run = RunFolder(config.index or config.dataset)
    if run.manifest() is None:
        raise StorageError(
            f"{run.path} is not the folder of a run: it has no manifest.json; `rag` answers from "
            "the index of a run, name one with --index"
        )
    run.check()
    return run


def index_of(config: EvaluationConfig) -> HybridIndex:
    """Open the index that the built-in RAG answers from."""
    run = indexed_run(config)
    return open_index(run, embedding_of(config, run))


def embedding_of(config: EvaluationConfig, run: RunFolder) -> Embedding:
    """Return the embedding of the settings, or the dataset's."""
    synthesis = run.manifest()
    assert synthesis, "the run is finished"
    return embedding_named(config.embedding or synthesis.knowledge_base.embedding)


def open_index(run: RunFolder, embedding: Embedding) -> HybridIndex:
    """Open the index of the run's passages; embed what is missing."""
    return build_or_open(read_journal(run.chunks_path, Chunk), run.index_path, embedding)
