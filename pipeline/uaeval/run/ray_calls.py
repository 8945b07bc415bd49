"""Make model calls on Ray workers: the requests of a round are a dataset, and so are the answers.

Only the coordinator, the process of the command, opens the response store and writes journals.
"""

import asyncio
import json
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from uaeval.errors import BlockedError, ConfigError, ModelError, RefusedError, RunAborted
from uaeval.llm.batch.answers import import_lines
from uaeval.llm.batch.requests import BatchFile, parts
from uaeval.llm.endpoint.addresses import split_name
from uaeval.llm.names import OFFLINE
from uaeval.llm.roles import ModelSettings
from uaeval.llm.usage import Usage, collect_usage
from uaeval.prompts import PromptLibrary
from uaeval.run.ray_cluster import Row, connect, finished
from uaeval.run.run import Run
from uaeval.runner import all_of

if TYPE_CHECKING:
    from ray.data import Dataset
    from ray.data.llm import vLLMEngineProcessorConfig

_VLLM: Final = "vllm"
"""The provider of models whose weights the Ray workers load."""
_REQUESTS_PER_SLOT: Final = 8
"""Requests per worker and call in flight that a worker gets at a time; they are repeated if it
is killed."""
_LONGEST_REPLY: Final = 4096
"""Limit of a reply of vLLM in tokens; vLLM's default is 16."""


def check_model(settings: ModelSettings) -> None:
    """Raise `ConfigError` if the client of a model cannot be created in this process."""
    if settings.name != OFFLINE and split_name(settings.name)[0] != _VLLM:
        settings.build_live(PromptLibrary(), settings.temperature, settings.rate_limiter())


async def answer_round(run: Run, engine: str) -> None:
    """Answer the waiting requests of the run's models on Ray; import answers as they arrive.

    Raise `ConfigError` if Ray or a model cannot be used, `RunAborted` if no further call can
    succeed; the answers so far are in the store.
    """
    workers = connect(engine)
    models = {settings.name: settings for settings in run.models.in_use}
    for settings in models.values():
        check_model(settings)
    if not (batches := [part for part in parts(run.store) if part.model in models]):
        raise RunAborted(f"{run.folder} waits for batches; import them with `uaeval batch fetch`")
    run.progress.started("model calls on Ray", sum(len(part.lines) for part in batches))
    for part in batches:
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
    """Return a dataset of rows with the line of an answer, or in `aborted` the fatal error."""
    import ray

    rows = [{"request": line} for line in part.lines.values()]
    provider, name = split_name(part.model)
    if provider == _VLLM:
        requests = ray.data.from_items(rows)
        from ray.data.llm import build_processor

        generate = build_processor(vllm_config(name), preprocess=vllm_request)
        return generate(requests).map(vllm_answer)
    workers = min(workers, settings.concurrency, settings.requests_per_minute or workers)
    per_worker = settings.concurrency // workers
    limits = settings.model_dump(include={"requests_per_minute", "tokens_per_minute"})
    share = {name: limit and max(1, limit // workers) for name, limit in limits.items()}
    share["concurrency"] = per_worker
    size = max(1, min(per_worker * _REQUESTS_PER_SLOT, -(-len(rows) // workers)))
    requests = ray.data.from_items(rows, override_num_blocks=-(-len(rows) // size))
    return requests.map_batches(
        EndpointCaller,
        fn_constructor_args=[settings.model_copy(update=share)],
        batch_size=size,
        compute=ray.data.ActorPoolStrategy(size=workers),
        num_cpus=1,
    )


class EndpointCaller:
    """Answers requests in a Ray worker, with its share of the limits of one model."""

    def __init__(self, settings: ModelSettings) -> None:
        limiter = settings.rate_limiter()
        self._model = cache(partial(settings.build_live, PromptLibrary(), rate_limiter=limiter))
        """The model by temperature; it remembers the features that its endpoint rejected."""

    def __call__(self, batch: Row) -> Row:
        """Return the answers to the requests of a batch, in their order."""
        answers = asyncio.run(all_of([*map(self._answer, batch["request"])]))
        return {"answer": [line for line, _ in answers], "aborted": [error for _, error in answers]}

    async def _answer(self, line: str) -> tuple[str, str]:
        """Return the answer's line and an empty text, or an empty line and the fatal error."""
        request = json.loads(line)
        with collect_usage() as used:
            try:
                content = await self._call(request["body"])
            except (RunAborted, ConfigError) as error:
                return "", str(error)
        charged = sum(used, Usage()).model_dump()
        return json.dumps({"custom_id": request["custom_id"], "charged": charged} | content), ""

    async def _call(self, body: Row) -> Row:
        """Call the endpoint; return its reply, or the error, in the format of the Batch API."""
        model = self._model(body.get("temperature"))
        messages = [(message["role"], message["content"]) for message in body["messages"]]
        try:
            text, cut_off = await model.complete(messages, body["response_format"])
        except RefusedError as error:
            return _as_answer({"refusal": error.text}, "stop")
        except BlockedError as error:
            return {"error": {"code": "content_filter", "message": str(error)}}
        except ModelError as error:
            return {"error": {"code": "ModelError", "message": str(error)}}
        return _as_answer({"content": text}, "length" if cut_off else "stop")


def _as_answer(message: Row, reason: str) -> Row:
    choice = {"message": message, "finish_reason": reason}
    return {"response": {"status_code": 200, "body": {"choices": [choice]}}}


def vllm_config(weights: str) -> "vLLMEngineProcessorConfig":
    """Return the configuration of the engine into which each Ray worker loads `weights`.

    Never run with real weights.
    """
    from ray.data.llm import vLLMEngineProcessorConfig

    return vLLMEngineProcessorConfig(model_source=weights, should_continue_on_error=True)


def vllm_request(row: Row) -> Row:
    """Return a request in vLLM's format; the schema is text, so that all rows have one type."""
    request = json.loads(row["request"])
    body = request["body"]
    sampling = {
        "temperature": body.get("temperature", 1.0),
        "max_tokens": _LONGEST_REPLY,
        "structured_outputs": {
            "json": json.dumps(body["response_format"]["json_schema"]["schema"])
        },
    }
    custom_id, messages = request["custom_id"], body["messages"]
    return {"custom_id": custom_id, "messages": messages, "sampling_params": sampling}


def vllm_answer(row: Row) -> Row:
    """Return vLLM's result as a row of `answer` and `aborted`."""
    if problem := row.get("__inference_error__"):
        usage, content = Usage(calls=1), {"error": {"code": "ModelError", "message": str(problem)}}
    else:
        prompt, completion = int(row["num_input_tokens"]), int(row["num_generated_tokens"])
        usage = Usage(calls=1, prompt_tokens=prompt, completion_tokens=completion)
        reason = "length" if completion >= _LONGEST_REPLY else "stop"
        content = _as_answer({"content": row["generated_text"]}, reason)
    line = {"custom_id": row["custom_id"], "charged": usage.model_dump()} | content
    return {"answer": json.dumps(line), "aborted": ""}
