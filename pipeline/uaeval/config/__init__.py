"""Settings: each field is an option, a key of a YAML file and a keyword argument in Python."""

from uaeval.config.calls import CallSettings as CallSettings
from uaeval.config.calls import Spending as Spending
from uaeval.config.evaluation import RESPONSES as RESPONSES
from uaeval.config.evaluation import EvaluationConfig as EvaluationConfig
from uaeval.config.evaluation import GateSettings as GateSettings
from uaeval.config.evaluation import ReportSettings as ReportSettings
from uaeval.config.evaluation import RescoreSettings as RescoreSettings
from uaeval.config.evaluation import ScoreSettings as ScoreSettings
from uaeval.config.files import RunConfig as RunConfig
from uaeval.config.files import read_settings as read_settings
from uaeval.config.grading import GradingConfig as GradingConfig
from uaeval.config.settings import build as build
from uaeval.config.synthesis import HOLDOUT as HOLDOUT
from uaeval.config.synthesis import SynthesisConfig as SynthesisConfig
from uaeval.config.systems import HISTORY as HISTORY
from uaeval.config.systems import QUESTION as QUESTION
from uaeval.config.systems import SESSION as SESSION
from uaeval.config.systems import RagSettings as RagSettings
from uaeval.config.systems import SystemSettings as SystemSettings
