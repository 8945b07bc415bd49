"""Model calls on the workers of Ray: the requests of a round are a dataset, and so are answers.

The process of the command is the coordinator: it alone holds the response store and writes
journals.
"""

import asyncio
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from uaeval.errors import (
    BlockedError,
    ConfigError,
    ModelError,
    RefusedError,
    RunAborted,
)
from uaeval.llm.batch.answers import import_lines
from uaeval.llm.batch.requests import BatchFile, parts
from uaeval.llm.ledger import billed
from uaeval.llm.names import OFFLINE
from uaeval.llm.parameters import Parameters, Usage, split_name
from uaeval.llm.roles import ModelSettings
from uaeval.prompts import PromptLibrary
from uaeval.run.ray_cluster import Row, connect, finished
from uaeval.run.run import Run

if TYPE_CHECKING:
    from ray.data import Dataset
    from ray.data.llm import Processor, vLLMEngineProcessorConfig

    from uaeval.llm.endpoint.langchain import LangChainModel


_VLLM: Final = "vllm"
"""The provider of models whose weights the workers of Ray load themselves."""
_TURNS: Final = 8
"""Requests that a worker takes at once for each call that it may have in flight; they are asked
again if it is killed."""
_LONGEST_REPLY: Final = 4096
"""Tokens of a reply of vLLM, which ends replies after 16 if nothing is said."""


def check_model(settings: ModelSettings) -> None:
    """Raise `ConfigError` if the client of a model cannot be set up here."""
    if settings.name != OFFLINE and split_name(settings.name)[0] != _VLLM:
        settings.build_live(PromptLibrary(), settings.parameters, settings.rate_limiter())


async def answer_round(run: Run, engine: str) -> None:
    """Have the waiting requests of the run's models answered on Ray; import answers as they come.

    Raises:
        ConfigError: Ray or a model cannot be used.
        RunAborted: no further call can succeed; what was answered is in the store.
    """
    workers = connect(engine)
    models = {settings.name: settings for settings in run.models.in_use}
    for settings in models.values():
        check_model(settings)
    asked = [part for part in parts(run.store) if part.model in models]
    if not asked:
        raise RunAborted(f"{run.folder} awaits batches; import them with `uaeval batch fetch`")
    run.progress.started("model calls on Ray", sum(len(part.lines) for part in asked))
    for part in asked:
        answers = _answers(part, models[part.model], workers)
        for batch in finished(answers.iter_batches(batch_size=None, prefetch_batches=0)):
            lines = [line.encode() for line in batch["answer"] if line]
            with run.store.transaction():
                import_lines(lines, run.store, "the answers")
            for _ in lines:
                run.progress.advanced(None)
            if reason := next(filter(None, batch["aborted"]), ""):
                raise RunAborted(reason)
            await asyncio.sleep(0)  # Ctrl-C ends the run here


def _answers(part: BatchFile, settings: ModelSettings, workers: int) -> "Dataset":
    """Return a dataset of answers: a line in `answer`, or in `aborted` why there are no more."""
    import ray

    rows = [{"request": line} for line in part.lines.values()]
    provider, name = split_name(part.model)
    if provider == _VLLM:
        requests = ray.data.from_items(rows)
        return vllm_processor(vllm_config(name))(requests).map(vllm_answer)
    workers = min(workers, settings.concurrency, settings.requests_per_minute or workers)
    each = settings.concurrency // workers
    share = {
        "concurrency": each,
        "requests_per_minute": _share(settings.requests_per_minute, workers),
        "tokens_per_minute": _share(settings.tokens_per_minute, workers),
    }
    size = max(1, min(each * _TURNS, -(-len(rows) // workers)))
    requests = ray.data.from_items(rows, override_num_blocks=-(-len(rows) // size))
    return requests.map_batches(
        EndpointCaller,
        fn_constructor_args=[settings.model_copy(update=share)],
        batch_size=size,
        compute=ray.data.ActorPoolStrategy(size=workers),
        num_cpus=1,
    )


def _share(limit: int | None, workers: int) -> int | None:
    return limit and max(1, limit // workers)


class EndpointCaller:
    """Answers requests in a worker of Ray, with its share of the limits of one model."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._rate_limiter = settings.rate_limiter()
        self._models: dict[float | None, LangChainModel] = {}
        """By temperature: each remembers what its endpoint turned down."""

    def __call__(self, batch: Row) -> Row:
        """Return the answers to the requests of a batch, in their order."""
        answers = asyncio.run(self._answer_all(batch["request"]))
        return {"answer": [answer for answer, _ in answers], "aborted": [why for _, why in answers]}

    async def _answer_all(self, lines: Iterable[str]) -> list[tuple[str, str]]:
        return await asyncio.gather(*map(self._answer, lines))

    async def _answer(self, line: str) -> tuple[str, str]:
        """Return the answer's line, or why no call can succeed any more."""
        request = json.loads(line)
        with billed() as charges:
            try:
                content = await self._call(request["body"])
            except (RunAborted, ConfigError) as error:
                return "", str(error)
        charged = sum(charges, Usage()).model_dump()
        return json.dumps({"custom_id": request["custom_id"], "charged": charged} | content), ""

    async def _call(self, body: Row) -> Row:
        """Call the endpoint as any model is called; return what it said, or the error."""
        temperature = body.get("temperature")
        if temperature not in self._models:
            parameters = Parameters(temperature=temperature, base_url=self._settings.base_url)
            self._models[temperature] = self._settings.build_live(
                PromptLibrary(), parameters, self._rate_limiter
            )
        model = self._models[temperature]
        messages = [(each["role"], each["content"]) for each in body["messages"]]
        try:
            text, cut_off = await model.complete(messages, body["response_format"])
        except RefusedError as error:
            return _said({"refusal": error.text}, "stop")
        except BlockedError as error:
            return {"error": {"code": "content_filter", "message": str(error)}}
        except ModelError as error:
            return {"error": {"code": "ModelError", "message": str(error)}}
        return _said({"content": text}, "length" if cut_off else "stop")


def _said(message: Row, reason: str) -> Row:
    choice = {"message": message, "finish_reason": reason}
    return {"response": {"status_code": 200, "body": {"choices": [choice]}}}


# --- vLLM: never run with real weights ----------------------------------------------------------


def vllm_config(weights: str) -> "vLLMEngineProcessorConfig":
    """Return the configuration of the engine that each worker of Ray loads `weights` into."""
    from ray.data.llm import vLLMEngineProcessorConfig

    return vLLMEngineProcessorConfig(model_source=weights, should_continue_on_error=True)


def vllm_processor(config: "vLLMEngineProcessorConfig") -> "Processor":
    """Return what turns rows of requests into rows of generated text."""
    from ray.data.llm import build_processor

    return build_processor(config, preprocess=vllm_request)


def vllm_request(row: Row) -> Row:
    """Return a request as vLLM takes it; the schema is text, so that all rows have one shape."""
    request = json.loads(row["request"])
    body = request["body"]
    sampling = {
        "temperature": body.get("temperature", 1.0),
        "max_tokens": _LONGEST_REPLY,
        "structured_outputs": {
            "json": json.dumps(body["response_format"]["json_schema"]["schema"])
        },
    }
    custom_id = request["custom_id"]
    return {"custom_id": custom_id, "messages": body["messages"], "sampling_params": sampling}


def vllm_answer(row: Row) -> Row:
    """Return a row of `answer` and `aborted` for what vLLM made of a request."""
    if problem := row.get("__inference_error__"):
        used, content = Usage(calls=1), {"error": {"code": "ModelError", "message": str(problem)}}
    else:
        read, written = int(row["num_input_tokens"]), int(row["num_generated_tokens"])
        used = Usage(calls=1, prompt_tokens=read, completion_tokens=written)
        reason = "length" if written >= _LONGEST_REPLY else "stop"
        content = _said({"content": row["generated_text"]}, reason)
    line = {"custom_id": row["custom_id"], "charged": used.model_dump()} | content
    return {"answer": json.dumps(line), "aborted": ""}
