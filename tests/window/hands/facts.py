"""Assertions of the tests, and readers of the window's report."""

import json

PATIENCE = 60.0  # seconds after which something that must happen counts as not happening, on a busy machine


class Failed(Exception):
    """An expectation that was not met, as a sentence."""


def expect(condition, sentence):
    if not condition:
        raise Failed(sentence)


def shortened(value, most=200):
    """A printed value, shortened: a long text would hide the rest."""
    said = repr(value)
    return value if len(said) <= most else said[:most] + " …"


def document_of(report):
    return json.loads(report["document"])


def has_widget(report, name):
    return any(widget[0] == name for widget in report["widgets"])
