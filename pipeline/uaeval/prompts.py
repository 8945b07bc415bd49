"""Prompt files: flat front matter, then a `# System` and a `# User` part with `$fields`."""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from string import Template

from uaeval.errors import PromptError
from uaeval.llm.model import Claim
from uaeval.llm.model import Field as Field
from uaeval.plugins import prompt_folders
from uaeval.records import Passage
from uaeval.resources import shipped

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
    r"\A---\n(?P<meta>(?:\w+: [^\n]+\n)+)---\n\s*^# System\n(?P<system>.*?)^# User\n(?P<user>.*)\Z",
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
    """The shipped prompts; the user's own replace those of the same name."""

    def __init__(self, overlay: Path | None = None) -> None:
        self._roots = [*([overlay] if overlay else []), shipped("prompts")]
        self._loaded: dict[str, Prompt] = {}

    def get(self, name: str) -> Prompt:
        """Return the prompt `<name>.md`, for example `underspecified/generate`."""
        if name not in self._loaded:
            self._loaded[name] = read_prompt(name, self._find(name))
        return self._loaded[name]

    def names(self) -> tuple[str, ...]:
        """Return the names of the shipped prompts and of those in the overlay, sorted."""
        names = {
            path.relative_to(root).with_suffix("").as_posix()
            for root in self._roots
            for path in root.glob("*/*.md")
        }
        return tuple(sorted(names))

    def hashes(
        self, purposes: Collection[str], categories: Iterable[str | None] = ()
    ) -> dict[str, str]:
        """Return the SHA-256 of every prompt whose name ends in one of `purposes`, by name.

        Prompts of other packages count only if their category is one of `categories`.
        """
        rooms = {name for name in categories if name is not None}
        installed = (prompt for name in sorted(rooms) for prompt in installed_prompts(name))
        names = dict.fromkeys([*self.names(), *installed])
        return self.hashes_of(name for name in names if name.rpartition("/")[2] in purposes)

    def hashes_of(self, names: Iterable[str]) -> dict[str, str]:
        """Return the SHA-256 of each of these prompts, by name."""
        return {name: self.get(name).sha256 for name in names}

    def _find(self, name: str) -> Path:
        room, _, role = name.rpartition("/")
        places = [root / f"{name}.md" for root in self._roots]
        if folder := prompt_folders().get(room):
            places.append(folder / f"{role}.md")
        for path in places:
            if path.is_file():
                return path
        raise PromptError(f"no prompt {name}; looked for {', '.join(map(str, places))}")


def installed_prompts(room: str) -> tuple[str, ...]:
    """Return the names of the prompts that another package brings for a category or metric."""
    folder = prompt_folders().get(room)
    return tuple(sorted(f"{room}/{path.stem}" for path in folder.glob("*.md"))) if folder else ()


def open_prompts(overlay: Path | None) -> PromptLibrary:
    """Return the shipped prompts, replaced by those in `overlay`.

    Raises:
        PromptError: the overlay is not a folder, or a file in it does not replace a prompt.
    """
    if overlay:
        _check_overlay(overlay)
    return PromptLibrary(overlay)


def _check_overlay(overlay: Path) -> None:
    if not overlay.is_dir():
        raise PromptError(f"{overlay} is not a folder of prompts")
    known = {path.relative_to(shipped("prompts")) for path in shipped("prompts").glob("*/*.md")}
    known |= {Path(f"{name}.md") for room in prompt_folders() for name in installed_prompts(room)}
    unknown = sorted(
        str(path.relative_to(overlay))
        for path in overlay.rglob("*.md")
        if path.relative_to(overlay) not in known and path.name != "README.md"
    )
    if unknown:
        names = ", ".join(sorted(map(str, known)))
        raise PromptError(
            f"{overlay}: {', '.join(unknown)} replaces no prompt; known prompts: {names}"
        )


def read_prompt(name: str, path: Path) -> Prompt:
    """Read and check one prompt file.

    Raises:
        PromptError: the file is not UTF-8, lacks a part, has front matter other than `reply` and
            `version`, or a `$` that does not begin a field.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise PromptError(f"{path}: save this prompt as UTF-8 ({error.reason})") from error
    match = _FILE.match(text)
    if match is None:
        raise PromptError(f"{path}: expected front matter, then `# System`, then `# User`")
    meta = dict(line.partition(": ")[::2] for line in match["meta"].splitlines())
    if meta.keys() != _KEYS:
        raise PromptError(f"{path}: front matter sets {sorted(_KEYS)}, got {sorted(meta)}")
    system, user = match["system"].strip(), match["user"].strip()
    if not (Template(system).is_valid() and Template(user).is_valid()):
        raise PromptError(f"{path}: write a literal dollar sign as $$")
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Prompt(name=name, system=system, user=user, reply=meta["reply"], sha256=digest)


def as_text(value: Field) -> str:
    """Return a field as text for a prompt, in which data cannot open or close a tag."""
    if isinstance(value, str):
        return neutralise(value)
    if isinstance(value, Passage):
        return _passage(value)
    return "\n".join(_claim(each) if isinstance(each, Claim) else _passage(each) for each in value)


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
