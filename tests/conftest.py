"""Hypothesis settings for all tests: small and the same each time, or large where asked for."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("small", max_examples=200, deadline=None, derandomize=True)
settings.register_profile("large", max_examples=20_000, deadline=None)
settings.load_profile(os.environ.get("UNTORN_HYPOTHESIS", "small"))
