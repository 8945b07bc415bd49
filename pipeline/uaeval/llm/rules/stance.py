"""What one passage says about one claim."""

from enum import StrEnum


class Stance(StrEnum):
    """What one passage says about one claim."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    SILENT = "silent"
