"""What a test asserts, and what it reads in the report of the window."""

import json

PATIENCE = 60.0  # seconds until something that must happen counts as not happening, on a machine that others use too


class Failed(Exception):
    """An expectation that was not met, as a sentence."""


def expect(condition, sentence):
    if not condition:
        raise Failed(sentence)


def shortened(value, most=200):
    """What is printed of a value: a long text would hide the rest."""
    said = repr(value)
    return value if len(said) <= most else said[:most] + " …"


def document_of(report):
    return json.loads(report["document"])


def has_widget(report, name):
    return any(widget[0] == name for widget in report["widgets"])
