"""Checks of the second model of a run: the verifier or the judge."""

from uaeval.model_names import OFFLINE


def shares_endpoint(name: str, first: str) -> bool:
    """Return whether a second model is asked at the first one's address: the same provider's."""
    if name == OFFLINE:
        return False
    return first == OFFLINE or name.partition(":")[0] == first.partition(":")[0]


def refuse_for_offline(role: str, name: str, base_url: str | None, samples: int) -> None:
    """Refuse settings that the offline engine does not have."""
    if name != OFFLINE:
        return
    if base_url:
        raise ValueError(f"{role}_base_url: the {role} is `offline`, which has no endpoint")
    if samples > 1:
        raise ValueError(
            f"samples: the {role} is `offline`, which always says the same, so that no majority "
            f"can be taken; leave samples out, or name a model as {role}"
        )
