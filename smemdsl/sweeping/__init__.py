"""Every combination of some axes, or every configuration of a list, judged one after the other."""

from __future__ import annotations

from smemdsl.sweeping.model import Config, Figures, Row, Table, Tally, Task
from smemdsl.sweeping.plain import rows

__all__ = ["Config", "Figures", "Row", "Table", "Tally", "Task", "rows"]
