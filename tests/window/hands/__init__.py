"""What the window tests stand on: a room with a display (room), the program in it (program) with a hand on keyboard and
mouse, what is asserted of its report (facts), and all of it as a scenario gets it (stage)."""

from .facts import Failed, document_of, expect, has_widget
from .program import Program
from .room import Home, display
from .stage import Stage

__all__ = ["Failed", "Home", "Program", "Stage", "display", "document_of", "expect", "has_widget"]
