"""Chat completions of the openai SDK, without its walk through every request.

The SDK looks through all messages of a request for keys to rename, of which chat completions have
none; that takes as long as sending it.
"""

from collections.abc import Mapping
from typing import Any

from openai.resources.chat import AsyncCompletions
from openai.types.chat import ChatCompletion


class PlainCompletions(AsyncCompletions):
    """Sends a request as it stands; all else is the SDK's, authentication and errors too."""

    async def create(  # type: ignore[override] # only what LangChain gives when it does not stream
        self,
        *,
        extra_headers: Mapping[str, str] | None = None,
        extra_body: Mapping[str, object] | None = None,
        **body: Any,
    ) -> ChatCompletion:
        """Make one completion from the fields in `body`, to which `extra_body` adds others."""
        return await self._post(
            "/chat/completions",
            body={**body, **(extra_body or {})},
            options={"headers": dict(extra_headers or {})},
            cast_to=ChatCompletion,
        )
