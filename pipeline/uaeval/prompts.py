"""Prompt files: flat front matter, then a `# System` and a `# User` part with `$fields`."""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from string import Template
from typing import TypeAlias

from uaeval.errors import PromptError
from uaeval.plugins import prompt_folders
from uaeval.resources import shipped
from uaeval.types import Claim, Passage

Field: TypeAlias = str | Passage | Sequence[Passage] | Sequence[Claim]

SYNTHESIS = frozenset({"generate", "complete", "verify", "verify_readings"})
"""Last parts of the names of the prompts that write, complete and verify."""
JUDGING = frozenset({"verdict", "correct", "acceptable", "acceptable_strict"})
"""Last parts of the names of the prompts that judge."""
GRADING = frozenset(
    {
        "answer_correctness",
        "answer_relevancy",
        "faithfulness",
        "contextual_precision",
        "contextual_recall",
        "contextual_relevancy",
    }
)
"""Last parts of the names of the prompts that grade open answers."""

_FILE = re.compile(
    r"\A---\n(?P<meta>(?:\w+: .+\n)+)---\n\s*^# System\n(?P<system>.*?)^# User\n(?P<user>.*)\Z",
    re.DOTALL | re.MULTILINE,
)
_KEYS = {"reply", "version"}
_TAG = re.compile(r"<(?=\s*/|\s*[a-z_]+[^<>]*>)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """A prompt template and the name of the reply that reads its answers."""

    name: str
    system: str
    user: str
    reply: str
    sha256: str

    @cached_property
    def fields(self) -> frozenset[str]:
        """Names of the `$fields` in both parts."""
        return frozenset(
            name for part in (self.system, self.user) for name in Template(part).get_identifiers()
        )

    def check(self, fields: Mapping[str, Field]) -> None:
        """Raise `PromptError` unless exactly the prompt's own fields are given."""
        missing, unknown = sorted(self.fields - fields.keys()), sorted(fields.keys() - self.fields)
        if missing or unknown:
            raise PromptError(f"{self.name}: missing fields {missing}, unknown fields {unknown}")

    def render(self, fields: Mapping[str, Field]) -> tuple[str, str]:
        """Return the system and the user text; values are substituted once, never rescanned."""
        self.check(fields)
        values = {name: as_text(value) for name, value in fields.items()}
        return Template(self.system).substitute(values), Template(self.user).substitute(values)


class PromptLibrary:
    """The shipped prompts, overlaid by the user's own where they have the same name."""

    def __init__(self, overlay: Path | None = None) -> None:
        self._roots = [*([overlay] if overlay else []), shipped("prompts")]
        self._loaded: dict[str, Prompt] = {}

    def get(self, name: str) -> Prompt:
        """Return the prompt `<name>.md`, for example `underspecified/generate`."""
        if name not in self._loaded:
            self._loaded[name] = read_prompt(name, self._find(name))
        return self._loaded[name]

    def names(self) -> tuple[str, ...]:
        """Name every prompt that exists, sorted."""
        found = (
            path.relative_to(root).with_suffix("").as_posix()
            for root in self._roots
            for path in root.glob("*/*.md")
        )
        return tuple(sorted(set(found)))

    def hashes(self, purposes: Collection[str]) -> dict[str, str]:
        """Return the SHA-256 of every prompt whose name ends in one of `purposes`, by name."""
        return self.hashes_of(name for name in self.names() if name.rpartition("/")[2] in purposes)

    def hashes_of(self, names: Iterable[str]) -> dict[str, str]:
        """Return the SHA-256 of each of these prompts, by name."""
        return {name: self.get(name).sha256 for name in names}

    def _find(self, name: str) -> Path:
        room, _, role = name.rpartition("/")
        places = [root / f"{name}.md" for root in self._roots]
        places += [folder / f"{role}.md" for key, folder in prompt_folders().items() if key == room]
        for path in places:
            if path.is_file():
                return path
        raise PromptError(f"no prompt {name}; looked for {', '.join(map(str, places))}")


def open_prompts(overlay: Path | None) -> PromptLibrary:
    """Return the shipped prompts under the user's own.

    Raises:
        PromptError: the overlay is no folder, or holds a file that replaces no shipped prompt.
    """
    if overlay:
        _check_overlay(overlay)
    return PromptLibrary(overlay)


def _check_overlay(overlay: Path) -> None:
    if not overlay.is_dir():
        raise PromptError(f"{overlay} is not a folder of prompts")
    known = {path.relative_to(shipped("prompts")) for path in shipped("prompts").glob("*/*.md")}
    known |= {
        Path(name, path.name)
        for name, folder in prompt_folders().items()
        for path in folder.glob("*.md")
    }
    strange = sorted(
        str(path.relative_to(overlay))
        for path in overlay.rglob("*.md")
        if path.relative_to(overlay) not in known and path.name != "README.md"
    )
    if strange:
        names = ", ".join(sorted(map(str, known)))
        raise PromptError(
            f"{overlay}: {', '.join(strange)} replaces no prompt; the prompts are {names}"
        )


def read_prompt(name: str, path: Path) -> Prompt:
    """Read and check one prompt file.

    Raises:
        PromptError: the file is not UTF-8, lacks a part, has other front matter than `reply` and
            `version`, or has a `$` that is no field.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise PromptError(f"{path}: save this prompt as UTF-8 ({error.reason})") from error
    match = _FILE.match(text)
    if match is None:
        raise PromptError(f"{path}: wants front matter, then `# System`, then `# User`")
    meta = dict(line.split(": ", 1) for line in match["meta"].splitlines())
    if meta.keys() != _KEYS:
        raise PromptError(f"{path}: front matter sets {sorted(_KEYS)}, got {sorted(meta)}")
    system, user = match["system"].strip(), match["user"].strip()
    if not (Template(system).is_valid() and Template(user).is_valid()):
        raise PromptError(f"{path}: write a literal dollar sign as $$")
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Prompt(name=name, system=system, user=user, reply=meta["reply"], sha256=digest)


def as_text(value: Field) -> str:
    """Render a field for a prompt. Text that is data cannot open or close a tag in it."""
    if isinstance(value, str):
        return neutralise(value)
    if isinstance(value, Passage):
        return _passage(value)
    return "\n".join(_claim(one) if isinstance(one, Claim) else _passage(one) for one in value)


def neutralise(text: str) -> str:
    """Make every tag in `text` harmless: `</passage>` becomes `‹/passage>`."""
    return _TAG.sub("‹", text)


def _claim(claim: Claim) -> str:
    question, answer = neutralise(claim.question), neutralise(claim.answer)
    return f'<claim number="{claim.number}">\n{question}\n→ {answer}\n</claim>'


def _passage(passage: Passage) -> str:
    place = " › ".join(part for part in (passage.title, passage.heading) if part)
    source = neutralise(place).replace('"', "'").replace("\n", " ")
    text = neutralise(passage.text)
    return f'<passage number="{passage.number}" source="{source}">\n{text}\n</passage>'
