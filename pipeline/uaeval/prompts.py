"""Read prompt files: front matter, then a `# System` and a `# User` part with `$fields`."""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from string import Template

from uaeval.categories.registry import category
from uaeval.errors import PromptError
from uaeval.llm.model import Claim, Field
from uaeval.plugins import installed_prompts
from uaeval.records import Passage
from uaeval.resources import shipped

SYNTHESIS = frozenset({"generate", "complete", "verify", "verify_readings"})
"""Last parts of the names of the prompts that write and verify candidates."""
JUDGING = frozenset({"verdict", "correct", "acceptable", "acceptable_strict"})
"""Last parts of the names of the prompts that judge responses."""
GRADING = frozenset(
    "answer_correctness answer_relevancy faithfulness contextual_precision contextual_recall "
    "contextual_relevancy".split()
)
"""Last parts of the names of the prompts that grade open answers."""

_FILE = re.compile(
    r"\A---\n(?P<meta>(?:\w+: [^\n]+\n)+)---\n\s*^# System\n(?P<system>.*?)^# User\n(?P<user>.*)\Z",
    re.DOTALL | re.MULTILINE,
)
_KEYS = ["reply", "version"]
_TAG = re.compile(r"<(?=\s*/|\s*[a-z_]+[^<>]*>)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """A prompt template, and the name of the type of its replies."""

    name: str
    system: str
    user: str
    reply: str
    sha256: str
    path: Path

    @cached_property
    def fields(self) -> frozenset[str]:
        """Names of the `$fields` in both parts."""
        return frozenset(
            name for part in (self.system, self.user) for name in Template(part).get_identifiers()
        )

    def check(self, fields: Iterable[str], *, further: bool = False) -> None:
        """Raise `PromptError` unless the prompt has these fields, and no others but `further`."""
        given = frozenset(fields)
        problems = [f"add ${name}" for name in sorted(given - self.fields)]
        unknown = [] if further else sorted(self.fields - given)
        problems += [f"remove ${name}, which has no value" for name in unknown]
        if problems:
            raise PromptError(f"{self.path}: {'; '.join(problems)}")

    def render(self, fields: Mapping[str, Field]) -> tuple[str, str]:
        """Return the system and the user text; a `$` inside a value is not substituted again."""
        self.check(fields)
        values = {name: as_text(value) for name, value in fields.items()}
        return Template(self.system).substitute(values), Template(self.user).substitute(values)


class PromptLibrary:
    """The shipped prompts; a prompt in the folder `overlay` replaces the one of the same name."""

    def __init__(self, overlay: Path | None = None) -> None:
        self._roots = [shipped("prompts"), *([overlay] if overlay else [])]
        self._paths = {name: path for root in self._roots for name, path in _files(root).items()}
        self._loaded: dict[str, Prompt] = {}

    def get(self, name: str) -> Prompt:
        """Return the prompt `<name>.md`, for example `underspecified/generate`."""
        if name not in self._loaded:
            path = self._paths.get(name) or installed_prompts().get(name)
            if path is None:
                owner, _, role = name.partition("/")
                raise PromptError(
                    f"no prompt {name} in {', '.join(map(str, self._roots))}; a package that "
                    f"registers {owner!r} needs prompts/{role}.md beside its module, also when it "
                    "is built (hatchling includes the file)"
                )
            self._loaded[name] = read_prompt(name, path)
        return self._loaded[name]

    def names(self) -> tuple[str, ...]:
        """Return the names of the shipped prompts and of those in the overlay, sorted."""
        return tuple(sorted(self._paths))

    def hashes(
        self, purposes: Collection[str], categories: Iterable[str | None] = ()
    ) -> dict[str, str]:
        """Return the SHA-256 of every prompt whose name ends in one of `purposes`, by name.

        Prompts of plugins are included only if their category is one of `categories`.
        """
        wanted = {*categories}
        of_plugins = [name for name in installed_prompts() if name.partition("/")[0] in wanted]
        names = dict.fromkeys([*self.names(), *sorted(of_plugins)])
        return self.hashes_of(name for name in names if name.rpartition("/")[2] in purposes)

    def check_categories(
        self, names: Iterable[str], purposes: Collection[str] = SYNTHESIS | JUDGING
    ) -> None:
        """Raise `PromptError` if a prompt of these categories is missing or has other fields."""
        for name in sorted(names):
            for role, (fields, further) in category(name).prompt_fields.items():
                if role in purposes:
                    self.get(f"{name}/{role}").check(fields, further=further)

    def hashes_of(self, names: Iterable[str]) -> dict[str, str]:
        """Return the SHA-256 of the named prompts, by name."""
        return {name: self.get(name).sha256 for name in names}


def _files(root: Path) -> dict[str, Path]:
    return {path.relative_to(root).with_suffix("").as_posix(): path for path in root.glob("*/*.md")}


def open_prompts(overlay: Path | None) -> PromptLibrary:
    """Return the shipped prompts, with those in `overlay` in place of the same names.

    Raise `PromptError` if the overlay is not a folder, or a file in it does not replace a prompt,
    or has other fields or another reply.
    """
    if overlay is None:
        return PromptLibrary()
    if not overlay.is_dir():
        raise PromptError(f"{overlay} is not a folder of prompts")
    known = {f"{name}.md" for name in (*_files(shipped("prompts")), *installed_prompts())}
    files = {path.relative_to(overlay) for path in overlay.rglob("*.md")}
    if unknown := {file.as_posix() for file in files if file.name != "README.md"} - known:
        raise PromptError(
            f"{overlay}: {', '.join(sorted(unknown))} replaces no prompt; known prompts: "
            f"{', '.join(sorted(known))}"
        )
    library, original = PromptLibrary(overlay), PromptLibrary()
    for name in sorted(name for name in _files(overlay) if not name.endswith("/README")):
        ours, path = original.get(name), overlay / f"{name}.md"
        if library.get(name).reply != ours.reply:
            raise PromptError(f"{path}: reply should stay {ours.reply!r}")
        library.get(name).check(ours.fields)
    return library


def read_prompt(name: str, path: Path) -> Prompt:
    """Read a prompt file; raise `PromptError` if it is malformed.

    It is UTF-8, has all parts and just `reply` and `version` as front matter; a `$` begins a field.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise PromptError(f"{path}: save this prompt as UTF-8 ({error.reason})") from error
    match = _FILE.match(text)
    if match is None:
        raise PromptError(f"{path}: expected front matter, then `# System`, then `# User`")
    lines = [line.partition(": ")[::2] for line in match["meta"].splitlines()]
    if (keys := sorted(key for key, _ in lines)) != _KEYS:
        raise PromptError(f"{path}: front matter sets {_KEYS}, got {keys}")
    system, user = match["system"].strip(), match["user"].strip()
    if not (Template(system).is_valid() and Template(user).is_valid()):
        raise PromptError(f"{path}: write a literal dollar sign as $$")
    digest = hashlib.sha256(text.encode()).hexdigest()
    reply = dict(lines)["reply"]
    return Prompt(name=name, system=system, user=user, reply=reply, sha256=digest, path=path)


def as_text(value: Field) -> str:
    """Return a field as text for a prompt; tags in the data are neutralised."""
    if isinstance(value, str):
        return neutralise(value)
    if isinstance(value, Passage):
        return _passage(value)
    return "\n".join(_claim(item) if isinstance(item, Claim) else _passage(item) for item in value)


def neutralise(text: str) -> str:
    """Return `text` with `‹` at the start of every tag: `</passage>` becomes `‹/passage>`."""
    return _TAG.sub("‹", text)


def _claim(claim: Claim) -> str:
    question, answer = neutralise(claim.question), neutralise(claim.answer)
    return f'<claim number="{claim.number}">\n{question}\n→ {answer}\n</claim>'


def _passage(passage: Passage) -> str:
    place = " › ".join(part for part in (passage.title, passage.heading) if part)
    source = neutralise(place).replace('"', "'").replace("\n", " ")
    text = neutralise(passage.text)
    return f'<passage number="{passage.number}" source="{source}">\n{text}\n</passage>'
