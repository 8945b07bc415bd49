"""Everything this package raises on purpose.

A `UsageError` ends a command with exit code 2, `RunAborted` with 4; a `RecordError` ends no run.
"""


class UaevalError(Exception):
    """Base class of every error below."""


class UsageError(UaevalError):
    """What was asked for cannot be done. The message names the thing and the remedy."""


class ConfigError(UsageError):
    """A setting is unknown, impossible or contradicts another."""


class KnowledgeBaseError(UsageError):
    """The knowledge base cannot be read or used."""


class PromptError(UsageError):
    """A prompt file is malformed or was given the wrong fields."""


class StorageError(UsageError):
    """A run folder or a file of it cannot be read, written or matched."""


class LanguageError(UsageError):
    """The chosen engine does not serve the language."""


class DatasetError(UsageError):
    """A file of queries or controls cannot be read or used."""


class RunAborted(UaevalError):  # noqa: N818 - it is an order, not a fault of a record
    """The run cannot go on (wrong key, exhausted quota); what was answered so far is saved."""


class LimitReached(RunAborted):
    """No further call may start; those that the limit let in are still made."""


class PendingReply(UaevalError):  # noqa: N818 - a state, not a fault
    """The answer is not there yet; the request was recorded for the batch file."""


class RecordError(UaevalError):
    """One record failed; it is written down and the run goes on."""

    def __init__(self, message: str, *, raw: str | None = None) -> None:
        super().__init__(message)
        self.raw = raw
        """What the model said, in full; `None` if it said nothing."""


class ModelError(RecordError):
    """The model could not be reached or used."""


class RefusedError(RecordError):
    """The model refused the request in words of its own."""

    def __init__(self, text: str) -> None:
        super().__init__(f"the model refused: {text}", raw=text)
        self.text = text
        """What the model said."""


class BlockedError(RecordError):
    """A provider's content filter stopped the request; counted apart."""


class ReplyError(RecordError):
    """The model replied, but not in the form that was asked for."""


class NoMajorityError(RecordError):
    """Several replies to one question have no majority."""


class TargetError(RecordError):
    """The system under test did not give a response."""


class FetchError(RecordError):
    """A page of the web could not be had, or not be used."""

    def __init__(self, kind: str, message: str, packed: bytes = b"") -> None:
        super().__init__(message)
        self.kind = kind
        """One word for counting, such as `address`, `robots`, `status`, `size` or `time`."""
        self.packed = packed
        """Data that cannot be unpacked."""
