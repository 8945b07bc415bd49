"""Estimate what an evaluation takes, without a call to a model."""

from uaeval.config import EvaluationConfig
from uaeval.errors import ConfigError
from uaeval.evaluation.estimate import measure
from uaeval.formats.query_source import laid_out, what_is_asked
from uaeval.jobs import finished_run, roles
from uaeval.llm.prices import open_prices
from uaeval.llm.roles import Role, role_of
from uaeval.llm.sizing import RoleForecast, RolePrices, SizingModel, amounts
from uaeval.prompts import open_prompts
from uaeval.systems.named import RAG, kind_of
from uaeval.systems.rag import index_of, rag_system


async def estimate_evaluation(config: EvaluationConfig) -> tuple[RoleForecast, ...]:
    """Return what the evaluation of a finished run takes, by role; no model is called.

    Raises:
        UsageError: the dataset or a setting cannot be used.
    """
    config = config.model_copy(update={"dataset": laid_out(config.dataset)})
    run = finished_run(config)
    if kind_of(config) != RAG:
        raise ConfigError("only the evaluation of `rag` can be estimated: it alone calls a model")
    sizing = SizingModel(open_prompts(config.prompts))
    with index_of(config) as index:
        queries = what_is_asked(run, config.controls).queries
        await measure(queries, rag_system(config, index, sizing), sizing, config.policy)
    models = {role: settings.name for role, settings in roles(config).items()}
    batch = config.mode == "batch"
    terms = RolePrices(models=models, prices=open_prices(config.prices), batch=batch)
    calls = {
        prompt: count * (config.samples if role_of(prompt) is Role.JUDGE else 1)
        for prompt, count in sizing.calls().items()
    }
    return amounts(calls, sizing.sizes(), terms)
