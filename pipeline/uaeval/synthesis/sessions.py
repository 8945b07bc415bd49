"""Find an earlier session of the same run. This module imports little, so it loads fast."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from uaeval.categories.names import category_names
from uaeval.config import HOLDOUT, SynthesisConfig
from uaeval.errors import ConfigError, StorageError
from uaeval.knowledge.documents import fingerprint
from uaeval.news.places import is_site, is_web, refuse_other_schemes
from uaeval.prompts import SYNTHESIS, PromptLibrary, open_prompts
from uaeval.run.progress import ProgressListener
from uaeval.run_folder import Manifest, RunFolder

PLACES = {"knowledge_base", "news", "queries"}
"""Settings that may change between sessions if the fingerprint of the files stays the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One execution of the command over a run, with fingerprints of its input."""

    config: SynthesisConfig
    progress: ProgressListener
    refresh: bool
    """Whether files are read again and web pages fetched again."""
    knowledge_print: str
    news_print: str
    queries_print: str
    """Fingerprint of the file with the user's own queries; empty without one."""

    @classmethod
    def of(
        cls, config: SynthesisConfig, progress: ProgressListener, *, refresh: bool = False
    ) -> Self:
        """Return a session with the fingerprints of the knowledge base and of the news sources.

        A fingerprint does not require reading all files in full.

        Raises:
            KnowledgeBaseError: a source does not exist.
            ConfigError: the run's folder contains a source, or a source contains it.
        """
        local = [entry for entry in config.news if entry != HOLDOUT and not is_web(entry)]
        for entry in local:
            refuse_other_schemes(entry)
        base, output = config.knowledge_base, config.output
        for source in filter(Path.exists, map(Path, (base, *local))):
            read, written = source.resolve(), output.resolve()
            if read.is_relative_to(written) or written.is_relative_to(read):
                raise ConfigError(
                    f"one of {output} and {source} contains the other; choose an -o folder outside "
                    "of the folders that are read"
                )
        # The fingerprint of a site is its address and the number of pages that are read.
        site = hashlib.sha256(f"{base} {config.site_pages}".encode()).hexdigest()
        return cls(
            config=config,
            progress=progress,
            refresh=refresh,
            news_print=_news_print(config.news),
            queries_print=fingerprint(str(config.queries)) if config.queries else "",
            knowledge_print=site if is_site(base) else fingerprint(base),
        )

    @property
    def folder(self) -> RunFolder:
        """The folder of the run."""
        return RunFolder(self.config.output)


def _news_print(entries: Sequence[str]) -> str:
    """Return a fingerprint of the sources: addresses on the web, contents of local files."""
    outside = [entry for entry in entries if entry != HOLDOUT]
    parts = [entry if is_web(entry) else fingerprint(entry) for entry in outside]
    parts += [HOLDOUT] if parts and HOLDOUT in entries else []
    several = "\n".join(parts)
    return several if len(parts) < 2 else hashlib.sha256(several.encode()).hexdigest()


def prompt_hashes(config: SynthesisConfig, library: PromptLibrary) -> dict[str, str]:
    """Return the SHA-256 of every prompt that a run may use, by name."""
    categories = category_names() if config.queries else config.categories
    asked = {"answer": config.ask_rag, "closed_book": config.closed_book_check}
    purposes = SYNTHESIS | {name for name, wanted in asked.items() if wanted}
    return library.hashes(purposes, categories)


def earlier_session(session: Session) -> Manifest | None:
    """Return the manifest of the run in `config.output`, if there is one.

    With `session.refresh`, return `None` too for a run with other input, settings or prompts, web
    pages or damaged files; its stored answers and index are still used where they fit.
    Without it, raise `StorageError` for a run with other input, settings or prompts.
    """
    config, folder = session.config, session.folder
    earlier = folder.manifest()
    if earlier is None:
        return None
    changed = earlier.other_settings(config.decisive(), free=PLACES)
    base = earlier.knowledge_base
    prints = {
        "the knowledge base's files have changed": (session.knowledge_print, base.fingerprint),
        "what --news names has changed": (session.news_print, base.news_fingerprint),
        "the file of queries has changed": (session.queries_print, earlier.queries),
    }
    changed += [text for text, (now, then) in prints.items() if now != then]
    if earlier.prompts != prompt_hashes(config, open_prompts(config.prompts)):
        changed.append("prompts have changed")
    web = is_site(config.knowledge_base) or any(map(is_web, config.news))
    if session.refresh and (changed or web or folder.damage(earlier)):
        return None
    if changed:
        raise StorageError(
            f"{folder.path} holds another run ({'; '.join(changed)}); choose another -o folder, or "
            "replace the run with --refresh"
        )
    return earlier
