"""Settings: one field of a model is an option, a key of a YAML file and an argument in Python."""

from uaeval.config.build import build, read_settings
from uaeval.config.calls import CallSettings, Limits
from uaeval.config.evaluation import (
    EvaluationConfig,
    GateSettings,
    RescoreSettings,
    ScoreSettings,
)
from uaeval.config.grading import GradingConfig
from uaeval.config.settings import Option
from uaeval.config.synthesis import HOLDOUT, SynthesisConfig
from uaeval.config.systems import QUESTION, RagSettings, SystemSettings

__all__ = [
    "HOLDOUT",
    "QUESTION",
    "CallSettings",
    "EvaluationConfig",
    "GateSettings",
    "GradingConfig",
    "Limits",
    "Option",
    "RagSettings",
    "RescoreSettings",
    "ScoreSettings",
    "SynthesisConfig",
    "SystemSettings",
    "build",
    "read_settings",
]
