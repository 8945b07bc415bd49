"""How long the system under test took."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from uaeval.types import Response, ResponseStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Percentiles of the seconds from asking to the whole answer, retries and queueing left out."""

    n: int
    """Responses that were watched; failed, blocked and recorded ones without a time are not."""
    p50: float
    p90: float
    p95: float
    p99: float
    longest: float


def latency(responses: Iterable[Response]) -> Latency | None:
    """Return the percentiles, interpolated linearly; `None` if no response was timed."""
    seconds = [
        response.latency_s
        for response in responses
        if response.status is ResponseStatus.OK and response.latency_s is not None
    ]
    if not seconds:
        return None
    p50, p90, p95, p99, longest = np.percentile(seconds, [50, 90, 95, 99, 100]).round(3).tolist()
    return Latency(n=len(seconds), p50=p50, p90=p90, p95=p95, p99=p99, longest=longest)
