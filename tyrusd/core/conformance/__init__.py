"""The conformance run: numbered steps that tell a bot's author exactly what the bot does wrong; pure."""

from tyrusd.core.conformance.run import Run
from tyrusd.core.conformance.setting import Setting, Where
from tyrusd.core.conformance.step import Need, Result, Step, Verdict
from tyrusd.core.conformance.steps import STEP_NAMED, STEPS

__all__ = ["STEPS", "STEP_NAMED", "Need", "Result", "Run", "Setting", "Step", "Verdict", "Where"]
