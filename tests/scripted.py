"""A model that replies from a script."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from uaeval.errors import ConfigError
from uaeval.llm.model import Field, R, T
from uaeval.llm.replies import Reply

Script: TypeAlias = Reply | Callable[..., Reply]


def identity(reply: R) -> R:
    """Return the reply itself: what `ask` parses to if the caller wants all of it."""
    return reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One question that the model was asked."""

    prompt: str
    reply_type: type[Reply]
    fields: Mapping[str, Field]


class ScriptedModel:
    """Answers each prompt with its reply, or with the return value of its function.

    A function may raise any error of `uaeval.errors`, to test how a program handles it.
    """

    def __init__(self, replies: Mapping[str, Script], *, name: str = "scripted") -> None:
        self._replies = replies
        self.name = name
        self.history: list[Ask] = []
        """Every question so far, in the order asked."""

    async def ask(
        self, prompt: str, reply_type: type[R], parse: Callable[[R], T], /, **fields: Field
    ) -> T:
        """Record the question and return its reply; `ConfigError` if the script has none."""
        self.history.append(Ask(prompt=prompt, reply_type=reply_type, fields=fields))
        if prompt not in self._replies:
            known = ", ".join(sorted(self._replies)) or "nothing"
            raise ConfigError(f"the script has no reply to {prompt}; it has {known}")
        script = self._replies[prompt]
        reply = script if isinstance(script, Reply) else script(**fields)
        if not isinstance(reply, reply_type):
            raise ConfigError(
                f"the script answers {prompt} with {type(reply).__name__}, "
                f"asked for was {reply_type.__name__}"
            )
        return parse(reply)
