"""Time windows in questions (RC-5): "what did we cover in July?" as the span of days it means."""

from anamnesis.domain.time_windows.windows import TimeWindow, find_window

__all__ = ["TimeWindow", "find_window"]
