"""Settings of the whole suite: property tests measure no time, since the machine may be shared."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shared")
