"""What the window tests are built on: an environment with a display (room), the program in it with keyboard and mouse
(program), assertions on its report (facts), and all of these as a scenario gets them (stage)."""

from .facts import Failed, document_of, expect, has_widget
from .program import Program
from .room import Home, display
from .stage import Stage

__all__ = ["Failed", "Home", "Program", "Stage", "display", "document_of", "expect", "has_widget"]
