"""The exceptions that this package raises.

A `UsageError` ends a command with exit code 2, a `RunAborted` with 4. A `RecordError` concerns one
record, and the run continues.
"""


class UaevalError(Exception):
    """Base class of every error below."""


class UsageError(UaevalError):
    """The input or a setting cannot be used. The message says what is wrong and what to do."""


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


class RunAborted(UaevalError):  # noqa: N818 - it stops the run, and no record is at fault
    """The run cannot continue (wrong key, exhausted quota); the replies so far are saved."""


class LimitReached(RunAborted):
    """A limit on calls or cost is reached: no new call may start; calls in flight are completed."""


class PendingReply(UaevalError):  # noqa: N818 - a state, not a fault
    """The reply comes in a later batch; the request was stored for the batch file."""


class RecordError(UaevalError):
    """One record could not be processed; the failure is recorded and the run continues."""

    def __init__(self, message: str, *, raw: str | None = None) -> None:
        super().__init__(message)
        self.raw = raw
        """The full text of the model's reply; `None` if there was no reply."""


class ModelError(RecordError):
    """The model could not be reached or used."""


class RefusedError(RecordError):
    """The model itself refused the request."""

    def __init__(self, text: str) -> None:
        super().__init__(f"the model refused: {text}", raw=text)
        self.text = text
        """The model's words."""


class BlockedError(RecordError):
    """A provider's content filter stopped the request; these are counted apart from failures."""


class ReplyError(RecordError):
    """The model replied, but not in the form that was asked for."""


class UndecidedError(RecordError):
    """The offline judge cannot decide; repeating the call gives the same result."""


class NoMajorityError(RecordError):
    """The labels of several replies to one question have no majority."""


class TargetError(RecordError):
    """The system under test did not give a response."""


class FetchError(RecordError):
    """A web page could not be fetched, or cannot be used."""

    def __init__(
        self,
        kind: str,
        message: str,
        packed: bytes = b"",
        retry_after_s: float = 0.0,
        status: int | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        """One word for counting, such as `address`, `robots`, `status`, `size` or `time`."""
        self.packed = packed
        """Compressed data that could not be decompressed."""
        self.retry_after_s = retry_after_s
        """Seconds after which the host asks to be requested again; 0 if it does not."""
        self.status = status
        """The HTTP status, if the kind is `status`."""
