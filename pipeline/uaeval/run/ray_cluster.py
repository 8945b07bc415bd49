"""Connect to a Ray cluster and distribute work; the number of workers does not affect results.

Ray schedules the work, transfers the data, and repeats the work of a killed worker.
"""

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from uaeval.errors import ConfigError, RunAborted, UaevalError

T = TypeVar("T")
R = TypeVar("R")
Row: TypeAlias = dict[str, Any]

EXTRA: Final = "ray"
_PART: Final = 256
"""Files, documents or passages that a worker gets at a time."""


def connect(engine: str) -> int:
    """Connect to Ray at the address in `engine`, unless connected; return the number of CPUs.

    Raise `ConfigError` if the package is missing, or there is no cluster at the address.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no telemetry
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise ConfigError(f'--engine ray needs Ray; run: pip install "uaeval[{EXTRA}]"') from error
    address = engine.removeprefix("ray").removeprefix(":") or "local"
    if not ray.is_initialized():
        try:
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            reason = " ".join(str(error).split())[:200]
            problem = f"engine: no Ray cluster can be used at {address} ({reason})"
            raise ConfigError(problem) from None
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return max(1, int(resources.get("CPU", 1)))


def map_parts(
    work: Callable[[Sequence[T]], Sequence[R]], items: Sequence[T], engine: str
) -> list[R]:
    """Return the results of `work` on the items, in their order.

    The engine `local` makes one call in this process; Ray workers get `_PART` items at a time.
    Raise the `UaevalError` that `work` raised, or `RunAborted` if Ray failed.
    """
    if engine == "local" or not items:
        return [*work(items)]
    connect(engine)
    import ray

    task: Any = ray.remote(max_retries=-1)(_work_on)  # a killed worker is replaced
    parts = (items[start : start + _PART] for start in range(0, len(items), _PART))
    results = list[R]()
    for result in finished(map(ray.get, [task.remote(work, part) for part in parts])):
        if isinstance(result, UaevalError):
            raise result
        results += result
    return results


def _work_on(
    work: Callable[[Sequence[T]], Sequence[R]], part: Sequence[T]
) -> Sequence[R] | UaevalError:
    try:
        return work(part)
    except UaevalError as error:
        return error


def finished(results: Iterable[T]) -> Iterator[T]:
    """Yield results as workers finish them; raise `RunAborted` if Ray fails."""
    from ray.exceptions import RayError

    try:
        yield from results
    except RayError as error:
        reason = " ".join(str(error).split())[-300:]
        raise RunAborted(f"Ray failed: {type(error).__name__}: {reason}") from error
